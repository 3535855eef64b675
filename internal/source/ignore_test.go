package source

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/gittest"
)

type ignoreCase struct {
	name, rules   string
	ignored, kept []string
}

// paths returns the verdict on each path of the case.
func (c ignoreCase) paths() map[string]bool {
	paths := map[string]bool{}
	for _, path := range c.ignored {
		paths[path] = true
	}
	for _, path := range c.kept {
		paths[path] = false
	}
	return paths
}

// ignoreCases name what is ignored and what is not; a directory ends with a slash. TestIgnored_git asks git the same.
var ignoreCases = []ignoreCase{
	{"no rules", "", nil, []string{"a", "d/"}},
	{"comments and blank lines", "# a\n\n   \n\\#b\n", []string{"#b"}, []string{"a", "# a", "   x"}},
	{"name at any depth", "foo", []string{"foo", "d/foo", "d/e/foo/", "foo/x"}, []string{"foox", "xfoo", "d/foox"}},
	{"leading slash anchors", "/foo", []string{"foo", "foo/x"}, []string{"d/foo"}},
	{"middle slash anchors", "doc/frotz", []string{"doc/frotz", "doc/frotz/x"}, []string{"a/doc/frotz"}},
	{"middle slash anchors, directory", "doc/frotz/", []string{"doc/frotz/", "doc/frotz/x"}, []string{"doc/frotz", "a/doc/frotz/"}},
	{"two leading slashes match nothing", "//foo", nil, []string{"foo", "d/foo"}},
	{"directory only", "build/", []string{"build/", "src/build/", "src/build/x"}, []string{"build", "src/build"}},
	{"only one slash is taken from the end", "foo//", nil, []string{"foo/", "foo"}},
	{"a slash alone", "/", nil, []string{"a", "a/"}},
	{"an exclamation mark alone", "*\n!", []string{"a"}, nil},
	{"last rule wins", "*.log\n!keep.log\n", []string{"a.log", "d/b.log"}, []string{"keep.log", "d/keep.log"}},
	{"last rule wins, again", "!keep.log\n*.log\n", []string{"keep.log"}, nil},
	{"excluded parent wins", "build/\n!build/keep.txt", []string{"build/keep.txt", "build/x"}, nil},
	{"excluded parent wins over its own content", "dir/*\n!dir/", []string{"dir/xyz", "dir/a/"}, []string{"dir/"}},
	{"re-included below a wildcard", "dir/*\n!dir/keep/\ndir/keep/*\n!dir/keep/me", []string{"dir/x", "dir/keep/x"}, []string{"dir/", "dir/keep/", "dir/keep/me"}},
	{"starstar in the middle of an exclusion", "a/**/*\n!a/b", []string{"a/b/c", "a/c"}, []string{"a/b"}},
	{"allow list", "*\n!*/\n!*.go", []string{"a/b/x.txt", "x.txt"}, []string{"a/", "a/b/", "a/b/x.go", "x.go"}},
	{"allow list by files", "/*\n!/src\n!/go.mod", []string{"x", "lib/", "lib/a"}, []string{"src/", "src/a", "go.mod"}},
	{"everything below", "foo/**", []string{"foo/a", "foo/a/b", "foo/d/"}, []string{"foo/", "foo", "x/foo/a"}},
	{"everything below, one letter more", "abc/**", []string{"abc/x"}, []string{"abc/", "abcd/x"}},
	{"starstar and star", "a/**/*/**", []string{"a/b/f.txt", "a/b/c/"}, []string{"a/f.txt", "a/b/"}},
	{"leading starstar", "**/node_modules/**", []string{"node_modules/a", "x/node_modules/a/b"}, []string{"node_modules/", "x/node_modules/"}},
	{"leading starstar, name", "**/foo", []string{"foo", "a/foo", "a/b/foo/"}, []string{"a/foox"}},
	{"inner starstar", "a/**/b", []string{"a/b", "a/x/b", "a/x/y/b/"}, []string{"a/xb", "x/a/b"}},
	{"two starstars", "a/**/b/**/c", []string{"a/b/c", "a/x/b/y/z/c"}, []string{"a/c", "a/b/xc"}},
	{"starstar in a component is a star", "a/b**c/d", []string{"a/bc/d", "a/bxxc/d"}, []string{"a/bx/yc/d"}},
	{"starstar before an escaped slash", `a/**\/b`, []string{"a/x/b", "a/x/y/b"}, []string{"a/b"}},
	{"text before starstar", "a**/b", []string{"ax/y/b", "ax/b"}, []string{"b", "xa/b"}},
	{"star does not match a slash", "a/*.txt", []string{"a/x.txt", "a/.txt"}, []string{"a/b/x.txt"}},
	{"star without slash", "*.min.js", []string{"x.min.js", "d/x.min.js", ".min.js"}, []string{"x.min.jsx"}},
	{"stars without slash", "a***b", []string{"ab", "axxb", "d/axb"}, []string{"abc"}},
	{"question mark", "?at", []string{"cat", "d/bat"}, []string{"at", "chat"}},
	{"question mark is no slash", "a?b", nil, []string{"a/b"}},
	{"question mark is a byte", "caf?\nxa??", []string{"xaé"}, []string{"café"}},
	{"class", "[ab].go", []string{"a.go", "b.go"}, []string{"c.go", "[ab].go"}},
	{"class with exclamation mark", "[!x]y", []string{"ay"}, []string{"xy", "y"}},
	{"class with caret", "[^x]y", []string{"ay"}, []string{"xy", "y"}},
	{"range", "v[0-9].md", []string{"v1.md"}, []string{"va.md", "v10.md"}},
	{"range backwards", "[c-a]", []string{"c"}, []string{"a", "b", "-"}},
	{"dash at the end", "[a-]", []string{"a", "-"}, []string{"b"}},
	{"dash after a range", "[a-c-e]", []string{"b", "-", "e"}, []string{"d"}},
	{"bracket first in a class", "[]x]", []string{"]", "x"}, []string{"[", "[]x]"}},
	{"bracket first in a negated class", "[!]x]", []string{"a"}, []string{"]", "x"}},
	{"escape in a class", `[\]x]`, []string{"]", "x"}, []string{`\`}},
	{"escaped dash in a class", `[a\-c]`, []string{"a", "-", "c"}, []string{"b"}},
	{"named class", "v[[:digit:]]", []string{"v1"}, []string{"va", "v:", "v"}},
	{"named classes", "x[[:alpha:][:space:]_]", []string{"xa", "x ", "x_"}, []string{"x1"}},
	{"negated named class", "x[![:digit:]]", []string{"xa"}, []string{"x1"}},
	{"unknown named class", "x[[:nope:]]", nil, []string{"xn", "x:", "x[:nope:]]"}},
	{"named class without an end", "x[[:digit]", []string{"x:", "xd", "x["}, []string{"x1"}},
	{"class without an end", "a[b", nil, []string{"a[b", "ab"}},
	{"class and slash", "a[/]b", nil, []string{"a/b", "a[/]b"}},
	{"negated class and slash", "x/a[!z]b", []string{"x/aab"}, []string{"x/a/b"}},
	{"escaped star", `\*x`, []string{"*x"}, []string{"ax"}},
	{"escaped exclamation mark", `\!x`, []string{"!x"}, []string{"x"}},
	{"escaped letter", `\ab`, []string{"ab"}, []string{`\ab`}},
	{"escaped backslash", `a\\b`, []string{`a\b`}, []string{"ab", "a/b"}},
	{"backslash at the end", `foo\`, nil, []string{"foo", `foo\`}},
	{"blanks at the end", "foo   ", []string{"foo"}, []string{"foo   "}},
	{"escaped blank at the end", `foo\ `, []string{"foo "}, []string{"foo"}},
	{"escaped blank and more", `foo\   `, []string{"foo "}, []string{"foo", "foo  "}},
	{"blank after an escaped backslash", `foo\\ `, []string{`foo\`}, []string{`foo\ `}},
	{"inner blanks", "a b", []string{"a b"}, []string{"a", "b"}},
	{"blank at the start", " foo", []string{" foo"}, []string{"foo"}},
	{"tab at the end stays", "foo\t", []string{"foo\t"}, []string{"foo"}},
	{"slash and blanks at the end", "foo/  ", []string{"foo/"}, []string{"foo"}},
	{"carriage returns", "foo\r\nbar/\r\n*.x\r", []string{"foo", "bar/", "a.x"}, []string{"bar"}},
	{"carriage return inside", "a\rb", []string{"a\rb"}, []string{"a", "b"}},
	{"byte order mark", "\ufefffoo\n", []string{"foo"}, []string{"\ufefffoo"}},
	{"byte order mark in the second line", "a\n\ufefffoo\n", []string{"\ufefffoo"}, []string{"foo"}},
	{"no line break at the end", "a\nb", []string{"a", "b"}, nil},
	{"dot names", ".*\n!.github", []string{".env", "d/.env"}, []string{".github/", ".github/x", "a"}},
	{"dot slash matches nothing", "./foo", nil, []string{"foo"}},
	{"names beyond ASCII", "é*", []string{"éa", "d/é"}, []string{"e"}},
	{"directory rule for a file below", "foo/\n!foo/bar/", []string{"foo/bar/", "foo/bar/x"}, nil},
	{"secret tree", "secret/", []string{"secret/k.go", "a/secret/k.go"}, []string{"secrets/k.go", "secret"}},
}

func TestIgnored(t *testing.T) {
	for _, test := range ignoreCases {
		t.Run(test.name, func(t *testing.T) {
			r := parseRules([]byte(test.rules))
			for path, want := range test.paths() {
				name, isDir := strings.CutSuffix(path, "/")
				if got := r.ignored(name, isDir); got != want {
					t.Errorf("%q: ignored(%q) = %v, want %v", test.rules, path, got, want)
				}
			}
		})
	}
}

// git itself says the same of every case. Each case has a directory of its own, so that one process answers for all of them.
func TestIgnored_git(t *testing.T) {
	r := gittest.New(t)
	var asked []string
	want := map[string]bool{}
	for i, test := range ignoreCases {
		top := fmt.Sprintf("case%d/", i)
		r.Write(top+".gitignore", test.rules)
		for path, ignored := range test.paths() {
			dir := r.Path(top + filepath.Dir(path))
			if strings.HasSuffix(path, "/") {
				dir = r.Path(top + path)
			}
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			asked = append(asked, top+path)
			want[top+path] = ignored
		}
	}
	// Where a path is a file and a directory, only the directory can be asked for.
	asked = slices.DeleteFunc(asked, func(path string) bool {
		info, err := os.Stat(r.Path(path))
		return err == nil && info.IsDir() && !strings.HasSuffix(path, "/")
	})
	got := askGit(t, r, false, asked)
	for i, test := range ignoreCases {
		top := fmt.Sprintf("case%d/", i)
		for _, path := range slices.Concat(test.ignored, test.kept) {
			if ignored := want[top+path]; slices.Contains(asked, top+path) && got[top+path] != ignored {
				t.Errorf("%s: %q: git ignores %q: %v, want %v", test.name, test.rules, path, got[top+path], ignored)
			}
		}
	}
}

// The places where the rules go beyond git: case.
func TestIgnored_case(t *testing.T) {
	for _, test := range []struct {
		rules, path string
		want        bool
	}{
		{"SECRET/", "secret/k.go", true},
		{"secret/", "Secret/K.go", true},
		{"*.PEM", "a/key.pem", true},
		{"/Foo/Bar*", "foo/barn", true},
		{"[A]x", "ax", true},
		{"[a]x", "AX", true},
		{"[A-C]x", "bX", true},
		{"[!A]x", "ax", false},
		{`\Ax`, "ax", true},
		{"[[:upper:]]", "a", true},
		{"ÄÖ", "äö", true},
		{"äö*", "ÄÖx", true},
		{"*\n!KEEP", "keep", false},
	} {
		if got := parseRules([]byte(test.rules)).ignored(test.path, false); got != test.want {
			t.Errorf("%q: ignored(%q) = %v, want %v", test.rules, test.path, got, test.want)
		}
	}
}

// Random rules against random paths, without and with regard to case, must give what git says.
func TestIgnored_random(t *testing.T) {
	sets := 60
	if testing.Short() {
		sets = 10
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, ignoreCase := range []bool{false, true} {
		r := gittest.New(t)
		paths := makeTree(t, r, random, ignoreCase)
		for range sets {
			rules := randomRules(random, ignoreCase)
			parsed := parseRules([]byte(rules))
			r.Write(".gitignore", rules)
			want := askGit(t, r, ignoreCase, paths)
			got := map[string]bool{}
			for _, path := range paths {
				name, isDir := strings.CutSuffix(path, "/")
				if parsed.ignored(name, isDir) {
					got[path] = true
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("rules %q, ignore case %v (-git +got):\n%s", rules, ignoreCase, diff)
			}
		}
	}
}

// askGit asks git which of the paths it ignores.
func askGit(t *testing.T, r *gittest.Repo, ignoreCase bool, paths []string) map[string]bool {
	t.Helper()
	var input strings.Builder
	for _, path := range paths {
		fmt.Fprintf(&input, "%s\x00", strings.TrimSuffix(path, "/"))
	}
	out, err := r.TryGit(input.String(), "-c", fmt.Sprint("core.ignoreCase=", ignoreCase), "check-ignore", "--no-index", "--stdin", "-z", "-v", "-n")
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) { // 1: none is ignored
		t.Fatal(err)
	}
	ignored := map[string]bool{}
	fields := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	if len(fields) != 4*len(paths) {
		t.Fatalf("git check-ignore answered %d fields for %d paths", len(fields), len(paths))
	}
	for i, path := range paths {
		if pattern := fields[4*i+2]; fields[4*i] != "" && !strings.HasPrefix(pattern, "!") {
			ignored[path] = true
		}
	}
	return ignored
}

// makeTree makes directories and returns paths of them and of files in them, which need not exist.
func makeTree(t *testing.T, r *gittest.Repo, random *rand.Rand, mixedCase bool) []string {
	t.Helper()
	names := []string{"a", "b", "ab", "abc", "foo", "x y", "x ", "#h", "!n", "é", `a\b`, "1", "-", "]", "[a]", "*", "foo.go", "a.b"}
	if mixedCase {
		names = append(names, "A", "Ab", "FOO", "Foo.Go")
	}
	dirs := []string{""}
	var paths []string
	for len(dirs) < 40 {
		dir := dirs[random.IntN(len(dirs))] + names[random.IntN(len(names))] + "/"
		if strings.Count(dir, "/") < 4 && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
			paths = append(paths, dir)
			if err := os.MkdirAll(r.Path(dir), 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	for len(paths) < 300 {
		file := dirs[random.IntN(len(dirs))] + names[random.IntN(len(names))]
		if !slices.Contains(paths, file) && !slices.Contains(paths, file+"/") {
			paths = append(paths, file)
		}
	}
	return paths
}

// randomRules makes a few lines of what rules are made of.
func randomRules(random *rand.Rand, ignoreCase bool) string {
	pieces := []string{
		"a", "b", "c", "ab", "foo", ".go", "x", " ", "é", "1", "-", "#", "!", ".", "]",
		"*", "*", "*", "**", "***", "?", "??", "[ab]", "[!a]", "[^b]", "[a-c]", "[c-a]", "[[:digit:]]", "[[:alpha:]_]", "[![:alnum:]]",
		"[[:lower:]]", "[]a]", "[!]a]", `[\]a]`, `[a\-c]`, "[a-]", "[--0]", "[", "[a", "[[:x:]]", "[[:digit]", "[/]", "[]-a]", "[^-a]",
		`\a`, `\*`, `\ `, `\\`, `\[`, `\/`, `\#`, "/", "/", "/", "/", "/**/", "**/", "/**", "/*", "*/",
	}
	if ignoreCase {
		// Git does not fold what a backslash or a single place in a class names, so these do not occur.
		pieces = append(pieces, "A", "B", "FOO", "Go", "[A-C]", "[!A-B]", "[Z-a]", "[[:upper:]]")
	}
	var text strings.Builder
	if random.IntN(20) == 0 {
		text.WriteString("\ufeff")
	}
	for range 1 + random.IntN(5) {
		if random.IntN(3) == 0 {
			text.WriteString("!")
		}
		if random.IntN(4) == 0 {
			text.WriteString("/")
		}
		for range 1 + random.IntN(5) {
			text.WriteString(pieces[random.IntN(len(pieces))])
		}
		text.WriteString([]string{"", "", "", "/", "/", "  ", `\ `, "\r", `\`}[random.IntN(9)])
		text.WriteString("\n")
	}
	return text.String()
}

// Any file of rules is taken, an excluded directory excludes what is in it, and the cache changes nothing.
func FuzzIgnore(f *testing.F) {
	for _, test := range ignoreCases {
		for path := range test.paths() {
			f.Add([]byte(test.rules), path)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, path string) {
		r := parseRules(text)
		dir := r.ignored(path, true)
		if again := r.ignored(path, true); again != dir {
			t.Errorf("%q: ignored(%q) = %v, then %v", text, path, dir, again)
		}
		if dir && path != "" && path != "." && !r.ignored(path+"/x", false) {
			t.Errorf("%q: directory %q is ignored but not what is in it", text, path)
		}
	})
}

// Patterns that make matchers with backtracking run for ever take no time.
func TestIgnored_hostile(t *testing.T) {
	path := strings.Repeat("a/", 100) + strings.Repeat("a", 200)
	for _, pattern := range []string{
		strings.Repeat("**/a/", 60) + "b",
		strings.Repeat("a*", 100) + "b",
		strings.Repeat("*", 1000) + "b",
		strings.Repeat("[a-z]*", 300) + "/b",
	} {
		if parseRules([]byte(pattern)).ignored(path, false) {
			t.Errorf("%.20q… matches", pattern)
		}
	}
}

// BenchmarkIgnored judges 60,000 paths by 40 rules.
func BenchmarkIgnored(b *testing.B) {
	var paths []string
	for i := range 60_000 {
		paths = append(paths, fmt.Sprintf("module%d/src/main/package%d/File%d.java", i%50, i%3000, i))
	}
	var text strings.Builder
	for i := range 10 {
		fmt.Fprintf(&text, "*.ext%d\nbuild%d/\n/docs/**/draft-%d*\nvendor/*/[a-c]%d\n", i, i, i, i)
	}
	for b.Loop() {
		r := parseRules([]byte(text.String()))
		for _, path := range paths {
			if r.ignored(path, false) {
				b.Fatal(path)
			}
		}
	}
}
