package claims_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/evidence"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

func TestOpen_NothingChanged(t *testing.T) {
	w := finished(t)
	before := w.tree()
	s := w.open()
	if issues, moves := s.Issues(), s.Moved(); len(issues) != 0 || len(moves) != 0 {
		t.Errorf("issues %v, moves %v", issues, moves)
	}
	if want := []wiki.PagePath{core, quickstart}; !slices.Equal(s.Pages(), want) {
		t.Errorf("pages %v, want %v", s.Pages(), want)
	}
	if s.Count(core) != 2 || s.Count("/openwiki/none.md") != 0 {
		t.Errorf("counts %d, %d", s.Count(core), s.Count("/openwiki/none.md"))
	}
	if got, want := s.EvidencePaths(core), []string{"repo://src/a.go", "repo://src/b.go"}; !slices.Equal(got, want) {
		t.Errorf("evidence paths %v, want %v", got, want)
	}
	w.finalize(s, day2)
	if diff := cmp.Diff(before, w.tree()); diff != "" {
		t.Errorf("finalizing nothing changed files:\n%s", diff)
	}
}

// Lines that moved are no issue; record and stamp follow. C01
func TestOpen_MovedLines(t *testing.T) {
	w := finished(t)
	before, err := w.config().Store.Load(core)
	w.check(err)
	w.Write("src/a.go", strings.Repeat("// x\n", 10)+w.Read("src/a.go"))
	s := w.open()
	add := ids(s, core)[0]
	if issues := s.Issues(); len(issues) != 0 {
		t.Errorf("issues %v", issues)
	}
	const now = "repo://src/a.go#L14-L16"
	want := []claims.Move{{Page: core, ClaimID: add, From: addFunc, To: now}}
	if diff := cmp.Diff(want, s.Moved()); diff != "" {
		t.Errorf("moved (-want +got):\n%s", diff)
	}
	if got := s.Inspect(core)[0].Evidence; !slices.Equal(got, []string{now}) {
		t.Errorf("evidence %v", got)
	}
	w.finalize(s, day2)
	after, err := w.config().Store.Load(core)
	w.check(err)
	before.Claims[0].Evidence[0].Resource = now
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("more changed than the place (-want +got):\n%s", diff)
	}
}

// The same with a line added inside: confirmed, span and reference agree. C01
func TestReconcile_MovedAndChanged(t *testing.T) {
	w := finished(t)
	text := strings.Replace(w.Read("src/a.go"), "\treturn", "\tx++\n\treturn", 1)
	w.Write("src/a.go", strings.Repeat("// x\n", 10)+text)
	s := w.open()
	add := ids(s, core)[0]
	want := []claims.Issue{{
		Page: core, Kind: claims.Stale, ClaimID: add, Resources: []string{addFunc},
		Hints: []string{addFunc + ": the content changed and is now at repo://src/a.go#L14-L17"},
	}}
	if diff := cmp.Diff(want, s.Issues()); diff != "" {
		t.Errorf("issues (-want +got):\n%s", diff)
	}
	w.reconcile(s, core, claims.Reconciliation{Confirmed: []string{add}})
	w.finalize(s, day2, core)
	sidecar, err := w.config().Store.Load(core)
	w.check(err)
	version, _ := evidence.LineVersion([]byte(w.Read("src/a.go")), 14, 17)
	if got := sidecar.Claims[0].Evidence[0]; got != (claims.Evidence{Resource: "repo://src/a.go#L14-L17", Version: version}) {
		t.Errorf("evidence %+v", got)
	}
	if diff := cmp.Diff([]claims.Move{{Page: core, ClaimID: add, From: addFunc, To: "repo://src/a.go#L14-L17"}}, s.Moved()); diff != "" {
		t.Errorf("moved (-want +got):\n%s", diff)
	}
}

// A moved file is followed when its content proves it. C02
func TestOpen_MovedFile(t *testing.T) {
	w := finished(t)
	w.Rename("src/a.go", "src/core/a.go")
	w.Commit("move")
	s := w.open()
	want := []claims.Move{{Page: core, ClaimID: ids(s, core)[0], From: addFunc, To: "repo://src/core/a.go#L4-L6"}}
	if diff := cmp.Diff(want, s.Moved()); diff != "" || len(s.Issues()) != 0 {
		t.Errorf("issues %v, moved (-want +got):\n%s", s.Issues(), diff)
	}
}

// Line ends of a checkout change nothing. C07
func TestOpen_CRLF(t *testing.T) {
	w := finished(t)
	for _, name := range []string{"src/a.go", "src/b.go", "README.md"} {
		w.Write(name, strings.ReplaceAll(w.Read(name), "\n", "\r\n"))
	}
	if s := w.open(); len(s.Issues()) != 0 || len(s.Moved()) != 0 {
		t.Errorf("issues %v, moves %v", s.Issues(), s.Moved())
	}
}

