package source

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/gittest"
)

func TestClean(t *testing.T) {
	r := gittest.FromTxtar(t, demo)
	s := openRepo(t, r)
	head, dirty, err := s.Clean(t.Context())
	if err != nil || head.Commit != r.Head() || len(dirty) != 0 {
		t.Errorf("got %+v, %q, %v; want a clean %s", head, dirty, err, r.Head())
	}
	r.Write("untracked", "x")
	r.Append("openwiki/quickstart.md", "x")
	r.Append("secret/k.go", "x")
	r.Append("src/a.go", "x")
	r.Rename("Zebra", "Yak")
	r.Git("add", "Yak", "Zebra")
	r.Remove("README.md")
	_, dirty, err = s.Clean(t.Context())
	if diff := cmp.Diff([]string{"README.md", "Yak", "Zebra", "src/a.go"}, dirty); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestChangedSince(t *testing.T) {
	r := gittest.FromTxtar(t, demo)
	first := r.Head()
	r.Append("openwiki/quickstart.md", "x\n")
	wiki := r.Commit("wiki only")
	r.Append("secret/k.go", "x\n")
	r.Append("src/a.go", "x\n")
	r.Rename("Zebra", "Yak")
	source := r.Commit("source")
	r.Append("README.md", "x\n")
	r.Write("untracked", "x")
	s := openRepo(t, r)
	for _, test := range []struct {
		base string
		want []string
	}{
		{first, []string{"README.md", "Yak", "Zebra", "src/a.go"}},
		{wiki, []string{"README.md", "Yak", "Zebra", "src/a.go"}},
		{source, []string{"README.md"}},
		{"", []string{"README.md"}},
	} {
		got, err := s.ChangedSince(t.Context(), test.base)
		if diff := cmp.Diff(test.want, got); err != nil || diff != "" {
			t.Errorf("since %q: %v (-want +got):\n%s", test.base, err, diff)
		}
	}
	r.Write("README.md", "# demo\n")
	if got, err := s.ChangedSince(t.Context(), source); err != nil || len(got) != 0 {
		t.Errorf("nothing changed: got %q, %v", got, err)
	}
	for _, base := range []string{strings.Repeat("0", 40), "not a commit", "--output=x"} {
		if got, err := s.ChangedSince(t.Context(), base); !errors.Is(err, gitrepo.ErrUnknownCommit) || got != nil {
			t.Errorf("since %q: got %q, %v; want %v", base, got, err, gitrepo.ErrUnknownCommit)
		}
	}
}

func TestChangedSince_unborn(t *testing.T) {
	r := gittest.New(t)
	r.Write("a", "a")
	r.Git("add", "a")
	s := openRepo(t, r)
	if got, err := s.ChangedSince(t.Context(), ""); err != nil || !slices.Equal(got, []string{"a"}) {
		t.Errorf("got %q, %v; want a", got, err)
	}
	if got, err := s.ChangedSince(t.Context(), strings.Repeat("0", 40)); !errors.Is(err, gitrepo.ErrUnknownCommit) {
		t.Errorf("got %q, %v; want %v", got, err, gitrepo.ErrUnknownCommit)
	}
}

func TestChangedSince_shallow(t *testing.T) {
	origin := gittest.FromTxtar(t, demo)
	base := origin.Head()
	origin.Append("README.md", "2\n")
	origin.Commit("second")
	origin.Append("src/a.go", "3\n")
	origin.Commit("third")

	s := openRepo(t, origin.ShallowClone(1))
	got, err := s.ChangedSince(t.Context(), base)
	if diff := cmp.Diff([]string{"README.md", "src/a.go"}, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if _, err := s.ChangedSince(t.Context(), strings.Repeat("1", 40)); !errors.Is(err, gitrepo.ErrUnknownCommit) {
		t.Errorf("a commit that is nowhere: got %v, want %v", err, gitrepo.ErrUnknownCommit)
	}
	cut := openRepo(t, func() *gittest.Repo {
		clone := origin.ShallowClone(1)
		clone.Git("remote", "remove", "origin")
		return clone
	}())
	if got, err := cut.ChangedSince(t.Context(), base); !errors.Is(err, gitrepo.ErrUnknownCommit) || got != nil {
		t.Errorf("without a remote: got %q, %v; want %v", got, err, gitrepo.ErrUnknownCommit)
	}
}
