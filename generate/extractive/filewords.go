package extractive

import (
	"math/bits"
	"path"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/scan"
)

// fileWords is what a file is for in its authors' words. The file itself comes first: its header is changed together with it. What
// another document says counts where the file says nothing, unless the source shows that the document is older than the file.
func (a *atlas) fileWords(f *scan.File) (told, bool) {
	t := a.filled.words.get(f, a.findWords)
	return t, t.text != ""
}

func (a *atlas) findWords(f *scan.File) told {
	if t, ok := a.header(f); ok {
		return t
	}
	if t, ok := a.readDocuments()[f.Path]; ok && !a.outgrown(f) {
		return t
	}
	return told{}
}

// header is what the comment at the head of a file says of it. In Go the comment of a package stands in any of its files.
func (a *atlas) header(f *scan.File) (told, bool) {
	switch f.Language {
	case "Go":
		return told{}, false
	case "C", "C++":
		return a.headerC(f)
	}
	s := firstSentence(f.Doc)
	if f.DocStart <= 0 || !usable(s) {
		return told{}, false
	}
	return told{sentence(s), a.narrow(survey.Ref{Path: f.Path, Start: f.DocStart, End: max(f.DocStart, f.DocEnd)}, s)}, true
}

// headerLines bounds how far down a header may begin and end: behind the licence.
const headerLines = 80

// headerC reads the comments before the first line of code. Paragraphs about rights are passed over. The last comment does not count
// where it touches a declaration, because then it is about that.
func (a *atlas) headerC(f *scan.File) (told, bool) {
	lines := a.src.lines(f.Path)
	for at := 0; at < min(len(lines), headerLines); {
		if strings.TrimSpace(lines[at]) == "" {
			at++
			continue
		}
		end := commentEnd(lines, at)
		if end < 0 {
			return told{}, false
		}
		if end < len(lines) && !ownComment(lines[end]) {
			return told{}, false
		}
		if t, ok := a.headerOf(f, lines, at, end); ok {
			return t, true
		}
		at = end
	}
	return told{}, false
}

// commentEnd is the index after the comment that begins on a line, or -1 where that line is code.
func commentEnd(lines []string, at int) int {
	switch head := strings.TrimSpace(lines[at]); {
	case strings.HasPrefix(head, "//"):
		for at < len(lines) && strings.HasPrefix(strings.TrimSpace(lines[at]), "//") {
			at++
		}
		return at
	case strings.HasPrefix(head, "/*"):
		for n := at; n < len(lines); n++ {
			if _, rest, ok := strings.Cut(lines[n], "*/"); ok {
				if strings.TrimSpace(rest) != "" {
					return -1
				}
				return n + 1
			}
		}
	}
	return -1
}

// ownComment reports whether a comment before this line is none of a declaration: a blank line, a directive or another comment follows.
func ownComment(next string) bool {
	next = strings.TrimSpace(next)
	return next == "" || strings.HasPrefix(next, "#include") || strings.HasPrefix(next, "#if") || strings.HasPrefix(next, "/*") || strings.HasPrefix(next, "//") || strings.HasPrefix(next, "#pragma") ||
		strings.HasPrefix(next, "#define ") && strings.Contains(next, "_H")
}

// headerOf is the first paragraph of a comment that says what the file is, with what follows in words about "this file".
func (a *atlas) headerOf(f *scan.File, lines []string, from, to int) (told, bool) {
	for _, par := range paragraphs(lines, from, to) {
		words := strings.Join(par.lines, "\n")
		if lower := strings.ToLower(words); strings.Contains(lower, "copyright") || strings.Contains(lower, "licen") || strings.Contains(lower, "redistribut") || strings.Contains(lower, "permission") || strings.Contains(lower, "disclaimer") {
			return told{}, false // what a comment says behind the licence is about the licence
		}
		title, named := untitled(f.Path, par.lines[0])
		if title == "" {
			continue
		}
		s := firstSentence(strings.Join(append([]string{title}, par.lines[1:]...), "\n"))
		if len(par.lines) > 1 && headline(title, par.lines[1]) {
			s = title
		}
		if strings.HasSuffix(s, ":") || !usable(s) && (!named || len(strings.Fields(s)) < 2) || attribution(s) {
			return told{}, false // what follows explains something in particular
		}
		return told{sentence(said(s, f.Path)), a.narrow(survey.Ref{Path: f.Path, Start: par.start, End: par.end}, s)}, true
	}
	return told{}, false
}