func TestOpen_Issues(t *testing.T) {
	w := finished(t)
	s := w.open()
	w.reconcile(s, core, claims.Reconciliation{Claims: []claims.Proposal{
		proposal("", "Both files.", "repo://src/a.go", "repo://src/b.go", "repo://README.md"),
	}})
	w.finalize(s, day1, core)
	all := ids(s, core)
	w.Write("src/a.go", "package a\n")
	w.Remove("src/b.go")

	s = w.open()
	got := s.IssuesOf(core)
	var kinds []string
	for _, issue := range got {
		kinds = append(kinds, issue.Kind)
	}
	if want := []string{claims.Unresolved, claims.Unresolved, claims.Unresolved}; !slices.Equal(kinds, want) {
		t.Fatalf("kinds %v, want %v", kinds, want)
	}
	// What is gone outweighs what changed, and only that is listed.
	i := slices.IndexFunc(got, func(issue claims.Issue) bool { return issue.ClaimID == all[2] })
	if !slices.Equal(got[i].Resources, []string{"repo://src/b.go"}) {
		t.Errorf("resources %v", got[i].Resources)
	}
	if !slices.IsSortedFunc(got, func(a, b claims.Issue) int { return strings.Compare(a.ClaimID, b.ClaimID) }) {
		t.Errorf("issues are not in the order of ids: %v", got)
	}
	inspected := s.Inspect(core)
	if inspected[2].Issue == nil || inspected[2].Issue.Kind != claims.Unresolved || inspected[2].ID != all[2] {
		t.Errorf("inspected %+v", inspected[2])
	}
}

