package wiki

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// scan is what the link functions need to know about the Markdown of a page. Offsets are into the whole page.
type scan struct {
	src   []byte
	lines []int // offset of every line
	links []mdLink
	spans []codeSpan
	marks anchorSet
}

type linkKind int

const (
	inlineLink linkKind = iota
	imageLink
	definition
	autoLink
)

// mdLink is one link of a page.
type mdLink struct {
	kind linkKind
	dest string // with escapes and entities resolved
	at   span   // the destination as it stands in the page; empty when it could not be located
	node span   // autolinks only: the whole "<…>"
	text span   // the link text as it stands in the page; empty when there is none
	line int
}

type codeSpan struct {
	text string
	line int
}

// markdown is the CommonMark parser. Tables and the other extensions of GitHub do not change where links are, so none is loaded.
var markdown = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
	)
})

// scanPage reads the links, anchors and code spans of a page. Code blocks, code spans and comments hold no links.
func scanPage(page []byte) *scan {
	s := &scan{src: page, lines: lineStarts(page)}
	base := Parse(page).body
	body := page[base:]
	tree := markdown().Parse(text.NewReader(body))
	var headings []string
	var explicit []string
	w := walker{scan: s, body: body, base: base}
	// The walk never returns an error of its own.
	_ = ast.Walk(tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			headings = append(headings, plainNode(n, body))
		case *ast.HTMLBlock:
			explicit = append(explicit, htmlAnchors(n.Lines().Value(body))...)
		case *ast.RawHTML:
			explicit = append(explicit, htmlAnchors(n.Segments.Value(body))...)
		default:
			w.visit(n)
		}
		return ast.WalkContinue, nil
	})
	s.marks = headingAnchors(headings)
	for _, anchor := range explicit {
		s.marks.add(anchor)
	}
	return s
}

// walker collects links from the syntax tree of a body that starts at offset base of the page.
type walker struct {
	scan *scan
	body []byte
	base int
}

func (w *walker) visit(n ast.Node) {
	switch n := n.(type) {
	case *ast.Link:
		if n.Reference == nil {
			w.inline(n, inlineLink, n.Destination)
		}
	case *ast.Image:
		if n.Reference == nil {
			w.inline(n, imageLink, n.Destination)
		}
	case *ast.LinkReferenceDefinition:
		link := mdLink{kind: definition, dest: cleanDest(n.Destination), line: w.line(n.Pos())}
		if n.Pos() >= 0 {
			if i := bytes.Index(w.body[n.Pos():], []byte("]:")); i >= 0 {
				w.locate(&link, n.Pos()+i+2, n.Destination)
			}
		}
		w.add(link)
	case *ast.AutoLink:
		w.auto(n)
	case *ast.CodeSpan:
		w.code(n)
	}
}

func (w *walker) add(link mdLink) { w.scan.links = append(w.scan.links, link) }

// inline adds a link of the form [text](destination).
func (w *walker) inline(n ast.Node, kind linkKind, dest []byte) {
	link := mdLink{kind: kind, dest: cleanDest(dest), line: w.line(n.Pos())}
	if close, ok := w.labelEnd(n); ok {
		open := n.Pos() + 1
		if kind == imageLink {
			open++
		}
		link.text = span{w.base + open, w.base + close}
		w.locate(&link, close+2, dest)
	}
	w.add(link)
}

// labelEnd returns the offset of the "](" that ends the label of a link or image: the first one behind everything inside the label.
func (w *walker) labelEnd(n ast.Node) (int, bool) {
	if n.Pos() < 0 {
		return 0, false
	}
	from := n.Pos() + 1
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		from = max(from, w.nodeEnd(c))
	}
	i := bytes.Index(w.body[min(from, len(w.body)):], []byte("]("))
	if i < 0 {
		return 0, false
	}
	return from + i, true
}

// nodeEnd returns an offset at or behind the last text of an inline node, and never behind the node.
func (w *walker) nodeEnd(n ast.Node) int {
	switch n := n.(type) {
	case *ast.Text:
		return n.Segment.Stop
	case *ast.RawHTML:
		if count := n.Segments.Len(); count > 0 {
			return n.Segments.At(count - 1).Stop
		}
	case *ast.AutoLink:
		return n.Pos() + len(n.Label(w.body)) + 2
	case *ast.Image:
		if n.Reference == nil {
			if end, ok := w.labelEnd(n); ok {
				return end + 2
			}
		}
	}
	end := 0
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		end = max(end, w.nodeEnd(c))
	}
	return end
}

