package scan

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const goCommand = `// Command ship ships.
package main

import (
	"cmp"
	"errors"
	"flag"
	"net/http"
	"os"

	"github.com/go-chi/chi/v5"
	"github.com/spf13/cobra"
)

const portVariable = "SHIP_PORT"

// Limits.
const (
	MaxSize = 10 << 20 // bytes
	exitUsage = 2
)

// ErrFull says that nothing more fits.
var ErrFull = errors.New("hold is full")

// A LoadError tells what was too heavy.
type LoadError struct{ Weight int }

func (e *LoadError) Error() string { return "too heavy" }

// Config holds settings.
type Config struct {
	// Addr is where to listen.
	Addr string ` + "`env:\"SHIP_ADDR\" envDefault:\":80\"`" + `
	quiet bool
}

// Old does nothing.
//
// Deprecated: use New instead. It is better.
func Old() {} // TODO(ann): remove

func main() {
	verbose := flag.Bool("verbose", false, "say more")
	flag.StringVar(&name, "name", "anon", "who")
	port := cmp.Or(os.Getenv(portVariable), "8080")
	_, _ = os.LookupEnv("HOME")
	_ = getEnvOr("SHIP_MODE", "fast")
	http.HandleFunc("GET /health", health)
	http.Handle("/static/", http.FileServer(root))
	r := chi.NewRouter()
	r.Get("/users/{id}", s.user)
	r.Route("/api", func(r chi.Router) {
		r.Post("/orders", func(w http.ResponseWriter, q *http.Request) { create(w) })
	})
	rootCmd.AddCommand(&cobra.Command{Use: "serve [addr]", Short: "Serve it"})
	rootCmd.Flags().IntP("workers", "w", 4, "how many")
	if *verbose {
		os.Exit(exitUsage)
	}
	os.Exit(0)
}
`

