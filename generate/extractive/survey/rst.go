package survey

import "strings"

// rst reads reStructuredText: underlined headings, paragraphs, and literal or code blocks.
func (r *docReader) rst() {
	levels := map[string]int{}
	var para []textLine
	flush := func() {
		if len(para) == 0 {
			return
		}
		last := strings.TrimSpace(para[len(para)-1].text)
		r.prose(para, false)
		para = nil
		if strings.HasSuffix(last, "::") {
			r.rstBlock("")
		}
	}
	for r.i < len(r.lines) {
		line := r.lines[r.i]
		text := strings.TrimSpace(line.text)
		if len(para) <= 1 && r.rstHeading(para, levels) {
			para = nil
			continue
		}
		switch {
		case text == "":
			r.i++
			flush()
			continue
		case strings.HasPrefix(text, ".. "):
			flush()
			r.directive(text)
			continue
		case len(para) == 0 && (line.text[0] == ' ' || line.text[0] == '\t'):
			r.i++ // a body of something that was not understood
			continue
		case isListItem(text):
			flush()
			r.prose([]textLine{{line.no, strings.TrimLeft(text, "-*+0123456789.) ")}}, true)
		case notProse(text) && len(para) == 0, strings.HasPrefix(text, "|") && len(para) == 0:
		default:
			para = append(para, line)
		}
		r.i++
	}
	flush()
}

// rstHeading reads a title at the current line: an underline below the collected line, or an overline with its title.
func (r *docReader) rstHeading(para []textLine, levels map[string]int) bool {
	text := strings.TrimRight(r.lines[r.i].text, " ")
	if !isRule(text) || strings.Trim(text, text[:1]) != "" {
		return false
	}
	style := text[:1]
	var title textLine
	from := 0
	switch {
	case len(para) == 1 && len(text)+2 >= len(strings.TrimSpace(para[0].text)):
		title, from = para[0], para[0].no
		r.i++
	case len(para) == 0 && r.i+2 < len(r.lines) && strings.TrimRight(r.lines[r.i+2].text, " ") == text:
		title, from = r.lines[r.i+1], r.lines[r.i].no
		style += "over"
		r.i += 3
	default:
		return false
	}
	if levels[style] == 0 {
		levels[style] = len(levels) + 1
	}
	r.heading(levels[style], title.text, from, r.lines[r.i-1].no)
	return true
}

func (r *docReader) directive(text string) {
	r.i++
	name, arg, _ := strings.Cut(strings.TrimPrefix(text, ".. "), "::")
	switch name {
	case "code-block", "code", "sourcecode", "prompt", "parsed-literal":
		lang := strings.ToLower(strings.TrimSpace(arg))
		if name == "prompt" || lang == "" {
			lang = "console"
		}
		r.rstBlock(lang)
	default:
		r.skipIndented()
	}
}

// rstBlock reads an indented block as code. A literal block without a language is kept: whoever reads it looks for prompts.
func (r *docReader) rstBlock(lang string) {
	block := codeBlock{lang: lang, section: r.section()}
	for ; r.i < len(r.lines); r.i++ {
		t := r.lines[r.i].text
		if strings.TrimSpace(t) != "" && t[0] != ' ' && t[0] != '\t' {
			break
		}
		if s := strings.TrimSpace(t); !strings.HasPrefix(s, ":") {
			block.lines = append(block.lines, r.lines[r.i])
		}
	}
	r.doc.blocks = append(r.doc.blocks, block)
}

func (r *docReader) skipIndented() {
	for r.i < len(r.lines) {
		t := r.lines[r.i].text
		if strings.TrimSpace(t) != "" && t[0] != ' ' && t[0] != '\t' {
			return
		}
		r.i++
	}
}
