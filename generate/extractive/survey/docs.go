package survey

import (
	"path"
	"regexp"
	"strings"
	"sync"
)

// isReadme reports a README of any format.
func isReadme(name string) bool {
	base := strings.ToLower(path.Base(name))
	return isDocument(name) && (base == "readme" || strings.HasPrefix(base, "readme."))
}

// worthListing reports documents that Repository.Docs lists: those people write for people, at the root or in a documentation tree. A README
// deeper down belongs to its directory.
func worthListing(name string) bool {
	if !isDocument(name) {
		return false
	}
	dir, base := path.Dir(name), strings.ToLower(path.Base(name))
	stem := strings.TrimSuffix(base, path.Ext(base))
	switch stem {
	case "code_of_conduct", "pull_request_template", "issue_template", "agents", "claude", "index.json", "codeowners", "funding", "maintainers", "owners",
		"authors", "contributors", "credits":
		return false
	}
	if dir == "." || dir == ".github" && (stem == "contributing" || stem == "security" || stem == "support") {
		return true
	}
	top, _, _ := strings.Cut(dir, "/")
	switch strings.ToLower(top) {
	case "docs", "doc", "documentation":
		return strings.Count(name, "/") <= 3 && !strings.Contains(dir, "/_") && !strings.Contains(dir, "/images") && !translated(dir)
	}
	return false
}

// translated reports a directory of translations, by a language code in the path.
func translated(dir string) bool {
	for seg := range strings.SplitSeq(dir, "/") {
		switch strings.ToLower(seg) {
		case "de", "es", "fr", "it", "ja", "ko", "pt", "pt-br", "ru", "uk", "zh", "zh-cn", "zh-tw", "zh-hans", "tr", "pl", "vi", "id", "fa", "ar", "hi", "bn", "i18n", "locales", "locale":
			return true
		}
	}
	return false
}

// doc turns a read document into a list entry.
func (d *document) doc() Doc {
	title := d.title().Text
	if !sensibleTitle(d.path, title) {
		title = path.Base(d.path)
	}
	return Doc{Path: d.path, Title: title, First: d.first()}
}

// sensibleTitle reports a heading that tells what a document is. That of a README or a change log is its first topic or version, and that of a
// licence agreement in a contributing guide is not what people look for in it.
func sensibleTitle(name, title string) bool {
	if title == "" || isChangelog(name) || isReadme(name) && path.Dir(name) == "." || strings.HasSuffix(title, "?") ||
		title == strings.ToUpper(title) && len(strings.Fields(title)) > 3 {
		return false
	}
	switch strings.ToLower(title) {
	case "tbd", "unreleased", "contents", "table of contents", "todo", "index", "note", "notes":
		return false
	}
	at := versionHeading().FindStringIndex(title)
	return at == nil || at[0] > 0 && !strings.HasPrefix(strings.ToLower(title), "version")
}

