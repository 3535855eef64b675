package publish

import (
	"bytes"
	"cmp"
	"path"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/evidence"
	"github.com/wikiwright/wikiwright/internal/safetext"
	"github.com/wikiwright/wikiwright/internal/secretscan"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// A Blocked is something in a file of the wiki that must not be published.
type Blocked struct {
	Page    wiki.PagePath `json:"page,omitempty"` // the page to leave out; "" when the file belongs to no page
	Path    string        `json:"path"`           // the file
	Line    int           `json:"line,omitempty"`
	Kind    string        `json:"kind"` // secret, or a kind of package safetext
	Message string        `json:"message"`
}

// KindSecret is the kind of a Blocked that looks like a credential.
const KindSecret = "secret"

// A contentGate judges what the files of a bundle say: no credentials, nothing that hides, fetches or leads to places that the source
// does not name. What stood in a file before does not block it again.
type contentGate struct {
	secrets *secretscan.Scanner
	// at returns a file of the repository at the analysed commit, and whether it is there. Several goroutines call it.
	at func(path string) ([]byte, bool)
}

// inspect returns what must not be published, in code-unit order of the files, then by line.
func (g contentGate) inspect(b *Bundle) []Blocked {
	files := map[string][]byte{}
	for _, f := range b.Files {
		files[f.Path] = f.Data
	}
	all := slices.Concat(b.Files, b.Extra)
	each := make([][]Blocked, len(all))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, f := range all {
		group.Go(func() error {
			each[i] = g.file(b.WikiDir, f, files)
			return nil
		})
	}
	_ = group.Wait() // no file has an error
	found := slices.Concat(each...)
	slices.SortStableFunc(found, func(x, y Blocked) int {
		return cmp.Or(strings.Compare(x.Path, y.Path), cmp.Compare(x.Line, y.Line), strings.Compare(x.Kind, y.Kind))
	})
	return found
}

// file inspects one file of the bundle.
func (g contentGate) file(dir wiki.Dir, f File, files map[string][]byte) []Blocked {
	before, _ := g.at(f.Path)
	if bytes.Equal(before, f.Data) {
		return nil
	}
	page := pageOf(dir, f.Path)
	found := g.credentials(page, f, before)
	if strings.HasSuffix(f.Path, ".md") && (page != "" || path.Base(f.Path) == "index.md") {
		found = append(found, g.text(dir, page, f, before, files)...)
	}
	return found
}

// credentials reports what looks like a secret, in lines that are new.
func (g contentGate) credentials(page wiki.PagePath, f File, before []byte) []Blocked {
	hits := g.secrets.Scan(f.Data)
	if len(hits) == 0 {
		return nil
	}
	known := map[string]bool{}
	for line := range bytes.Lines(before) {
		known[string(bytes.TrimSpace(line))] = true
	}
	lines := bytes.Split(f.Data, []byte("\n"))
	var found []Blocked
	for _, hit := range hits {
		if known[string(bytes.TrimSpace(lines[hit.Line-1]))] {
			continue
		}
		found = append(found, Blocked{Page: page, Path: f.Path, Line: hit.Line, Kind: KindSecret, Message: "looks like a credential (" + hit.Rule + ")"})
	}
	return found
}

// text reports what does not belong on a page.
func (g contentGate) text(dir wiki.Dir, page wiki.PagePath, f File, before []byte, files map[string][]byte) []Blocked {
	source := citedSource{gate: g, dir: dir, sidecar: sidecarPath(dir, page), files: files}
	problems := safetext.Read(f.Data).Inspect(source.names)
	if len(problems) == 0 {
		return nil
	}
	type key struct{ kind, target string }
	old := map[key]int{}
	for _, p := range safetext.Read(before).Inspect(nil) {
		old[key{p.Kind, p.Target}]++
	}
	var found []Blocked
	for _, p := range problems {
		if k := (key{p.Kind, p.Target}); old[k] > 0 {
			if p.Kind == safetext.KindInvisible {
				old[k]--
			}
			continue
		}
		found = append(found, Blocked{Page: page, Path: f.Path, Line: p.Line, Kind: p.Kind, Message: p.Message})
	}
	return found
}

// citedSource is the source that a page cites, read when the first address is asked for.
type citedSource struct {
	gate    contentGate
	dir     wiki.Dir
	sidecar string
	files   map[string][]byte

	read  bool
	texts [][]byte
}

// names reports whether an address occurs in the cited source.
func (s *citedSource) names(url string) bool {
	if !s.read {
		s.read = true
		s.texts = s.cited()
	}
	for _, address := range []string{url, strings.TrimSuffix(url, "/"), strings.TrimSuffix(strings.TrimSuffix(url, "/"), ".git")} {
		if slices.ContainsFunc(s.texts, func(text []byte) bool { return containsAddress(text, address) }) {
			return true
		}
	}
	return false
}

func (s *citedSource) cited() [][]byte {
	data, ok := s.files[s.sidecar]
	if !ok {
		return nil
	}
	sidecar, err := claims.Decode(s.sidecar, data)
	if err != nil {
		return nil
	}
	var names []string
	for _, c := range sidecar.Claims {
		for _, e := range c.Evidence {
			if res, err := evidence.Parse(e.Resource, string(s.dir)); err == nil {
				names = append(names, res.Path)
			}
		}
	}
	slices.Sort(names)
	var texts [][]byte
	for _, name := range slices.Compact(names) {
		if text, ok := s.gate.at(name); ok {
			texts = append(texts, text)
		}
	}
	return texts
}

// containsAddress reports whether a text has an address that is not merely the beginning of another host or word.
func containsAddress(text []byte, address string) bool {
	if address == "" {
		return false
	}
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte(address))
		if i < 0 {
			return false
		}
		at += i + len(address)
		rest := text[at:]
		if len(rest) > 1 && (rest[0] == '.' || rest[0] == '-' || rest[0] == ':') {
			rest = rest[1:]
		}
		if len(rest) == 0 || !isAddressLetter(rest[0]) {
			return true
		}
	}
}

func isAddressLetter(c byte) bool {
	return c == '_' || c == '%' || c == '@' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// pageOf returns the page that a file is or belongs to, "" when it belongs to none.
func pageOf(dir wiki.Dir, name string) wiki.PagePath {
	rel, ok := strings.CutPrefix(name, string(dir)+"/")
	if !ok {
		return ""
	}
	if stem, ok := strings.CutPrefix(rel, ".claims/"); ok {
		rel = strings.TrimSuffix(stem, ".json") + ".md"
	}
	page, err := dir.ParsePage("/" + string(dir) + "/" + rel)
	if err != nil {
		return ""
	}
	return page
}

func sidecarPath(dir wiki.Dir, page wiki.PagePath) string {
	rel := strings.TrimPrefix(page.RepoPath(), string(dir)+"/")
	return string(dir) + "/.claims/" + strings.TrimSuffix(rel, ".md") + ".json"
}
