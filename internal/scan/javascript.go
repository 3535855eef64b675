package scan

import (
	"bytes"
	"strings"
)

// A jsScan reads a JavaScript or TypeScript file statement by statement.
type jsScan struct {
	*File
	src         *text
	exports     map[string]bool // names exported by a list or an assignment
	ambient     bool            // a declaration file: everything is visible
	controllers []Route         // Nest classes with their path prefix
	decorators  []span
	depth       int // of blocks
	budget      int // of steps that look for the end of type parameters, which may be comparisons
}

// A jsScope is what statements belong to.
type jsScope struct {
	parent   string // namespace
	exported bool   // everything below is visible if it says export
}

// javascriptRules returns the lexical rules of a file: plain TypeScript has casts in angle brackets where the others have JSX.
func javascriptRules(path string) *syntax {
	if strings.HasSuffix(path, ".ts") || strings.HasSuffix(path, ".mts") || strings.HasSuffix(path, ".cts") {
		return &typescriptSyntax
	}
	return &javascriptSyntax
}

func scanJavaScript(f *File, src *text) {
	s := &jsScan{File: f, src: src, exports: map[string]bool{}, budget: 8*len(src.code) + 1<<16}
	s.ambient = strings.HasSuffix(f.Path, ".d.ts") || strings.HasSuffix(f.Path, ".d.mts") || strings.HasSuffix(f.Path, ".d.cts")
	if bytes.HasPrefix(src.src, []byte("#!")) {
		f.Entries = append(f.Entries, Entry{Kind: "script", Name: baseName(f.Path), Line: 1, End: f.Lines})
	}
	s.fileDoc()
	s.block(0, len(src.code), jsScope{})
	for i := range f.Decls {
		d := &f.Decls[i]
		if d.Parent == "" && (s.exports[d.Name] || s.ambient) {
			d.Exported = true
		}
	}
	s.exportMembers()
	src.marks(f)
	s.features()
}

// exportMembers makes the public members of what a list exports visible.
func (s *jsScan) exportMembers() {
	visible := map[string]bool{}
	for _, d := range s.Decls {
		if d.Parent == "" && d.Exported {
			visible[d.Name] = true
		}
	}
	for i := range s.Decls {
		d := &s.Decls[i]
		if d.Parent != "" && visible[d.Parent] && !hidden(d) {
			d.Exported = true
		}
	}
}

// hidden tells whether a member is private by its name or a modifier.
func hidden(d *Decl) bool {
	if strings.HasPrefix(d.Name, "#") || strings.HasPrefix(d.Name, "_") {
		return true
	}
	for _, w := range []string{"private ", "protected "} {
		if strings.HasPrefix(d.Signature, w) {
			return true
		}
	}
	return false
}

// fileDoc takes the first comment of a file for its doc, unless it belongs to the first declaration or is about the licence.
func (s *jsScan) fileDoc() {
	first := s.src.skip(0)
	for i, c := range s.src.comments {
		if c.start >= first || i > 3 {
			return
		}
		if !bytes.HasPrefix(s.src.src[c.start:], []byte("/**")) {
			continue
		}
		d := s.src.docOf(i, i)
		lower := strings.ToLower(d.text)
		if strings.Contains(lower, "copyright") || strings.Contains(lower, "license") {
			continue
		}
		next := s.src.word(first)
		tagged := strings.Contains(d.text, "@file") || strings.Contains(d.text, "@module") || strings.Contains(d.text, "@packageDocumentation")
		if !tagged && s.src.onlyBlank(c.end, min(first, len(s.src.src)), 1) && string(s.src.code[first:next]) != "import" {
			return
		}
		text := d.text
		for _, tag := range []string{"@fileoverview", "@fileOverview", "@file"} {
			if rest, ok := strings.CutPrefix(text, tag); ok {
				text = strings.TrimSpace(rest)
				break
			}
		}
		s.Doc, _ = splitTags(text)
		s.DocStart, s.DocEnd = d.start, d.end
		return
	}
}

// scanComponent reads the script blocks of a Vue or Svelte component, or the code fence of an Astro one.
func scanComponent(f *File, data []byte) {
	out := make([]byte, len(data))
	for i, c := range data {
		out[i] = ' '
		if c == '\n' {
			out[i] = '\n'
		}
	}
	copied := 0
	if f.Language == "Astro" && bytes.HasPrefix(data, []byte("---")) {
		if end := bytes.Index(data[3:], []byte("\n---")); end >= 0 {
			copy(out[3:3+end], data[3:3+end])
		}
	}
	for at := 0; copied < 8; copied++ {
		n := bytes.Index(data[at:], []byte("<script"))
		if n < 0 {
			break
		}
		open := bytes.IndexByte(data[at+n:], '>')
		if open < 0 {
			break
		}
		from := at + n + open + 1
		to := len(data)
		if end := bytes.Index(data[from:], []byte("</script")); end >= 0 {
			to = from + end
		}
		copy(out[from:to], data[from:to])
		at = to
	}
	scanJavaScript(f, newText(f.Path, out, &typescriptSyntax))
}
