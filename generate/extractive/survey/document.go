package survey

import (
	"path"
	"regexp"
	"strings"
	"sync"
)

// A document is a README or another text file, read for its outline: headings, paragraphs of prose, and code blocks.
type document struct {
	path     string
	headings []heading
	paras    []paragraph
	items    []paragraph // list items, for documents that describe things in lists
	blocks   []codeBlock
	spans    []textLine // code spans in the text that show how to run chosen tests
}

type heading struct {
	level int
	text  string
	line  int
	end   int
}

type paragraph struct {
	text       string // plain text
	section    int    // index of the heading above, -1 before the first
	start, end int
}

type codeBlock struct {
	lang    string
	section int
	lines   []textLine
}

// isDocument reports the text formats whose outline can be read.
func isDocument(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown", ".mdx", ".rst", ".adoc":
		return true
	case "", ".txt":
		base := strings.ToLower(strings.TrimSuffix(path.Base(name), path.Ext(name)))
		return base == "readme" || base == "install" || base == "contributing" || base == "changelog" || base == "hacking"
	}
	return false
}

// readDocument reads the outline of a document by its format.
func readDocument(name string, data []byte) *document {
	d := &document{path: name}
	r := &docReader{doc: d, lines: splitLines(data)}
	if strings.EqualFold(path.Ext(name), ".rst") {
		r.rst()
	} else {
		r.markdown()
	}
	return d
}

// title returns the title of the document: that of its front matter, else the heading it begins with.
func (d *document) title() Fact {
	for i, h := range d.headings {
		if i > 1 || h.level > 2 {
			break
		}
		if h.text != "" && (h.level == 1 || i == 0) {
			return Fact{Text: h.text, Ref: Ref{Path: d.path, Start: h.line, End: h.end}}
		}
	}
	return Fact{}
}

// first returns the sentence of the head of the document that says what it is about. Sections that are no introduction do not count: a
// sentence of a late section does not describe the whole.
func (d *document) first() Fact {
	names := []string{d.title().Text, path.Base(path.Dir(d.path))}
	for _, p := range d.paras {
		if p.section > 4 {
			break
		}
		if p.section > 0 && !introduction()(d.headings[p.section].text) || p.section == 0 && sideSection()(d.headings[0].text) {
			continue
		}
		if promises()(p.text) && !promises()(p.text[sentenceEnd(p.text):]) {
			break // the list that follows is what the document says of itself
		}
		if s := purposeSentence(p.text, names...); s != "" {
			return Fact{Text: s, Ref: Ref{Path: d.path, Start: p.start, End: p.end}}
		}
	}
	return Fact{}
}

var introduction = sync.OnceValue(func() func(string) bool {
	return regexp.MustCompile(`(?i)^(what|about|overview|introduction|intro|description|purpose|summary|background|why)\b`).MatchString
})

var sideSection = sync.OnceValue(func() func(string) bool {
	return regexp.MustCompile(`(?i)^(table of )?contents?$|sponsor|backer|licen[cs]e|install|getting started|quick ?start|usage|contribut|changelog|badges?|` +
		`news|announce|build|support|credits?|authors?|status|requirements|prerequisites|development|testing|demo|documentation$|docs$|links|community`).MatchString
})

type docReader struct {
	doc   *document
	lines []textLine
	i     int
}

func (r *docReader) section() int { return len(r.doc.headings) - 1 }

func (r *docReader) heading(level int, text string, from, to int) {
	text = strings.TrimSpace(strings.Trim(plain(text), "# \\"))
	if len(r.doc.headings) < 2000 {
		r.doc.headings = append(r.doc.headings, heading{level: level, text: cut(text, maxName), line: from, end: to})
	}
}

func (r *docReader) prose(lines []textLine, item bool) {
	if len(lines) == 0 || len(r.doc.paras) >= 2000 {
		return
	}
	var b strings.Builder
	for _, l := range lines {
		if strings.Contains(l.text, "test") && len(r.doc.spans) < 5 {
			for _, m := range oneTestSpan()(l.text, 5) {
				r.doc.spans = append(r.doc.spans, textLine{l.no, m[1]})
			}
		}
		b.WriteString(strings.TrimSpace(l.text))
		b.WriteByte('\n')
	}
	p := paragraph{text: plain(b.String()), section: r.section(), start: lines[0].no, end: lines[len(lines)-1].no}
	if p.text == "" {
		return
	}
	if item {
		r.doc.items = append(r.doc.items, p)
		return
	}
	r.doc.paras = append(r.doc.paras, p)
}

var oneTestSpan = sync.OnceValue(func() func(string, int) [][]string {
	return regexp.MustCompile("`((?:npm|pnpm|yarn|bun)(?: run)? [\\w:-]*test[\\w:-]*(?: --)? [\\[<][\\w -]+[\\]>])`").FindAllStringSubmatch
})

// markdown reads Markdown, AsciiDoc headings and plain text. It is a line reader: what it does not understand it takes as no prose.
func (r *docReader) markdown() {
	r.skipFrontMatter()
	var para []textLine
	item := false
	flush := func() { r.prose(para, item); para, item = nil, false }
	for r.i < len(r.lines) {
		line := r.lines[r.i]
		text := strings.TrimSpace(line.text)
		if marks := fenceMark(text); marks != "" {
			flush()
			r.fence(marks, text)
			continue
		}
		level, title := markdownHeading(line.text)
		switch {
		case text == "":
			flush()
		case level > 0:
			flush()
			r.heading(level, title, line.no, line.no)
		case len(para) > 0 && isUnderline(text):
			last := para[len(para)-1]
			para = para[:len(para)-1]
			flush()
			r.heading(1+strings.Count(text[:1], "-"), last.text, last.no, line.no)
		case strings.HasPrefix(line.text, "    ") && len(para) == 0:
			r.indented()
			continue
		case strings.HasPrefix(text, "<"):
			flush()
			r.htmlBlock()
			continue
		case isListItem(text):
			flush()
			para, item = []textLine{{line.no, strings.TrimLeft(text, "-*+0123456789.) ")}}, true
		case notProse(text):
			flush()
		default:
			para = append(para, line)
		}
		r.i++
	}
	flush()
}

