package scan

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"
)

// A tag is one line of ctags --output-format=json --fields=+nKeS.
type tag struct {
	Name      string `json:"name"`
	Path      string `json:"path"`
	Line      int    `json:"line"`
	Kind      string `json:"kind"`
	Scope     string `json:"scope"`
	ScopeKind string `json:"scopeKind"`
	End       int    `json:"end"`
	Pattern   string `json:"pattern"`
	Type      string `json:"_type"` // "skip" for a file that the judge could not read
}

// comparable returns the category in which a tag is compared, "" for what the scanners leave out on purpose: locals, parameters,
// imports, and the members that only some constructors assign.
func (t tag) category(language string) string {
	if strings.HasPrefix(t.Name, "__anon") || strings.HasPrefix(t.Name, "anonymous") || strings.HasPrefix(t.Name, "AnonymousFunction") || strings.Contains(t.Scope, "anonymous") {
		return ""
	}
	if t.Kind == "class" && t.Pattern != "" && !strings.Contains(t.Pattern, "class") {
		return "" // an object or a constructor function with methods
	}
	return ctagsCategories[language][t.Kind]
}

// ctagsCategories maps the kinds of ctags to categories, by language.
var ctagsCategories = map[string]map[string]string{
	"Go": {
		"func": "function", "const": "constant", "var": "variable", "type": "type", "struct": "type", "interface": "type", "talias": "type",
		"methodSpec": "function",
	},
	"Python":     {"class": "type", "function": "function", "member": "function"},
	"JavaScript": {"class": "type", "function": "function", "method": "function", "generator": "function", "getter": "function", "setter": "function"},
	"TypeScript": {
		"class": "type", "interface": "type", "enum": "type", "alias": "type", "namespace": "module", "function": "function",
		"method": "function", "generator": "function",
	},
}

// category returns the category in which a declaration is compared.
func (d Decl) category() string {
	switch d.Kind {
	case KindFunction, KindMethod:
		return "function"
	case KindClass, KindStruct, KindInterface, KindTrait, KindEnum, KindType:
		return "type"
	}
	return string(d.Kind)
}

// A tally counts how far the scanner and ctags agree.
type tally struct {
	both, missed, extra int // names at lines
	ends, sameEnds      int
}

func (t tally) recall() float64    { return ratio(t.both, t.both+t.missed) }
func (t tally) precision() float64 { return ratio(t.both, t.both+t.extra) }

func ratio(a, b int) float64 {
	if b == 0 {
		return 1
	}
	return float64(a) / float64(b)
}

// TestAgainstCtags compares the scanners with Universal Ctags on a tree of real code: WIKIWRIGHT_CTAGS names the program, or any
// other that prints the same lines,
// WIKIWRIGHT_CTAGS_TREE the directory, WIKIWRIGHT_CTAGS_SHOW how many differences to print for each language and category.
func TestAgainstCtags(t *testing.T) {
	program, tree := os.Getenv("WIKIWRIGHT_CTAGS"), os.Getenv("WIKIWRIGHT_CTAGS_TREE")
	if program == "" || tree == "" {
		t.Log("WIKIWRIGHT_CTAGS and WIKIWRIGHT_CTAGS_TREE are not set: compared with recorded tags only")
		return
	}
	files := readTree(t, tree)
	tallies := map[string]*tally{}
	show, _ := strconv.Atoi(os.Getenv("WIKIWRIGHT_CTAGS_SHOW"))
	d := &difference{tallies: tallies, show: show, shown: map[string]int{}, log: t.Logf}
	for p, tags := range liveTags(t, program, files) {
		d.compare(files[p], tags)
	}
	report(t, tallies)
	for key, n := range tallies {
		if n.both+n.missed < 200 || !strings.HasSuffix(key, " function") && !strings.HasSuffix(key, " type") {
			continue
		}
		if n.recall() < 0.97 || n.precision() < 0.95 {
			t.Errorf("%s: recall %.4f, precision %.4f", key, n.recall(), n.precision())
		}
	}
}

func report(t *testing.T, tallies map[string]*tally) {
	t.Helper()
	var keys []string
	for k := range tallies {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		n := tallies[k]
		t.Logf("%-24s %7d tags  recall %.4f  precision %.4f  ends %.4f of %d", k, n.both+n.missed, n.recall(), n.precision(), ratio(n.sameEnds, n.ends), n.ends)
	}
}

