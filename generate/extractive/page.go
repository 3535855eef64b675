package extractive

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
)

// A page is one wiki page while it is rendered: front matter values, body, and the claims its sentences make.
type page struct {
	path        string // repository path: "openwiki/components/store.md"
	kind        string // the front matter's type
	title       string
	description string
	tags        []string
	purpose     string   // why the page exists, for the plan
	seeds       []string // source paths the page is about
	related     []string // repository paths of neighbouring pages

	src     *lineCache
	body    []byte
	claims  []claim
	seen    map[string]bool // claim keys already on the page
	open    bool            // a paragraph has begun
	enough  int             // claims from which on sections are left out; 0 = none
	dropped []string        // sentences left out because their evidence did not hold; for tests
}

func newPage(src *lineCache, path string) *page {
	return &page{path: path, src: src, seen: make(map[string]bool)}
}

// prove records the claim of a sentence and reports whether it may be written.
func (p *page) prove(t text, refs []survey.Ref) bool {
	c, ok := newClaim(p.src, t, refs)
	if !ok {
		p.dropped = append(p.dropped, t.plain)
		return false
	}
	if !p.seen[c.key()] {
		p.seen[c.key()] = true
		p.claims = append(p.claims, c)
	}
	return true
}

// say writes a sentence with links to the lines that prove it, and records its claim. Without proof nothing is written.
func (p *page) say(t text, refs ...survey.Ref) bool {
	if !p.prove(t, refs) {
		return false
	}
	p.write(t.md + p.cite(refs))
	return true
}

// sayLinked is say for a sentence that carries the links to its proof itself.
func (p *page) sayLinked(t text, refs ...survey.Ref) bool {
	if !p.prove(t, refs) {
		return false
	}
	p.write(t.md)
	return true
}

// guide writes wording that makes no statement about the source: navigation, captions, how to read a table.
func (p *page) guide(t text) { p.write(t.md) }

func (p *page) write(md string) {
	if p.open {
		p.body = append(p.body, ' ')
	} else {
		p.blank()
	}
	p.body = append(p.body, md...)
	p.open = true
}

// paragraph ends the current paragraph.
func (p *page) paragraph() {
	if p.open {
		p.body = append(p.body, '\n')
		p.open = false
	}
}

// blank makes sure that a block starts after an empty line.
func (p *page) blank() {
	p.paragraph()
	if len(p.body) > 0 && !bytes.HasSuffix(p.body, []byte("\n\n")) {
		p.body = append(p.body, '\n')
	}
}

// section writes a heading and what fill adds below it. A section that stays empty leaves no heading.
func (p *page) section(level int, title string, fill func()) {
	if p.enough > 0 && len(p.claims) >= p.enough {
		return
	}
	before, claims := len(p.body), len(p.claims)
	wasOpen := p.open
	p.blank()
	p.body = append(p.body, strings.Repeat("#", level)+" "+title+"\n\n"...)
	start := len(p.body)
	fill()
	p.paragraph()
	if len(bytes.TrimSpace(p.body[start:])) == 0 && len(p.claims) == claims {
		p.body = p.body[:before]
		p.open = wasOpen
	}
}

// bullets writes a list. Each item is written only when it can be proved, or when it makes no statement (no refs).
func (p *page) bullets(items []item) { p.items(items, func(int) string { return "- " }) }

// steps writes a numbered list of proved sentences.
func (p *page) steps(items []item) {
	p.items(items, func(n int) string { return strconv.Itoa(n) + ". " })
}

// An item is one line of a list: a sentence with its proof.
type item struct {
	text  text
	claim text // the statement when it differs from the text shown
	refs  []survey.Ref
	bare  bool // the text carries its own links
}

func (p *page) items(items []item, marker func(n int) string) {
	n := 0
	for _, it := range items {
		statement := it.claim
		if statement.plain == "" {
			statement = it.text
		}
		if len(it.refs) > 0 && !p.prove(statement, it.refs) {
			continue
		}
		if n == 0 {
			p.blank()
		}
		n++
		md := it.text.md
		if !it.bare {
			md += p.cite(it.refs)
		}
		p.body = append(p.body, marker(n)+md+"\n"...)
	}
}

// A row is one line of a table, with the statement it makes and its proof. A row without a statement makes none.
type row struct {
	cells []text
	claim text
	refs  []survey.Ref
}

// table writes the rows that can be proved, without the columns that none of them fills.
func (p *page) table(header []string, rows []row) {
	var proved []row
	filled := make([]bool, len(header))
	for _, r := range rows {
		if r.claim.plain != "" && !p.prove(r.claim, r.refs) {
			continue
		}
		proved = append(proved, r)
		for i, c := range r.cells {
			filled[i] = filled[i] || c.md != ""
		}
	}
	if len(proved) == 0 {
		return
	}
	p.blank()
	line := func(cells []string) {
		p.body = append(p.body, '|')
		for i, c := range cells {
			if filled[i] {
				p.body = append(p.body, " "+c+" |"...)
			}
		}
		p.body = append(p.body, '\n')
	}
	line(header)
	line(slices.Repeat([]string{"---"}, len(header)))
	for _, r := range proved {
		cells := make([]string, len(header))
		for i, c := range r.cells {
			cells[i] = cell(c.md)
		}
		line(cells)
	}
}