func TestGoFacts(t *testing.T) {
	f := Source("cmd/ship/main.go", []byte(goCommand))
	line := func(s string) int { return 1 + strings.Count(goCommand[:strings.Index(goCommand, s)], "\n") }
	at := func(s string) int { return line(s) }
	want := []struct {
		name      string
		got, want any
	}{
		{"package", []any{f.Package, f.PackageLine, f.Doc, f.DocStart, f.DocEnd}, []any{"main", 2, "Command ship ships.", 1, 1}},
		{"env", f.Env, []EnvRead{
			{Name: "SHIP_ADDR", Default: ":80", Line: at("Addr string")}, {Name: "SHIP_PORT", Default: "8080", Line: at("port :=")}, {Name: "HOME", Default: "", Line: at("LookupEnv")},
			{Name: "SHIP_MODE", Default: "fast", Line: at("getEnvOr")},
		}},
		{"flags", f.Flags, []Flag{
			{Name: "verbose", Default: "false", Usage: "say more", Line: at("verbose :=")}, {Name: "name", Default: "anon", Usage: "who", Line: at("StringVar")},
			{Name: "workers", Default: "4", Usage: "how many", Line: at("IntP")},
		}},
		{"routes", f.Routes, []Route{
			{"GET", "/health", "health", at("GET /health")}, {"", "/static/", "", at("/static/")},
			{"GET", "/users/{id}", "s.user", at("/users")}, {"POST", "/api/orders", "", at("/orders")},
		}},
		{"commands", f.Commands, []Command{{"serve", "Serve it", at("serve [addr]")}}},
		{"entries", f.Entries, []Entry{{"main", "main", at("func main"), f.Lines}}},
		{"failures", f.Failures, []Failure{
			{"ErrFull", "hold is full", at("var ErrFull"), at("var ErrFull")},
			{"LoadError", "A LoadError tells what was too heavy.", at("type LoadError"), at("type LoadError")},
			{"exit 2", "", at("os.Exit(exitUsage)"), at("os.Exit(exitUsage)")},
		}},
		{"marks", f.Marks, []Mark{
			{"DEPRECATED", "use New instead.", at("Deprecated:")}, {"TODO", "(ann): remove", at("func Old")},
		}},
	}
	for _, tt := range want {
		if diff := cmp.Diff(tt.want, tt.got); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

func TestGoDeclarations(t *testing.T) {
	const src = `package a

// Sizes.
const (
	Small = 1 // a small one
	Large = "l"
)

// T is a type.
type T[K any] struct {
	io.Reader
	*other.Base
	// Name names it.
	Name string ` + "`json:\"n\"`" + `
}

// Do does.
func (t *T[K]) Do(
	a int,
) error {
	return nil
}

type I interface {
	io.Closer
	M() // calls
}

type f func()
`
	want := []Decl{
		{Name: "Small", Kind: KindConstant, Exported: true, Start: 5, End: 5, Doc: "a small one", DocStart: 5, DocEnd: 5, Signature: "const Small = 1", Value: "1"},
		{Name: "Large", Kind: KindConstant, Exported: true, Start: 6, End: 6, Signature: `const Large = "l"`, Value: `"l"`},
		{Name: "T", Kind: KindStruct, Bases: []string{"io.Reader", "other.Base"}, Exported: true, Start: 10, End: 15, Doc: "T is a type.", DocStart: 9, DocEnd: 9, Signature: "type T[K any] struct", Fields: 3},
		{Name: "Name", Kind: KindField, Parent: "T", Exported: true, Start: 14, End: 14, Doc: "Name names it.", DocStart: 13, DocEnd: 13, Signature: "Name string `json:\"n\"`"},
		{Name: "Do", Kind: KindMethod, Parent: "T", Exported: true, Start: 18, End: 22, Doc: "Do does.", DocStart: 17, DocEnd: 17, Signature: "func (t *T[K]) Do( a int, ) error"},
		{Name: "I", Kind: KindInterface, Bases: []string{"io.Closer"}, Exported: true, Start: 24, End: 27, Signature: "type I interface"},
		{Name: "M", Kind: KindMethod, Parent: "I", Exported: true, Start: 26, End: 26, Doc: "calls", DocStart: 26, DocEnd: 26, Signature: "M()"},
		{Name: "f", Kind: KindType, Start: 29, End: 29, Signature: "type f func()"},
	}
	if diff := cmp.Diff(want, Source("a.go", []byte(src)).Decls); diff != "" {
		t.Error(diff)
	}
}

func TestGoTestsAndCalls(t *testing.T) {
	const src = `package a

import "testing"

func TestShip(t *testing.T) {
	t.Run("empty hold", func(t *testing.T) {
		NewShip().Load(box.Make[int](1), &Crate{})
	})
}

func TestMain(m *testing.M) {}
func Testify()              {}
func BenchmarkShip(b *testing.B) {}
func (s *Ship) sail() { s.crew.wake(len(s.name)) }
`
	f := Source("a_test.go", []byte(src))
	tests := []Test{{"TestShip", 5, 9}, {"BenchmarkShip", 13, 13}, {"TestShip/empty hold", 6, 8}}
	if diff := cmp.Diff(tests, f.Tests); diff != "" {
		t.Error(diff)
	}
	calls := []Call{
		{Caller: "TestShip", Qualifier: "t", Name: "Run", Line: 6},
		{Caller: "TestShip", Qualifier: "()", Name: "Load", Line: 7, Nested: true},
		{Caller: "TestShip", Name: "NewShip", Line: 7, Nested: true},
		{Caller: "TestShip", Qualifier: "box", Name: "Make", Line: 7, Nested: true},
		{Caller: "TestShip", Name: "Crate", Line: 7, Nested: true},
		{Caller: "Ship.sail", Qualifier: "s.crew", Name: "wake", Line: 14},
	}
	if diff := cmp.Diff(calls, f.Calls); diff != "" {
		t.Error(diff)
	}
	if !f.IsTest {
		t.Error("not a test file")
	}
}

func TestGoRouters(t *testing.T) {
	const src = `package a

import (
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/gorilla/mux"
)

func routes(e *gin.Engine, m *mux.Router) {
	v1 := e.Group("/v1")
	v1.GET("/pets", auth, listPets)
	e.Handle("PUT", "/pets/:id", pets.Update)
	m.HandleFunc("/old", old).Methods(http.MethodPost)
	s := m.PathPrefix("/sub").Subrouter()
	s.HandleFunc("/x", x)
	client.Get("https://example.com", nil)
}
`
	want := []Route{
		{"GET", "/v1/pets", "listPets", 12}, {"PUT", "/pets/:id", "pets.Update", 13}, {"POST", "/old", "old", 14}, {"", "/sub/x", "x", 16},
	}
	if diff := cmp.Diff(want, Source("a.go", []byte(src)).Routes); diff != "" {
		t.Error(diff)
	}
	const noFramework = "package a\nfunc f() { cache.Get(\"/x\", y) }\n"
	if got := Source("a.go", []byte(noFramework)).Routes; got != nil {
		t.Errorf("routes without a framework: %v", got)
	}
}

func TestGoOptionLibraries(t *testing.T) {
	const src = `package a

import (
	"github.com/alecthomas/kingpin/v2"
	"github.com/urfave/cli/v2"
)

var (
	app  = kingpin.New("a", "b")
	port = app.Flag("port", "where").Default("80").Envar("APP_PORT").Int()
	sub  = app.Command("sync", "Sync it.")
)

var c = &cli.Command{Name: "push", Usage: "Push it", Flags: []cli.Flag{
	&cli.StringFlag{Name: "to", Value: "x", Usage: "target", EnvVars: []string{"APP_TO"}},
}}
`
	f := Source("a.go", []byte(src))
	if diff := cmp.Diff([]Flag{{Name: "port", Default: "80", Usage: "where", Line: 10}, {Name: "to", Default: "x", Usage: "target", Line: 15}}, f.Flags); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Command{{"sync", "Sync it.", 11}, {"push", "Push it", 14}}, f.Commands); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]EnvRead{{Name: "APP_PORT", Line: 10}, {Name: "APP_TO", Default: "x", Line: 15}}, f.Env); diff != "" {
		t.Error(diff)
	}
}

