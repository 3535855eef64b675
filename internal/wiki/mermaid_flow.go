package wiki

import (
	"regexp"
	"strings"
	"sync"
)

// flowParser reads the statements of a flowchart: nodes with labels, links between them, subgraphs.
type flowParser struct {
	text  string
	at    int
	first int // index of the header line
	depth int // open subgraphs
}

func checkFlowchart(lines []string, first int) *diagramError {
	p := &flowParser{text: strings.Join(lines[first:], "\n"), first: first}
	if err := p.header(); err != nil {
		return err
	}
	for p.at < len(p.text) {
		p.skip(" \t\n;")
		if p.at == len(p.text) {
			break
		}
		if err := p.statement(); err != nil {
			return err
		}
	}
	if p.depth > 0 {
		return p.errorf("a subgraph is not closed by end")
	}
	return nil
}

func (p *flowParser) errorf(format string, args ...any) *diagramError {
	return diagramErrorf(p.first+1+strings.Count(p.text[:min(p.at, len(p.text))], "\n"), format, args...)
}

func (p *flowParser) skip(set string) {
	for p.at < len(p.text) && strings.IndexByte(set, p.text[p.at]) >= 0 {
		p.at++
	}
}

// rest returns the rest of the line.
func (p *flowParser) rest() string {
	line, _, _ := strings.Cut(p.text[p.at:], "\n")
	return line
}

// match consumes an anchored pattern.
func (p *flowParser) match(pattern *regexp.Regexp) (string, bool) {
	found := pattern.FindString(p.text[p.at:])
	p.at += len(found)
	return found, found != ""
}

// header reads "flowchart LR" and checks the direction.
func (p *flowParser) header() *diagramError {
	line := p.rest()
	statement, _, more := strings.Cut(line, ";")
	fields := strings.Fields(statement)
	if len(fields) > 1 && !strings.Contains("TB TD BT RL LR < > ^ v", fields[1]) {
		return p.errorf("%q is no direction of a flowchart", clip(fields[1]))
	}
	p.at += len(statement)
	if !more && len(fields) > 2 {
		return p.errorf("the header is followed by %q", clip(fields[2]))
	}
	return nil
}

var flowKeyword = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:classDef|class|style|linkStyle|click|href|direction|accTitle|accDescr)(?:[ \t:{])`)
})

// statement reads one statement up to its end.
func (p *flowParser) statement() *diagramError {
	line := p.rest()
	word := strings.TrimRight(strings.TrimSpace(line), ";")
	switch {
	case word == "end":
		if p.depth == 0 {
			return p.errorf("end closes no subgraph; it cannot be the name of a node")
		}
		p.depth--
		p.at += len(line)
		return nil
	case line == "subgraph" || strings.HasPrefix(line, "subgraph ") || strings.HasPrefix(line, "subgraph\t"):
		p.depth++
		return p.subgraph(line)
	case flowKeyword().MatchString(line):
		p.at += len(line)
		if _, open := accessibility(line); open {
			p.skipPast("}")
		}
		return nil
	}
	return p.chain()
}

// subgraph reads the identifier and title of a subgraph.
func (p *flowParser) subgraph(line string) *diagramError {
	title := strings.TrimRight(strings.TrimSpace(strings.TrimPrefix(line, "subgraph")), ";")
	if at := strings.IndexByte(title, '['); at > 0 && strings.HasSuffix(title, "]") {
		inner := title[at+1 : len(title)-1]
		if problem := labelProblem(strings.Trim(inner, `[]`)); problem != "" {
			return p.errorf("the title of subgraph %s %s", clip(title[:at]), problem)
		}
	} else if !strings.HasPrefix(title, `"`) && strings.ContainsAny(title, "()[]{}|\"") {
		return p.errorf("the title of subgraph %s has brackets or quotes and is not quoted as a whole", clip(title))
	}
	p.at += len(line)
	return nil
}

func (p *flowParser) skipPast(mark string) {
	if i := strings.Index(p.text[p.at:], mark); i >= 0 {
		p.at += i + len(mark)
		return
	}
	p.at = len(p.text)
}

