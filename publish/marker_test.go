package publish

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/wiki"
)

func TestMarkerRoundTrip(t *testing.T) {
	t.Parallel()
	want := marker{
		Schema: 1, RunID: "r", BaseRef: "main", BaseSHA: "a", TipSHA: "b", HeadSHA: "c", State: StatePartial,
		Pairs: newPairs(pairOf("/openwiki/b.md", "1"), pairOf("/openwiki/a.md", "1"), pairOf("/openwiki/a.md", "1")), Rejected: newPairs(pairOf("/openwiki/c.md", "--> x")),
		InputFP: "i", TreeFP: "t", BodyHash: "h", Region: "g", Title: "docs: --> <!-- x", Draft: true, AutoMerge: true, Closed: "why", Version: "1",
	}
	if len(want.Pairs) != 2 {
		t.Fatalf("%d pairs, want 2", len(want.Pairs))
	}
	line := want.encode()
	if strings.ContainsAny(line, "\n\r") || strings.Count(line, "-->") != 1 {
		t.Errorf("marker is not one hidden line: %s", line)
	}
	got, ok := parseMarker("words\n" + line + "\nmore <!-- words -->")
	if diff := cmp.Diff(want, got); !ok || diff != "" {
		t.Errorf("round trip (-want +got):\n%s", diff)
	}
}

func TestMarkerIsReadLeniently(t *testing.T) {
	t.Parallel()
	valid := marker{RunID: "r"}.encode()
	for name, tt := range map[string]struct {
		body string
		ok   bool
	}{
		"none":              {"words", false},
		"no end":            {strings.TrimSuffix(valid, "-->"), false},
		"no base64":         {markerStart + "%%% -->", false},
		"no JSON":           {markerStart + "eA== -->", false},
		"no schema":         {markerStart + "e30= -->", false},
		"too long":          {markerStart + strings.Repeat("A", maxMarker+4) + " -->", false},
		"later version":     {markerStart + "eyJzY2hlbWEiOjksIm5ldyI6WzFdfQ== -->", true}, // {"schema":9,"new":[1]}
		"CRLF around":       {"a\r\n" + valid + "\r\n", true},
		"the last of two":   {markerStart + "%%% -->\n" + valid, true},
		"wrong pairs":       {markerStart + "eyJzY2hlbWEiOjEsInBhaXJzIjoiJSJ9 -->", false}, // {"schema":1,"pairs":"%"}
		"pairs cut in half": {markerStart + "eyJzY2hlbWEiOjEsInBhaXJzIjoiQUFBIn0= -->", true},
	} {
		if _, ok := parseMarker(tt.body); ok != tt.ok {
			t.Errorf("%s: read %v, want %v", name, ok, tt.ok)
		}
	}
}

func TestMarkerStaysSmall(t *testing.T) {
	t.Parallel()
	var list []pair
	for i := range maxPairs {
		list = append(list, pairOf(wiki.PagePath(strings.Repeat("x", i)), "1"))
	}
	if n := len((marker{Pairs: newPairs(list...)}).encode()); n > 20_000 {
		t.Errorf("marker of %d pairs has %d bytes", maxPairs, n)
	}
}

func FuzzParseMarker(f *testing.F) {
	f.Add(marker{RunID: "r", Pairs: newPairs(pairOf("/a.md", "1"))}.encode())
	f.Add(markerStart + "e30= -->")
	f.Fuzz(func(t *testing.T, body string) {
		m, ok := parseMarker(body)
		if !ok {
			return
		}
		m.Schema = markerSchema
		again, ok := parseMarker(m.encode())
		if len(m.encode()) <= maxMarker && (!ok || cmp.Diff(m, again) != "") {
			t.Errorf("%+v became %+v", m, again)
		}
	})
}

