package publish

import (
	"strings"
	"testing"

	"github.com/wikiwright/wikiwright/internal/githubtest"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/gittest"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

func TestPathGate(t *testing.T) {
	t.Parallel()
	gate, err := newPathGate("openwiki", []string{"AGENTS.md"}, []gitrepo.TreeEntry{
		{Path: "openwiki/Guide/Start.md", Mode: gitrepo.ModeRegular},
		{Path: "openwiki/linked", Mode: gitrepo.ModeSymlink},
		{Path: "openwiki/module", Mode: gitrepo.ModeGitlink},
	})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		path    string
		fatal   bool
		problem string // part of the reason; "" for none
	}{
		{path: "openwiki/core.md"},
		{path: "openwiki/.claims/core.json"},
		{path: "openwiki/Guide/More.md"},
		{path: "openwiki/日本語.md"},
		{path: "AGENTS.md"},
		{path: "CLAUDE.md", fatal: true},
		{path: "openwiki", fatal: true},
		{path: "src/a.go", fatal: true},
		{path: "OpenWiki/core.md", fatal: true},
		{path: "openwiki2/core.md", fatal: true},
		{path: ".github/workflows/x.yml", fatal: true},
		{path: "openwiki/../.github/workflows/x.yml", fatal: true},
		{path: "../openwiki/x.md", fatal: true},
		{path: "/openwiki/x.md", fatal: true},
		{path: `openwiki\x.md`, fatal: true},
		{path: "C:/openwiki/x.md", fatal: true},
		{path: "openwiki//x.md", fatal: true},
		{path: "openwiki/./x.md", fatal: true},
		{path: "openwiki/x\x00.md", fatal: true},
		{path: "", fatal: true},
		{path: "openwiki/.git/config", fatal: true},
		{path: "openwiki/.GIT/config", fatal: true},
		{path: "openwiki/.git./config", fatal: true},
		{path: "openwiki/.git /config", fatal: true},
		{path: "openwiki/git~1/config", fatal: true},
		{path: "openwiki/.g\u200cit/config", fatal: true},
		{path: "openwiki/.git::$INDEX_ALLOCATION/config", fatal: true},
		{path: "openwiki/aux.md", problem: "Windows reserves"},
		{path: "openwiki/Com1.page.md", problem: "Windows reserves"},
		{path: "openwiki/conin$", problem: "Windows reserves"},
		{path: "openwiki/com10.md"},
		{path: "openwiki/dir./x.md", problem: "ends in a dot"},
		{path: "openwiki/dir /x.md", problem: "space"},
		{path: "openwiki/a?b.md", problem: "not every file system"},
		{path: "openwiki/a\nb.md", problem: "not every file system"},
		{path: "openwiki/\xff.md", problem: "UTF-8"},
		{path: "openwiki/" + strings.Repeat("a", 253) + ".md", problem: "255 bytes"},
		{path: "openwiki/" + strings.Repeat("a", 252) + ".md"},
		{path: "openwiki/" + strings.Repeat("long/", 210) + "x.md", problem: "1,024 bytes"},
		{path: "openwiki/guide/new.md", problem: "letter case"},
		{path: "openwiki/Guide/START.md", problem: "letter case"},
		{path: "openwiki/linked/x.md", problem: "through the link"},
		{path: "openwiki/module", problem: "through the link"},
	}
	for _, tt := range tests {
		if got := gate.fatal(tt.path); (got != "") != tt.fatal {
			t.Errorf("fatal(%.60q) = %q, want %v", tt.path, got, tt.fatal)
		}
		if tt.fatal {
			continue
		}
		if got := gate.problem(tt.path); (got != "") != (tt.problem != "") || !strings.Contains(got, tt.problem) {
			t.Errorf("problem(%.60q) = %q, want %q", tt.path, got, tt.problem)
		}
	}
}

func TestPathGateRefusesLinkedWiki(t *testing.T) {
	t.Parallel()
	for _, entry := range []gitrepo.TreeEntry{
		{Path: "docs/wiki", Mode: gitrepo.ModeSymlink}, {Path: "docs/wiki", Mode: gitrepo.ModeRegular}, {Path: "docs", Mode: gitrepo.ModeSymlink},
		{Path: "docs/wiki", Mode: gitrepo.ModeGitlink},
	} {
		if _, err := newPathGate("docs/wiki", nil, []gitrepo.TreeEntry{entry}); err == nil {
			t.Errorf("%s of mode %s is accepted", entry.Path, entry.Mode)
		}
	}
}

