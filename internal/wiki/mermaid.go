package wiki

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// CheckMermaid returns the page with every Mermaid diagram that GitHub cannot draw turned into a text block, under a comment and a line
// that say why, and a finding for each such block, whether it was degraded now or before. The body of the diagram stays, so that the
// next author of the page can repair it. Findings have the line of the comment in out and no page. Checking twice changes nothing.
//
// Flowcharts, sequence, entity relationship and state diagrams are checked for the mistakes people and models make; of other kinds only
// the name is. There is no full parser: a diagram without findings may still fail.
func CheckMermaid(b []byte) (out []byte, findings []Finding) {
	if !strings.Contains(strings.ToLower(string(b)), "mermaid") {
		return b, nil
	}
	var result strings.Builder
	line := 1 // of the next line of the result
	write := func(text string) {
		result.WriteString(text)
		line += strings.Count(text, "\n")
	}
	lines := strings.SplitAfter(string(b), "\n")
	changed := false
	for i := 0; i < len(lines); {
		end, isMermaid := fencedBlock(lines, i)
		switch {
		case end < 0:
			if reason, ok := degradedReason(lines[i]); ok {
				findings = append(findings, Finding{Kind: KindMermaid, Line: line, Message: "a diagram is shown as text: " + reason})
			}
			write(lines[i])
			i++
			continue
		case isMermaid:
			if problem := checkDiagram(lines[i+1 : end]); problem != nil {
				changed = true
				findings = append(findings, Finding{Kind: KindMermaid, Line: line, Message: "a diagram is shown as text: " + problem.reason()})
				write(degrade(lines[i:end+1], problem.reason()))
				i = end + 1
				continue
			}
		}
		write(strings.Join(lines[i:end+1], ""))
		i = end + 1
	}
	if !changed {
		return b, findings
	}
	return []byte(result.String()), findings
}

// fencedBlock returns the index of the last line of the code block opened on line start, or -1 if none opens there, and whether it is a
// Mermaid block to check. A block that is never closed goes on to the end of the page, prose and all; that is not a diagram.
func fencedBlock(lines []string, start int) (end int, isMermaid bool) {
	var fences fenceState
	if !fences.feed(lines[start]) {
		return -1, false
	}
	_, _, info := fenceLine(lines[start])
	name, _, _ := strings.Cut(info, " ")
	for end = start + 1; end < len(lines); end++ {
		if fences.feed(lines[end]); fences.marker == 0 {
			return end, strings.EqualFold(name, "mermaid")
		}
	}
	return len(lines) - 1, false
}

// degrade renders the lines of a Mermaid block, delimiters included, as a text block with a note.
func degrade(block []string, reason string) string {
	open := block[0]
	indent := open[:len(open)-len(strings.TrimLeft(open, " \t"))]
	_, length, _ := fenceLine(open)
	eol := "\n"
	if strings.HasSuffix(open, "\r\n") {
		eol = "\r\n"
	}
	marker := strings.TrimLeft(open, " \t")[:length]
	return indent + "<!-- openwiki: mermaid parse failed: " + reason + ". Fix the diagram, make the fence mermaid again, delete this note. -->" + eol +
		indent + "*This diagram cannot be drawn: " + escapeText(reason) + ".*" + eol +
		indent + marker + "text" + eol + strings.Join(block[1:], "")
}

// degradedReason reads the comment above a degraded diagram, ours or the reference's.
func degradedReason(line string) (string, bool) {
	found := degradedComment().FindStringSubmatch(line)
	if found == nil {
		return "", false
	}
	reason, _, _ := strings.Cut(found[1], ". Fix the diagram")
	return strings.Trim(reason, " :."), true
}

