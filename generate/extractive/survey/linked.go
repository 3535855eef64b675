package survey

import (
	"path"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"
)

// A linkedLibrary is a library that a Makefile links or asks pkg-config for.
type linkedLibrary struct {
	name string
	kind string // "" where every build links it, "optional" where the line stands under a condition, "vendored" where it lies in the repository
	ref  Ref
}

var (
	libraryOption = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|[\s=])-l([A-Za-z][\w+.-]*)`) })
	libraryFile   = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:^|[\s=/])(?:deps|third_party|thirdparty|3rdparty|vendor|vendored|external|contrib)/([A-Za-z][\w.+-]*)/[\w./+-]*\.(?:a|o|so)\b`)
	})
	packageConfig = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:pkg-config|\$[({]PKG_CONFIG[)}])\s+(?:--[\w-]+\s+)*--libs\s+(?:--[\w-]+\s+)*"?([A-Za-z][\w.+-]*)`)
	})
)

// systemLibraries come with every C compiler or operating system; linking them is no dependency that somebody would look for.
var systemLibraries = []string{"m", "c", "dl", "rt", "pthread", "gcc", "gcc_s", "util", "nsl", "socket", "resolv", "atomic", "execinfo", "crypt", "bsd", "stdc++", "c++", "supc++", "ws2_32", "network", "kvm", "backtrace", "System", "system"}

// readLinked reads what the recipes and variables of a Makefile link, each library once: without a condition where some line has none.
func readLinked(name string, data []byte) []linkedLibrary {
	var out []linkedLibrary
	note := func(lib, kind string, no int) {
		if slices.Contains(systemLibraries, lib) {
			return
		}
		for i := range out {
			if out[i].name == lib {
				if out[i].kind == "optional" && kind != "optional" {
					out[i].kind, out[i].ref = kind, Ref{Path: name, Start: no, End: no}
				}
				return
			}
		}
		out = append(out, linkedLibrary{lib, kind, Ref{Path: name, Start: no, End: no}})
	}
	depth := 0
	lines := splitLines(data)
	for _, l := range lines {
		text := strings.TrimSpace(l.text)
		if strings.HasPrefix(text, "#") {
			continue
		}
		switch word, _, _ := strings.Cut(strings.ReplaceAll(text, "(", " "), " "); word {
		case "ifeq", "ifneq", "ifdef", "ifndef":
			depth++
			continue
		case "endif":
			depth = max(0, depth-1)
			continue
		}
		kind := ""
		if v := makeVariableName()(l.text); depth > 0 || v != nil && !inRecipe(lines, v[1]) {
			kind = "optional" // a variable that no recipe names may be used under conditions only
		}
		for _, m := range libraryFile().FindAllStringSubmatch(text, 20) {
			if kind == "" {
				note(m[1], "vendored", l.no)
			} else {
				note(m[1], "optional", l.no)
			}
		}
		for _, m := range libraryOption().FindAllStringSubmatch(text, 20) {
			note(m[1], kind, l.no)
		}
		for _, m := range packageConfig().FindAllStringSubmatch(text, 5) {
			note(m[1], kind, l.no)
		}
	}
	return out
}

var makeVariableName = sync.OnceValue(func() func(string) []string {
	return regexp.MustCompile(`^\s*([A-Za-z_]\w*)\s*[:+?]?=`).FindStringSubmatch
})

// inRecipe reports whether some recipe names a variable.
func inRecipe(lines []textLine, name string) bool {
	return slices.ContainsFunc(lines, func(l textLine) bool {
		return strings.HasPrefix(l.text, "\t") && makeVariableName()(l.text) == nil && (strings.Contains(l.text, "$("+name+")") || strings.Contains(l.text, "${"+name+"}"))
	})
}

// linkedExternals are the libraries that the Makefiles of the product link, for the part that lies with the Makefile.
func (s *surveyor) linkedExternals(repo *Repository, have []External) []External {
	owner := componentOwners(repo)
	at := map[string]int{}
	var out []External
	for i := range s.facts {
		f := &s.facts[i]
		if f.foreign != "" || len(f.linked) == 0 || besideProduct(path.Dir(f.path)) {
			continue
		}
		id := owner(f.path)
		if id == "" {
			continue
		}
		for _, lib := range f.linked {
			if slices.ContainsFunc(have, func(e External) bool { return e.Name == lib.name }) {
				continue
			}
			if n, ok := at[lib.name]; ok {
				if !slices.Contains(out[n].UsedBy, id) {
					out[n].UsedBy = append(out[n].UsedBy, id)
				}
				continue
			}
			at[lib.name] = len(out)
			out = append(out, External{Name: lib.name, Kind: linkedKind(lib.kind), Ref: lib.ref, UsedBy: []string{id}})
		}
	}
	for i := range out {
		sort.Strings(out[i].UsedBy)
	}
	all := append(slices.Clone(have), out...)
	sort.SliceStable(all, func(i, j int) bool { return all[i].Name < all[j].Name })
	return all
}

func linkedKind(kind string) string {
	switch kind {
	case "vendored":
		return "vendored"
	case "optional":
		return "linked-optional"
	}
	return "linked"
}