// chain reads nodes with links between them.
func (p *flowParser) chain() *diagramError {
	for {
		if err := p.nodes(); err != nil {
			return err
		}
		p.skip(" \t")
		if p.at == len(p.text) || p.text[p.at] == '\n' || p.text[p.at] == ';' {
			return nil
		}
		if err := p.link(); err != nil {
			return err
		}
		p.skip(" \t\n")
	}
}

// nodes reads one node, or several joined by "&".
func (p *flowParser) nodes() *diagramError {
	for {
		if err := p.node(); err != nil {
			return err
		}
		save := p.at
		p.skip(" \t")
		if p.at < len(p.text) && p.text[p.at] == '&' {
			p.at++
			p.skip(" \t")
			continue
		}
		p.at = save
		return nil
	}
}

// flowID matches the name of a node. A hyphen, equals sign or dot belongs to it unless a link starts there.
var flowID = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("^(?:[\\pL\\pM\\pN_!#$%'*+`?\\\\/:@^,]|-[\\pL\\pN_]|=[\\pL\\pN_]|\\.[\\pL\\pN_])+")
})

func (p *flowParser) node() *diagramError {
	start := p.at
	id, ok := p.match(flowID())
	if !ok {
		return p.errorf("a node is expected before %q", clip(p.rest()))
	}
	if class := strings.Index(id, ":::"); class >= 0 {
		id = id[:class]
	}
	if strings.TrimSpace(id) == "end" {
		p.at = start
		return p.errorf("end cannot be the name of a node")
	}
	if strings.HasSuffix(id, "@") && strings.HasPrefix(p.text[p.at:], "{") {
		p.skipPast("}")
	} else if err := p.shape(id); err != nil {
		return err
	}
	if strings.HasPrefix(p.text[p.at:], ":::") {
		p.match(flowID())
	}
	return nil
}

