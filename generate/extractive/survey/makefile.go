package survey

import (
	"path"
	"regexp"
	"strings"
	"sync"
)

// isMakefile reports a Makefile by name.
func isMakefile(name string) bool {
	switch path.Base(name) {
	case "Makefile", "makefile", "GNUmakefile":
		return true
	}
	return false
}

var makeTarget = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([A-Za-z0-9][A-Za-z0-9_.\-]*(?:\s+[A-Za-z0-9][A-Za-z0-9_.\-]*)*)\s*::?(?:[^=:].*|)$`)
})

// readMakefile reads the targets a person calls: those that carry a `##` help comment, and those whose name is a word of work. The
// others are files and steps.
func readMakefile(name string, data []byte) []Command {
	lines := splitLines(data)
	var out []Command
	seen := map[string]bool{}
	for i, l := range lines {
		f := makeTarget().FindStringSubmatch(l.text)
		if f == nil || strings.Contains(f[1], "$") {
			continue
		}
		help := ""
		if at := strings.Index(l.text, "## "); at >= 0 {
			help = clean(l.text[at+3:])
		}
		recipe, end := makeRecipe(lines, i)
		for target := range strings.FieldsSeq(f[1]) {
			if seen[target] || target == "help" || strings.Contains(target, ".") || help == "" && purposeOfName(target) == "" {
				continue
			}
			seen[target] = true
			runs := recipe
			if help != "" {
				runs = help
			}
			out = append(out, Command{
				Line: commandLine("make " + target), Runs: shortRun(runs), Source: "Makefile target",
				Ref: Ref{Path: name, Start: l.no, End: end}, Dir: path.Dir(name),
			})
		}
	}
	return out
}

// makeRecipe returns the first line that does work in the recipe of the target at i, and the last line of the recipe.
func makeRecipe(lines []textLine, i int) (string, int) {
	end, first, count := lines[i].no, "", 0
	for _, l := range lines[i+1:] {
		if !strings.HasPrefix(l.text, "\t") {
			break
		}
		end = l.no
		text := strings.TrimLeft(strings.TrimSpace(l.text), "@-+")
		if text == "" || strings.HasPrefix(text, "#") || strings.HasPrefix(text, "echo") || strings.HasPrefix(text, "printf") {
			continue
		}
		if count++; count == 1 {
			first = text
		}
	}
	if count > 1 || strings.HasSuffix(first, "\\") {
		first = "" // more than one short line
	}
	return first, end
}

var justRecipe = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^@?([a-zA-Z][a-zA-Z0-9_-]*)((?:\s+[^:=]+)?)\s*:(?:[^=].*|)$`)
})

// readJustfile reads the public recipes of a justfile with the comment above as help.
func readJustfile(name string, data []byte) []Command {
	lines := splitLines(data)
	var out []Command
	for i, l := range lines {
		f := justRecipe().FindStringSubmatch(l.text)
		if f == nil || f[1] == "set" || f[1] == "alias" || f[1] == "export" || f[1] == "default" || f[1] == "help" {
			continue
		}
		help := ""
		for j := i - 1; j >= 0 && help == ""; j-- {
			text := strings.TrimSpace(lines[j].text)
			if strings.HasPrefix(text, "[") {
				if strings.Contains(text, "private") {
					help = "-"
				}
				continue
			}
			if c, ok := strings.CutPrefix(text, "#"); ok {
				help = clean(c)
			}
			break
		}
		if help == "-" {
			continue
		}
		out = append(out, Command{
			Line: commandLine("just " + f[1]), Runs: shortRun(help), Source: "justfile", Dir: path.Dir(name),
			Ref: Ref{Path: name, Start: l.no, End: l.no},
		})
	}
	return out
}

// readTaskfile reads the tasks of a Taskfile.yml.
func readTaskfile(name string, data []byte) []Command {
	var out []Command
	for _, t := range firstYAML(data).get("tasks").fields() {
		if t.get("internal").str() == "true" || t.key == "default" {
			continue
		}
		runs := t.get("desc").str()
		if cmds := t.get("cmds").strings(); runs == "" && len(cmds) == 1 {
			runs = cmds[0]
		}
		out = append(out, Command{
			Line: commandLine("task " + t.key), Runs: shortRun(runs), Source: "Taskfile", Dir: path.Dir(name), Ref: t.ref(name),
		})
	}
	return out
}

var rakeTask = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^task\s*\(?\s*(?::|["'])?([a-z][a-zA-Z0-9_]*)["']?`)
})

// readRakefile reads the top-level tasks of a Rakefile that carry a description.
func readRakefile(name string, data []byte) []Command {
	var out []Command
	desc := ""
	for _, l := range splitLines(data) {
		if rest, ok := strings.CutPrefix(l.text, "desc "); ok {
			desc = clean(unquote(rest))
			continue
		}
		f := rakeTask().FindStringSubmatch(l.text)
		if f != nil && (desc != "" || purposeOfName(f[1]) != "") {
			out = append(out, Command{
				Line: commandLine("rake " + f[1]), Runs: shortRun(desc), Source: "Rakefile", Dir: path.Dir(name),
				Ref: Ref{Path: name, Start: l.no, End: l.no},
			})
		}
		if strings.TrimSpace(l.text) != "" {
			desc = ""
		}
	}
	return out
}

// readTox reads the environments of tox.ini.
func readTox(name string, data []byte) []Command {
	var out []Command
	for _, env := range parseINI(data).fields() {
		label, ok := strings.CutPrefix(env.key, "testenv:")
		if !ok {
			continue
		}
		runs := env.get("commands").str()
		if cmds := env.get("commands").strings(); runs == "" && len(cmds) == 1 {
			runs = cmds[0]
		}
		out = append(out, Command{
			Line: commandLine("tox -e " + label), Runs: shortRun(runs), Source: "tox environment", Dir: path.Dir(name),
			Ref: Ref{Path: name, Start: env.line, End: max(env.line, env.end)},
		})
	}
	return out
}

var noxSession = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^def\s+([a-z][a-z0-9_]*)\s*\(`) })

// readNox reads the sessions of noxfile.py.
func readNox(name string, data []byte) []Command {
	var out []Command
	session := false
	for _, l := range splitLines(data) {
		if strings.HasPrefix(l.text, "@nox.session") {
			session = true
		}
		if f := noxSession().FindStringSubmatch(l.text); f != nil {
			if session {
				out = append(out, Command{
					Line: "nox -s " + f[1], Source: "nox session", Dir: path.Dir(name), Ref: Ref{Path: name, Start: l.no, End: l.no},
				})
			}
			session = false
		}
	}
	return out
}
