package wiki

import (
	"bytes"
	"fmt"
	"path"
	"strings"

	"github.com/wikiwright/wikiwright/internal/language"
)

const (
	indexFile        = "index.md"
	instructionsFile = "INSTRUCTIONS.md"
	okfVersion       = "0.2"
)

// SyncIndexes brings the index file of every directory with pages up to date, in the language of lang, repairs the front matter of the
// pages and of INSTRUCTIONS.md on the way, and removes the generated index of a directory that has no pages any more. Excluded pages
// are listed but left alone. It returns the repository paths of the files it wrote or removed; a file is written only when its bytes change.
func (w *Wiki) SyncIndexes(lang string, exclude map[PagePath]bool) (changed []string, err error) {
	if !w.Exists() {
		return nil, nil
	}
	pages, err := w.Pages()
	if err != nil {
		return nil, err
	}
	dirs := map[string]*indexDir{"": {}}
	for _, p := range pages {
		entry, wrote, err := w.indexPage(p, lang, exclude[p])
		if err != nil {
			return changed, err
		}
		if wrote {
			changed = append(changed, p.RepoPath())
		}
		addToIndex(dirs, p.below(w.dir), entry)
	}
	for _, dir := range depthFirst(dirs) {
		name := w.Path(path.Join(dir, indexFile))
		wrote, err := w.files.WriteIfChanged(name, dirs[dir].render(lang, dir == ""))
		if err != nil {
			return changed, fmt.Errorf("write index: %w", err)
		}
		if wrote {
			changed = append(changed, name)
		}
	}
	tidied, err := w.tidyStructural(dirs, lang)
	return append(changed, tidied...), err
}

// indexDir is what the index of one directory lists.
type indexDir struct {
	files []indexEntry
	dirs  []indexEntry
}

type indexEntry struct{ href, label, description string }

// indexPage returns the entry of a page, with its front matter repaired: on disk too, unless the page is excluded.
func (w *Wiki) indexPage(p PagePath, lang string, excluded bool) (entry indexEntry, wrote bool, err error) {
	b, err := w.Read(p)
	if err != nil {
		return indexEntry{}, false, fmt.Errorf("index page: %w", err)
	}
	repaired, notes := Repair(b, p, lang)
	if !excluded && len(notes) > 0 && !bytes.Equal(b, repaired) {
		if err := w.Write(p, repaired); err != nil {
			return indexEntry{}, false, fmt.Errorf("repair front matter: %w", err)
		}
		wrote = true
	}
	d := Parse(repaired)
	base := path.Base(string(p))
	entry = indexEntry{href: encodeURIComponent(base), label: oneLineText(d.String("title")), description: oneLineText(d.String("description"))}
	if entry.label == "" {
		entry.label = strings.TrimSuffix(base, ".md")
	}
	return entry, wrote, nil
}

// addToIndex lists a page in its directory, and the directories above it in theirs. rel is relative to the wiki directory.
func addToIndex(dirs map[string]*indexDir, rel string, entry indexEntry) {
	dir := parentDir(rel)
	for _, at := range append(parents(dir), dir) {
		if dirs[at] != nil {
			continue
		}
		dirs[at] = &indexDir{}
		base := path.Base(at)
		above := dirs[parentDir(at)]
		above.dirs = append(above.dirs, indexEntry{href: encodeURIComponent(base) + "/", label: base})
	}
	dirs[dir].files = append(dirs[dir].files, entry)
}

// parentDir is path.Dir with "" for the root.
func parentDir(name string) string {
	if dir := path.Dir(name); dir != "." {
		return dir
	}
	return ""
}

// depthFirst orders directories so that each comes after everything below it, the root last.
func depthFirst(dirs map[string]*indexDir) []string {
	var names []string
	for name := range dirs {
		names = append(names, name)
	}
	SortCollated(names)
	var ordered []string
	var add func(dir string)
	add = func(dir string) {
		for _, name := range names {
			if name != "" && parentDir(name) == dir {
				add(name)
			}
		}
		ordered = append(ordered, dir)
	}
	add("")
	return ordered
}

// render writes the index of a directory.
func (d *indexDir) render(lang string, root bool) []byte {
	files, dirs := language.IndexLabels(lang)
	var sections []string
	if root {
		sections = append(sections, "---\nokf_version: \""+okfVersion+"\"\n---")
	}
	if len(d.files) > 0 || len(d.dirs) == 0 {
		sections = append(sections, "# "+files)
	}
	if len(d.files) > 0 {
		sections = append(sections, list(d.files))
	}
	if len(d.dirs) > 0 {
		sections = append(sections, "# "+dirs, list(d.dirs))
	}
	return []byte(strings.Join(sections, "\n\n") + "\n")
}