func (r *docReader) skipFrontMatter() {
	if len(r.lines) == 0 || strings.TrimSpace(r.lines[0].text) != "---" {
		return
	}
	title := textLine{}
	for i := 1; i < len(r.lines) && i < 100; i++ {
		if value, ok := strings.CutPrefix(r.lines[i].text, "title:"); ok {
			title = textLine{r.lines[i].no, unquote(value)}
		}
		if strings.TrimSpace(r.lines[i].text) == "---" {
			r.i = i + 1
			if title.text != "" {
				r.heading(1, title.text, title.no, title.no)
			}
			return
		}
	}
}

func fenceMark(text string) string {
	for _, mark := range []string{"```", "~~~"} {
		if strings.HasPrefix(text, mark) {
			return text[:len(text)-len(strings.TrimLeft(text, mark[:1]))]
		}
	}
	return ""
}

func (r *docReader) fence(marks, text string) {
	lang, _, _ := strings.Cut(strings.TrimSpace(strings.TrimLeft(text, marks[:1])), " ")
	block := codeBlock{lang: strings.ToLower(strings.Trim(lang, "{}.")), section: r.section()}
	for r.i++; r.i < len(r.lines); r.i++ {
		l := strings.TrimSpace(r.lines[r.i].text)
		if strings.HasPrefix(l, marks) && strings.Trim(l, marks[:1]) == "" {
			r.i++
			break
		}
		block.lines = append(block.lines, r.lines[r.i])
	}
	r.doc.blocks = append(r.doc.blocks, block)
}

// indented reads a code block that is marked by indentation.
func (r *docReader) indented() {
	block := codeBlock{section: r.section()}
	for ; r.i < len(r.lines); r.i++ {
		t := r.lines[r.i].text
		if strings.TrimSpace(t) != "" && !strings.HasPrefix(t, "   ") && !strings.HasPrefix(t, "\t") {
			break
		}
		block.lines = append(block.lines, r.lines[r.i])
	}
	r.doc.blocks = append(r.doc.blocks, block)
}

// htmlBlock reads a block of HTML up to a blank line: a heading in it counts, paragraphs of text in it are prose.
func (r *docReader) htmlBlock() {
	start := r.i
	for r.i < len(r.lines) && strings.TrimSpace(r.lines[r.i].text) != "" && fenceMark(strings.TrimSpace(r.lines[r.i].text)) == "" {
		r.i++
	}
	if r.i == start {
		r.i++
	}
	lines := r.lines[start:r.i]
	all := ""
	for _, l := range lines {
		all += l.text + "\n"
	}
	if m := htmlHeading()(all); m != nil {
		r.heading(int(m[1][0]-'0'), m[2], lines[0].no, lines[len(lines)-1].no)
		return
	}
	if strings.Contains(all, "<!--") || strings.Contains(strings.ToLower(all), "<img") || strings.Count(all, "<a ") > 1 {
		return
	}
	r.prose(lines, false)
}

var htmlHeading = sync.OnceValue(func() func(string) []string {
	return regexp.MustCompile(`(?is)<h([1-3])[^>]*>(.*?)</h[1-3]>`).FindStringSubmatch
})

func markdownHeading(line string) (int, string) {
	for _, mark := range []byte{'#', '='} {
		level := len(line) - len(strings.TrimLeft(line, string(mark)))
		if level > 0 && level <= 6 && level < len(line) && line[level] == ' ' {
			return level, line[level+1:]
		}
	}
	return 0, ""
}

func isUnderline(text string) bool {
	return len(text) >= 2 && (strings.Trim(text, "=") == "" || strings.Trim(text, "-") == "")
}

func isListItem(text string) bool {
	if len(text) > 2 && strings.IndexByte("-*+", text[0]) >= 0 && text[1] == ' ' {
		return true
	}
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	return digits > 0 && digits < 4 && len(text) > digits+1 && strings.IndexByte(".)", text[digits]) >= 0 && text[digits+1] == ' '
}

// notProse reports lines that belong to no sentence: tables, quotes, badges, link definitions, rules, directives.
func notProse(text string) bool {
	switch {
	case isRule(text), strings.HasPrefix(text, "|"), strings.HasPrefix(text, ">"), strings.HasPrefix(text, "[!["), strings.HasPrefix(text, "!["),
		strings.HasPrefix(text, ":::"), strings.HasPrefix(text, ".. "), strings.HasPrefix(text, "import "), strings.HasPrefix(text, "{"),
		strings.HasPrefix(text, "[//]"), strings.HasPrefix(text, "image::"):
		return true
	}
	if strings.HasPrefix(text, "[") && strings.Contains(text, "]: ") {
		return true
	}
	return strings.Count(text, " | ") > 1 || strings.Count(text, "](") > 1 && len(plain(text)) < 60 || strings.Count(text, " • ")+strings.Count(text, " · ") > 1
}