func TestBlockProblem(t *testing.T) {
	t.Parallel()
	const start, end = "<!-- OPENWIKI:START -->", "<!-- OPENWIKI:END -->"
	owner := strings.Repeat("A rule of ours.\n", 40)
	block := start + "\nRead openwiki/.\n" + end
	tests := []struct {
		name, before, after string
		fine                bool
	}{
		{"added at the end", owner, owner + "\n" + block + "\n", true},
		{"new file", "", block + "\n", true},
		{"replaced", owner + block, owner + start + "\nOther.\n" + end, true},
		{"removed", owner + block, owner, true},
		{"CRLF", strings.ReplaceAll(owner, "\n", "\r\n"), owner + block, true},
		{"whole file replaced", owner, block, false},
		{"a word changed", owner + block, strings.Replace(owner, "rule", "law", 1) + block, false},
		{"start only before", owner + start, owner + block, false},
		{"start only after", owner, owner + start, false},
		{"end before start", owner + end + start, owner + block, false},
		{"two pairs", owner + block + block, owner + block, false},
		{"two pairs after", owner, owner + block + block, false},
		{"block added to existing text in the middle of a word", "ab", "a" + block + "b", false},
	}
	for _, tt := range tests {
		if got := blockProblem([]byte(tt.before), []byte(tt.after)); (got == "") != tt.fine {
			t.Errorf("%s: %q", tt.name, got)
		}
	}
}

func TestRunStateNeverPublished(t *testing.T) {
	t.Parallel()
	w := newWorld(t, seedArchive+wikiArchive+"-- openwiki/.run.json --\n{}\n", githubtest.Options{})
	out := w.publish(map[string]string{
		"core.md": "# Core\n\nNew words.\n", ".run.json": "{\"run\":1}\n", ".run.json.tmp123": "{", ".core.md.12.abcdefghij.tmp": "#",
	}, state(StatePartial))
	w.want(out, OpCreated, 5)
	for _, name := range w.gh.Files("openwiki/update") {
		if strings.Contains(name, ".run.json") || strings.HasSuffix(name, ".tmp") {
			t.Errorf("%s is published", name)
		}
	}
	if pull := w.gh.Pull(1); !pull.Draft {
		t.Error("the pull request of a partial run is no draft")
	}
}

func TestOutsideOfTheWikiIsRefused(t *testing.T) {
	t.Parallel()
	w := wikiWorld(t)
	c := w.checkout()
	for _, path := range []string{".github/workflows/x.yml", "openwiki/../.github/workflows/x.yml", "src/a.go", "openwiki/.GIT/config"} {
		b := c.bundle(one)
		b.Files = append(b.Files, File{Path: path, Data: []byte("x")})
		w.want(c.publish(b), OpRefused, 0)
	}
}

func TestDirtyTreeOutsideIsNotPublished(t *testing.T) {
	t.Parallel()
	w := wikiWorld(t)
	c := w.checkout()
	c.repo.Write(".github/workflows/x.yml", "on: push\n")
	c.repo.Append("src/a.go", "// dirty\n")
	w.want(c.publish(c.bundle(one)), OpCreated, 5)
	w.gh.OnlyBelow("openwiki/update", "main", "openwiki")
}

func TestBadPageNameIsLeftOut(t *testing.T) {
	t.Parallel()
	w := wikiWorld(t)
	out := w.publish(map[string]string{"core.md": one["core.md"], "aux.md": "# Aux\n", "CORE.md": "# Clash\n"})
	w.want(out, OpCreated, 5)
	if len(out.Blocked) != 2 {
		t.Errorf("blocked: %+v", out.Blocked)
	}
	for _, name := range w.gh.Files("openwiki/update") {
		if name == "openwiki/aux.md" || name == "openwiki/CORE.md" && strings.Contains(w.file("openwiki/update", name), "Clash") {
			t.Errorf("%s is published", name)
		}
	}
}