func list(entries []indexEntry) string {
	sortCollatedFunc(entries, func(e indexEntry) string { return e.href })
	var lines []string
	for _, e := range entries {
		line := "- [" + inert(escapeLabel(e.label)) + "](" + e.href + ")"
		if e.description != "" {
			line += " - " + inert(e.description)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func escapeLabel(label string) string {
	return strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`).Replace(label)
}

// oneLineText joins the lines of a value: an entry is one list item.
func oneLineText(s string) string { return strings.Join(strings.Fields(s), " ") }

// encodeURIComponent is the function of that name in JavaScript, except that parentheses are escaped too, because they would end a
// Markdown link early.
func encodeURIComponent(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'z' || strings.IndexByte("-_.!~*'", c) >= 0 {
			b.WriteByte(c)
			continue
		}
		b.WriteString("%" + string(hex[c>>4]) + string(hex[c&15]))
	}
	return b.String()
}

// tidyStructural brings the other structural files in line with what an outside reader of the format expects: the generated index of a
// directory that lists nothing goes, an index.md that somebody wrote in such a directory loses its front matter (only the root index may
// have any), and INSTRUCTIONS.md, which readers take for a page, gets a type.
func (w *Wiki) tidyStructural(listed map[string]*indexDir, lang string) (changed []string, err error) {
	var names []string
	err = w.walk(func(name string) error {
		if rel := w.rel(name); !hiddenPath(rel) && structural(path.Base(rel)) {
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		rel := w.rel(name)
		var wrote bool
		switch base := path.Base(rel); {
		case strings.EqualFold(base, instructionsFile):
			wrote, err = w.repairInstructions(name, lang)
		case base == indexFile && listed[parentDir(rel)] == nil:
			wrote, err = w.tidyIndex(name)
		}
		if err != nil {
			return changed, err
		}
		if wrote {
			changed = append(changed, name)
		}
	}
	return changed, nil
}

// repairInstructions gives the instructions of the wiki's owner valid front matter.
func (w *Wiki) repairInstructions(name, lang string) (bool, error) {
	b, err := w.files.Read(name)
	if err != nil {
		return false, fmt.Errorf("repair instructions: %w", err)
	}
	repaired, notes := Repair(b, PagePath("/"+name), lang)
	if len(notes) == 0 {
		return false, nil
	}
	// The mark asks the next author to replace the fields; nobody authors this file.
	return w.files.WriteIfChanged(name, RemoveField(repaired, "openwiki_generated"))
}

// tidyIndex handles the index of a directory without pages.
func (w *Wiki) tidyIndex(name string) (bool, error) {
	b, err := w.files.Read(name)
	if err != nil {
		return false, fmt.Errorf("tidy index: %w", err)
	}
	if !generatedIndex(b) {
		d := Parse(b)
		if !d.hasBlock() || d.broken {
			return false, nil
		}
		return w.files.WriteIfChanged(name, bytes.TrimLeft(d.Body(), "\r\n"))
	}
	if err := w.files.Remove(name); err != nil {
		return false, fmt.Errorf("tidy index: %w", err)
	}
	if err := w.files.RemoveEmptyParents(name, string(w.dir)); err != nil {
		return false, fmt.Errorf("tidy index: %w", err)
	}
	return true, nil
}

// hiddenPath reports a path with a hidden segment.
func hiddenPath(rel string) bool { return strings.HasPrefix(rel, ".") || strings.Contains(rel, "/.") }

// generatedIndex reports whether a file is an index as this package writes them, in any language: headings of the two lists and links,
// nothing else. Only such files may be removed; an index.md may also be somebody's own page.
func generatedIndex(b []byte) bool {
	d := Parse(b)
	for _, key := range d.keys() {
		if key != "okf_version" {
			return false
		}
	}
	labels := language.AllIndexLabels()
	headings := 0
	for line := range strings.Lines(string(d.Body())) {
		line = strings.TrimSpace(line)
		heading, isHeading := strings.CutPrefix(line, "# ")
		switch {
		case isHeading && labels[heading]:
			headings++
		case line == "" || strings.HasPrefix(line, "- ["):
		default:
			return false
		}
	}
	return headings > 0
}
