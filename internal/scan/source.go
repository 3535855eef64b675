package scan

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

const (
	// maxBytes is the largest file whose declarations are read; no hand-written source file comes near.
	maxBytes = 12 << 20
	// maxLine is the longest line in a file that people write; a script with longer lines near its top is minified.
	maxLine = 8 << 10
	// headBytes is how much of a file the guesses from content look at.
	headBytes = 8 << 10
)

// Source reads one file, as a [Scanner] does.
func Source(path string, data []byte) *File {
	var s Scanner
	return s.Source(path, data, string(data))
}

// A Scanner reads files one after the other in the same room, which makes up much of the time of many small files. It is not safe for
// concurrent use. The zero value is ready.
type Scanner struct{ room []lexeme }

// Source reads one file. path is its slash path in the repository, data its content, and text is data as a string: the File shares it and
// keeps nothing of data. It never fails: of a binary, minified, huge or broken file it returns what can be known.
func (s *Scanner) Source(path string, data []byte, text string) *File {
	head := data[:min(len(data), headBytes)]
	f := &File{Path: path, Lines: countLines(data)}
	if f.Binary = bytes.IndexByte(head, 0) >= 0; f.Binary {
		f.Lines = 0
		return f
	}
	f.Language = Language(path, head)
	f.IsTest = testPath(path)
	f.GeneratedLine = generatedLine(path, head)
	f.Generated = f.GeneratedLine > 0 || generatedPath(path)
	if len(data) > maxBytes || minified(f.Language, data) {
		return f
	}
	if !utf8.Valid(data) {
		data = bytes.ToValidUTF8(data, []byte("\uFFFD"))
		text = string(data)
	}
	s.language(f, data, text)
	slices.SortStableFunc(f.Marks, func(a, b Mark) int { return a.Line - b.Line })
	return f
}

func (s *Scanner) language(f *File, data []byte, text string) {
	switch f.Language {
	case "Go":
		scanGo(f, data)
	case "Python":
		scanPython(f, newText(f.Path, data, &pythonSyntax))
	case "JavaScript", "TypeScript":
		scanJavaScript(f, newText(f.Path, data, javascriptRules(f.Path)))
	case "Vue", "Svelte", "Astro":
		scanComponent(f, data)
	default:
		if scan := familyScanner(f.Language); scan != nil {
			t := newText(f.Path, data, nil)
			t.whole, t.room = text, &s.room
			if !bytes.Equal(t.src, data) { // without its byte order mark
				t.whole = string(t.src)
			}
			scan(f, t)
		}
	}
}

func countLines(data []byte) int {
	n := bytes.Count(data, []byte{'\n'})
	if len(data) > 0 && data[len(data)-1] != '\n' {
		n++
	}
	return n
}

// minified tells whether a script is one that a tool packed: a long line among the first bytes of a file of some size.
func minified(language string, data []byte) bool {
	switch language {
	case "JavaScript", "TypeScript", "CSS", "PHP", "Python", "Ruby":
	default:
		return false
	}
	head := data[:min(len(data), 64<<10)]
	long := 0
	for len(head) > 0 {
		end := bytes.IndexByte(head, '\n')
		if end < 0 {
			end = len(head)
		}
		if end > maxLine {
			long += end
		}
		head = head[min(end+1, len(head)):]
	}
	return long > 0 && 2*long > min(len(data), 64<<10)
}
