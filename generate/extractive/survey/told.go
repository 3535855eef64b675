package survey

import (
	"path"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// tellers reports documents in which people describe files and directories. Lists of people, of changes and of terms describe none.
func tellers(name string) bool {
	base := strings.ToLower(strings.TrimSuffix(path.Base(name), path.Ext(name)))
	switch base {
	case "maintainers", "owners", "authors", "contributors", "codeowners", "credits", "thanks", "governance", "changelog", "changes", "history", "news", "releases",
		"releasenotes", "license", "licence", "copying", "security", "support", "faq", "migration", "upgrading", "todo", "roadmap":
		return false
	}
	return true
}

// told collects what the authors' documents say about single files and directories: list items that begin with a path, and sections under a
// heading that is one. The first document by path wins, a README before others.
func (s *surveyor) told(repo *Repository) map[string]Fact {
	t := &teller{known: s.knownPaths(), out: map[string]Fact{}}
	for _, readme := range []bool{true, false} {
		for i := range s.facts {
			d := s.facts[i].document
			if d == nil || isReadme(s.facts[i].path) != readme || !tellers(d.path) || translated(path.Dir(d.path)) {
				continue
			}
			t.document(d)
		}
	}
	return t.out
}

// knownPaths returns a function that finds the file or directory that a document means by a path: from the root, from the directory of the
// document, or as the name of a file that the repository has once.
func (s *surveyor) knownPaths() func(dir, target string) string {
	paths, byBase := map[string]bool{}, map[string]string{}
	for _, f := range s.files {
		paths[f.path] = true
		base := path.Base(f.path)
		if _, ok := byBase[base]; ok {
			byBase[base] = ""
		} else {
			byBase[base] = f.path
		}
		for dir := path.Dir(f.path); dir != "." && !paths[dir]; dir = path.Dir(dir) {
			paths[dir] = true
		}
	}
	return func(dir, target string) string {
		target = strings.TrimSuffix(strings.TrimPrefix(target, "./"), "/")
		if target == "" || strings.HasPrefix(target, "..") || strings.HasPrefix(target, "/") || strings.HasPrefix(target, "@") {
			return ""
		}
		for _, p := range []string{path.Join(dir, target), target} {
			if paths[p] {
				return p
			}
		}
		if strings.Contains(target, ".") {
			return byBase[target]
		}
		return ""
	}
}

type teller struct {
	known func(dir, target string) string
	out   map[string]Fact
}

func (t *teller) document(d *document) {
	for _, item := range d.items {
		t.item(d, item)
	}
	for i, h := range d.headings {
		if paths := t.pathList(d, h.text); len(paths) > 0 {
			t.section(d, i, paths)
		}
	}
}

var (
	// The paths that a list item begins with, and how it goes on: after a mark, or with a verb.
	itemHead = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^([\w./-]+(?:(?:, and |, | and )[\w./-]+)*)(?:\s*(?:: | [-–—]+ )(.+)|( (?:is|are|contains?|implements?|defines?|holds?|provides?|handles?)\b.+))$`)
	})
	pathWord = sync.OnceValue(func() func(string) bool { return regexp.MustCompile(`^[\w.-]+([/.][\w.-]+)*/?$`).MatchString })
)

// pathList resolves a text that is nothing but paths; nil when one of them is none.
func (t *teller) pathList(d *document, text string) []string {
	var out []string
	for word := range strings.SplitSeq(strings.NewReplacer(", and ", "\x00", " and ", "\x00", ", ", "\x00").Replace(text), "\x00") {
		word = strings.TrimSpace(strings.Trim(word, "`"))
		p := ""
		if pathWord()(word) && (strings.ContainsAny(word, "./")) {
			p = t.known(path.Dir(d.path), word)
		}
		if p == "" {
			return nil
		}
		out = append(out, p)
	}
	return out
}

func (t *teller) item(d *document, item paragraph) {
	f := itemHead().FindStringSubmatch(item.text)
	if f == nil {
		return
	}
	paths := t.pathList(d, f[1])
	if paths == nil && f[2] != "" && !strings.ContainsAny(f[1], " ,") { // a bare name: a directory where the mark sets it off
		if p := t.known(path.Dir(d.path), f[1]); p != "" {
			paths = []string{p}
		}
	}
	text := f[2]
	if text == "" {
		text = item.text
	}
	t.keep(d, paths, item, firstOf(text))
}

// section takes the sentence of the first paragraphs below a heading that speaks of the file.
func (t *teller) section(d *document, at int, paths []string) {
	seen := 0
	for _, p := range d.paras {
		if p.section != at {
			continue
		}
		if seen++; seen > 3 {
			return
		}
		for rest := p.text; rest != ""; {
			end := sentenceEnd(rest)
			s := strings.TrimSpace(rest[:end])
			rest = strings.TrimSpace(rest[end:])
			s = strings.TrimPrefix(s, "Moreover ")
			if speaksOf(s, paths) && t.keep(d, paths, p, s) {
				return
			}
		}
	}
}

var ownWords = sync.OnceValue(func() func(string) bool {
	return regexp.MustCompile(`(?i)\b(this|these) (file|module|package|directory|folder|crate|class|component)s? |\bin this (file|directory|module|package)\b|^this is the |` +
		`\b(is|are) (defined|kept|stored|implemented) in\b`).MatchString
})

// speaksOf reports a sentence about the files themselves: in so many words, or by their name with a verb or as a place.
func speaksOf(s string, paths []string) bool {
	if ownWords()(s) {
		return true
	}
	for _, p := range paths {
		base := path.Base(p)
		if i := strings.Index(s, base+" "); i >= 0 {
			next, _, _ := strings.Cut(s[i+len(base)+1:], " ")
			switch next {
			case "is", "are", "implements", "implement", "contains", "contain", "defines", "define", "there", "holds", "provides", "handles":
				return true
			}
		}
	}
	return false
}

var colonDefinition = sync.OnceValue(func() func(string) bool {
	return regexp.MustCompile(`^(This|These) files? (defines?|implements?) `).MatchString
})

// keep records the sentence for paths that nothing is known of yet; false when it says nothing.
func (t *teller) keep(d *document, paths []string, p paragraph, s string) bool {
	if head, ok := strings.CutSuffix(s, ":"); ok && colonDefinition()(head) && !promises()(head) {
		s = head // the statement is whole without the list that follows it
	}
	if len(paths) == 0 || !saysSomething(s) || dangling()(s) {
		return false
	}
	first, n := utf8.DecodeRuneInString(s)
	if word, _, _ := strings.Cut(s, " "); !strings.ContainsAny(word, "./_") {
		s = string(unicode.ToUpper(first)) + s[n:]
	}
	for _, target := range paths {
		if _, ok := t.out[target]; !ok {
			t.out[target] = Fact{Text: cut(s, maxSentence), Ref: Ref{Path: d.path, Start: p.start, End: p.end}}
		}
	}
	return true
}

// firstOf returns the first sentence of a text, whatever it is.
func firstOf(text string) string { return strings.TrimSpace(text[:sentenceEnd(text)]) }