// untitled drops the name of the file with which a header may begin: "adlist.c - A generic list" says "A generic list".
func untitled(file, line string) (rest string, named bool) {
	base := path.Base(file)
	stem := strings.TrimSuffix(base, path.Ext(base))
	first, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	if !strings.EqualFold(first, base) && !strings.EqualFold(strings.TrimRight(first, ":"), base) && !strings.EqualFold(first, stem) {
		return strings.TrimSpace(line), false
	}
	for _, mark := range []string{"-- ", "--- ", "- ", "– ", "— ", ": "} {
		if after, ok := strings.CutPrefix(strings.TrimSpace(rest), mark); ok {
			return strings.TrimSpace(after), true
		}
	}
	if strings.HasSuffix(first, ":") {
		return strings.TrimSpace(rest), true
	}
	return strings.TrimSpace(line), true
}

// headline reports whether the first line of a paragraph stands for itself: short, without a full stop, and the next begins anew.
func headline(first, next string) bool {
	next = strings.TrimSpace(next)
	if len(first) > 64 || strings.HasSuffix(first, ",") || next == "" || next[0] < 'A' || next[0] > 'Z' {
		return false
	}
	word, _, _ := strings.Cut(next, " ")
	last := strings.Fields(first)
	return strings.ToUpper(word) != word && strings.ToLower(last[len(last)-1]) == last[len(last)-1] || strings.HasPrefix(next, "This ") || strings.HasPrefix(next, "The ")
}

// attribution reports a line that tells where the file comes from rather than what it is.
func attribution(s string) bool {
	lower := strings.ToLower(s)
	if strings.Contains(lower, "documentation") {
		return true
	}
	for _, w := range []string{"author", "written by", "originally by", "modified by", "coded by", "filename", "version ", "taken from", "derived from", "based on", "from ", "todo", "$", "wiki", "http"} {
		if strings.HasPrefix(lower, w) {
			return true
		}
	}
	return false
}

// A commentParagraph is a run of lines of a comment without its marks.
type commentParagraph struct {
	lines      []string
	start, end int
}

// paragraphs splits the lines of a comment at blank lines and drawn rules.
func paragraphs(lines []string, from, to int) []commentParagraph {
	var out []commentParagraph
	open := false
	for n := from; n < to; n++ {
		t := strings.TrimSpace(lines[n])
		t = strings.TrimSuffix(t, "*/")
		t = strings.TrimLeft(t, "/*! \t")
		t = strings.TrimRight(t, "*/-=~ \t")
		t = strings.TrimLeft(t, "-=~ \t")
		if t == "" {
			open = false
			continue
		}
		if !open {
			out = append(out, commentParagraph{start: n + 1})
			open = true
		}
		last := &out[len(out)-1]
		last.lines, last.end = append(last.lines, t), n+1
	}
	return out
}

// outgrown reports whether a document that describes a file is older than what the file has become: a sibling that carries the name of
// the file, and of which the documents say nothing, is more than twice as large. What was said of the file went there.
func (a *atlas) outgrown(f *scan.File) bool {
	p := a.ofFile[f.Path]
	if p == nil {
		return false
	}
	ext := path.Ext(f.Path)
	stem := strings.TrimSuffix(f.Path, ext)
	for _, name := range p.Files {
		rest, ok := strings.CutPrefix(name, stem)
		if !ok || name == f.Path || path.Ext(name) != ext || rest[0] != '_' && rest[0] != '-' {
			continue
		}
		if _, described := a.readDocuments()[name]; !described && a.repo.Files[name] != nil && a.repo.Files[name].Lines > 2*f.Lines {
			return true
		}
	}
	return false
}

// maxFileRows bounds the table of the files of a large flat part.
const maxFileRows = 48

// described are the files of a part with what is said of them, in the order of their paths. Of many the large ones stay. A header file is
// told only where no source file of its name is, or where a document speaks of it.
func (a *atlas) described(c *survey.Component) []about { return a.describedFiles(c, maxFileRows) }

