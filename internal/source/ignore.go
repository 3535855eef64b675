package source

import (
	"bytes"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// rules are the patterns of one ignore file at the top of a repository.
type rules struct {
	list []rule // in the order of the file

	mu   sync.RWMutex
	dirs map[string]bool // verdicts on directories
}

// maxCachedDirs bounds the memory that questions about directories that do not exist can take.
const maxCachedDirs = 200_000

// A rule is one pattern. The comparison is without case, so its text is lower-case.
type rule struct {
	negated  bool
	dirOnly  bool
	baseOnly bool   // the pattern has no slash and is compared with the last component of a path
	literal  string // what a path begins with, up to the first wildcard
	suffix   string // with baseOnly: the pattern is * and this
	glob     glob   // the rest of the pattern
	kind     ruleKind
}

type ruleKind uint8

const (
	matchLiteral ruleKind = iota // no wildcard at all
	matchSuffix                  // * and literal text
	matchGlob
)

// parseRules reads an ignore file: one pattern a line, a byte order mark at the start and a carriage return at the end of a line skipped.
func parseRules(text []byte) *rules {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	r := &rules{dirs: map[string]bool{}}
	for line := range bytes.Lines(text) {
		line = bytes.TrimSuffix(line, []byte("\n"))
		line = bytes.TrimSuffix(line, []byte("\r"))
		// Git reads lines as C strings.
		line, _, _ = bytes.Cut(line, []byte{0})
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		if rule, ok := parseRule(trimBlanks(string(line))); ok {
			r.list = append(r.list, rule)
		}
	}
	return r
}

// trimBlanks removes the blanks at the end of a line, but not one that a backslash precedes.
func trimBlanks(line string) string {
	end := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			continue
		case '\\':
			i++
			if i == len(line) {
				return line
			}
		}
		end = i + 1
	}
	return line[:end]
}

// parseRule reads one pattern; ok is false for one that can match nothing.
func parseRule(p string) (_ rule, ok bool) {
	var r rule
	p, r.negated = strings.CutPrefix(p, "!")
	p, r.dirOnly = strings.CutSuffix(p, "/")
	if p == "" {
		return rule{}, false
	}
	r.baseOnly = !strings.Contains(p, "/")
	p = strings.TrimPrefix(p, "/")
	wild := strings.IndexAny(p, `*?[\`)
	if wild < 0 {
		r.literal, r.kind = fold(p), matchLiteral
		return r, true
	}
	if rest := p[wild+1:]; r.baseOnly && wild == 0 && p[0] == '*' && !strings.ContainsAny(rest, `*?[\`) {
		r.suffix, r.kind = fold(rest), matchSuffix
		return r, true
	}
	// The text before the first wildcard is compared as it is and the rest is a pattern of its own, as in git: in a**/b the
	// asterisks thereby stand at the start of a pattern and span directories.
	if r.baseOnly {
		wild = 0
	}
	r.literal, r.kind = fold(p[:wild]), matchGlob
	r.glob, ok = compileGlob(p[wild:], !r.baseOnly)
	return r, ok
}

// ignored tells whether a path, clean and relative, is excluded: by itself or because a directory above it is, in which case no
// pattern can bring it back.
func (r *rules) ignored(path string, isDir bool) bool {
	if len(r.list) == 0 || path == "" || path == "." {
		return false
	}
	return r.walk(fold(path), isDir)
}

func (r *rules) walk(path string, isDir bool) bool {
	if isDir {
		r.mu.RLock()
		verdict, ok := r.dirs[path]
		r.mu.RUnlock()
		if ok {
			return verdict
		}
	}
	slash := strings.LastIndexByte(path, '/')
	verdict := slash > 0 && r.walk(path[:slash], true) || r.matches(path, path[slash+1:], isDir)
	if isDir {
		r.mu.Lock()
		if len(r.dirs) < maxCachedDirs {
			r.dirs[path] = verdict
		}
		r.mu.Unlock()
	}
	return verdict
}

// matches tells what the last rule that fits says of a path whose directories are not excluded.
func (r *rules) matches(path, base string, isDir bool) bool {
	for i := len(r.list) - 1; i >= 0; i-- {
		rule := &r.list[i]
		if (!rule.dirOnly || isDir) && rule.fits(path, base) {
			return !rule.negated
		}
	}
	return false
}

func (r *rule) fits(path, base string) bool {
	name := path
	if r.baseOnly {
		name = base
	}
	switch r.kind {
	case matchLiteral:
		return name == r.literal
	case matchSuffix:
		return strings.HasSuffix(name, r.suffix)
	}
	rest, ok := strings.CutPrefix(name, r.literal)
	return ok && r.glob.match(rest)
}

// fold maps upper case to lower case, character by character, and leaves bytes that are no characters alone.
func fold(s string) string {
	ascii, upper := true, false
	for i := range len(s) {
		c := s[i]
		ascii = ascii && c < utf8.RuneSelf
		upper = upper || 'A' <= c && c <= 'Z'
	}
	if ascii {
		if !upper {
			return s
		}
		return strings.ToLower(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	for len(s) > 0 {
		c, size := utf8.DecodeRuneInString(s)
		if c == utf8.RuneError && size == 1 {
			b.WriteByte(s[0])
		} else {
			b.WriteRune(unicode.ToLower(c))
		}
		s = s[size:]
	}
	return b.String()
}
