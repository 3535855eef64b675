// Package filetools gives a language model the six file tools of OpenWiki over a confined workspace: ls, read_file, glob, grep, write_file
// and edit_file.
//
// [Tools] returns them for one [workspace.Workspace], which decides what is within reach. What they answer is always valid UTF-8, bounded
// in bytes, and free of what looks like a credential: a model never sees a secret of the source, while hashes and evidence are taken from
// the raw bytes. Binary files, pointers of Git LFS and files of very long lines are one line that says so. A refusal is text for the model,
// never the end of a run.
//
// There is no shell, no network and no deletion.
package filetools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"unicode/utf8"

	"github.com/wikiwright/wikiwright/internal/llm"
	"github.com/wikiwright/wikiwright/internal/wiki"
	"github.com/wikiwright/wikiwright/internal/workspace"
)

// Limits of one answer.
const (
	DefaultMaxBytes  = 60_000 // of an answer
	defaultLines     = 400    // of read_file
	maxLine          = 2_000  // bytes of one line that are shown
	minifiedLine     = 5_000  // bytes a line on average that make a file unreadable
	maxReadable      = 16 << 20
	maxWritten       = 512 << 10 // of a page
	maxListed        = 2_000
	maxGrepPerAnswer = 300
)

// Options are what the tools need beside the workspace. The zero Options is usable.
type Options struct {
	// Redact replaces credentials in what a model reads; nil: nothing is replaced. It may change the number of lines of what it is given.
	Redact func(string) string
	// AfterWrite returns what is wrong with a page that was just written, for the model to put right; nil: nothing is said.
	AfterWrite func(page wiki.PagePath, text []byte) []string
	// MaxBytes bounds one answer; 0 means DefaultMaxBytes.
	MaxBytes int
	// ReadOnly leaves write_file and edit_file out.
	ReadOnly bool
}

// Tools returns the tools over ws.
func Tools(ws *workspace.Workspace, o Options) []llm.Tool {
	if o.Redact == nil {
		o.Redact = func(s string) string { return s }
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	t := &toolset{ws: ws, options: o}
	tools := []llm.Tool{
		tool("ls", lsDoc, lsSchema, t.ls), tool("read_file", readDoc, readSchema, t.read),
		tool("glob", globDoc, globSchema, t.glob), tool("grep", grepDoc, grepSchema, t.grep),
	}
	if !o.ReadOnly {
		tools = append(tools, tool("write_file", writeDoc, writeSchema, t.write), tool("edit_file", editDoc, editSchema, t.edit))
	}
	return tools
}

type toolset struct {
	ws      *workspace.Workspace
	options Options
}

// tool makes an llm.Tool of a function over its decoded arguments.
func tool[A any](name, doc, schema string, run func(context.Context, A) (string, error)) llm.Tool {
	return llm.Tool{Name: name, Description: strings.TrimSpace(doc), Schema: json.RawMessage(schema),
		Call: func(ctx context.Context, args json.RawMessage) llm.ToolResult {
			var a A
			if err := json.Unmarshal(args, &a); err != nil {
				return llm.ToolResult{Text: "the arguments do not fit: " + err.Error(), IsError: true}
			}
			text, err := run(ctx, a)
			if err != nil {
				if ctx.Err() != nil {
					return llm.ToolResult{Fatal: context.Cause(ctx)}
				}
				return llm.ToolResult{Text: refusal(err), IsError: true}
			}
			return llm.ToolResult{Text: text}
		}}
}

// refusal is an error in words that carry no path of the machine.
func refusal(err error) string {
	var access *workspace.AccessError
	switch {
	case errors.As(err, &access):
		return access.Error()
	case errors.Is(err, fs.ErrNotExist):
		return "there is no such file; look with ls or glob"
	}
	var known *toolError
	if errors.As(err, &known) {
		return known.text
	}
	return "the file could not be read or written"
}

type toolError struct{ text string }

func (e *toolError) Error() string { return e.text }

func refuse(format string, args ...any) error { return &toolError{fmt.Sprintf(format, args...)} }

// bounded cuts an answer at the limit, at a line, and says how to see the rest.
func (t *toolset) bounded(text, rest string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= t.options.MaxBytes {
		return text
	}
	cut := t.options.MaxBytes
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	if at := strings.LastIndexByte(text[:cut], '\n'); at > 0 {
		cut = at + 1
	}
	return text[:cut] + "[cut here: " + rest + "]\n"
}
