package wiki

import (
	"bytes"
	"strings"
)

// fenceState follows fenced code blocks line by line.
type fenceState struct {
	marker byte // ` or ~; 0 outside
	length int
}

// feed takes the next line and reports whether it belongs to a fenced code block, delimiters included.
func (f *fenceState) feed(line string) bool {
	marker, length, info := fenceLine(line)
	if f.marker == 0 {
		if length == 0 {
			return false
		}
		f.marker, f.length = marker, length
		return true
	}
	if marker == f.marker && length >= f.length && info == "" {
		f.marker, f.length = 0, 0
	}
	return true
}

// fenceLine reads a line as the delimiter of a fenced code block: its marker, its length (0 if it is none) and its info string.
func fenceLine(line string) (marker byte, length int, info string) {
	line = strings.TrimLeft(line, " \t")
	if line == "" || line[0] != '`' && line[0] != '~' {
		return 0, 0, ""
	}
	marker = line[0]
	for length < len(line) && line[length] == marker {
		length++
	}
	info = strings.TrimSpace(line[length:])
	if length < 3 || marker == '`' && strings.Contains(info, "`") {
		return 0, 0, ""
	}
	return marker, length, info
}

// unwrapFence undoes what models do to a page: a ```markdown fence around all of it, a ```yaml fence around its block only, or a stray
// line "markdown" in front of the block. A page that really starts with a code block stays.
func unwrapFence(b []byte) ([]byte, bool) {
	text := bytes.TrimLeft(bytes.TrimPrefix(b, []byte(byteOrderMark)), " \t\r\n")
	first := string(bytes.TrimSpace(lineAt(text, 0)))
	switch strings.ToLower(first) {
	case "markdown", "md", "yaml", "yml":
		if rest := text[nextLine(text, 0):]; opensBlock(rest) {
			return rest, true
		}
		return b, false
	}
	_, length, info := fenceLine(first)
	if length == 0 {
		return b, false
	}
	switch strings.ToLower(info) {
	case "markdown", "md", "mdx", "":
		return unwrapPage(b, text, length, info)
	case "yaml", "yml":
		if out, ok := unwrapPage(b, text, length, info); ok && opensBlock(out) {
			return out, true
		}
		return unwrapBlock(b, text)
	}
	return b, false
}

// opensBlock reports whether the text starts with a usable front matter block.
func opensBlock(text []byte) bool {
	d := Parse(text)
	return d.hasBlock() && !d.broken && d.root != nil && d.open == 0
}

// unwrapPage removes a fence whose last delimiter is the last line of the page. Inner fences make the end ambiguous, because the first
// of theirs closes an outer fence of the same length: then the fence is taken for a wrapper if it cannot be read otherwise, or if a
// front matter block stands at its start.
func unwrapPage(original, text []byte, length int, info string) ([]byte, bool) {
	trimmed := bytes.TrimRight(text, " \t\r\n")
	lastStart := bytes.LastIndexByte(trimmed, '\n') + 1
	marker, lastLength, lastInfo := fenceLine(string(trimmed[lastStart:]))
	if lastStart == 0 || marker != text[0] || lastLength < length || lastInfo != "" {
		return original, false
	}
	inner := text[nextLine(text, 0):lastStart]
	var strict fenceState
	closedBefore := false
	strict.feed(string(lineAt(text, 0)))
	for line := range bytes.Lines(inner) {
		strict.feed(string(line))
		closedBefore = closedBefore || strict.marker == 0
	}
	block := opensBlock(inner)
	if info == "" && !block {
		return original, false
	}
	if !closedBefore || block && balanced(inner) || strict.marker == 0 && balanced(inner) {
		return inner, true
	}
	return original, false
}

// balanced reports whether the fences of the text close.
func balanced(text []byte) bool {
	var fences fenceState
	for line := range bytes.Lines(text) {
		fences.feed(string(line))
	}
	return fences.marker == 0
}

// unwrapBlock removes a ```yaml fence that holds exactly the front matter, with or without its own delimiters.
func unwrapBlock(original, text []byte) ([]byte, bool) {
	start := nextLine(text, 0)
	end := start
	var fences fenceState
	fences.feed(string(lineAt(text, 0)))
	for end < len(text) {
		if fences.feed(string(lineAt(text, end))); fences.marker == 0 {
			break
		}
		end = nextLine(text, end)
	}
	if end == len(text) {
		return original, false
	}
	inner, rest := text[start:end], text[nextLine(text, end):]
	if opensBlock(inner) && isBlank(Parse(inner).Body()) {
		return append(bytes.Clone(inner), rest...), true
	}
	root, err := parseYAML(inner)
	if err != nil || root == nil || mappingValue(root, "type") == nil || mappingValue(root, "title") == nil && mappingValue(root, "description") == nil {
		return original, false
	}
	eol := []byte("\n")
	if bytes.HasSuffix(text[:start], []byte("\r\n")) {
		eol = []byte("\r\n")
	}
	rule := append([]byte("---"), eol...)
	return bytes.Join([][]byte{rule, inner, rule, rest}, nil), true
}
