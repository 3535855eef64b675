package extractive

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

// A catalogue is a directory of small data files each of which names, under the same key, a function of the source: one more of its kind
// takes a file and a function.
type catalogue struct {
	dir, ext string
	key      string
	example  survey.Ref // the line of one file that names its function
	function symbol
	made     survey.Ref // the line of a makefile that makes something from the files; Path "" where there is none
	target   string     // what it makes
	test     string     // a file among the tests that is called like the example; "" where there is none
}

// Bounds of the search for catalogues.
const (
	leastData   = 8  // files of a directory
	sampledData = 12 // of them that are read
	dataLines   = 60
)

// catalogues finds the directories of data files that describe functions.
func (a *atlas) catalogues() []catalogue {
	byDir := make(map[string][]string)
	var dirs []string
	for _, name := range a.paths {
		if ext := path.Ext(name); ext != ".json" && ext != ".yaml" && ext != ".yml" && ext != ".toml" || aside(path.Dir(name)) {
			continue
		}
		key := path.Dir(name) + "\x00" + path.Ext(name)
		if byDir[key] == nil {
			dirs = append(dirs, key)
		}
		byDir[key] = append(byDir[key], name)
	}
	var out []catalogue
	for _, key := range dirs {
		if c, ok := a.catalogue(byDir[key]); ok && len(out) < 4 {
			out = append(out, c)
		}
	}
	return out
}

var keyedName = sync.OnceValue(func() func(string) []string {
	return regexp.MustCompile(`^\s*"?(\w+)"?\s*[:=]\s*"?(\w{4,})"?,?\s*$`).FindStringSubmatch
})

// catalogue reads some files of a directory for a key whose value is, in most of them, a function that is declared once.
func (a *atlas) catalogue(files []string) (catalogue, bool) {
	if len(files) < leastData {
		return catalogue{}, false
	}
	read := []string{}
	for i := 0; i < len(files) && len(read) < sampledData; i += max(1, len(files)/sampledData) {
		read = append(read, files[i])
	}
	count := make(map[string]int)
	var keys []string
	for _, f := range read {
		for _, c := range a.namedIn(f) {
			if count[c.key]++; count[c.key] == 1 {
				keys = append(keys, c.key)
			}
		}
	}
	for _, key := range keys {
		if 10*count[key] >= 7*len(read) {
			c := a.bestExample(files, key)
			c.made, c.target = a.madeFrom(c)
			return c, true
		}
	}
	return catalogue{}, false
}

// namedIn are the keys of a data file whose values are functions that are declared once, each key once.
func (a *atlas) namedIn(file string) []catalogue {
	var out []catalogue
	lines := a.src.lines(file)
	for n, line := range lines[:min(dataLines, len(lines))] {
		m := keyedName()(line)
		if m == nil || slices.ContainsFunc(out, func(c catalogue) bool { return c.key == m[1] }) {
			continue
		}
		if all := a.calls.named[m[2]]; len(all) == 1 {
			out = append(out, catalogue{dir: path.Dir(file), ext: path.Ext(file), key: m[1], example: survey.Ref{Path: file, Start: n + 1, End: n + 1}, function: all[0]})
		}
	}
	return out
}

// bestExample is the first file that is called like its function and like a file among the tests, else the first.
func (a *atlas) bestExample(files []string, key string) catalogue {
	var first catalogue
	for _, f := range files {
		stem := strings.TrimSuffix(path.Base(f), path.Ext(f))
		test := a.testCalled(stem)
		if test == "" && first.key != "" {
			continue
		}
		for _, c := range a.namedIn(f) {
			if c.key != key {
				continue
			}
			if first.key == "" {
				first = c
			}
			if test != "" && strings.HasPrefix(strings.ToLower(c.function.decl.Name), stem) {
				c.test = test
				return c
			}
		}
	}
	return first
}