// locate finds the destination in the text at or behind an offset, and records its place only if it is the one the parser read.
func (w *walker) locate(link *mdLink, from int, dest []byte) {
	from = min(from, len(w.body))
	start := from + len(w.body[from:]) - len(bytes.TrimLeft(w.body[from:], " \t\r\n"))
	end := start
	if start < len(w.body) && w.body[start] == '<' {
		start++
		if i := bytes.IndexAny(w.body[start:], ">\n"); i >= 0 {
			end = start + i
		}
	} else {
		end = destEnd(w.body, start)
	}
	if end < start || !bytes.Equal(w.body[start:end], dest) && cleanDest(w.body[start:end]) != cleanDest(dest) {
		return
	}
	link.at = span{w.base + start, w.base + end}
	link.line = w.line(start)
}

// destEnd returns the end of a bare destination: white space, or the parenthesis that closes the link.
func destEnd(b []byte, at int) int {
	depth := 0
	for ; at < len(b); at++ {
		switch c := b[at]; {
		case c == '\\' && at+1 < len(b) && util.IsPunct(b[at+1]):
			at++
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth < 0 {
				return at
			}
		case c <= ' ':
			return at
		}
	}
	return at
}

func (w *walker) auto(n *ast.AutoLink) {
	if n.AutoLinkType != ast.AutoLinkURL || n.Pos() < 0 {
		return
	}
	label := n.Label(w.body)
	end := n.Pos() + len(label) + 2
	if end > len(w.body) || w.body[n.Pos()] != '<' || w.body[end-1] != '>' {
		return
	}
	w.add(mdLink{
		kind: autoLink, dest: string(label), line: w.line(n.Pos()),
		at: span{w.base + n.Pos() + 1, w.base + end - 1}, node: span{w.base + n.Pos(), w.base + end},
	})
}

func (w *walker) code(n *ast.CodeSpan) {
	child, ok := n.FirstChild().(*ast.Text)
	if !ok || child.NextSibling() != nil {
		return
	}
	w.scan.spans = append(w.scan.spans, codeSpan{text: string(child.Segment.Value(w.body)), line: w.line(child.Segment.Start)})
}

// line returns the 1-based line of the page an offset of the body is on.
func (w *walker) line(offset int) int { return w.scan.lineOf(w.base + max(offset, 0)) }

// lineOf returns the 1-based line of an offset.
func (s *scan) lineOf(offset int) int {
	low, high := 0, len(s.lines)
	for low < high {
		if middle := (low + high) / 2; s.lines[middle] <= offset {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

func lineStarts(b []byte) []int {
	starts := []int{0}
	for i, c := range b {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// cleanDest resolves backslash escapes and entities of a destination.
func cleanDest(dest []byte) string {
	return string(util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(dest))))
}

// plainNode returns the text a reader sees of an inline tree.
func plainNode(n ast.Node, src []byte) string {
	var b strings.Builder
	writePlain(&b, n, src)
	return b.String()
}

func writePlain(b *strings.Builder, n ast.Node, src []byte) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			value := c.Segment.Value(src)
			if n.Kind() != ast.KindCodeSpan {
				value = []byte(cleanDest(value))
			}
			b.Write(value)
			if c.SoftLineBreak() || c.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.AutoLink:
			b.Write(c.Label(src))
		case *ast.Image:
			// An image has no text.
		default:
			writePlain(b, c, src)
		}
	}
}

// htmlAnchor matches the attributes that give an HTML element an anchor.
var htmlAnchor = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\s(?:id|name)\s*=\s*(?:"([^"]+)"|'([^']+)'|([^\s"'>]+))`)
})

func htmlAnchors(html []byte) []string {
	var anchors []string
	for _, found := range htmlAnchor().FindAllSubmatch(html, -1) {
		anchors = append(anchors, string(bytes.Join(found[1:], nil)))
	}
	return anchors
}
