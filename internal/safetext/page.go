package safetext

import (
	"bytes"
	"slices"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// A Page is a page of a wiki that several questions are asked about. Its Markdown is parsed once, and not at all where a look at the bytes
// already answers. It is for one goroutine.
type Page struct {
	page, body []byte
	base       int // where the body begins
	tree       ast.Node
}

// Read takes a page. The bytes must not change while questions are asked.
func Read(page []byte) *Page {
	body, base := withoutFrontMatter(page)
	return &Page{page: page, body: body, base: base}
}

// parsed is the tree of the body.
func (p *Page) parsed() ast.Node {
	if p.tree == nil {
		p.tree = markdown().Parse(text.NewReader(p.body))
	}
	return p.tree
}

// Inspect reports what does not belong on a page of a wiki, in the order of its lines. cited tells whether an external address occurs in
// the source that the page cites; nil means that none does. Code is not looked at but for invisible characters.
func (p *Page) Inspect(cited func(url string) bool) []Problem {
	i := inspection{page: p.page, body: p.body, base: p.base, cited: cited}
	i.invisible()
	if mayLead(p.body) {
		i.lines = lineStarts(p.page)
		// The walk never returns an error of its own.
		_ = ast.Walk(p.parsed(), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if entering {
				i.visit(n)
			}
			return ast.WalkContinue, nil
		})
	}
	slices.SortStableFunc(i.problems, func(a, b Problem) int { return a.Line - b.Line })
	return i.problems
}

// Addresses returns the external addresses that a page links to or shows images from, each once, in code-unit order.
func (p *Page) Addresses() []string {
	var found []string
	p.Inspect(func(url string) bool {
		found = append(found, url)
		return true
	})
	slices.Sort(found)
	return slices.Compact(found)
}

// mayLead reports whether a text could have HTML or an address that leads out of the repository: an angle bracket, a bare address, or a
// link whose destination has a colon or two slashes, or is written so that it cannot be told here. It is true too often, never too seldom.
func mayLead(body []byte) bool {
	if bytes.IndexByte(body, '<') >= 0 || bytes.Contains(body, []byte("//")) || containsFold(body, "www.") || containsFold(body, "mailto:") {
		return true
	}
	for at := 0; ; {
		i := bytes.IndexByte(body[at:], ']')
		if i < 0 {
			return false
		}
		at += i + 1
		if at < len(body) && (body[at] == '(' || body[at] == ':') && mayLeadOut(body[at+1:]) {
			return true
		}
	}
}

// mayLeadOut judges the destination that a text begins with. One that begins on another line cannot be told from here.
func mayLeadOut(text []byte) bool {
	text = bytes.TrimLeft(text, " \t")
	end := bytes.IndexAny(text, " \t\r\n)")
	if end < 0 {
		end = len(text)
	}
	odd := func(c rune) bool { return c == ':' || c == '&' || c == '\\' || c < ' ' || c == 0x7f }
	return end == 0 && (len(text) == 0 || text[0] != ')') || bytes.ContainsFunc(text[:end], odd)
}

// containsFold looks for a word in small letters of ASCII, without regard to case.
func containsFold(text []byte, word string) bool {
	for at := 0; at+len(word) <= len(text); at++ {
		i := bytes.IndexAny(text[at:], word[:1]+string(word[0]-'a'+'A'))
		if i < 0 || at+i+len(word) > len(text) {
			return false
		}
		if at += i; bytes.EqualFold(text[at:at+len(word)], []byte(word)) {
			return true
		}
	}
	return false
}