func TestReplaceRegion(t *testing.T) {
	t.Parallel()
	block := regionBegin + "\nnew\n" + regionEnd
	for name, tt := range map[string]struct{ body, want string }{
		"empty":               {"", block},
		"only ours":           {regionBegin + "\nold\n" + regionEnd, block},
		"words around":        {"a\n\n" + regionBegin + "\nold\n" + regionEnd + "\n\nb", "a\n\n" + block + "\n\nb"},
		"CRLF":                {"a\r\n\r\n" + regionBegin + "\r\nold\r\n" + regionEnd + "\r\nb", "a\n\n" + block + "\nb"},
		"no marks":            {"a", "a\n\n" + block},
		"begin only":          {"a\n" + regionBegin, "a\n" + regionBegin + "\n\n" + block},
		"wrong order":         {regionEnd + "a" + regionBegin, regionEnd + "a" + regionBegin + "\n\n" + block},
		"two pairs, words in": {regionBegin + "1" + regionEnd + "x" + regionBegin + "2" + regionEnd, block},
	} {
		got := replaceRegion(tt.body, "new")
		if got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
		if inner, ok := region(got); !ok || strings.Count(got, regionBegin) == 1 && inner != "new" {
			t.Errorf("%s: region %q, %v", name, inner, ok)
		}
	}
}

func TestOutside(t *testing.T) {
	t.Parallel()
	body := "before\n\n" + regionBegin + "\nours\n" + regionEnd + "\n\nafter"
	if got := outside(body); strings.Contains(got, "ours") || !strings.Contains(got, "before") || !strings.Contains(got, "after") {
		t.Errorf("outside: %q", got)
	}
}

func TestPeople(t *testing.T) {
	t.Parallel()
	id := Identity{Login: "wikiwright[bot]", ID: 9001}
	us := Signature{Name: "wikiwright[bot]", Email: "9001+wikiwright[bot]@users.noreply.github.com"}
	linked := Signature{Name: "x", Email: "x@example.com", Login: "wikiwright[bot]", ID: 9001}
	web := Signature{Name: "GitHub", Email: "noreply@github.com", Login: "web-flow", ID: 19864447}
	ada := Signature{Name: "Ada", Email: "ada@example.com", Login: "ada", ID: 7}
	const ours = "docs: x\n\nWikiwright-Run: 1\n"
	for name, tt := range map[string]struct {
		commit BranchCommit
		own    bool
	}{
		"ours":                          {BranchCommit{Author: us, Committer: us, Message: ours}, true},
		"linked":                        {BranchCommit{Author: linked, Committer: us, Message: ours}, true},
		"by the API":                    {BranchCommit{Author: us, Committer: web, Message: ours}, true},
		"author":                        {BranchCommit{Author: ada, Committer: us, Message: ours}, false},
		"committer":                     {BranchCommit{Author: us, Committer: ada, Message: ours}, false},
		"web page":                      {BranchCommit{Author: ada, Committer: web, Message: ours}, false},
		"merge":                         {BranchCommit{Author: us, Committer: web, Message: ours, Parents: []string{"a", "b"}}, false},
		"no trailer":                    {BranchCommit{Author: us, Committer: us, Message: "docs: x\n"}, false},
		"trailer not at the end":        {BranchCommit{Author: us, Committer: us, Message: ours + "\nmore words here\n"}, false},
		"co-author":                     {BranchCommit{Author: us, Committer: us, Message: ours + "Co-Authored-By: Ada <a@b>\n"}, false},
		"our address, other account":    {BranchCommit{Author: Signature{Email: us.Email, ID: 7}, Committer: us, Message: ours}, false},
		"our name only":                 {BranchCommit{Author: Signature{Name: us.Name, Login: us.Name, Email: "x@y"}, Committer: us, Message: ours}, false},
		"somebody who calls herself so": {BranchCommit{Author: us, Committer: Signature{Name: "GitHub", Email: "github@example.com"}, Message: ours}, false},
	} {
		if got := tt.commit.own(id); got != tt.own {
			t.Errorf("%s: own %v", name, got)
		}
	}
	if (BranchCommit{Author: us, Committer: us, Message: ours}).own(Identity{}) {
		t.Error("without an identity a commit is ours")
	}
}
