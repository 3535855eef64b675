package source

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/wikiwright/wikiwright/internal/gittest"
)

func TestResolve(t *testing.T) {
	r := gittest.FromTxtar(t, demo)
	for name, target := range map[string]string{
		"to/dir": "../src", "to/link": "../link", "to/up": "../../outside", "to/abs": r.Path("src/a.go"), "to/self": "self", "to/a": "b", "to/b": "a",
		"to/loop": "..", "to/secret": "../secret/k.go", "to/nothing": "nowhere", "to/wiki": "../openwiki", "to/etc": "/etc/passwd", "secret/out": "../README.md",
	} {
		r.Symlink(target, name)
	}
	s := openRepo(t, r)
	for name, want := range map[string]string{
		"src/a.go": "src/a.go", "link": "src/a.go", "to/dir/a.go": "src/a.go", "to/link": "src/a.go", "to/loop/to/loop/README.md": "README.md",
	} {
		if got, err := s.Resolve(name); err != nil || got != want {
			t.Errorf("%s: got %q, %v; want %s", name, got, err, want)
		}
	}
	for name, want := range map[string]error{
		"to/self": ErrLinkLoop, "to/a": ErrLinkLoop, "to/secret": ErrIgnored, "to/loop/secret/k.go": ErrIgnored, "secret/k.go": ErrIgnored, "secret/out": ErrIgnored,
		"to/nothing": fs.ErrNotExist, "missing": fs.ErrNotExist, "to/wiki/quickstart.md": ErrIgnored, "": fs.ErrInvalid, "../x": fs.ErrInvalid,
	} {
		if got, err := s.Resolve(name); !errors.Is(err, want) || got != "" {
			t.Errorf("%s: got %q, %v; want %v", name, got, err, want)
		}
	}
	for _, name := range []string{"to/up", "to/up/x", "to/abs", "to/etc"} {
		var outside *OutsideError
		if got, err := s.Resolve(name); !errors.As(err, &outside) || got != "" || outside.Path != name || !strings.HasPrefix(outside.Link, "to/") {
			t.Errorf("%s: got %q, %v; want an OutsideError", name, got, err)
		}
	}
	for _, name := range []string{"src", "to/dir", "to/loop", "."} {
		if got, err := s.Resolve(name); err == nil || got != "" {
			t.Errorf("%s: got %q, %v; want an error", name, got, err)
		}
	}
}
