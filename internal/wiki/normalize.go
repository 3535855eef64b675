package wiki

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// NormalizeLinks returns the page with every link of the repository in the form GitHub opens, and without the broken-link comments
// other tools left. Links that start at the repository root become relative; so do repo:// links, with their lines as the anchor; a
// link that only resolves from the repository root gets the way there; ":12" behind a file becomes "#L12". Everything else stays as it
// is, broken links included. exists answers for files and directories of the whole repository, the wiki included; nil knows of none, and
// then only the first two are done, on trust. Normalizing twice changes nothing.
func NormalizeLinks(b []byte, p PagePath, exists func(repoPath string) (file, dir bool)) []byte {
	n := normalizer{page: p, exists: exists}
	var edits []edit
	s := scanPage(b)
	for _, link := range s.links {
		if link.at.end <= link.at.start {
			continue
		}
		dest, ok := n.dest(link.dest)
		switch {
		case !ok || dest == link.dest:
		case link.kind == autoLink:
			edits = append(edits, edit{link.node, "[" + escapeText(autoText(link.dest)) + "](" + dest + ")"})
		default:
			edits = append(edits, edit{link.at, dest})
		}
	}
	return removeStamps(apply(b, edits))
}

// edit replaces a range of bytes.
type edit struct {
	at   span
	text string
}

// apply makes the edits, which must not overlap; of two that do, the first in the text wins.
func apply(b []byte, edits []edit) []byte {
	if len(edits) == 0 {
		return b
	}
	slices.SortFunc(edits, func(a, b edit) int { return a.at.start - b.at.start })
	var out bytes.Buffer
	at := 0
	for _, e := range edits {
		if e.at.start < at {
			continue
		}
		out.Write(b[at:e.at.start])
		out.WriteString(e.text)
		at = e.at.end
	}
	out.Write(b[at:])
	return out.Bytes()
}

type normalizer struct {
	page   PagePath
	exists func(repoPath string) (file, dir bool)
}

// dest returns the better form of a destination, if there is one.
func (n normalizer) dest(dest string) (string, bool) {
	t := resolveDest(n.page, dest)
	switch {
	case t.external || t.outside:
		return "", false
	case t.repoURI:
		return n.fromURI(t)
	case t.raw == "" && !t.absolute:
		return "", false
	}
	if name, start, end, ok := n.withLines(t); ok {
		return n.page.LinkTo(name, start, end), true
	}
	switch {
	case t.absolute && n.isOurs(t.path):
		return n.link(t, t.path), true
	case !t.absolute && !n.there(t.path):
		if fromRoot, outside := cleanPath("", unescapePercent(t.raw)); !outside && fromRoot != "" && n.there(fromRoot) {
			return n.link(t, fromRoot), true
		}
	}
	return n.fullAnchor(dest, t)
}

// link writes a destination with the fragment of the old one.
func (n normalizer) link(t target, repoPath string) string {
	dest := relative(path.Dir(n.page.RepoPath()), repoPath)
	if t.slash && !strings.HasSuffix(dest, "/") {
		dest += "/"
	}
	if t.hasHash {
		dest += "#" + cleanFragment(t.fragment)
	}
	return dest
}

// cleanFragment expands a short line anchor and escapes what a destination cannot hold.
func cleanFragment(fragment string) string {
	if start, end, ok := parseLines(fragment); ok {
		return strings.TrimPrefix(lineFragment(start, end), "#")
	}
	return strings.NewReplacer(" ", "%20", "(", "%28", ")", "%29", "<", "%3C", ">", "%3E", "\\", "%5C", "\n", "", "\t", "%09", "&", "%26", "*", "%2A", "`", "%60").Replace(fragment)
}

// fromURI rewrites repo://path#L4-L6. Lines in any other form than the one of the OpenWiki format lead to the file.
func (n normalizer) fromURI(t target) (string, bool) {
	if t.path == "" {
		return "", false
	}
	start, end, _ := parseLines(t.fragment)
	return n.page.LinkTo(t.path, start, end), true
}

