package filetools

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"strings"
	"unicode/utf8"
)

type readArgs struct {
	FilePath string `json:"file_path"`
	Offset   int    `json:"offset"`
	Limit    int    `json:"limit"`
}

func (t *toolset) read(_ context.Context, a readArgs) (string, error) {
	data, err := t.ws.ReadFile(a.FilePath)
	if err != nil {
		return "", err
	}
	if note := unreadable(data); note != "" {
		return note, nil
	}
	lines := splitLines(data)
	if len(lines) == 0 {
		return "[the file is empty]", nil
	}
	if a.Offset >= len(lines) {
		return "", refuse("the file has %d lines; offset %d is behind the last", len(lines), a.Offset)
	}
	lines = t.redactLines(lines)
	limit := cmp.Or(a.Limit, defaultLines)
	end := min(len(lines), a.Offset+limit)
	var b strings.Builder
	shown := a.Offset
	for ; shown < end && b.Len() < t.options.MaxBytes-maxLine; shown++ {
		fmt.Fprintf(&b, "%6d\t%s\n", shown+1, shorten(lines[shown]))
	}
	if shown < len(lines) {
		fmt.Fprintf(&b, "[%d more lines: go on with offset %d]\n", len(lines)-shown, shown)
	}
	return strings.ToValidUTF8(b.String(), "\uFFFD"), nil
}

// unreadable says, in one line, why a file is not shown; by its content, for names deceive.
func unreadable(data []byte) string {
	head := data[:min(len(data), 8000)]
	switch {
	case bytes.HasPrefix(data, []byte("version https://git-lfs.github.com/spec/")):
		return "[a pointer of Git LFS; the content is not in the repository]"
	case bytes.IndexByte(head, 0) >= 0: // as git decides
		return fmt.Sprintf("[a binary file of %d bytes]", len(data))
	case len(data) > maxReadable:
		return fmt.Sprintf("[a file of %d MiB: too large to read; search it with grep]", len(data)>>20)
	case len(data) > 20_000 && len(data)/(1+bytes.Count(data, []byte("\n"))) > minifiedLine:
		return fmt.Sprintf("[minified or generated: %d bytes in %d lines; not shown]", len(data), 1+bytes.Count(data, []byte("\n")))
	}
	return ""
}

// splitLines counts lines as evidence does: a line ends with "\n", and the text after the last one is a line when there is any.
func splitLines(data []byte) []string {
	text := strings.TrimSuffix(string(data), "\n")
	if text == "" {
		if len(data) > 0 {
			return []string{""}
		}
		return nil
	}
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	return lines
}

// redactLines removes credentials without moving a line: the numbers are what evidence is cited by. A secret that spans lines, such as a
// private key, is found in the whole text; its lines are then left blank but for a note.
func (t *toolset) redactLines(lines []string) []string {
	whole := strings.Join(lines, "\n")
	clean := t.options.Redact(whole)
	if clean == whole {
		return lines
	}
	if strings.Count(clean, "\n") == len(lines)-1 {
		return strings.Split(clean, "\n")
	}
	return alignRedacted(lines, strings.Split(clean, "\n"))
}

// alignRedacted puts the lines of the clean text back to their numbers: equal lines at the beginning and the end keep their place, what is
// between them is not shown.
func alignRedacted(lines, clean []string) []string {
	out := make([]string, len(lines))
	front := 0
	for front < min(len(lines), len(clean)) && lines[front] == clean[front] {
		out[front] = lines[front]
		front++
	}
	back := 0
	for back < min(len(lines), len(clean))-front && lines[len(lines)-1-back] == clean[len(clean)-1-back] {
		out[len(lines)-1-back] = lines[len(lines)-1-back]
		back++
	}
	for i := front; i < len(lines)-back; i++ {
		out[i] = "[redacted]"
	}
	return out
}

func shorten(line string) string {
	if len(line) <= maxLine {
		return line
	}
	cut := maxLine
	for cut > 0 && !utf8.RuneStart(line[cut]) {
		cut--
	}
	return fmt.Sprintf("%s [%d more bytes in this line]", line[:cut], len(line)-cut)
}
