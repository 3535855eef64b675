package scan

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// callStates returns the calls of a file as "caller name", with a "?" where a call is not made on every run and a "'" where something
// nested makes it.
func callStates(f *File) []string {
	var out []string
	for _, c := range f.Calls {
		s := strings.TrimLeft(c.Caller+" "+c.Name, " ")
		if c.Branch {
			s += "?"
		}
		if c.Nested {
			s += "'"
		}
		out = append(out, s)
	}
	return out
}

func TestGoCallStates(t *testing.T) {
	const src = `package a

func f() error {
	if err := a(); err != nil || b() {
		return c()
	}
	for i := d(); e(i); g() {
		h()
	}
	switch i() {
	case j():
		k()
	}
	defer func() { l(m) }()
	defer n()
	go func() { o() }()
	func() { p() }()
	group.Go(func() error { return q() })
	run.Add(func() { if r() { s() } }, v)
	for range w() {
	}
	x(&T{F: func() { y() }})
	return z()
done:
	late()
}

var hook = func() { a() }
`
	want := []string{
		"f a", "f b?", "f c?", "f d", "f e", "f g?", "f h?", "f i", "f j?", "f k?", "f l'", "f n", "f o'", "f p", "f Go", "f q'", "f Add", "f r'",
		"f s?'", "f w", "f x", "f T", "f y'", "f z", "f late?", "hook a",
	}
	got := callStates(Source("a.go", []byte(src)))
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestGoAssigns(t *testing.T) {
	const src = `package a

func (s *T) Set(k string) {
	s.n++
	s.m[k], other.x = 1, 2
	s.a.b = 3
	func() { s.done = true }()
	for s.i = range s.list {
	}
	s.n = 0
}
func (T) None() { s.x = 1 }
`
	f := Source("a.go", []byte(src))
	if diff := cmp.Diff([]string{"n", "m", "a", "done", "i"}, f.Decls[0].Assigns); diff != "" {
		t.Error(diff)
	}
	if f.Decls[1].Assigns != nil {
		t.Error(f.Decls[1].Assigns)
	}
}

func TestGoBuildTag(t *testing.T) {
	for _, test := range []struct {
		path, constraint string
		want             bool
	}{
		{"a.go", "", false},
		{"a.go", "//go:build dedupelabels", true},
		{"a.go", "//go:build !slicelabels && !dedupelabels", false},
		{"a.go", "//go:build ignore", true},
		{"a.go", "//go:build tools", true},
		{"a.go", "//go:build linux && amd64", false},
		{"a.go", "//go:build !linux", false},
		{"a.go", "//go:build unix && go1.21", false},
		{"a.go", "//go:build windows", true},
		{"a.go", "//go:build !windows && !cgo", false},
		{"a_windows.go", "", true},
		{"a_windows_test.go", "", true},
		{"a_linux.go", "", false},
		{"windows.go", "", false},
	} {
		src := "// Copyright\n\n" + test.constraint + "\n\npackage a\n"
		if got := Source(test.path, []byte(src)).BuildTag; got != test.want {
			t.Errorf("%s %q: %v", test.path, test.constraint, got)
		}
	}
}

func TestGoDeprecated(t *testing.T) {
	for doc, want := range map[string]string{
		"// F does.\n//\n// Deprecated: use Go. Now.\n": "use Go.",
		"// F does.\n//\n// Deprecated\n":               "",
		"// F does.\n// Deprecated: use G.\n":           "use G.",
		"// Deprecated flags are refused.\n":            "-",
		"// F tells what is\n// Deprecated and not.\n":  "-",
	} {
		f := Source("a.go", []byte("package a\n\n"+doc+"func F() {}\n"))
		got := "-"
		if f.Decls[0].Deprecated {
			got = f.Marks[0].Text
		}
		if got != want {
			t.Errorf("%q: %q, want %q", doc, got, want)
		}
	}
}

func TestGoFoldedNames(t *testing.T) {
	const src = `package a

import "os"

const prefix = "SHIP"
const name = prefix + "_" + "HOME"

// mu guards stops.
var mu = &sync.Mutex{}

var _ = os.Getenv(name)
`
	f := Source("a.go", []byte(src))
	if diff := cmp.Diff([]EnvRead{{Name: "SHIP_HOME", Line: 11}}, f.Env); diff != "" {
		t.Error(diff)
	}
	if d := f.Decls[2]; d.Name != "mu" || d.Doc != "mu guards stops." {
		t.Error(d)
	}
}

func TestGoOwnRouter(t *testing.T) {
	const src = `package a

import "github.com/prometheus/common/route"

func (api *API) Register(r *route.Router) {
	wrap := 1
	r.Get("/query", wrap(api.query))
	r.Post("/query", wrap(api.query))
	r.Del("/series", api.drop)
	client.Get("/x")
}
`
	want := []Route{{"GET", "/query", "api.query", 7}, {"POST", "/query", "api.query", 8}, {"DELETE", "/series", "api.drop", 9}}
	if diff := cmp.Diff(want, Source("a.go", []byte(src)).Routes); diff != "" {
		t.Error(diff)
	}
	const plain = `package a

import "net/http"

func serve(router *Router, cache *Cache, h http.Handler) {
	router.Get("/a", h)
	cache.Get("/b", h)
}
`
	if diff := cmp.Diff([]Route{{"GET", "/a", "h", 6}}, Source("a.go", []byte(plain)).Routes); diff != "" {
		t.Error(diff)
	}
}