func TestGoBrokenFile(t *testing.T) {
	f := Source("a.go", []byte("package a\n\nfunc Good() {}\n\nfunc bad( {\n"))
	if len(f.Decls) == 0 || f.Decls[0].Name != "Good" || f.Package != "a" {
		t.Errorf("facts of a broken file: %+v", f)
	}
	if f := Source("a.go", []byte("not go at all")); len(f.Decls) != 0 || f.Language != "Go" {
		t.Errorf("facts of no Go: %+v", f)
	}
}

// A subcommand of kingpin is called by its full name, and flags belong to the one on which they are declared.
func TestKingpinCommands(t *testing.T) {
	const src = `package main

import ( "fmt"; "github.com/alecthomas/kingpin/v2" )

func main() {
	app := kingpin.New("tool", "A tool.")
	app.Flag("quiet", "Say less.").Bool()
	check := app.Command("check", "Check things.")
	config := check.Command("config", "Check the \"config\".")
	config.Flag("lint", "What to " +
		"lint.").Default("all").String()
	check.Flag("all", "One of: "+strings.Join(names, ", ")+". Or "+fmt.Sprintf("%d.", 1)).Bool()
	check.Command("rules", "Check rules.").Alias("r").Flag("lint", "Which.").String()
}
`
	f := Source("main.go", []byte(src))
	if diff := cmp.Diff([]Command{{"check", "Check things.", 8}, {"check config", "Check the \"config\".", 9}, {"check rules", "Check rules.", 13}}, f.Commands); diff != "" {
		t.Errorf("commands (-want +got):\n%s", diff)
	}
	want := []Flag{
		{Name: "quiet", Usage: "Say less.", Line: 7}, {Name: "lint", Default: "all", Usage: "What to lint.", Line: 10, Command: "check config"},
		{Name: "all", Usage: "One of: …. Or ….", Line: 12, Command: "check"},
		{Name: "lint", Usage: "Which.", Line: 13, Command: "check rules"},
	}
	if diff := cmp.Diff(want, f.Flags); diff != "" {
		t.Errorf("flags (-want +got):\n%s", diff)
	}
}
