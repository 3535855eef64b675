package safetext

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"
)

// The kinds of problem.
const (
	KindInvisible = "invisible_text" // characters nobody sees; Clean removes them
	KindHTML      = "raw_html"       // an element or attribute that a wiki does not need
	KindComment   = "html_comment"   // text that a reader of the page does not see
	KindImage     = "external_image" // fetched from another host whenever the page is shown
	KindLink      = "external_link"  // to a place that the cited source does not name
	KindScheme    = "link_scheme"    // javascript:, data: and the like
)

// A Problem is something that does not belong on a page.
type Problem struct {
	Kind    string
	Line    int    // counted from 1
	Target  string // the address, element or comment concerned; foreign text
	Message string // one line, safe to show anywhere
}

// markdown is the parser of GitHub's Markdown, in which bare addresses are links.
var markdown = sync.OnceValue(func() parser.Parser {
	return goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote)).Parser()
})

type inspection struct {
	page, body []byte
	base       int
	lines      []int
	cited      func(string) bool
	problems   []Problem
}

func (i *inspection) report(kind string, offset int, target, format string, args ...any) {
	i.problems = append(i.problems, Problem{Kind: kind, Line: i.line(i.base + max(offset, 0)), Target: target, Message: fmt.Sprintf(format, args...)})
}

// line returns the line of an offset of the page.
func (i *inspection) line(offset int) int {
	n, found := slices.BinarySearch(i.lines, offset)
	if found {
		return n + 1
	}
	return n
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

// withoutFrontMatter returns the text of a page behind its front matter, and where it starts.
func withoutFrontMatter(page []byte) ([]byte, int) {
	start := len(page) - len(bytes.TrimPrefix(page, []byte("\ufeff")))
	first, _, _ := bytes.Cut(page[start:], []byte("\n"))
	if string(bytes.TrimRight(first, " \t\r")) != "---" {
		return page, 0
	}
	for at := start + len(first) + 1; at < len(page); {
		line, _, _ := bytes.Cut(page[at:], []byte("\n"))
		at += len(line) + 1
		if string(bytes.TrimRight(line, " \t\r")) == "---" {
			at = min(at, len(page))
			return page[at:], at
		}
	}
	return page, 0
}

// invisible reports the lines with characters that Clean would remove.
func (i *inspection) invisible() {
	if cleaned := Clean(i.page); len(cleaned) == len(i.page) {
		return
	}
	for n, line := range bytes.Split(i.page, []byte("\n")) {
		if hidden := len(line) - len(Clean(line)); hidden > 0 {
			i.problems = append(i.problems, Problem{Kind: KindInvisible, Line: n + 1, Message: "characters that nobody can see"})
		}
	}
}

func (i *inspection) visit(n ast.Node) {
	switch n := n.(type) {
	case *ast.Link:
		i.address(KindLink, n.Pos(), n.Destination)
	case *ast.Image:
		i.address(KindImage, n.Pos(), n.Destination)
	case *ast.LinkReferenceDefinition:
		i.address(KindLink, n.Pos(), n.Destination)
	case *ast.AutoLink:
		if n.AutoLinkType == ast.AutoLinkURL {
			i.address(KindLink, n.Pos(), n.URL(i.body))
		}
	case *ast.HTMLBlock:
		i.htmlBlock(n)
	case *ast.RawHTML:
		if n.Segments.Len() > 0 {
			i.html(n.Segments.At(0).Start, n.Segments.Value(i.body))
		}
	}
}

func (i *inspection) htmlBlock(n *ast.HTMLBlock) {
	value, start := n.Lines().Value(i.body), n.Pos()
	if n.Lines().Len() > 0 {
		start = n.Lines().At(0).Start
	}
	if n.HasClosure() {
		value = append(bytes.Clone(value), n.ClosureLine.Value(i.body)...)
	}
	i.html(start, value)
}

// address judges the destination of a link or image.
func (i *inspection) address(kind string, offset int, dest []byte) {
	url := plainAddress(dest)
	scheme, external := external(url)
	switch {
	case !external:
	case scheme != "" && scheme != "http" && scheme != "https" && scheme != "mailto":
		i.report(KindScheme, offset, url, "a link of the kind %s: is not allowed", Inline(scheme, 30))
	case kind == KindImage:
		i.report(KindImage, offset, url, "an image of another host, %s, is fetched whenever the page is read", Inline(host(url), 100))
	case i.cited == nil || !i.cited(url):
		i.report(KindLink, offset, url, "a link to %s, which the cited source does not name", Inline(host(url), 100))
	}
}

// plainAddress resolves escapes and references, and drops what browsers drop.
func plainAddress(dest []byte) string {
	url := string(util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(dest))))
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, strings.TrimSpace(url))
}

var schemePattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([A-Za-z][A-Za-z0-9+.-]*):`) })

// external reports whether an address leads out of the repository, and its scheme in lower case.
func external(url string) (scheme string, ok bool) {
	if found := schemePattern().FindStringSubmatch(url); found != nil {
		return strings.ToLower(found[1]), true
	}
	return "", strings.HasPrefix(strings.ReplaceAll(url, `\`, "/"), "//")
}

// host returns the host of an address as far as it can be told.
func host(url string) string {
	_, rest, ok := strings.Cut(strings.ReplaceAll(url, `\`, "/"), "//")
	if !ok {
		rest = url
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		return rest
	}
	return rest[:end]
}