var degradedComment = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*<!--\s*openwiki: mermaid parse failed(.*?)-->`)
})

// diagramError says what is wrong with a diagram, and on which 1-based line of it.
type diagramError struct {
	line    int
	message string
}

func diagramErrorf(line int, format string, args ...any) *diagramError {
	return &diagramError{line: line, message: fmt.Sprintf(format, args...)}
}

// reason returns the problem on one line that is safe in an HTML comment.
func (e *diagramError) reason() string {
	text := strings.Join(strings.Fields(fmt.Sprintf("line %d: %s", e.line, e.message)), " ")
	for strings.Contains(text, "--") {
		text = strings.ReplaceAll(text, "--", "-")
	}
	text = strings.ReplaceAll(text, ">", "›")
	if len(text) > 400 {
		text = strings.ToValidUTF8(text[:400], "")
	}
	return strings.TrimRight(text, " .-")
}

// checkDiagram checks the lines between the fences. Comments, directives and the configuration block are blanked first, so that line
// numbers stay.
func checkDiagram(lines []string) *diagramError {
	lines = significant(lines)
	first := 0
	for first < len(lines) && strings.TrimSpace(lines[first]) == "" {
		first++
	}
	if first == len(lines) {
		return diagramErrorf(1, "the diagram is empty")
	}
	header := strings.TrimSpace(lines[first])
	kind := strings.FieldsFunc(header, func(r rune) bool { return r == ' ' || r == '\t' || r == ';' || r == ':' })
	if len(kind) == 0 {
		return diagramErrorf(first+1, "%q is no kind of diagram", clip(header))
	}
	switch kind[0] {
	case "flowchart", "graph", "flowchart-elk":
		return checkFlowchart(lines, first)
	case "sequenceDiagram":
		return checkSequence(lines, first)
	case "erDiagram":
		return checkER(lines, first)
	case "stateDiagram", "stateDiagram-v2":
		return checkState(lines, first)
	}
	if misspelled(kind[0]) {
		return diagramErrorf(first+1, "%q is no kind of diagram", clip(kind[0]))
	}
	return nil
}

// misspelled reports a word that is not the name of a diagram but nearly one, or no word at all. Other words pass: kinds are added all
// the time.
func misspelled(kind string) bool {
	for _, r := range kind {
		if !isWord(r) && r != '-' {
			return true
		}
	}
	for _, known := range []string{
		"flowchart", "graph", "sequenceDiagram", "erDiagram", "stateDiagram", "stateDiagram-v2", "classDiagram", "classDiagram-v2", "gitGraph",
	} {
		if kind == known {
			return false
		}
		if strings.EqualFold(kind, known) || len(known) > 6 && oneEdit(strings.ToLower(kind), strings.ToLower(known)) {
			return true
		}
	}
	return false
}

// oneEdit reports whether a becomes b when one character is added, dropped or exchanged.
func oneEdit(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	at := 0
	for at < len(a) && a[at] == b[at] {
		at++
	}
	return len(b)-len(a) <= 1 && (strings.HasSuffix(b[at:], a[at:]) || at < len(a) && a[at+1:] == b[at+1:])
}

// significant blanks what the diagram grammars never see.
func significant(lines []string) []string {
	out := make([]string, len(lines))
	skipUntil := ""
	started := false
	for i, line := range lines {
		text := strings.TrimSpace(line)
		switch {
		case skipUntil != "":
			if strings.HasSuffix(text, skipUntil) {
				skipUntil = ""
			}
		case !started && text == "---":
			skipUntil, started = "---", true
		case strings.HasPrefix(text, "%%{"):
			if !strings.Contains(text, "}%%") {
				skipUntil = "}%%"
			}
		case strings.HasPrefix(text, "%%"):
		default:
			started = started || text != ""
			out[i] = strings.TrimRight(line, "\r\n")
		}
	}
	return out
}

// accessibility reports a title or description for screen readers, which every kind of diagram may have, and whether it goes on until
// a line with a brace.
func accessibility(text string) (is, open bool) {
	switch {
	case strings.HasPrefix(text, "accTitle"):
		return true, false
	case strings.HasPrefix(text, "accDescr"):
		return true, strings.Contains(text, "{") && !strings.Contains(text, "}")
	}
	return false, false
}
