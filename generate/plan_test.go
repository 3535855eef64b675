package generate

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

func testRules(mode Mode) *planRules {
	return &planRules{dir: wiki.DefaultDir, mode: mode, runID: "run"}
}

func page(path string) ProposedPage { return ProposedPage{Path: path, Title: "T", Purpose: "P"} }

func TestNormalizePlan(t *testing.T) {
	rules := testRules(ModeUpdate)
	rules.existing = []wiki.PagePath{"/openwiki/quickstart.md", "/openwiki/api/auth_flow-v2.md", "/openwiki/old.md", "/openwiki/lang.md"}
	rules.issues = []claims.Issue{
		{Page: "/openwiki/api/auth_flow-v2.md", Resources: []string{"repo://src/b.go#L1-L2", "repo://src/a%20b.go"}},
		{Page: "/openwiki/api/auth_flow-v2.md", Resources: []string{"repo://src/b.go"}},
		{Page: "/openwiki/old.md", Resources: []string{"repo://src/a.go"}},
		{Page: "/openwiki/z.md", Resources: []string{"repo://src/z.go"}},
	}
	rules.rewrite = []wiki.PagePath{"/openwiki/lang.md", "/openwiki/old.md", "/openwiki/quickstart.md"}
	plan, err := normalizePlan(Proposal{
		Pages: []ProposedPage{
			{Path: "quickstart.md", Title: "Q", Purpose: "P"},
			{Path: ` \openwiki\\z.md `, Title: " Z ", Purpose: " P ", SeedPaths: []string{"/b", `c\d`, "b"}, RelatedPages: []string{"x.md", "/openwiki/x.md"}, Instructions: []string{" do ", ""}},
			{Path: "B.md", Title: "B", Purpose: "P"},
		},
		DeletePages: []string{"old.md", "/openwiki/old.md"},
	}, rules)
	if err != nil {
		t.Fatal(err)
	}
	job := func(path, title, purpose string, seeds, related, instructions []string) PageJob {
		return PageJob{ID: jobID("run", wiki.PagePath(path)), Path: wiki.PagePath(path), Title: title, Purpose: purpose, Status: JobPending,
			SeedPaths: seeds, RelatedPages: related, Instructions: instructions}
	}
	none := []string{}
	want := &Plan{Pages: []PageJob{
		job("/openwiki/B.md", "B", "P", none, none, none),
		job("/openwiki/api/auth_flow-v2.md", "Auth Flow V2", reconcilePurpose, []string{"src/a b.go", "src/b.go"}, none, none),
		job("/openwiki/lang.md", "Lang", rewritePurpose, none, none, none),
		job("/openwiki/z.md", "Z", "P", []string{"b", "c/d"}, []string{"/openwiki/x.md"}, []string{"do"}),
		job("/openwiki/quickstart.md", "Q", "P", none, none, none),
	}, DeletePages: []wiki.PagePath{"/openwiki/old.md"}}
	if diff := cmp.Diff(want, plan); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
}

