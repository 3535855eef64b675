package wiki

import (
	"fmt"
	"path"
	"strings"
	"unicode/utf8"
)

// DefaultDir is the wiki directory of a repository that configures none.
const DefaultDir = "openwiki"

// Dir is the wiki directory of a repository: a clean slash path relative to its root, such as "openwiki" or "docs/wiki".
type Dir string

// A PathError reports a wiki directory or a page path that is not acceptable.
type PathError struct {
	What   string // "wiki directory" or "page path"
	Value  string // as given
	Reason string
}

// Error names the value and what is wrong with it.
func (e *PathError) Error() string { return fmt.Sprintf("%s %q %s", e.What, e.Value, e.Reason) }

// ParseDir checks a configured wiki directory. Surrounding space, a leading "./" and a trailing slash are accepted; backslashes are
// slashes. The directory must be inside the repository and not the repository itself.
func ParseDir(s string) (Dir, error) {
	refuse := func(reason string) (Dir, error) {
		return "", &PathError{What: "wiki directory", Value: s, Reason: reason}
	}
	value := strings.ReplaceAll(strings.TrimSpace(s), `\`, "/")
	switch {
	case value == "":
		return refuse("is blank")
	case hasControl(value) || !utf8.ValidString(value):
		return refuse("contains control characters")
	case strings.HasPrefix(value, "/") || hasDrive(value):
		return refuse("is absolute")
	}
	for segment := range strings.SplitSeq(value, "/") {
		switch {
		case segment == "..":
			return refuse(`contains ".."`)
		case strings.EqualFold(segment, ".git"):
			return refuse("is inside .git")
		case strings.EqualFold(segment, claimsDir):
			return refuse("contains a segment reserved for Claims")
		}
	}
	clean := path.Clean(value)
	switch {
	case clean == ".":
		return refuse("is the repository itself")
	case strings.TrimSpace(clean) != clean:
		// Read again, as a setting is, it would name another directory.
		return refuse("starts or ends in a space")
	}
	return Dir(clean), nil
}

// contains reports whether the repository path is the wiki directory or below it.
func (d Dir) contains(repoPath string) bool {
	rest, ok := strings.CutPrefix(repoPath, string(d))
	return ok && (rest == "" || rest[0] == '/')
}

// hasDrive reports a Windows drive letter at the start of the path.
func hasDrive(s string) bool {
	return len(s) >= 2 && s[1] == ':' && (s[0]|0x20 >= 'a' && s[0]|0x20 <= 'z')
}

func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 || r == 0x7f || r >= 0x80 && r < 0xa0 || r == 0x2028 || r == 0x2029 })
}
