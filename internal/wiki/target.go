package wiki

import (
	"net/url"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// target is where a link destination leads.
type target struct {
	external bool   // another site, or something below the repository's page on GitHub such as ../../issues
	outside  bool   // climbs out of the repository
	absolute bool   // starts at the repository root
	repoURI  bool   // repo://…
	path     string // repository path, "" for the root; not meaningful for a bare fragment
	raw      string // the path as written, before decoding; "" for a bare fragment
	slash    bool   // ends in a slash
	fragment string // as written, without "#"
	hasHash  bool
}

// schemePrefix matches a URL scheme. One letter is a Windows drive, not a scheme.
var schemePrefix = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]+:`) })

// lineAnchor matches the fragments GitHub gives lines of a file, also in the short form L4-6.
var lineAnchor = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^L([1-9]\d*)(?:C\d+)?(?:-L?([1-9]\d*)(?:C\d+)?)?$`) })

// resolveDest says where a destination in page p leads.
func resolveDest(p PagePath, dest string) target {
	dest = strings.TrimSpace(dest)
	if rest, ok := strings.CutPrefix(dest, "repo://"); ok {
		t := splitDest(rest)
		t.repoURI = true
		t.path, t.outside = cleanPath("", unescapePercent(t.raw))
		return t
	}
	if dest == "" || strings.HasPrefix(dest, "//") || schemePrefix().MatchString(dest) {
		return target{external: true}
	}
	t := splitDest(dest)
	if t.raw == "" {
		return t
	}
	base := path.Dir(p.RepoPath())
	if rest, ok := strings.CutPrefix(t.raw, "/"); ok {
		t.absolute = true
		base = ""
		t.raw = rest
	}
	t.path, t.outside = cleanPath(base, unescapePercent(t.raw))
	// Relative to a file on GitHub, two levels above the repository root is the repository's own page.
	t.external = t.outside && strings.HasPrefix(path.Join(base, t.raw), "../../")
	return t
}

// splitDest separates path, query and fragment. The query is of no interest.
func splitDest(dest string) target {
	var t target
	dest, t.fragment, t.hasHash = strings.Cut(dest, "#")
	t.raw, _, _ = strings.Cut(dest, "?")
	t.slash = strings.HasSuffix(t.raw, "/")
	return t
}

// cleanPath joins a decoded path to a directory of the repository.
func cleanPath(base, name string) (clean string, outside bool) {
	clean = path.Join(base, name)
	if clean == "." {
		clean = ""
	}
	return clean, clean == ".." || strings.HasPrefix(clean, "../") || strings.HasPrefix(clean, "/")
}

// unescapePercent decodes percent escapes; a malformed one leaves the text as it is.
func unescapePercent(s string) string {
	if decoded, err := url.PathUnescape(s); err == nil {
		return decoded
	}
	return s
}

// LinkTo returns the destination of a link from page p to a file of the repository, relative so that GitHub opens it, with the line
// anchor of start to end. Start 0 is the whole file.
func (p PagePath) LinkTo(repoPath string, start, end int) string {
	return relative(path.Dir(p.RepoPath()), repoPath) + lineFragment(start, end)
}

// lineFragment returns the fragment GitHub gives the lines.
func lineFragment(start, end int) string {
	switch {
	case start <= 0:
		return ""
	case end <= start:
		return "#L" + strconv.Itoa(start)
	}
	return "#L" + strconv.Itoa(start) + "-L" + strconv.Itoa(end)
}

// relative returns the escaped path from a directory to a path, both relative to the repository root.
func relative(fromDir, to string) string {
	from := splitPath(fromDir)
	segments := splitPath(to)
	common := 0
	for common < len(from) && common < len(segments) && from[common] == segments[common] {
		common++
	}
	var out []string
	for range from[common:] {
		out = append(out, "..")
	}
	for _, segment := range segments[common:] {
		out = append(out, escapeSegment(segment))
	}
	if len(out) == 0 {
		return "."
	}
	if strings.Contains(out[0], ":") {
		// Without this the text before the colon would be a scheme.
		out = append([]string{"."}, out...)
	}
	return strings.Join(out, "/")
}

func splitPath(p string) []string {
	if p == "" || p == "." {
		return nil
	}
	return strings.Split(p, "/")
}

// escapeSegment escapes what a Markdown destination or a URL path cannot hold. Letters of other scripts stay readable.
func escapeSegment(segment string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(segment) {
		c := segment[i]
		if c <= ' ' || c == 0x7f || strings.IndexByte("\"<>()[]\\`%#?{}|^&*", c) >= 0 {
			b.WriteString("%" + string(hex[c>>4]) + string(hex[c&15]))
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}