// maxCitations is the number of links after a sentence; the Claim keeps them all.
const maxCitations = 4

// cite returns the links to the proof of a sentence: " ([store.go:12](../store.go#L12))".
func (p *page) cite(refs []survey.Ref) string {
	var links []string
	seen := make(map[survey.Ref]bool)
	for _, r := range refs {
		if !seen[r] && len(links) < maxCitations {
			links = append(links, p.at(r).md)
		}
		seen[r] = true
	}
	if len(links) == 0 {
		return ""
	}
	return " (" + strings.Join(links, ", ") + ")"
}

// endsHere says below a table that it is not complete.
func (p *page) endsHere(cut bool, said string) {
	if cut {
		p.blank()
		p.guide(words(said))
		p.paragraph()
	}
}

// at is a link to lines of the source, named after the place.
func (p *page) at(r survey.Ref) text {
	return p.linked(text{md: escape(location(r)), plain: location(r)}, r)
}

// decapital returns s with its first letter in lower case, unless it begins with a short form such as "CI".
func decapital(s string) string {
	if len(s) < 2 || s[1] >= 'A' && s[1] <= 'Z' {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}

// describedBy is the description of a page of several sections, or other where it has none.
func (p *page) describedBy(other string) string {
	if sections := p.contents(); sections != "" {
		return capital(sections) + "."
	}
	return other
}

// contents lists the sections of the page, for its description: a page promises what it has. What history tells is left out, because
// it is there one year and not the next.
func (p *page) contents() string {
	var out []string
	for line := range strings.Lines(string(p.body)) {
		if title, ok := strings.CutPrefix(line, "## "); ok && line != historyHeading && !strings.HasPrefix(title, "Neighbours") {
			out = append(out, decapital(strings.TrimSpace(title)))
		}
	}
	return strings.Join(out, ", ")
}

// linked makes a text a link to the lines that define it.
func (p *page) linked(t text, r survey.Ref) text {
	if r.Path == "" {
		return t
	}
	t.md = "[" + t.md + "](" + relative(p.path, r.Path) + lineAnchor(r) + ")"
	return t
}

// toPage is a link to another page of the wiki, or the plain text when there is no page.
func (p *page) toPage(t text, target string) text {
	if target != "" && target != p.path {
		t.md = "[" + t.md + "](" + relative(p.path, target) + ")"
	}
	return t
}

// folder is a link to a directory of the repository.
func (p *page) folder(dir string) text {
	t := label(dir + "/")
	if dir == "." || dir == "" {
		t = label("./")
		t.md = "[" + t.md + "](" + relative(p.path, "x")
		t.md = strings.TrimSuffix(t.md, "x") + ")"
		return t
	}
	t.md = "[" + t.md + "](" + relative(p.path, dir) + "/)"
	return t
}

// frontMatter is the part of the front matter that authors write. Values are quoted as JSON, which YAML reads.
func (p *page) frontMatter() string {
	var b strings.Builder
	b.WriteString("type: " + scalar(p.kind) + "\ntitle: " + scalar(p.title) + "\n")
	if p.description != "" {
		b.WriteString("description: " + scalar(p.description) + "\n")
	}
	if len(p.tags) > 0 {
		tags := make([]string, len(p.tags))
		for i, t := range p.tags {
			tags[i] = scalar(t)
		}
		b.WriteString("tags: [" + strings.Join(tags, ", ") + "]\n")
	}
	return b.String()
}

// scalar writes a YAML scalar: plain where that is safe, else a JSON string.
func scalar(s string) string {
	plain := s != ""
	for i := 0; i < len(s) && plain; i++ {
		c := s[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		plain = letter || i > 0 && (c >= '0' && c <= '9' || c == ' ' || c == '-' || c == '/')
	}
	switch strings.ToLower(s) {
	case "true", "false", "null", "yes", "no", "on", "off", "y", "n":
		plain = false
	}
	if plain && strings.TrimSpace(s) == s {
		return s
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		return `""`
	}
	return strings.TrimSpace(b.String())
}

// text returns the whole page with its own front matter and further front matter lines kept from an earlier version.
func (p *page) text(kept string) []byte {
	return []byte("---\n" + p.frontMatter() + kept + "---\n\n" + string(p.content()))
}

// content is the body: it starts with the heading and ends with one line feed.
func (p *page) content() []byte {
	return append(bytes.TrimSpace(bytes.Clone(p.body)), '\n')
}