var workSection = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(build|building|compil\w*|test|tests|testing|install|installing|installation|run|running|develop\w*|getting started|quick ?start|setup|set up|` +
		`setting up|usage|contribut\w*|lint\w*|format\w*|source|docker|start)\b`)
})

// unknownRun is the purpose of a documented line until it is known whether it starts a program of the repository.
const unknownRun = "run?"

// documentCommands reads the shell commands that a README or a contributing guide shows below headings about building, testing, installing
// and running.
func (d *document) documentCommands() []Command {
	base := strings.ToLower(path.Base(d.path))
	source := "document"
	if strings.HasPrefix(base, "readme") {
		source = "README"
	}
	var out []Command
	for _, b := range d.blocks {
		if b.section < 0 || !d.workSection(b.section) {
			continue
		}
		prompt := hasPrompt(b.lines)
		if !prompt && !shellLanguage(b.lang) {
			continue
		}
		dir := path.Dir(d.path)
		before := textLine{} // the command on the line before, where it is none of those that people look for
		for i, l := range b.lines {
			text := strings.TrimSpace(l.text)
			if prompt {
				rest, ok := cutPrompt(text)
				if !ok {
					continue
				}
				text = rest
			}
			text, _, _ = strings.Cut(text, " # ")
			line := commandLine(text)
			if to, ok := strings.CutPrefix(line, "cd "); ok && !strings.ContainsAny(to, " $~&;") {
				dir = path.Join(dir, to)
				continue
			}
			purpose := purposeOfLine(line)
			if purpose == "" && strings.HasPrefix(line, "./") {
				purpose = unknownRun
			}
			first := before
			before = textLine{}
			if purpose == unknownRun && !testScript()(path.Base(programOf(line))) || purpose == "build" && strings.HasPrefix(line, "go build ./") {
				before = textLine{l.no, line} // the program that the next line starts lies where it was built
			}
			if purpose != unknownRun && strings.HasPrefix(first.text, "go build ") {
				first = textLine{}
			}
			if purpose == "" || strings.HasSuffix(line, "\\") || i > 0 && strings.HasSuffix(b.lines[i-1].text, "\\") ||
				strings.Contains(line, "example.com") || strings.ContainsAny(line, "<>…") || strings.Contains(line, "...") && !strings.Contains(line, "./...") {
				continue
			}
			c := Command{Line: line, Purpose: purpose, Source: source, Dir: dir, Ref: Ref{Path: d.path, Start: l.no, End: l.no}}
			if first.text != "" && first.no == l.no-1 {
				c.After, c.Ref.Start = first.text, first.no
			}
			out = append(out, c)
		}
	}
	return append(out, d.spanCommands(source)...)
}

func programOf(line string) string {
	word, _, _ := strings.Cut(line, " ")
	return word
}

// spanCommands reads the commands for one test that a guide shows in its text, such as `npm run test-unit [match]`.
func (d *document) spanCommands(source string) []Command {
	var out []Command
	for _, span := range d.spans {
		out = append(out, Command{
			Line: commandLine(span.text), Purpose: "test-one", Source: source, Dir: path.Dir(d.path), Ref: Ref{Path: d.path, Start: span.no, End: span.no},
		})
	}
	return out
}

// workSection reports whether the section or one it is part of speaks of work with the source.
func (d *document) workSection(at int) bool {
	level := 99
	for i := at; i >= 0; i-- {
		h := d.headings[i]
		if h.level >= level {
			continue
		}
		level = h.level
		if h.level > 1 && workSection().MatchString(h.text) || h.level == 1 && i == at && workSection().MatchString(h.text) {
			return true
		}
		if h.level == 1 && i != at && strings.EqualFold(strings.Trim(h.text, "?!"), "contributing") {
			return true
		}
	}
	return false
}

func shellLanguage(lang string) bool {
	switch lang {
	case "sh", "shell", "bash", "console", "zsh", "shell-session", "terminal", "shellsession", "cmd":
		return true
	}
	return false
}

func hasPrompt(lines []textLine) bool {
	for _, l := range lines {
		if _, ok := cutPrompt(strings.TrimSpace(l.text)); ok {
			return true
		}
	}
	return false
}

func cutPrompt(text string) (string, bool) {
	for _, prompt := range []string{"$ ", "% ", "> "} {
		if rest, ok := strings.CutPrefix(text, prompt); ok {
			return rest, true
		}
	}
	return text, false
}

// latestRelease returns the first version heading of a change log, "" when there is none.
func (d *document) latestRelease() Fact {
	for _, h := range d.headings {
		if v := versionHeading().FindString(h.text); v != "" && !strings.Contains(strings.ToLower(h.text), "unreleased") {
			return Fact{Text: h.text, Ref: Ref{Path: d.path, Start: h.line, End: h.end}}
		}
	}
	return Fact{}
}

var versionHeading = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bv?\d+\.\d+(\.\d+)?\b`) })

func isChangelog(name string) bool {
	base := strings.ToLower(strings.TrimSuffix(path.Base(name), path.Ext(name)))
	return path.Dir(name) == "." && (base == "changelog" || base == "changes" || base == "history" || base == "news" || base == "releasenotes")
}
