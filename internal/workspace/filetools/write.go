package filetools

import (
	"context"
	"fmt"
	"strings"

	"github.com/wikiwright/wikiwright/internal/wiki"
)

type writeArgs struct {
	FilePath string `json:"file_path"`
	Content  string `json:"content"`
}

func (t *toolset) write(_ context.Context, a writeArgs) (string, error) {
	return t.store(a.FilePath, a.Content, "written")
}

type editArgs struct {
	FilePath   string `json:"file_path"`
	OldString  string `json:"old_string"`
	NewString  string `json:"new_string"`
	ReplaceAll bool   `json:"replace_all"`
}

func (t *toolset) edit(_ context.Context, a editArgs) (string, error) {
	data, err := t.ws.ReadFile(a.FilePath)
	if err != nil {
		return "", err
	}
	text, count, err := applyEdit(string(data), a.OldString, a.NewString, a.ReplaceAll)
	if err != nil {
		return "", err
	}
	return t.store(a.FilePath, text, fmt.Sprintf("%d replaced", count))
}

// applyEdit replaces old by its one occurrence, or by all of them. In a page with CRLF line ends, old and new may be written with LF.
func applyEdit(text, old, replacement string, all bool) (string, int, error) {
	if old == replacement {
		return "", 0, refuse("old_string and new_string are the same")
	}
	if strings.Contains(text, "\r\n") && !strings.Contains(old, "\r") {
		old, replacement = strings.ReplaceAll(old, "\n", "\r\n"), strings.ReplaceAll(replacement, "\n", "\r\n")
	}
	count := strings.Count(text, old)
	switch {
	case count == 0:
		return "", 0, refuse("old_string does not occur in the page; read the page, and copy the text exactly")
	case count > 1 && !all:
		return "", 0, refuse("old_string occurs %d times; add text around it until it is unique, or set replace_all", count)
	}
	return strings.ReplaceAll(text, old, replacement), count, nil
}

func (t *toolset) store(name, text, done string) (string, error) {
	if len(text) > maxWritten {
		return "", refuse("a page of %d bytes is too large; the limit is %d: a page that long is not read", len(text), maxWritten)
	}
	text = strings.ToValidUTF8(text, "\uFFFD")
	if err := t.ws.Write(name, []byte(text)); err != nil {
		return "", err
	}
	answer := done + "\n"
	if t.options.AfterWrite != nil {
		for _, problem := range t.options.AfterWrite(wiki.PagePath("/"+strings.TrimLeft(name, "/")), []byte(text)) {
			answer += "to put right: " + problem + "\n"
		}
	}
	return t.bounded(answer, "put these right first"), nil
}
