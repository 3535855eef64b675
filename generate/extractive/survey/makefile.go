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

// A makeRule is one target of a Makefile.
type makeRule struct {
	needs  []string // prerequisites, as written
	recipe []string // lines, without the tabs
}

// readMakefile reads the targets a person calls: those that carry a `##` help comment, and those whose name is a word of work. The
// others are files and steps.
func readMakefile(name string, data []byte) []Command {
	lines := splitLines(data)
	rules := map[string]*makeRule{}
	var out []Command
	seen := map[string]bool{}
	for i, l := range lines {
		f := makeTarget().FindStringSubmatch(l.text)
		if f == nil || strings.Contains(f[1], "$") {
			continue
		}
		head, comment, _ := strings.Cut(l.text, "## ")
		help := clean(comment)
		recipe, end := makeRecipe(lines, i)
		_, needs, _ := strings.Cut(head, ":")
		for target := range strings.FieldsSeq(f[1]) {
			rule := rules[target]
			if rule == nil {
				rule = &makeRule{}
				rules[target] = rule
			}
			rule.needs = append(rule.needs, strings.Fields(strings.TrimLeft(needs, ":"))...)
			rule.recipe = append(rule.recipe, recipe...)
			if seen[target] || target == "help" || strings.Contains(target, ".") || help == "" && purposeOfName(target) == "" {
				continue
			}
			seen[target] = true
			runs := help
			if help == "" {
				runs = oneStep(recipe)
			}
			out = append(out, Command{
				Line: commandLine("make " + target), Runs: shortRun(runs), Source: "Makefile target",
				Ref: Ref{Path: name, Start: l.no, End: end}, Dir: path.Dir(name),
			})
		}
	}
	for i := range out {
		target := lastWord(out[i].Line)
		out[i].Purpose = purposeOfRule(rules, target, 4)
		if rule := rules[target]; out[i].Purpose == otherPurpose && out[i].Runs == "" && len(rule.recipe) == 0 {
			out[i].Runs = shortRun(strings.Join(rule.needs, " "))
		}
	}
	return out
}

// purposeOfRule classifies a target by its recipe; one that only names others does what they do.
func purposeOfRule(rules map[string]*makeRule, target string, depth int) string {
	rule := rules[target]
	if rule == nil || depth == 0 {
		return ""
	}
	does, known := map[string]bool{}, len(rule.needs) > 0
	for _, need := range rule.needs {
		p := purposeOfRule(rules, need, depth-1)
		known = known && rules[need] != nil
		if p == otherPurpose && destroysRule(rules, need, depth-1) {
			return otherPurpose
		}
		if p != "" {
			does[p] = true
		}
	}
	recipe := rule.recipe
	if len(rule.needs) > 0 && onlyTalks(recipe) {
		recipe = nil
	}
	purpose := purposeOfTask(target, recipe)
	if len(recipe) > 0 || !known || len(does) == 0 || does[purpose] {
		return purpose
	}
	if list := sortedKeys(does); len(list) == 1 {
		return list[0]
	}
	return otherPurpose
}

// destroysRule reports a target that removes more than what was built, itself or through what it needs.
func destroysRule(rules map[string]*makeRule, target string, depth int) bool {
	rule := rules[target]
	if rule == nil || depth <= 0 {
		return false
	}
	for _, line := range rule.recipe {
		if destroys()(line) {
			return true
		}
	}
	for _, need := range rule.needs {
		if destroysRule(rules, need, depth-1) {
			return true
		}
	}
	return false
}

// makeRecipe returns the lines of the recipe of the target at i that do work, and its last line. Conditions in it are passed over.
func makeRecipe(lines []textLine, i int) (recipe []string, end int) {
	end = lines[i].no
	for _, l := range lines[i+1:] {
		if !strings.HasPrefix(l.text, "\t") {
			word, _, _ := strings.Cut(strings.TrimSpace(l.text), " ")
			if strings.HasPrefix(word, "if") || word == "else" || word == "endif" {
				continue
			}
			break
		}
		end = l.no
		text := strings.TrimLeft(strings.TrimSpace(l.text), "@-+")
		if text != "" && !strings.HasPrefix(text, "#") && !strings.HasPrefix(text, "$(info") {
			recipe = append(recipe, text)
		}
	}
	return recipe, end
}

// oneStep returns the one short line that a recipe consists of besides its messages, "" when it is more than that.
func oneStep(recipe []string) string {
	one := ""
	for _, text := range recipe {
		if onlyEcho()(text) {
			continue
		}
		if one != "" {
			return ""
		}
		one = text
	}
	if strings.HasSuffix(one, "\\") {
		return ""
	}
	return one
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
