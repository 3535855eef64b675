package survey

import (
	"path"
	"strings"
)

// isLicence reports a licence file by name.
func isLicence(name string) bool {
	base := strings.ToUpper(strings.TrimSuffix(path.Base(name), path.Ext(name)))
	switch base {
	case "LICENSE", "LICENCE", "COPYING", "UNLICENSE", "COPYING.LESSER":
		return true
	}
	return strings.HasPrefix(base, "LICENSE-") || strings.HasPrefix(base, "LICENCE-")
}

// recogniseLicence names the licence of a licence file by sentences that only that licence has; "" where it is none of the common ones, or
// where the file holds several.
func recogniseLicence(data []byte) string {
	text := strings.ToLower(strings.Join(strings.Fields(string(data[:min(len(data), 200_000)])), " "))
	found := ""
	for _, l := range licenceMarks() {
		if !containsAll(text, l.marks) {
			continue
		}
		if found != "" && !l.weak {
			return ""
		}
		if found == "" {
			found = l.id
		}
	}
	return found
}

// licenceName returns the SPDX name of the usual long names; other names stay as written.
func licenceName(s string) string {
	switch strings.NewReplacer(",", "", "the ", "", "version ", "", "-", " ").Replace(strings.ToLower(s)) {
	case "apache license 2.0", "apache 2.0", "apache software license 2.0", "apache 2":
		return "Apache-2.0"
	case "mit license", "mit":
		return "MIT"
	case "bsd 3 clause license", "bsd 3 clause":
		return "BSD-3-Clause"
	}
	return s
}

type licenceMark struct {
	id    string
	weak  bool // its text is part of others too: counts only when nothing was found before
	marks []string
}

func licenceMarks() []licenceMark {
	return []licenceMark{
		{"Apache-2.0", false, []string{"apache license", "version 2.0, january 2004", "grant of patent license"}},
		{"AGPL-3.0", false, []string{"gnu affero general public license", "version 3, 19 november 2007"}},
		{"LGPL-3.0", false, []string{"gnu lesser general public license", "version 3, 29 june 2007"}},
		{"LGPL-2.1", false, []string{"gnu lesser general public license", "version 2.1, february 1999"}},
		{"GPL-3.0", true, []string{"gnu general public license", "version 3, 29 june 2007", "preamble"}},
		{"GPL-2.0", true, []string{"gnu general public license", "version 2, june 1991", "preamble"}},
		{"MPL-2.0", false, []string{"mozilla public license version 2.0", "1. definitions"}},
		{"EPL-2.0", false, []string{"eclipse public license - v 2.0"}},
		{"BUSL-1.1", false, []string{"business source license 1.1", "change date"}},
		{"Unlicense", false, []string{"this is free and unencumbered software released into the public domain"}},
		{"CC0-1.0", false, []string{"cc0 1.0 universal"}},
		{"Zlib", false, []string{"altered source versions must be plainly marked as such", "misrepresented"}},
		{"BSL-1.0", false, []string{"boost software license - version 1.0"}},
		{"ISC", false, []string{"permission to use, copy, modify, and/or distribute this software for any purpose with or without fee"}},
		{"BSD-3-Clause", true, []string{"redistribution and use in source and binary forms", "neither the name"}},
		{"BSD-2-Clause", true, []string{"redistribution and use in source and binary forms", "this list of conditions"}},
		{"MIT", true, []string{"permission is hereby granted, free of charge, to any person obtaining a copy", "the software is provided \"as is\""}},
	}
}

func containsAll(text string, marks []string) bool {
	for _, m := range marks {
		if !strings.Contains(text, m) {
			return false
		}
	}
	return true
}
