package publish

import (
	"strconv"
	"strings"

	"github.com/wikiwright/wikiwright/internal/safetext"
	"github.com/wikiwright/wikiwright/internal/wikidiff"
)

// subject is the first line of commits and the title of pull requests unless the project chose another.
const subject = "docs: update OpenWiki"

// maxSubject is how long a subject may be, in bytes.
const maxSubject = 200

// A Trailer is one line at the end of a commit message.
type Trailer struct{ Key, Value string }

// commitMessage returns a commit message: the project's subject or the usual one, made harmless, what changed in a sentence, trailers.
func commitMessage(custom string, b *Bundle, trailers []Trailer) string {
	var text strings.Builder
	text.WriteString(title(custom))
	if line := changeSentence(b); line != "" {
		text.WriteString("\n\n" + line)
	}
	separator := "\n\n"
	for _, t := range trailers {
		if t.Value == "" {
			continue
		}
		text.WriteString(separator + t.Key + ": " + safetext.Message(t.Value))
		separator = "\n"
	}
	return text.String() + "\n"
}

// title returns the title of a pull request.
func title(custom string) string {
	s := safetext.Message(custom)
	if s == "" {
		return subject
	}
	if len(s) > maxSubject {
		s = strings.ToValidUTF8(s[:maxSubject], "")
	}
	return s
}

// changeSentence counts the pages that differ.
func changeSentence(b *Bundle) string {
	if b.Delta == nil {
		return ""
	}
	return pageCounts(b.Delta)
}

// pageCounts tells how many pages differ, in words.
func pageCounts(d *wikidiff.Delta) string {
	counts := map[string]int{}
	for _, p := range d.Pages {
		if !p.Index() {
			counts[p.Change]++
		}
	}
	var parts []string
	for _, change := range []struct{ name, noun, after string }{
		{wikidiff.ChangeNew, "new page", ""}, {wikidiff.ChangeRewritten, "page", " rewritten"}, {wikidiff.ChangeRemoved, "page", " removed"},
		{wikidiff.ChangeClaims, "page", " with new evidence"},
	} {
		if n := counts[change.name]; n > 0 {
			parts = append(parts, count(n, change.noun)+change.after)
		}
	}
	return strings.Join(parts, ", ")
}

// count returns a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
