package extractive

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
)

// told is what the authors say about a file or directory in a list or under a heading of their documents.
type told struct {
	text string
	ref  survey.Ref
}

// maxDocuments bounds the documents that are read for what they say about paths.
const maxDocuments = 12

// readDocuments collects, from README, CONTRIBUTING and similar documents, list items and headings that begin with a path of the
// repository and go on with words about it: "* `src`: contains the implementation", "### networking.c".
func (a *atlas) readDocuments() map[string]told {
	if a.told != nil {
		return a.told
	}
	a.told = make(map[string]told)
	for _, p := range slices.Sorted(maps.Keys(a.repo.Told)) {
		f := a.repo.Told[p]
		if s := firstSentence(f.Text); usable(s) && !strings.Contains(s, "@") {
			a.told[p] = told{sentence(said(s, p)), a.narrow(f.Ref, s)}
		}
	}
	n := 0
	for _, d := range a.repo.Docs {
		if n == maxDocuments {
			break
		}
		if people(d.Path) {
			continue
		}
		if ext := strings.ToLower(path.Ext(d.Path)); ext == ".md" || ext == "" || ext == ".rst" || ext == ".txt" {
			n++
			a.readDocument(d.Path)
		}
	}
	return a.told
}

// people reports whether a document is about people, releases or rules, whose list items name paths without saying what they are.
func people(name string) bool {
	base := strings.ToLower(path.Base(name))
	for _, w := range []string{"maintainer", "owner", "author", "contributors", "changelog", "changes", "release", "security", "code_of_conduct", "license", "copying", "news"} {
		if strings.Contains(base, w) {
			return true
		}
	}
	return false
}

func (a *atlas) readDocument(name string) {
	lines := a.src.lines(name)
	dir := path.Dir(name)
	for i := 0; i < len(lines); i++ {
		trimmed := strings.TrimSpace(lines[i])
		if rest, ok := strings.CutPrefix(trimmed, "#"); ok {
			a.heading(name, dir, lines, i, strings.Trim(rest, "# "))
			continue
		}
		if i+1 < len(lines) && trimmed != "" && len(lines[i+1]) > 2 && strings.Trim(lines[i+1], "-=") == "" {
			a.heading(name, dir, lines, i, trimmed)
			continue
		}
		rest, ok := strings.CutPrefix(trimmed, "- ")
		if !ok {
			rest, ok = strings.CutPrefix(trimmed, "* ")
		}
		if !ok {
			continue
		}
		end := i
		for end+1 < len(lines) && end < i+6 && strings.HasPrefix(lines[end+1], "  ") && !bullet(lines[end+1]) {
			end++
			rest += " " + strings.TrimSpace(lines[end])
		}
		target, words, ok := pathAndWords(rest)
		if p := a.known(dir, target); ok && p != "" {
			a.remember(p, words, survey.Ref{Path: name, Start: i + 1, End: end + 1})
		}
	}
}

func bullet(line string) bool {
	t := strings.TrimSpace(line)
	return strings.HasPrefix(t, "- ") || strings.HasPrefix(t, "* ") || t == ""
}

// heading takes the first paragraph below a heading that is a path.
func (a *atlas) heading(name, dir string, lines []string, i int, title string) {
	var paths []string
	for _, name := range strings.FieldsFunc(strings.ReplaceAll(title, " and ", ","), func(r rune) bool { return r == ',' || r == '`' || r == '*' || r == ':' }) {
		p := a.known(dir, strings.TrimSpace(name))
		if p == "" {
			return
		}
		paths = append(paths, p)
	}
	if len(paths) == 0 {
		return
	}
	start := i + 1
	for start < len(lines) && (strings.TrimSpace(lines[start]) == "" || strings.Trim(strings.TrimSpace(lines[start]), "-=") == "") {
		start++
	}
	end := start
	for end < len(lines) && strings.TrimSpace(lines[end]) != "" && end < start+6 {
		end++
	}
	paragraph := clean(strings.Join(lines[start:min(end, len(lines))], " "))
	lower := strings.ToLower(firstSentence(paragraph))
	for _, p := range paths {
		for _, about := range []string{"this file", "this is", "these files", "inside " + strings.ToLower(path.Base(p)), "this directory", "this package", "this module", "this folder", strings.ToLower(path.Base(p))} {
			if strings.Contains(lower, about) { // else the paragraph begins with something else
				a.remember(p, paragraph, survey.Ref{Path: name, Start: start + 1, End: end})
				break
			}
		}
	}
}