// testCalled is the one file in a directory of tests that is called like something, "" where there is none or several.
func (a *atlas) testCalled(stem string) string {
	found := ""
	for _, ext := range []string{".tcl", ".py", ".sh", ".t", ".rb", ".js", ".ts", ".go", ".lua", ".pl"} {
		for _, f := range a.byBase[stem+ext] {
			if !slices.ContainsFunc(strings.Split(path.Dir(f), "/"), func(d string) bool { return d == "tests" || d == "test" || d == "t" }) {
				continue
			}
			if found != "" {
				return ""
			}
			found = f
		}
	}
	return found
}

// madeFrom finds the rule of a makefile whose prerequisites are all files of a catalogue.
func (a *atlas) madeFrom(c catalogue) (survey.Ref, string) {
	for dir := c.dir; ; dir = path.Dir(dir) {
		for _, base := range []string{"Makefile", "makefile", "GNUmakefile"} {
			pattern := strings.TrimPrefix(c.dir, dir+"/") + "/*" + c.ext
			for i, line := range a.src.lines(path.Join(dir, base)) {
				target, rest, ok := strings.Cut(line, ":")
				if ok && !strings.HasPrefix(line, "\t") && slices.Contains(strings.Fields(rest), pattern) {
					return survey.Ref{Path: path.Join(dir, base), Start: i + 1, End: i + 1}, a.madeFile(path.Join(dir, base), strings.TrimSpace(target))
				}
			}
		}
		if dir == "." || dir == "/" {
			return survey.Ref{}, ""
		}
	}
}

// madeFile is the target of a rule with its variable resolved: to the one of its values by which there is such a file. A target of which that
// cannot be told is "".
func (a *atlas) madeFile(makefile, target string) string {
	before, rest, ok := strings.Cut(target, "$(")
	name, after, closed := strings.Cut(rest, ")")
	if !ok || !closed {
		return target
	}
	for _, line := range a.src.lines(makefile) {
		variable, value, set := strings.Cut(strings.TrimSpace(line), "=")
		if !set || strings.TrimRight(variable, " :?") != name {
			continue
		}
		if made := before + strings.TrimSpace(value) + after; !strings.Contains(made, "$") && len(a.src.lines(path.Join(path.Dir(makefile), made))) > 0 {
			return made
		}
	}
	return ""
}

// prototype is the one line of a header beside a function that declares it.
func (a *atlas) prototype(s symbol) (survey.Ref, bool) {
	p := a.ofFile[s.file.Path]
	if p == nil {
		return survey.Ref{}, false
	}
	var found []survey.Ref
	for _, name := range p.Files {
		if f := a.repo.Files[name]; f != nil && path.Ext(name) == ".h" {
			for i := range f.Decls {
				if d := &f.Decls[i]; d.Name == s.decl.Name && d.Kind == scan.KindFunction {
					found = append(found, survey.Ref{Path: name, Start: d.Start, End: d.Start})
				}
			}
		}
	}
	if len(found) != 1 {
		return survey.Ref{}, false
	}
	return found[0], true
}

// catalogueItem tells how one more of a catalogue is added.
func (a *atlas) catalogueItem(p *page, c catalogue) item {
	file := path.Base(c.example.Path)
	name := p.linked(code(c.function.decl.Name), c.function.ref())
	t := compose("Files of {} name the function that they describe under the key {}, as {} names {} in {}. To add one: 1. write such a file; 2. write its function like {}",
		p.folder(c.dir), code(c.key), p.linked(label(file), c.example), name, label(path.Base(c.function.file.Path)), name)
	refs := []survey.Ref{c.example, c.function.ref()}
	n := 3
	if at, ok := a.prototype(c.function); ok {
		t = compose("{}; 3. declare it like {}", t, p.at(at))
		refs = append(refs, at)
		n++
	}
	if c.target != "" {
		t = compose("{}; "+strconv.Itoa(n)+". {} is made anew from these files by {}", t, label(c.target), p.at(c.made))
		refs = append(refs, c.made)
	}
	if c.test != "" {
		t = compose("{}. Among the tests, {} is called like {}", t, p.linked(label(c.test), survey.Ref{Path: c.test}), label(file))
		refs = append(refs, survey.Ref{Path: c.test})
	}
	return item{text: compose("{}.", t), refs: refs, bare: true}
}
