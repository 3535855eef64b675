package filetools

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
)

type lsArgs struct {
	Path string `json:"path"`
}

func (t *toolset) ls(ctx context.Context, a lsArgs) (string, error) {
	entries, err := t.ws.List(ctx, cmp.Or(a.Path, "/"))
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for i, entry := range entries {
		if i == maxListed {
			fmt.Fprintf(&b, "[%d more: use glob]\n", len(entries)-i)
			break
		}
		b.WriteString(printable(entry.Name))
		if entry.Dir {
			b.WriteByte('/')
		}
		b.WriteByte('\n')
	}
	return t.bounded(b.String(), "use glob"), nil
}

type globArgs struct {
	Pattern string `json:"pattern"`
	Path    string `json:"path"`
}

func (t *toolset) glob(ctx context.Context, a globArgs) (string, error) {
	dir := strings.Trim(cmp.Or(a.Path, "/"), "/")
	pattern := strings.TrimLeft(a.Pattern, "/")
	if dir == "" && slices.Contains([]string{"**", "**/*", "**/**", "*/**"}, pattern) {
		return "", refuse("a pattern for the whole repository is too wide: list a directory with ls, or narrow the pattern, as in **/*.go")
	}
	if strings.HasPrefix(path.Clean(dir), "..") {
		return "", refuse("the path leads out of the repository")
	}
	if !strings.Contains(pattern, "/") && dir == "" && !strings.HasPrefix(pattern, "**") && !strings.HasPrefix(a.Pattern, "/") {
		pattern = "**/" + pattern // as people mean it
	}
	found, err := t.ws.Glob(ctx, path.Join(escapeGlob(dir), pattern))
	if err != nil {
		return "", err
	}
	if len(found) == 0 {
		return "[no file matches]", nil
	}
	var b strings.Builder
	for i, name := range found {
		if i == maxListed {
			fmt.Fprintf(&b, "[%d more: narrow the pattern]\n", len(found)-i)
			break
		}
		b.WriteString("/" + printable(name) + "\n")
	}
	return t.bounded(b.String(), "narrow the pattern"), nil
}

func escapeGlob(dir string) string {
	return strings.NewReplacer("*", `[*]`, "?", `[?]`, "[", `[[]`, "{", `[{]`).Replace(dir)
}

type grepArgs struct {
	Pattern string `json:"pattern"`
	Path    string `json:"path"`
	Glob    string `json:"glob"`
}

func (t *toolset) grep(ctx context.Context, a grepArgs) (string, error) {
	found, more, err := t.ws.Grep(ctx, a.Pattern, cmp.Or(a.Path, "/"), a.Glob)
	if err != nil {
		return "", err
	}
	if len(found) == 0 {
		return "[no line holds this text]", nil
	}
	var b strings.Builder
	file := ""
	for i, match := range found {
		if i == maxGrepPerAnswer {
			more = true
			break
		}
		if match.Path != file {
			file = match.Path
			fmt.Fprintf(&b, "/%s\n", printable(file))
		}
		fmt.Fprintf(&b, "%6d\t%s\n", match.Line, cutTo(t.options.Redact(match.Text), 300))
	}
	if more {
		b.WriteString("[more lines hold this text: narrow the path or the glob]\n")
	}
	return t.bounded(b.String(), "narrow the path or the glob"), nil
}

// cutTo keeps the first bytes of one line.
func cutTo(line string, most int) string {
	line = strings.ReplaceAll(line, "\n", " ")
	if len(line) <= most {
		return line
	}
	return strings.ToValidUTF8(line[:most], "") + "…"
}

// printable is a file name in one line.
func printable(name string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return '\uFFFD'
		}
		return r
	}, name)
}