func TestSymlinkedWikiIsRefused(t *testing.T) {
	t.Parallel()
	seed := gittest.FromTxtar(t, seedArchive)
	seed.Write("elsewhere/x.md", "# X\n")
	seed.Symlink("elsewhere", "openwiki")
	seed.Commit("link")
	gh := githubtest.New(t, githubtest.Options{Seed: seed})
	w := &world{t: t, gh: gh, token: gh.Token(githubtest.Grant{}), policy: DefaultPolicy()}
	c := w.checkout()
	c.wiki = map[string]string{}
	out := c.publish(c.bundle(one))
	w.want(out, OpRefused, 0)
}

func TestSecretBlocksThePage(t *testing.T) {
	t.Parallel()
	w := wikiWorld(t)
	secret := "ghp_" + "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY3zA5"
	pages := map[string]string{"core.md": "# Core\n\ntoken: " + secret + "\n", "limits.md": "# Limits\n\nNew.\n"}
	out := w.publish(pages)
	w.want(out, OpCreated, 5)
	if len(out.Blocked) == 0 || out.Blocked[0].Page != wiki.PagePath("/openwiki/core.md") || out.Blocked[0].Kind != KindSecret {
		t.Errorf("blocked: %+v", out.Blocked)
	}
	if w.file("openwiki/update", "openwiki/core.md") != "# Core\n\nAdd sums two numbers.\n" || w.file("openwiki/update", "openwiki/limits.md") != pages["limits.md"] {
		t.Error("the wrong pages are published")
	}
	if labels := w.gh.Pull(1).Labels; !strings.Contains(strings.Join(labels, ","), LabelBlocked) {
		t.Errorf("labels %v", labels)
	}
}

func TestSecretInWordsOfThePullRequest(t *testing.T) {
	t.Parallel()
	w := wikiWorld(t)
	secret := "ghp_" + "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY3zA5"
	w.policy.CommitMessage = "docs: " + secret
	w.policy.Title = "docs: " + secret
	w.policy.BodyHeader = "See " + secret
	w.want(w.publish(one), OpCreated, 5)
	for _, call := range w.gh.Calls() {
		if strings.Contains(string(call.Body), secret) {
			t.Errorf("%s carries the secret", call)
		}
	}
	pull := w.gh.Pull(1)
	if strings.Contains(pull.Title+pull.Body, secret) {
		t.Errorf("title %q, body %q", pull.Title, pull.Body)
	}
	w.want(w.publish(one), OpNone, 0)
}

func TestExtraFiles(t *testing.T) {
	t.Parallel()
	const block = "<!-- OPENWIKI:START -->\nRead openwiki/.\n<!-- OPENWIKI:END -->\n"
	agents := "# Rules\n\nBe kind.\n"
	extra := func(path, text string) func(*Bundle) {
		return func(b *Bundle) { b.Extra = append(b.Extra, File{Path: path, Data: []byte(text)}) }
	}
	w := newWorld(t, seedArchive+wikiArchive+"-- AGENTS.md --\n"+agents, githubtest.Options{})
	// Not asked for: left out.
	w.want(w.publish(one, extra("AGENTS.md", agents+"\n"+block)), OpCreated, 5)
	if got := w.file("openwiki/update", "AGENTS.md"); got != agents {
		t.Errorf("AGENTS.md became %q", got)
	}
	w.policy.ExtraPaths = []string{"AGENTS.md", "CLAUDE.md"}
	// More than the block: left out, the wiki is published.
	out := w.publish(other, extra("AGENTS.md", block))
	w.want(out, OpUpdated, 4)
	if got := w.file("openwiki/update", "AGENTS.md"); got != agents || len(out.Blocked) != 1 {
		t.Errorf("AGENTS.md became %q, blocked %v", got, out.Blocked)
	}
	out = w.publish(other, extra("AGENTS.md", agents+"\n"+block), extra("CLAUDE.md", block))
	if out.Operation != OpUpdated || w.file("openwiki/update", "AGENTS.md") != agents+"\n"+block || w.file("openwiki/update", "CLAUDE.md") != block {
		t.Errorf("%+v: AGENTS.md %q", out, w.file("openwiki/update", "AGENTS.md"))
	}
}

func TestIgnoredWiki(t *testing.T) {
	t.Parallel()
	w := newWorld(t, seedArchive+"-- .gitignore --\nopenwiki/\n", githubtest.Options{})
	out := w.publish(one)
	w.want(out, OpCreated, 5)
	if !strings.Contains(strings.Join(out.Notes, " "), ".gitignore") {
		t.Errorf("notes %v do not speak of .gitignore", out.Notes)
	}
}
