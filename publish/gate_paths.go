package publish

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// ErrRefused is a bundle or a repository that the path gate does not let through as a whole: something in it is not what a generator
// makes.
var ErrRefused = errors.New("refused by the path gate")

// A pathGate judges the paths of a tree diff. It is asked about what would change, not about what is there: a file that people put into
// the wiki under a strange name stays.
type pathGate struct {
	dir   wiki.Dir
	extra []string // allowed outside the wiki
	links []string // symbolic links and submodules of the base tip, at or below the wiki directory
	fold  map[string]string
}

// newPathGate reads the base tip's entries at and below the wiki directory. A wiki directory that is a link or a file is an ErrRefused.
func newPathGate(dir wiki.Dir, extra []string, tip []gitrepo.TreeEntry) (*pathGate, error) {
	g := &pathGate{dir: dir, extra: extra, fold: map[string]string{}}
	for _, entry := range tip {
		isLink := entry.Mode == gitrepo.ModeSymlink || entry.Mode == gitrepo.ModeGitlink
		if entry.Path == string(dir) || isLink && strings.HasPrefix(string(dir), entry.Path+"/") {
			return nil, fmt.Errorf("%w: %s is a link, a submodule or a file in the base branch, not a directory", ErrRefused, entry.Path)
		}
		if isLink {
			g.links = append(g.links, entry.Path)
		}
		g.remember(entry.Path)
	}
	return g, nil
}

// remember notes a path and the directories above it in the spelling they have.
func (g *pathGate) remember(name string) {
	for at := name; at != "." && at != "/"; at = path.Dir(at) {
		if _, known := g.fold[foldName(at)]; !known {
			g.fold[foldName(at)] = at
		}
	}
}

func (g *pathGate) forget(name string) { delete(g.fold, foldName(name)) }

// fatal says why a path must not be in a bundle at all, "" for nothing.
func (g *pathGate) fatal(name string) string {
	switch {
	case name == "" || strings.HasPrefix(name, "/") || strings.ContainsAny(name, "\\\x00") || len(name) > 1 && name[1] == ':':
		return "is no relative path with slashes"
	case path.Clean(name) != name || name == ".." || strings.HasPrefix(name, "../"):
		return "leaves the directory or has empty segments"
	}
	for segment := range strings.SplitSeq(name, "/") {
		if isGitName(segment) {
			return "is inside a git directory"
		}
	}
	if !strings.HasPrefix(name, string(g.dir)+"/") && !slices.Contains(g.extra, name) {
		return "is outside of " + string(g.dir)
	}
	return ""
}

// problem says why a changed path is left out, "" for nothing. It is for paths that fatal lets pass.
func (g *pathGate) problem(name string) string {
	if reason := badName(name); reason != "" {
		return reason
	}
	for _, link := range g.links {
		if name == link || strings.HasPrefix(name, link+"/") {
			return "goes through the link " + link + " of the base branch"
		}
	}
	for at := name; at != "." && at != "/"; at = path.Dir(at) {
		if other, known := g.fold[foldName(at)]; known && other != at {
			return "differs from " + other + " only in letter case or Unicode form"
		}
	}
	return ""
}

// badName says why a path cannot be checked out everywhere.
func badName(name string) string {
	if !utf8.ValidString(name) {
		return "is not valid UTF-8"
	}
	if len(name) > 1024 {
		return "is longer than 1,024 bytes"
	}
	for segment := range strings.SplitSeq(name, "/") {
		stem, _, _ := strings.Cut(strings.ToLower(segment), ".")
		switch {
		case len(segment) > 255:
			return "has a segment longer than 255 bytes"
		case strings.HasSuffix(segment, ".") || strings.TrimSpace(segment) != segment:
			return "has a segment that ends in a dot, or starts or ends in a space"
		case strings.ContainsFunc(segment, func(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 || strings.ContainsRune(`<>:"|?*`, r) }):
			return "contains a character that not every file system holds"
		case slices.Contains([]string{"con", "prn", "aux", "nul", "conin$", "conout$"}, strings.TrimSpace(stem)), deviceName(stem):
			return "uses a name that Windows reserves"
		}
	}
	return ""
}

func deviceName(stem string) bool {
	for _, device := range []string{"com", "lpt"} {
		if rest, ok := strings.CutPrefix(stem, device); ok && (len(rest) == 1 && rest[0] >= '1' && rest[0] <= '9' || rest == "¹" || rest == "²" || rest == "³") {
			return true
		}
	}
	return false
}

// isGitName recognises the spellings of ".git" that a file system takes for it: other case, the short name of NTFS, trailing dots, spaces
// and streams, and characters that HFS+ ignores.
func isGitName(segment string) bool {
	plain := strings.Map(func(r rune) rune {
		if r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x206a && r <= 0x206f || r == 0xfeff {
			return -1
		}
		return r
	}, segment)
	plain, _, _ = strings.Cut(strings.ToLower(plain), ":")
	plain = strings.TrimRight(plain, ". ")
	return plain == ".git" || plain == "git~1"
}

func foldName(name string) string {
	return norm.NFC.String(strings.ToLower(strings.ToUpper(norm.NFD.String(name))))
}

// isRunState recognises the files of a run that is going on: the run itself and half-written files, ours and the reference's. name is
// below the wiki directory.
func isRunState(dir wiki.Dir, name string) bool {
	rel, below := strings.CutPrefix(name, string(dir)+"/")
	if !below {
		return false
	}
	return strings.HasPrefix(strings.ToLower(rel), ".run.json") || tempName().MatchString(path.Base(rel))
}

var tempName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\..+\.tmp[0-9]*$`) })

func below(dir wiki.Dir, name string) bool { return strings.HasPrefix(name, string(dir)+"/") }

// isRecord recognises the files that say how far runs came. A difference in nothing but these is not worth a pull request.
func isRecord(dir wiki.Dir, name string) bool {
	rel, below := strings.CutPrefix(name, string(dir)+"/")
	return below && (rel == ".last-update.json" || rel == ".page-manifest.json")
}

// The marks around the block of AGENTS.md and CLAUDE.md that is ours.
var (
	blockStart = []byte("<!-- OPENWIKI:START -->")
	blockEnd   = []byte("<!-- OPENWIKI:END -->")
)

// blockProblem says why a new version of AGENTS.md or CLAUDE.md is more than a new version of our block, "" if it is not. before is nil
// for a new file.
func blockProblem(before, after []byte) string {
	old, fine := withoutBlock(before)
	if !fine {
		return "has marks of our block that do not pair"
	}
	words, fine := withoutBlock(after)
	switch {
	case !fine:
		return "would have marks of our block that do not pair"
	case !bytes.Equal(old, words):
		return "would change outside of our block"
	}
	return ""
}

// withoutBlock returns the owner's words: the text without our block, line ends and blank lines around it made equal. No mark, or one
// pair in order, is fine.
func withoutBlock(text []byte) ([]byte, bool) {
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	starts, ends := bytes.Count(text, blockStart), bytes.Count(text, blockEnd)
	if starts == 0 && ends == 0 {
		return bytes.TrimSpace(text), true
	}
	before, rest, _ := bytes.Cut(text, blockStart)
	_, after, closed := bytes.Cut(rest, blockEnd)
	if starts != 1 || ends != 1 || !closed {
		return nil, false
	}
	return bytes.TrimSpace(slices.Concat(bytes.TrimSpace(before), []byte("\n\n"), bytes.TrimSpace(after))), true
}