func (a *atlas) describedFiles(c *survey.Component, limit int) []about {
	var all []*scan.File
	for _, f := range a.files(c) {
		if ext := path.Ext(f.Path); (ext == ".h" || ext == ".hpp") && a.hasSource(f.Path) && a.readDocuments()[f.Path].text == "" {
			continue
		}
		if _, ok := a.fileWords(f); ok && (len(c.Groups) == 0 || path.Dir(f.Path) == c.Dir) {
			all = append(all, f)
		}
	}
	all = largest(all, limit)
	var out []about
	for _, f := range all {
		t, _ := a.fileWords(f)
		if i := slices.IndexFunc(out, func(o about) bool { return o.told == t }); i >= 0 {
			out[i].files = append(out[i].files, f.Path)
			continue
		}
		out = append(out, about{t, []string{f.Path}})
	}
	return out
}

// largest keeps the largest files, in the order of their paths. Sizes count in powers of two, so that the choice does not move with every
// commit.
func largest(all []*scan.File, limit int) []*scan.File {
	if len(all) <= limit {
		return all
	}
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(x, y *scan.File) int { return bits.Len(uint(y.Lines)) - bits.Len(uint(x.Lines)) })
	all = all[:limit]
	slices.SortFunc(all, func(x, y *scan.File) int { return strings.Compare(x.Path, y.Path) })
	return all
}

// Bounds of the table of large files of which nobody says what they are.
const (
	untoldLines = 128
	maxUntold   = 40
)

// untoldRows table the large files of a flat part of which nobody says what they are, with the declarations that others use most.
func (a *atlas) untoldRows(p *page, c *survey.Component) []row {
	if len(c.Groups) == 0 {
		return nil
	}
	var all []*scan.File
	for _, f := range a.files(c) {
		if _, ok := a.fileWords(f); !ok && f.Lines >= untoldLines && path.Dir(f.Path) == c.Dir && path.Ext(f.Path) != ".h" {
			all = append(all, f)
		}
	}
	return a.untoldFiles(p, c, largest(all, maxUntold))
}

// untoldFiles table files with the declarations that others use most.
func (a *atlas) untoldFiles(p *page, c *survey.Component, files []*scan.File) []row {
	of := make(map[*scan.File][]symbol)
	for _, s := range a.symbols(c, func(d *scan.Decl) bool { return functionKind(d.Kind) && d.Parent == "" && d.Exported && !d.Deprecated }) {
		again := func(o symbol) bool { return o.decl.Name == s.decl.Name } // under another build condition
		if len(of[s.file]) < 3 && s.decl.Name != "main" && !slices.ContainsFunc(of[s.file], again) {
			of[s.file] = append(of[s.file], s)
		}
	}
	var rows []row
	for _, f := range files {
		if len(of[f]) > 0 {
			rows = append(rows, a.untoldRow(p, f, of[f]))
		}
	}
	return rows
}

func (a *atlas) untoldRow(p *page, f *scan.File, main []symbol) row {
	var names, plain []text
	var refs []survey.Ref
	for _, s := range main {
		name, said := p.linked(code(s.decl.Name), s.ref()), code(s.decl.Name)
		refs = append(refs, s.ref())
		if doc := strings.TrimSuffix(firstSentence(s.decl.Doc), "."); usable(doc) && len(doc) < 120 && len(strings.Fields(doc)) > 3 {
			doc = strings.TrimPrefix(doc, s.decl.Name+" - ")
			name, said = compose("{} ({})", name, quote(doc)), compose("{} ({})", said, quote(doc))
			refs = append(refs, a.docRefs(s)...)
		}
		names, plain = append(names, name), append(plain, said)
	}
	base := label(path.Base(f.Path))
	return row{cells: []text{p.linked(base, survey.Ref{Path: f.Path}), list(names)}, claim: compose("{} declares {}.", base, list(plain)), refs: refs}
}

// hasSource reports whether a source file of the name of a header lies beside it.
func (a *atlas) hasSource(header string) bool {
	stem := strings.TrimSuffix(header, path.Ext(header))
	for _, ext := range []string{".c", ".cc", ".cpp", ".cxx"} {
		if a.repo.Files[stem+ext] != nil {
			return true
		}
	}
	return false
}
