package evidence

import (
	"fmt"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"
)

// scheme starts every evidence resource.
const scheme = "repo://"

// maxLine is the largest line number the format allows: the largest integer
// that every JSON reader represents exactly.
const maxLine = 1<<53 - 1

// Resource is a place in the repository: a file, or a range of its lines.
type Resource struct {
	Path  string // slash path relative to the repository root
	Start int    // first line, counted from 1; 0 means the whole file
	End   int    // last line, inclusive; 0 with Start 0
}

// ResourceError reports a resource string that cannot name evidence.
type ResourceError struct {
	Resource string // the string as it was given
	Reason   string
}

// Error implements error.
func (e *ResourceError) Error() string {
	return fmt.Sprintf("evidence %q: %s", e.Resource, e.Reason)
}

// Parse reads a resource string. It accepts the spellings of the OpenWiki
// format ("#L8" for one line, unencoded segments, backslashes) and refuses
// whatever leaves the repository, names Git's own files or lies in the wiki
// directory wikiDir: a wiki must not prove itself. Every error is a
// *ResourceError.
func Parse(s, wikiDir string) (Resource, error) {
	fail := func(format string, args ...any) (Resource, error) {
		return Resource{}, &ResourceError{Resource: s, Reason: fmt.Sprintf(format, args...)}
	}
	rest, ok := strings.CutPrefix(s, scheme)
	if !ok {
		return fail("must start with %s", scheme)
	}
	rawPath, rawFragment, ranged := strings.Cut(rest, "#")
	if strings.Contains(rawFragment, "#") {
		return fail("has more than one #")
	}
	name, ok := unescape(rawPath)
	if !ok {
		return fail("has a bad percent encoding")
	}
	fragment, ok := unescape(rawFragment)
	if !ok {
		return fail("has a bad percent encoding")
	}
	if hasControl(name) || hasControl(fragment) {
		return fail("contains a control character")
	}
	name, reason := cleanPath(name, wikiDir)
	if reason != "" {
		return fail("%s", reason)
	}
	res := Resource{Path: name}
	if !ranged {
		return res, nil
	}
	if res.Start, res.End, ok = parseLines(fragment); !ok {
		return fail("lines must be written as #L3 or #L3-L7")
	}
	return res, nil
}

// String returns the canonical form, in which a single line is a range too.
func (r Resource) String() string {
	var b strings.Builder
	b.WriteString(scheme)
	escape(&b, r.Path)
	if r.Start > 0 {
		fmt.Fprintf(&b, "#L%d-L%d", r.Start, r.End)
	}
	return b.String()
}

// CanCite reports whether a file of that name can be evidence. Names that the
// grammar cannot tell apart, or refuses, cannot: those with a control character
// or a backslash, or in the wiki under another spelling.
func CanCite(name, wikiDir string) bool {
	r, err := Parse(Resource{Path: name}.String(), wikiDir)
	return err == nil && r.Path == name
}

// File returns the whole file that r lies in.
func (r Resource) File() Resource { return Resource{Path: r.Path} }

// Lines returns the number of lines of the range, 0 for a whole file.
func (r Resource) Lines() int {
	if r.Start == 0 {
		return 0
	}
	return r.End - r.Start + 1
}

// cleanPath normalises a decoded path; reason says why it is refused.
func cleanPath(name, wikiDir string) (clean, reason string) {
	name = strings.ReplaceAll(name, `\`, "/")
	if name == "" {
		return "", "names no file"
	}
	if strings.HasPrefix(name, "/") || isDrive(name) {
		return "", "must be relative to the repository root"
	}
	if strings.HasSuffix(name, "/") {
		return "", "names a directory; cite a file"
	}
	name = path.Clean(name)
	switch {
	case name == ".":
		return "", "names no file"
	case name == ".." || strings.HasPrefix(name, "../"):
		return "", "leaves the repository"
	case isDrive(name):
		return "", "must be relative to the repository root"
	case within(name, ".git"):
		return "", "lies in .git"
	case wikiDir != "" && within(name, wikiDir):
		return "", "lies in the wiki itself; cite source files"
	}
	return name, ""
}

// within reports whether name is dir or lies below it, whatever the case: on
// many systems "OpenWiki/x" is the same file as "openwiki/x".
func within(name, dir string) bool {
	names, dirs := strings.Split(name, "/"), strings.Split(dir, "/")
	if len(names) < len(dirs) {
		return false
	}
	for i, d := range dirs {
		if !strings.EqualFold(names[i], d) {
			return false
		}
	}
	return true
}

// isDrive reports whether name starts like a Windows drive path.
func isDrive(name string) bool {
	if len(name) < 3 || name[1] != ':' || name[2] != '/' {
		return false
	}
	c := name[0] | 0x20
	return 'a' <= c && c <= 'z'
}

func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 || r == 0x7f })
}

// parseLines reads "L3" or "L3-L7".
func parseLines(s string) (start, end int, ok bool) {
	first, last, ranged := strings.Cut(s, "-")
	if start, ok = parseLine(first); !ok {
		return 0, 0, false
	}
	if !ranged {
		return start, start, true
	}
	if end, ok = parseLine(last); !ok || end < start {
		return 0, 0, false
	}
	return start, end, true
}

func parseLine(s string) (int, bool) {
	digits, ok := strings.CutPrefix(s, "L")
	if !ok || digits == "" || digits[0] < '1' || digits[0] > '9' {
		return 0, false
	}
	n, err := strconv.Atoi(digits)
	if err != nil || int64(n) > maxLine {
		return 0, false
	}
	return n, true
}

// unescape decodes percent encoding. Every % must start a valid escape and the
// result must be valid UTF-8, as in the reference format.
func unescape(s string) (string, bool) {
	if !strings.Contains(s, "%") {
		return s, utf8.ValidString(s)
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			out = append(out, s[i])
			continue
		}
		if i+2 >= len(s) {
			return "", false
		}
		hi, ok1 := unhex(s[i+1])
		lo, ok2 := unhex(s[i+2])
		if !ok1 || !ok2 {
			return "", false
		}
		out = append(out, hi<<4|lo)
		i += 2
	}
	return string(out), utf8.Valid(out)
}

func unhex(c byte) (byte, bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10, true
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}

// escape appends p with each segment percent-encoded. The set of bytes left as
// they are differs from that of net/url.
func escape(b *strings.Builder, p string) {
	const hexDigits = "0123456789ABCDEF"
	for i := range len(p) {
		c := p[i]
		if c == '/' || unreserved(c) {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(hexDigits[c>>4])
		b.WriteByte(hexDigits[c&15])
	}
}

func unreserved(c byte) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		return true
	}
	return strings.IndexByte("-_.!~*'()", c) >= 0
}