// flowShapes are the brackets around labels, longest first. The slanted ones may mix.
var flowShapes = sync.OnceValue(func() [][2]string {
	return [][2]string{
		{"(((", ")))"}, {"((", "))"}, {"([", "])"}, {"(", ")"}, {"[[", "]]"}, {"[(", ")]"}, {"[/", "]"}, {`[\`, "]"}, {"[", "]"}, {"{{", "}}"},
		{"{", "}"}, {">", "]"},
	}
})

// shape reads the label of a node, if it has one.
func (p *flowParser) shape(id string) *diagramError {
	for _, shape := range flowShapes() {
		if strings.HasPrefix(p.text[p.at:], shape[0]) {
			p.at += len(shape[0])
			return p.label(id, shape[1])
		}
	}
	return nil
}

// label reads a label up to the closing bracket.
func (p *flowParser) label(id, closing string) *diagramError {
	rest := p.text[p.at:]
	end := strings.Index(rest, closing)
	if trimmed := strings.TrimLeft(rest, " \t\n"); strings.HasPrefix(trimmed, `"`) {
		open := len(rest) - len(trimmed)
		quoteEnd := strings.IndexByte(rest[open+1:], '"')
		if quoteEnd < 0 {
			return p.errorf("the quotes around the label of %s are not closed", clip(id))
		}
		quoteEnd += open + 1
		if problem := markdownString(rest[open+1 : quoteEnd]); problem != "" {
			return p.errorf("the label of %s %s", clip(id), problem)
		}
		after := strings.TrimLeft(rest[quoteEnd+1:], " \t\n")
		after = strings.TrimLeft(after, `/\`)
		if !strings.HasPrefix(after, closing) {
			return p.errorf("the label of %s goes on behind its closing quote", clip(id))
		}
		p.at += len(rest) - len(after) + len(closing)
		return nil
	}
	if end < 0 {
		return p.errorf("the bracket around the label of %s is not closed by %s", clip(id), closing)
	}
	label := rest[:end]
	if closing == "]" {
		label = strings.TrimRight(label, `/\`)
	}
	if problem := labelProblem(label); problem != "" {
		return p.errorf("the label of %s %s", clip(id), problem)
	}
	p.at += end + len(closing)
	return nil
}

// labelProblem says why a label cannot be read. Inside quotes everything but quotes is allowed.
func labelProblem(label string) string {
	trimmed := strings.TrimSpace(label)
	if len(trimmed) >= 2 && strings.HasPrefix(trimmed, `"`) && strings.HasSuffix(trimmed, `"`) {
		inner := trimmed[1 : len(trimmed)-1]
		if strings.Contains(inner, `"`) {
			return "has quotes inside its quotes"
		}
		return markdownString(inner)
	}
	switch {
	case strings.ContainsAny(label, "()[]{}"):
		return "has brackets and is not quoted"
	case strings.Contains(label, `"`):
		return "has quotes inside"
	case strings.Contains(label, "|"):
		return "has a | and is not quoted"
	case strings.Contains(entity().ReplaceAllString(label, ""), ";"):
		return "has a ; and is not quoted"
	case strings.HasPrefix(trimmed, "`"):
		return "starts with a backtick and is not quoted"
	}
	return ""
}

// entity matches the escapes Mermaid and HTML have for characters.
var entity = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[#&]#?\w+;`) })

// markdownString checks a quoted label that starts or ends with a backtick, which makes it Markdown.
func markdownString(inner string) string {
	opens, closes := strings.HasPrefix(inner, "`"), strings.HasSuffix(inner, "`")
	if opens && (!closes || len(inner) == 1) && strings.Count(inner, "`")%2 == 1 {
		return "starts a Markdown string with a backtick and does not end it"
	}
	return ""
}

var (
	flowLink = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:[\pL\pN_]+@)?[xo<]?(?:--+[-xo>]|==+[=xo>]|-?\.+-[xo>]?|~~~+)`)
	})
	flowLinkStart = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:[\pL\pN_]+@)?[xo<]?(?:--|==|-\.)`) })
	flowLinkEnd   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[xo<]?(?:--+[-xo>]|==+[=xo>]|-?\.+-[xo>]?)`) })
)

// link reads a link with its label, and checks that a node can follow.
func (p *flowParser) link() *diagramError {
	if _, ok := p.match(flowLink()); !ok {
		if _, ok := p.match(flowLinkStart()); !ok {
			return p.errorf("a link is expected before %q", clip(p.rest()))
		}
		if err := p.linkText(); err != nil {
			return err
		}
	}
	p.skip(" \t")
	if strings.HasPrefix(p.text[p.at:], "|") {
		p.at++
		rest := p.text[p.at:]
		end := strings.IndexByte(rest, '|')
		if end < 0 {
			return p.errorf("the label of a link is not closed by |")
		}
		if problem := labelProblem(rest[:end]); problem != "" {
			return p.errorf("the label %s of a link %s", clip(rest[:end]), problem)
		}
		p.at += end + 1
		p.skip(" \t")
	}
	if p.at == len(p.text) || p.text[p.at] == ';' || strings.TrimSpace(p.text[p.at:]) == "" {
		return p.errorf("a link leads to no node")
	}
	return nil
}

// linkText reads the label of a link written as in "-- text -->".
func (p *flowParser) linkText() *diagramError {
	line := p.rest()
	at := 0
	if trimmed := strings.TrimLeft(line, " \t"); strings.HasPrefix(trimmed, `"`) {
		at = len(line) - len(trimmed) + 1
		end := strings.IndexByte(line[at:], '"')
		if end < 0 {
			return p.errorf("the quotes around the label of a link are not closed")
		}
		at += end + 1
	}
	found := flowLinkEnd().FindStringIndex(line[at:])
	if found == nil {
		return p.errorf("a link is not finished: %q", clip(line))
	}
	if at == 0 && strings.ContainsAny(line[:found[0]], "()[]{}|\"") {
		return p.errorf("the label %s of a link has brackets and is not quoted", clip(line[:found[0]]))
	}
	p.at += at + found[1]
	return nil
}