func TestNormalizePlan_Error(t *testing.T) {
	for _, test := range []struct {
		name     string
		mode     Mode
		proposal Proposal
		existing []wiki.PagePath
		want     string
	}{
		{"init without quickstart", ModeInit, Proposal{Pages: []ProposedPage{page("a.md")}}, nil, "needs the page /openwiki/quickstart.md"},
		{"first update without quickstart", ModeUpdate, Proposal{}, nil, "needs the page /openwiki/quickstart.md"},
		{"init deletes", ModeInit, Proposal{Pages: []ProposedPage{page("quickstart.md")}, DeletePages: []string{"a.md"}}, nil, "no pages to delete"},
		{"delete quickstart", ModeUpdate, Proposal{DeletePages: []string{"/quickstart.md"}}, nil, "cannot be deleted"},
		{"twice", ModeUpdate, Proposal{Pages: []ProposedPage{page("a.md"), page("/openwiki/a.md")}}, nil, "planned twice"},
		{"planned and deleted", ModeUpdate, Proposal{Pages: []ProposedPage{page("a.md")}, DeletePages: []string{"a.md"}}, nil, "both planned and deleted"},
		{"no title", ModeUpdate, Proposal{Pages: []ProposedPage{{Path: "a.md", Title: " ", Purpose: "P"}}}, nil, "title is empty"},
		{"no purpose", ModeUpdate, Proposal{Pages: []ProposedPage{{Path: "a.md", Title: "T"}}}, nil, "purpose is empty"},
		{"structural", ModeUpdate, Proposal{Pages: []ProposedPage{page("sub/Index.md")}}, nil, "structural"},
		{"reserved", ModeUpdate, Proposal{Pages: []ProposedPage{page("_plan.md")}}, nil, "reserved"},
		{"climbs", ModeUpdate, Proposal{Pages: []ProposedPage{page("../a.md")}}, nil, ".."},
		{"control character", ModeUpdate, Proposal{Pages: []ProposedPage{page("a\tb.md")}}, nil, "control"},
		{"seed climbs", ModeUpdate, Proposal{Pages: []ProposedPage{{Path: "a.md", Title: "T", Purpose: "P", SeedPaths: []string{"src/../../x"}}}}, nil, "seed path"},
		{"related is no page", ModeUpdate, Proposal{Pages: []ProposedPage{{Path: "a.md", Title: "T", Purpose: "P", RelatedPages: []string{"x.txt"}}}}, nil, "related page"},
		{"clash by case", ModeUpdate, Proposal{Pages: []ProposedPage{page("Auth.md"), page("auth.md")}}, nil, "differ only in case"},
		{"clash of folders", ModeUpdate, Proposal{Pages: []ProposedPage{page("API/a.md"), page("api/b.md")}}, nil, "differ only in case"},
		{"clash with the disk", ModeUpdate, Proposal{Pages: []ProposedPage{page("auth.md")}}, []wiki.PagePath{"/openwiki/Auth.md"}, "differ only in case"},
		{"clash by Unicode form", ModeUpdate, Proposal{Pages: []ProposedPage{page("\u00e9.md"), page("e\u0301.md")}}, nil, "Unicode form"},
		{"inside a page", ModeUpdate, Proposal{Pages: []ProposedPage{page("a.md"), page("a.md/b.md")}}, nil, "inside the page"},
	} {
		rules := testRules(test.mode)
		rules.existing = test.existing
		_, err := normalizePlan(test.proposal, rules)
		var input *InputError
		if !errors.As(err, &input) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want an input error with %q", test.name, err, test.want)
		}
	}
	rules := testRules(ModeUpdate)
	rules.existing = []wiki.PagePath{"/openwiki/Auth.md"}
	if _, err := normalizePlan(Proposal{Pages: []ProposedPage{page("auth.md")}, DeletePages: []string{"Auth.md"}}, rules); err != nil {
		t.Errorf("renaming by case: got %v, want it accepted", err)
	}
}

func TestDerivedIDs(t *testing.T) {
	if got := jobID("run", "/openwiki/a.md"); !uuidForm().MatchString(got) || got[14] != '8' {
		t.Errorf("got %s, want a version 8 UUID", got)
	}
	seen := map[string]bool{}
	for _, id := range []string{
		runID(ModeInit, "f", "en", nil, ""), runID(ModeUpdate, "f", "en", nil, ""), runID(ModeInit, "g", "en", nil, ""),
		runID(ModeInit, "f", "de", nil, ""), runID(ModeInit, "f", "en", []byte("m"), ""), runID(ModeInit, "f", "en", nil, "m"),
		jobID("a", "b"), jobID("ab", ""),
	} {
		if seen[id] {
			t.Errorf("id %s is given twice", id)
		}
		seen[id] = true
	}
	if got, want := jobID("run", "/openwiki/a.md"), jobID("run", "/openwiki/"+"a.md"); got != want {
		t.Errorf("the same page got the ids %s and %s", got, want)
	}
}

func FuzzNormalizePlan(f *testing.F) {
	f.Add("quickstart.md", "a.md", "src/a.go", "old.md", true)
	f.Add("openwiki//A.md", "a.md/b.md", "..", "quickstart.md", false)
	f.Fuzz(func(t *testing.T, first, second, seed, deleted string, init bool) {
		mode := ModeUpdate
		if init {
			mode = ModeInit
		}
		rules := testRules(mode)
		p := Proposal{Pages: []ProposedPage{{Path: first, Title: "T", Purpose: "P", SeedPaths: []string{seed}}, page(second)}, DeletePages: []string{deleted}}
		plan, err := normalizePlan(p, rules)
		if err != nil {
			var input *InputError
			if !errors.As(err, &input) {
				t.Fatalf("got %v, want an input error", err)
			}
			return
		}
		// What was normalised is its own normal form.
		var again Proposal
		for _, job := range plan.Pages {
			again.Pages = append(again.Pages, ProposedPage{Path: string(job.Path), Title: job.Title, Purpose: job.Purpose, SeedPaths: job.SeedPaths})
		}
		for _, page := range plan.DeletePages {
			again.DeletePages = append(again.DeletePages, string(page))
		}
		twice, err := normalizePlan(again, rules)
		if err != nil || !samePlan(plan, twice) {
			t.Fatalf("got %v, want the same plan again: %s", err, cmp.Diff(plan, twice))
		}
	})
}
