package source

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/gittest"
)

const block = "<!-- OPENWIKI:START -->\nread the wiki\n<!-- OPENWIKI:END -->\n"

// What the set-up of a wiki writes is no change of the source; what the owner writes beside it is.
func TestChangedSince_managed(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(r *gittest.Repo)
		want   []string
	}{
		{"workflow", func(r *gittest.Repo) { r.Write(managedWorkflow, "on: push\n") }, nil},
		{"another workflow", func(r *gittest.Repo) { r.Write(".github/workflows/test.yml", "x") }, []string{".github/workflows/test.yml"}},
		{"new block", func(r *gittest.Repo) { r.Append("AGENTS.md", "\n"+block) }, nil},
		{"new file of the block", func(r *gittest.Repo) { r.Write("CLAUDE.md", block) }, nil},
		{"refreshed block", func(r *gittest.Repo) {
			r.Write("CLAUDE.md", "# Mine\n\n"+block+"\nmore\n")
			r.Commit("block")
			r.Write("CLAUDE.md", "# Mine\n\n<!-- OPENWIKI:START -->\nother\n<!-- OPENWIKI:END -->\n\nmore\n")
		}, []string{"CLAUDE.md"}}, // the file itself is new since the base
		{"line ends", func(r *gittest.Repo) { r.Write("AGENTS.md", "# Agents\r\n\r\n"+block) }, nil},
		{"words of the owner", func(r *gittest.Repo) { r.Write("AGENTS.md", "# Agents\n\nnew rule\n\n"+block) }, []string{"AGENTS.md"}},
		{"words after the block", func(r *gittest.Repo) { r.Append("AGENTS.md", block+"new rule\n") }, []string{"AGENTS.md"}},
		{"block without an end", func(r *gittest.Repo) { r.Append("AGENTS.md", "<!-- OPENWIKI:START -->\nx\n") }, []string{"AGENTS.md"}},
		{"deleted", func(r *gittest.Repo) { r.Remove("AGENTS.md") }, []string{"AGENTS.md"}},
		{"a file of that name elsewhere", func(r *gittest.Repo) { r.Write("docs/AGENTS.md", block) }, []string{"docs/AGENTS.md"}},
		{"now a link", func(r *gittest.Repo) { r.Remove("AGENTS.md"); r.Symlink("README.md", "AGENTS.md") }, []string{"AGENTS.md"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := gittest.FromTxtar(t, "-- AGENTS.md --\n# Agents\n-- README.md --\n# Agents\n")
			base := r.Head()
			test.change(r)
			r.Git("add", "--all")
			s := openRepo(t, r)
			_, dirty, err := s.Clean(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if test.name != "refreshed block" {
				if diff := cmp.Diff(test.want, dirty); diff != "" && len(test.want)+len(dirty) > 0 {
					t.Errorf("in the work tree (-want +got):\n%s", diff)
				}
			} else if len(dirty) != 0 {
				t.Errorf("in the work tree: got %q, want nothing", dirty)
			}
			r.Commit("change")
			got, err := s.ChangedSince(t.Context(), base)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" && len(test.want)+len(got) > 0 {
				t.Errorf("in the commits (-want +got):\n%s", diff)
			}
		})
	}
}

// The fingerprint counts these files whole, as OpenWiki does.
func TestSnapshot_managed(t *testing.T) {
	r := gittest.FromTxtar(t, "-- AGENTS.md --\n# Agents\n")
	s := openRepo(t, r)
	before := snapshot(t, s)
	r.Append("AGENTS.md", block)
	if after := snapshot(t, s); after.Fingerprint == before.Fingerprint {
		t.Error("the fingerprint does not change with AGENTS.md")
	}
}
