package extractive

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/atomicfile"
	"github.com/wikiwright/wikiwright/internal/evidence"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/gittest"
	"github.com/wikiwright/wikiwright/internal/source"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

var update = flag.Bool("update", false, "rewrite the golden pages")

// families are the fixture repositories, one for each language family.
var families = []string{"go", "python", "typescript", "rust", "c", "objects"}

// open returns the source of a fixture repository and its directory.
func open(t *testing.T, name string) (*source.Source, *atomicfile.Dir) {
	t.Helper()
	archive, err := os.ReadFile(filepath.Join("testdata", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	dir := gittest.FromTxtar(t, string(archive)).Dir
	repo, err := gitrepo.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	root, err := atomicfile.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	src, err := source.Open(t.Context(), repo, root, wiki.DefaultDir)
	if err != nil {
		t.Fatal(err)
	}
	return src, root
}

func renderFixture(t *testing.T, src *source.Source, workers int) map[string]*page {
	t.Helper()
	lines := newLineCache(src.Read)
	repo, err := survey.Read(t.Context(), survey.Options{Source: src, Concurrency: workers, Keep: lines.keep})
	if err != nil {
		t.Fatal(err)
	}
	return render(repo, wiki.DefaultDir, lines, workers)
}

// asArchive is the whole wiki as text: every page with its claims.
func asArchive(pages map[string]*page) string {
	var a txtar.Archive
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		p := pages[name]
		a.Files = append(a.Files, txtar.File{Name: name, Data: p.text("")})
		var b strings.Builder
		for _, c := range p.claims {
			b.WriteString(c.Statement + "\n\t" + strings.Join(c.Evidence, "\n\t") + "\n")
		}
		a.Files = append(a.Files, txtar.File{Name: name + " claims", Data: []byte(b.String())})
	}
	return string(txtar.Format(&a))
}

func TestGolden(t *testing.T) {
	for _, name := range families {
		t.Run(name, func(t *testing.T) {
			src, _ := open(t, name)
			got := asArchive(renderFixture(t, src, 1))
			golden := filepath.Join("testdata", name+".golden")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("pages (-want +got):\n%s", diff)
			}
		})
	}
}

func TestConcurrencyDoesNotChangePages(t *testing.T) {
	for _, name := range families {
		src, _ := open(t, name)
		one := asArchive(renderFixture(t, src, 1))
		for range 3 {
			if diff := cmp.Diff(one, asArchive(renderFixture(t, src, 8))); diff != "" {
				t.Fatalf("%s: eight workers change the pages:\n%s", name, diff)
			}
		}
	}
}

// TestPagesAreSound checks on every fixture what a wiki promises: valid front matter, diagrams and links, claims whose evidence exists.
func TestPagesAreSound(t *testing.T) {
	for _, name := range families {
		t.Run(name, func(t *testing.T) {
			src, root := open(t, name)
			pages := renderFixture(t, src, 1)
			w, err := wiki.Open(root, wiki.DefaultDir)
			if err != nil {
				t.Fatal(err)
			}
			var paths []wiki.PagePath
			for _, file := range slices.Sorted(maps.Keys(pages)) {
				p := pages[file]
				virtual, err := wiki.Dir(wiki.DefaultDir).ParsePlannedPage("/" + file)
				if err != nil {
					t.Fatal(err)
				}
				paths = append(paths, virtual)
				if err := w.Write(virtual, p.text("")); err != nil {
					t.Fatal(err)
				}
				checkPage(t, p, virtual)
			}
			exists := func(repoPath string) (file, dir bool) {
				info, err := root.Root().Stat(filepath.FromSlash(strings.TrimSuffix(repoPath, "/")))
				return err == nil && info.Mode().IsRegular(), err == nil && info.IsDir()
			}
			findings, err := wiki.CheckLinks(w, paths, exists)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range findings {
				t.Errorf("%s:%d: %s: %s", f.Page, f.Line, f.Kind, f.Message)
			}
		})
	}
}

func checkPage(t *testing.T, p *page, virtual wiki.PagePath) {
	t.Helper()
	text := p.text("")
	if issues := wiki.Parse(text).Issues(); len(issues) > 0 {
		t.Errorf("%s: front matter: %v", p.path, issues)
	}
	if _, findings := wiki.CheckMermaid(text); len(findings) > 0 {
		t.Errorf("%s: diagram: %v", p.path, findings)
	}
	if again := wiki.NormalizeLinks(text, virtual, func(string) (bool, bool) { return true, false }); string(again) != string(text) {
		t.Errorf("%s: the lifecycle would rewrite links:\n%s", p.path, cmp.Diff(string(text), string(again)))
	}
	if len(p.claims) == 0 {
		t.Errorf("%s: no claims", p.path)
	}
	for _, c := range p.claims {
		for _, r := range c.Evidence {
			parsed, err := evidence.Parse(r, wiki.DefaultDir)
			if err != nil || parsed.String() != r {
				t.Errorf("%s: evidence %q is not canonical: %v", p.path, r, err)
				continue
			}
			if _, ok := p.src.text(survey.Ref{Path: parsed.Path, Start: parsed.Start, End: parsed.End}); !ok {
				t.Errorf("%s: evidence %q does not exist", p.path, r)
			}
		}
	}
}

var linkedName = regexp.MustCompile("\\[`([^`]+)`\\]\\(([^)#]+)#L(\\d+)(?:-L(\\d+))?\\)")

// TestLinkedNamesAreInTheLines follows every link that shows a name and points at lines: the reader finds the name there.
func TestLinkedNamesAreInTheLines(t *testing.T) {
	for _, name := range families {
		src, _ := open(t, name)
		for _, p := range renderFixture(t, src, 1) {
			for _, m := range linkedName.FindAllStringSubmatch(string(p.body), -1) {
				checkLinkedName(t, p, m)
			}
		}
	}
}

func checkLinkedName(t *testing.T, p *page, m []string) {
	t.Helper()
	target := filepath.ToSlash(filepath.Join(filepath.Dir(p.path), m[2]))
	start, end := atoi(m[3]), atoi(m[4])
	lines, ok := p.src.text(survey.Ref{Path: target, Start: start, End: end})
	if !ok {
		t.Errorf("%s: link to %s:%d, which is not there", p.path, target, start)
		return
	}
	want := strings.TrimLeft(m[1], "-")
	want = want[strings.LastIndexByte(want, '.')+1:]
	if !strings.Contains(lines+"\n"+target, want) && !isPart(m[1]) {
		t.Errorf("%s: `%s` is not in %s:%d: %q", p.path, m[1], target, start, lines)
	}
}

// isPart reports whether a name is that of a part, whose link shows an import line in the spelling of its language.
func isPart(name string) bool { return strings.ToLower(name) == name && !strings.Contains(name, "(") }

func atoi(s string) int {
	n := 0
	for _, r := range s {
		n = 10*n + int(r-'0')
	}
	return n
}