// New ignore rules, links and odd records are issues, never failures.
func TestOpen_EvidenceThatMayNotBeCited(t *testing.T) {
	w := finished(t)
	w.Write(".openwikiignore", "src/a.go\n")
	w.Remove("src/b.go")
	w.Symlink("../../x", "src/b.go")
	sidecar := w.Read("openwiki/.claims/quickstart.json")
	w.Write("openwiki/.claims/quickstart.json", strings.Replace(sidecar, "repo://README.md", "repo://../README.md", 1))
	w.Commit("change")
	var got []string
	for _, issue := range w.open().Issues() {
		got = append(got, issue.Kind+" "+strings.Join(issue.Hints, "|"))
	}
	slices.Sort(got)
	want := []string{
		"unresolved repo://../README.md: it leaves the repository",
		"unresolved " + addFunc + ": the file is excluded by .openwikiignore",
		"unresolved " + limit + ": the symbolic link src/b.go leads outside of the repository, to ../../x",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestOpen_PagesWithoutSidecarAndOrphans(t *testing.T) {
	w := finished(t)
	w.Write("openwiki/bare.md", pageText("Bare"))
	w.Remove("openwiki/core.md")
	w.Write("openwiki/.claims/old/gone.json", "not even JSON")
	s := w.open()
	if want := []wiki.PagePath{quickstart}; !slices.Equal(s.Pages(), want) || len(s.Issues()) != 0 {
		t.Errorf("pages %v, want %v; issues %v", s.Pages(), want, s.Issues())
	}
	w.finalize(s, day2)
	for _, name := range []string{"core.json", "old"} {
		if _, err := os.Lstat(w.Path("openwiki/.claims/" + name)); !os.IsNotExist(err) {
			t.Errorf("orphan %s stays: %v", name, err)
		}
	}
	if got := w.Read("openwiki/bare.md"); got != pageText("Bare") {
		t.Errorf("the page without claims changed: %q", got)
	}
}

func TestOpen_Fresh(t *testing.T) {
	w := finished(t)
	s, err := claims.Open(t.Context(), w.config(), true)
	w.check(err)
	if len(s.Pages()) != 0 || s.Count(core) != 0 {
		t.Errorf("a fresh session has pages %v", s.Pages())
	}
	w.reconcile(s, core, propose("New.", limit))
	w.finalize(s, day2, core)
	w.check(s.Prove(core, "finish"))
	w.finalize(s, day2)
	if got := s.Count(core); got != 1 {
		t.Errorf("%d claims, want 1", got)
	}
	// The page written anew keeps its sidecar; the other one is gone, stamp too.
	w.check(s.Prove(core, "finish"))
	if _, err := os.Lstat(w.Path("openwiki/.claims/quickstart.json")); !os.IsNotExist(err) {
		t.Errorf("old sidecar: %v", err)
	}
	if got := w.Read("openwiki/quickstart.md"); got != pageText("Start") {
		t.Errorf("old page %q", got)
	}
}

func TestOpen_Error(t *testing.T) {
	w := finished(t)
	sidecar := w.Read("openwiki/.claims/core.json")
	w.Write("openwiki/.claims/quickstart.json", sidecar)
	_, err := claims.Open(t.Context(), w.config(), false)
	var file *claims.FileError
	want := "openwiki/.claims/quickstart.json: claim id " + ids(finished(t).open(), core)[0] + " is also in openwiki/.claims/core.json"
	if !errors.As(err, &file) || err.Error() != want || file.Hint == "" {
		t.Errorf("duplicate ids: %v, want %s", err, want)
	}
	// All unreadable sidecars are named.
	w.Write("openwiki/.claims/core.json", "{}")
	w.Write("openwiki/.claims/quickstart.json", "[]")
	_, err = claims.Open(t.Context(), w.config(), false)
	want = "openwiki/.claims/core.json:1: claims: missing\nopenwiki/.claims/quickstart.json:1: must be an object"
	if err == nil || err.Error() != want {
		t.Errorf("unreadable sidecars: %v, want %s", err, want)
	}
	if w.Read("openwiki/.claims/core.json") != "{}" {
		t.Error("an unreadable sidecar was replaced")
	}
}

func TestReload(t *testing.T) {
	w := finished(t)
	s := w.open()
	before := s.Inspect(core)
	side, page := w.Read("openwiki/.claims/core.json"), w.Read("openwiki/core.md")
	w.reconcile(s, core, propose("Wrong.", limit))
	w.finalize(s, day2, core)
	wrong := ids(s, core)[2]
	w.Write("openwiki/.claims/core.json", side)
	w.Write("openwiki/core.md", page)
	w.check(s.Reload(t.Context(), core))
	if diff := cmp.Diff(before, s.Inspect(core)); diff != "" {
		t.Errorf("after reload (-want +got):\n%s", diff)
	}
	w.check(s.Prove(core, "finish"))
	// The id of the dropped claim is free again.
	w.reconcile(s, core, propose("Wrong.", limit))
	if got := ids(s, core)[2]; got != wrong {
		t.Errorf("id %s, want %s", got, wrong)
	}
	// The source may have moved on.
	w.Append("README.md", "more\n")
	w.check(s.Reload(t.Context(), quickstart))
	if got := s.IssuesOf(quickstart); len(got) != 1 || got[0].Kind != claims.Stale {
		t.Errorf("issues %+v", got)
	}
	// A page that is no longer there has nothing.
	w.Remove("openwiki/core.md")
	w.Remove("openwiki/.claims/core.json")
	w.check(s.Reload(t.Context(), core))
	if s.Count(core) != 0 || slices.Contains(s.Pages(), core) {
		t.Errorf("count %d, pages %v", s.Count(core), s.Pages())
	}
	// In a fresh run the sidecar of the replaced wiki does not come back.
	w = finished(t)
	s, err := claims.Open(t.Context(), w.config(), true)
	w.check(err)
	w.reconcile(s, core, propose("New.", limit))
	w.check(s.Reload(t.Context(), core))
	if got := s.Count(core); got != 0 {
		t.Errorf("fresh: %d claims, want 0", got)
	}
}

func TestReload_DuplicateID(t *testing.T) {
	w := finished(t)
	s := w.open()
	before := s.Inspect(quickstart)
	w.Write("openwiki/.claims/quickstart.json", w.Read("openwiki/.claims/core.json"))
	var file *claims.FileError
	if err := s.Reload(t.Context(), quickstart); !errors.As(err, &file) {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff(before, s.Inspect(quickstart)); diff != "" {
		t.Errorf("the claims changed:\n%s", diff)
	}
}

// BenchmarkOpen is the preflight of a wiki of 40 pages with 20 Claims each.
func BenchmarkOpen(b *testing.B) {
	w := large(b, 40, 20)
	config := w.config()
	for b.Loop() {
		s, err := claims.Open(b.Context(), config, false)
		w.check(err)
		if got := len(s.Issues()) + len(s.Moved()); got != 0 {
			b.Fatalf("%d issues and moves", got)
		}
	}
}

// large is a finished wiki of many pages over 100 source files.
func large(t testing.TB, pages, each int) *world {
	t.Helper()
	w := newWorld(t)
	for i := range 100 {
		var text strings.Builder
		for line := range 300 {
			fmt.Fprintf(&text, "func f%d_%d() int { return %d }\n", i, line, line)
		}
		w.Write(fmt.Sprintf("src/f%d.go", i), text.String())
	}
	for p := range pages {
		w.Write(fmt.Sprintf("openwiki/p%d.md", p), pageText(fmt.Sprint("P", p)))
	}
	w.Commit("source")
	s := w.open()
	for p := range pages {
		var pairs []string
		for c := range each {
			file, line := (p*7+c*3)%100, 1+(p*13+c*11)%280
			pairs = append(pairs, fmt.Sprintf("Statement %d.", c), fmt.Sprintf("repo://src/f%d.go#L%d-L%d", file, line, line+5))
		}
		w.reconcile(s, wiki.PagePath(fmt.Sprintf("/openwiki/p%d.md", p)), propose(pairs...))
	}
	w.finalize(s, day1)
	return w
}
