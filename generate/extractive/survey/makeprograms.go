package survey

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A madeProgram is an executable that a Makefile links.
type madeProgram struct {
	name    string
	dir     string
	objects []string // names of the objects that it is linked from
	copyOf  string   // the program that it is a copy of or a link to, under its own name
	ref     Ref
}

var (
	makeVariable = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([A-Za-z_]\w*)\s*[:?]?=\s*(.*)$`) })
	makeLink     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\$[({]\w+[)}]|[A-Za-z][\w-]*)\s*:\s*([^=]*)$`) })
	makeCopy     = sync.OnceValue(func() func(string) bool {
		return regexp.MustCompile(`(?i)\$[({]\w*install\w*[)}]|\b(install|cp|ln)\b`).MatchString
	})
)

// readMadePrograms reads the rules of a Makefile that link an executable from objects, or copy one under another name. A rule counts only where
// its target and what it is made of come down to literal names.
func readMadePrograms(name string, data []byte) []madeProgram {
	lines := joinContinued(splitLines(data))
	values := map[string]string{}
	for _, l := range lines {
		if f := makeVariable().FindStringSubmatch(l.text); f != nil && values[f[1]] == "" {
			values[f[1]] = f[2]
		}
	}
	var out []madeProgram
	for i, l := range lines {
		f := makeLink().FindStringSubmatch(l.text)
		if f == nil || i+1 >= len(lines) || !strings.HasPrefix(lines[i+1].text, "\t") {
			continue
		}
		target := expandMake(f[1], values)
		p := madeProgram{name: target, dir: path.Dir(name), ref: Ref{Path: name, Start: l.no, End: lines[i+1].no}}
		if target == "" || strings.ContainsAny(target, ". /") {
			continue
		}
		recipe := lines[i+1].text
		needs := strings.Fields(expandMake(f[2], values))
		switch {
		case strings.Contains(recipe, "-o $@") && !strings.Contains(recipe, " -c ") && !strings.Contains(recipe, "-shared"):
			for _, need := range needs {
				if strings.HasSuffix(need, ".o") || strings.HasSuffix(need, ".c") {
					p.objects = append(p.objects, strings.TrimSuffix(path.Base(need), path.Ext(need)))
				}
			}
			if len(p.objects) > 0 {
				out = append(out, p)
			}
		case len(needs) == 1 && makeCopy()(recipe):
			if slices.ContainsFunc(out, func(have madeProgram) bool { return have.name == needs[0] }) {
				p.copyOf = needs[0]
				out = append(out, p)
			}
		}
	}
	return out
}

// expandMake replaces the variables of a text; those that are set nowhere are empty, as make takes them.
func expandMake(text string, values map[string]string) string {
	for range 4 {
		next := makeTool().ReplaceAllStringFunc(text, func(v string) string { return values[strings.Trim(v, "$(){}")] })
		if next == text || len(next) > 1<<16 {
			break
		}
		text = next
	}
	if strings.Contains(text, "$") {
		return ""
	}
	return strings.TrimSpace(text)
}

// joinContinued joins lines that end in a backslash; a joined line keeps the number of its first.
func joinContinued(lines []textLine) []textLine {
	var out []textLine
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		for strings.HasSuffix(l.text, "\\") && i+1 < len(lines) && len(l.text) < 1<<14 {
			i++
			l.text = strings.TrimSuffix(l.text, "\\") + " " + strings.TrimSpace(lines[i].text)
		}
		out = append(out, l)
	}
	return out
}