// remember keeps the first sentence about a path that says something.
func (a *atlas) remember(p, words string, ref survey.Ref) {
	s := firstSentence(words)
	ref = a.narrow(ref, s)
	for _, verb := range []string{"is ", "are ", "was ", "has "} {
		if strings.HasPrefix(s, verb) {
			s = path.Base(p) + " " + s
		}
	}
	if _, ok := a.told[p]; !ok && usable(s) && !strings.Contains(s, "@") && !strings.Contains(s, "&#64;") {
		a.told[p] = told{sentence(said(s, p)), ref}
	}
}

// said is a sentence with a capital, unless it begins with the name of the file.
func said(s, p string) string {
	s = strings.TrimLeft(s, "-–—:, ")
	if first, _, _ := strings.Cut(s, " "); strings.HasPrefix(s, path.Base(p)) || strings.ContainsAny(first, "._/") {
		return s
	}
	return capital(s)
}

// pathAndWords splits a list item into the path it begins with and the words about it.
func pathAndWords(s string) (target, words string, ok bool) {
	s = strings.TrimLeft(s, "*_")
	switch {
	case strings.HasPrefix(s, "`"):
		target, words, ok = strings.Cut(s[1:], "`")
	case strings.HasPrefix(s, "["):
		target, words, ok = strings.Cut(s[1:], "]")
		target = strings.Trim(target, "`")
		if strings.HasPrefix(words, "(") {
			_, words, ok = strings.Cut(words, ")")
		}
	default:
		target, words, ok = strings.Cut(s, ":")
	}
	words = strings.TrimLeft(words, "*_ :-–—,")
	return strings.TrimSpace(target), words, ok && words != "" && !strings.ContainsAny(target, " \t")
}

// known resolves a path as people write it in a document: from the root, from the document's directory, or as the name of a file that
// the repository has once. It returns "" for what is no path of the source.
func (a *atlas) known(dir, target string) string {
	target = strings.TrimSuffix(strings.TrimPrefix(target, "./"), "/")
	if target == "" || strings.ContainsAny(target, " :*?<>|@") || strings.HasPrefix(target, "..") || strings.HasPrefix(target, "/") {
		return ""
	}
	for _, p := range []string{target, path.Join(dir, target)} {
		if a.repo.Files[p] != nil || a.byDir[p] != nil || a.dirs[p] {
			return p
		}
	}
	if strings.Contains(target, ".") {
		if all := a.byBase[target]; len(all) == 1 {
			return all[0]
		}
	}
	return ""
}

// narrow reduces a reference to the lines that hold a sentence: evidence is the narrowest span that proves it.
func (a *atlas) narrow(r survey.Ref, s string) survey.Ref {
	want := squeeze(s)
	if r.Start <= 0 || r.End-r.Start < 1 || r.End-r.Start > 500 || want == "" {
		return r
	}
	lines := a.src.lines(r.Path)
	if r.End > len(lines) {
		return r
	}
	text := ""
	end := -1
	for n := r.Start; n <= r.End; n++ {
		if text += squeeze(lines[n-1]); strings.Contains(text, want) {
			end = n
			break
		}
	}
	if end < 0 {
		return r
	}
	start := r.Start
	for start < end {
		rest := ""
		for n := start + 1; n <= end; n++ {
			rest += squeeze(lines[n-1])
		}
		if !strings.Contains(rest, want) {
			break
		}
		start++
	}
	return survey.Ref{Path: r.Path, Start: start, End: end}
}

// squeeze keeps the letters and digits of a text: comment marks, markup and line breaks do not matter for finding a sentence.
func squeeze(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r >= 0x80 || wordByte(byte(r)) && r != '_' {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// docRefs prove a declaration together with the first sentence of its doc: one span where they touch, else two.
func (a *atlas) docRefs(s symbol) []survey.Ref {
	d := s.decl
	if d.DocStart <= 0 {
		return []survey.Ref{s.ref()}
	}
	doc := a.narrow(survey.Ref{Path: s.file.Path, Start: d.DocStart, End: max(d.DocStart, d.DocEnd)}, firstSentence(d.Doc))
	switch {
	case doc.Start <= d.Start && d.Start-doc.End <= 1:
		return []survey.Ref{{Path: s.file.Path, Start: doc.Start, End: max(doc.End, d.Start)}}
	case doc.Start > d.Start && doc.Start-d.Start <= 1: // Python: the docstring follows the head
		return []survey.Ref{{Path: s.file.Path, Start: d.Start, End: doc.End}}
	}
	return []survey.Ref{s.ref(), doc}
}