// isOurs reports whether an absolute path is meant to start at the repository root: it is there, or it is in the wiki.
func (n normalizer) isOurs(repoPath string) bool {
	if n.exists == nil || n.there(repoPath) {
		return true
	}
	first, _, _ := strings.Cut(n.page.RepoPath(), "/")
	return repoPath == first || strings.HasPrefix(repoPath, first+"/")
}

func (n normalizer) there(repoPath string) bool {
	if n.exists == nil {
		return false
	}
	file, dir := n.exists(repoPath)
	return file || dir || repoPath == ""
}

// withLines reads ":12" or ":12-20" behind the name of a file that is there.
func (n normalizer) withLines(t target) (name string, start, end int, ok bool) {
	found := lineSuffix().FindStringSubmatch(t.path)
	if found == nil || t.hasHash || n.there(t.path) {
		return "", 0, 0, false
	}
	if start, end, ok = parseLines("L" + strings.Replace(found[2], "-", "-L", 1)); !ok {
		return "", 0, 0, false
	}
	candidates := []string{found[1]}
	if base := path.Dir(n.page.RepoPath()); !t.absolute {
		if fromRoot, outside := cleanPath("", strings.TrimPrefix(found[1], base+"/")); !outside {
			candidates = append(candidates, fromRoot)
		}
	}
	for _, name := range candidates {
		if n.there(name) {
			return name, start, end, true
		}
	}
	return "", 0, 0, false
}

var lineSuffix = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(.+):(\d{1,9}(?:-\d{1,9})?)$`) })

// fullAnchor expands "#L4-6" to "#L4-L6", the only form GitHub knows, on a file that is there.
func (n normalizer) fullAnchor(dest string, t target) (string, bool) {
	start, end, ok := parseLines(t.fragment)
	before, _, _ := strings.Cut(dest, "#")
	if !ok || !shortRange().MatchString(t.fragment) || !n.there(t.path) || strings.ContainsAny(before, " ()<>\\&\n") {
		return "", false
	}
	return before + lineFragment(start, end), true
}

var shortRange = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^L\d+-\d+$`) })

// parseLines reads the line anchor of a file.
func parseLines(fragment string) (start, end int, ok bool) {
	found := lineAnchor().FindStringSubmatch(fragment)
	if found == nil || len(fragment) > 30 || strings.Contains(fragment, "C") {
		return 0, 0, false
	}
	start = digits(found[1])
	if end = start; found[2] != "" {
		end = digits(found[2])
	}
	return start, end, end >= start
}

// autoText is the text of a link made from <repo://path#L4>.
func autoText(dest string) string {
	return unescapePercent(strings.TrimPrefix(dest, "repo://"))
}

// escapeText escapes what would end or format a link text.
func escapeText(text string) string {
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune("\\`*_{}[]<>&!~|", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// stampLine matches the comment the reference puts above a line with a broken link.
var stampLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[ \t]*<!--\s*openwiki: broken internal link.*-->[ \t]*\r?\n?$`)
})

// removeStamps removes broken-link comments outside code blocks.
func removeStamps(b []byte) []byte {
	if !bytes.Contains(b, []byte("openwiki: broken internal link")) {
		return b
	}
	drop := map[int]bool{}
	for _, line := range stampLines(b) {
		drop[line] = true
	}
	var out bytes.Buffer
	line := 0
	for text := range bytes.Lines(b) {
		if line++; !drop[line] {
			out.Write(text)
		}
	}
	return out.Bytes()
}

// stampLines returns the 1-based lines that hold nothing but a broken-link comment.
func stampLines(b []byte) []int {
	if !bytes.Contains(b, []byte("openwiki: broken internal link")) {
		return nil
	}
	var lines []int
	var fences fenceState
	line := 0
	for text := range bytes.Lines(b) {
		line++
		if !fences.feed(string(text)) && stampLine().Match(text) {
			lines = append(lines, line)
		}
	}
	return lines
}

func sortByLine(findings []Finding) {
	slices.SortStableFunc(findings, func(a, b Finding) int { return a.Line - b.Line })
}