// readTree scans every file of a tree that ctags is compared on.
func readTree(t *testing.T, tree string) map[string]*File {
	t.Helper()
	files := map[string]*File{}
	err := filepath.WalkDir(tree, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		if filepath.Ext(p) == "" {
			return nil
		}
		if Language(filepath.ToSlash(p), nil) == "" {
			return nil
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		f := Source(filepath.ToSlash(p), data)
		if ctagsCategories[f.Language] != nil && !minified(f.Language, data) {
			files[p] = f
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func liveTags(t *testing.T, program string, files map[string]*File) map[string][]tag {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, "--output-format=json", "--fields=+nKeS", "--sort=no", "-f", "-", "-L", "-",
		"--map-Python=+.pyi", "--map-TypeScript=+.tsx", "--map-TypeScript=+.mts", "--map-TypeScript=+.cts", "--map-JavaScript=+.mjs", "--map-JavaScript=+.cjs")
	var in bytes.Buffer
	for p := range files {
		fmt.Fprintln(&in, p)
	}
	cmd.Stdin = &in
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("run %s: %v", program, err)
	}
	tags := map[string][]tag{}
	for p := range files {
		tags[p] = nil
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var one tag
		if json.Unmarshal(lines.Bytes(), &one) != nil {
			continue
		}
		if one.Type == "skip" {
			delete(tags, one.Path)
		} else {
			tags[one.Path] = append(tags[one.Path], one)
		}
	}
	return tags
}

// A difference compares files and counts.
type difference struct {
	tallies map[string]*tally
	show    int
	shown   map[string]int
	log     func(format string, args ...any)
}

type place struct {
	category, name string
	line           int
}

func (d *difference) compare(f *File, tags []tag) {
	ours := map[place]Decl{}
	for _, decl := range f.Decls {
		ours[place{decl.category(), decl.Name, decl.Start}] = decl
	}
	seen := map[place]bool{}
	local := locals(tags)
	for _, one := range tags {
		if local(one.Scope) {
			continue
		}
		at := place{one.category(f.Language), one.Name, one.Line}
		if at.category == "" || seen[at] {
			continue
		}
		seen[at] = true
		n := d.tally(f, at.category)
		decl, ok := ours[at]
		if !ok {
			n.missed++
			d.print(f, "missed", at, one.Kind+" "+one.Pattern)
			continue
		}
		n.both++
		if one.End > 0 {
			n.ends++
			if one.End == decl.End {
				n.sameEnds++
			} else {
				d.print(f, fmt.Sprintf("end %d for %d of", decl.End, one.End), place{at.category + " end", at.name, at.line}, "")
			}
		}
	}
	known := map[string]bool{}
	for _, c := range ctagsCategories[f.Language] {
		known[c] = true
	}
	for _, decl := range f.Decls {
		at := place{decl.category(), decl.Name, decl.Start}
		if known[at.category] && !seen[at] {
			d.tally(f, at.category).extra++
			d.print(f, "extra", at, decl.Signature)
		}
	}
}

// locals returns a test for scopes that are, or lie in, the body of a function.
func locals(tags []tag) func(scope string) bool {
	bodies := map[string]bool{}
	for _, t := range tags {
		switch t.ScopeKind {
		case "function", "method", "func", "generator", "getter", "setter", "member":
			bodies[t.Scope] = true
		}
	}
	return func(scope string) bool {
		for scope != "" {
			if bodies[scope] {
				return true
			}
			scope = scope[:max(strings.LastIndexByte(scope, '.'), 0)]
		}
		return false
	}
}

func (d *difference) tally(f *File, category string) *tally {
	key := f.Language + " " + category
	if d.tallies[key] == nil {
		d.tallies[key] = &tally{}
	}
	return d.tallies[key]
}

func (d *difference) print(f *File, what string, at place, detail string) {
	key := f.Language + at.category + strings.Fields(what)[0]
	if d.shown[key]++; d.shown[key] <= d.show {
		d.log("%s:%d: %s %s %s: %s", f.Path, at.line, what, at.category, at.name, detail)
	}
}

// TestRecordedTags compares the scanners with tags that were recorded for files with awkward constructs: testdata/X.tags.json holds
// those of testdata/X, as ctags --output-format=json --fields=+nKeS --sort=no prints them, or typescript-tags.cjs does.
func TestRecordedTags(t *testing.T) {
	recorded, err := filepath.Glob("testdata/*.tags.json")
	if err != nil || len(recorded) == 0 {
		t.Fatalf("no recorded tags: %v", err)
	}
	for _, name := range recorded {
		p := strings.TrimSuffix(name, ".tags.json")
		t.Run(filepath.Base(p), func(t *testing.T) {
			data, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			lines, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var tags []tag
			for _, l := range bytes.Split(bytes.TrimSpace(lines), []byte{'\n'}) {
				var one tag
				if err := json.Unmarshal(l, &one); err != nil {
					t.Fatal(err)
				}
				tags = append(tags, one)
			}
			d := &difference{tallies: map[string]*tally{}, show: 100, shown: map[string]int{}, log: t.Errorf}
			d.compare(Source(filepath.ToSlash(p), data), tags)
			for _, n := range d.tallies {
				if n.both > 0 {
					return
				}
			}
			t.Error("nothing was compared")
		})
	}
}
