package safetext

import (
	"bytes"
	"io"
	"strings"

	"golang.org/x/net/html"
)

// allowedTags are the elements a page may use: structure and emphasis that Markdown lacks, nothing that hides, fetches or runs.
func allowedTag(tag string) bool {
	switch tag {
	case "details", "summary", "br", "hr", "sub", "sup", "kbd", "samp", "var", "b", "strong", "i", "em", "u", "s", "del", "ins", "code", "pre",
		"p", "div", "span", "blockquote", "ul", "ol", "li", "dl", "dt", "dd", "table", "thead", "tbody", "tfoot", "tr", "th", "td", "caption",
		"a", "img", "h1", "h2", "h3", "h4", "h5", "h6", "mark", "abbr", "small", "tt", "wbr", "figure", "figcaption", "q", "cite":
		return true
	}
	return false
}

func allowedAttribute(tag, name string) bool {
	switch name {
	case "id", "name", "align", "valign", "colspan", "rowspan", "open", "start", "title", "alt", "width", "height", "dir", "lang":
		return true
	case "href":
		return tag == "a"
	case "src":
		return tag == "img"
	}
	return false
}

// html judges raw HTML that starts at an offset of the body.
func (i *inspection) html(offset int, raw []byte) {
	tokens := html.NewTokenizer(bytes.NewReader(raw))
	at := offset
	for {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			if tokens.Err() != io.EOF {
				i.report(KindHTML, at, "", "HTML that cannot be read")
			}
			return
		}
		size := len(tokens.Raw())
		switch kind {
		case html.CommentToken:
			i.comment(at, string(tokens.Raw()))
		case html.DoctypeToken:
			i.report(KindHTML, at, "!doctype", "a document type does not belong on a page")
		case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken:
			i.element(at, tokens.Token())
		}
		at += size
	}
}

func (i *inspection) element(at int, token html.Token) {
	tag := strings.ToLower(token.Data)
	if !allowedTag(tag) {
		if token.Type != html.EndTagToken {
			i.report(KindHTML, at, tag, "the HTML element %s is not allowed", Inline(tag, 40))
		}
		return
	}
	for _, attribute := range token.Attr {
		name := strings.ToLower(attribute.Key)
		switch {
		case !allowedAttribute(tag, name):
			i.report(KindHTML, at, tag+" "+name, "the HTML attribute %s is not allowed", Inline(name, 40))
		case name == "href":
			i.address(KindLink, at, []byte(attribute.Val))
		case name == "src":
			i.address(KindImage, at, []byte(attribute.Val))
		}
	}
}

// comment reports a comment that is not one of the notes the wiki tools leave. Readers do not see comments, agents do.
func (i *inspection) comment(at int, comment string) {
	inner := strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(comment, "<!--"), "-->"))
	lower := strings.ToLower(inner)
	for _, known := range []string{"openwiki: mermaid parse failed", "openwiki: broken internal link", "toc", "/toc"} {
		if lower == known || strings.HasPrefix(known, "openwiki:") && strings.HasPrefix(lower, known) && len(inner) < 400 {
			return
		}
	}
	if inner == "" {
		return
	}
	i.report(KindComment, at, inner, "a comment that readers do not see")
}
