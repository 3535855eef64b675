// Package source is the repository as input: which files are source, what they contain, whether they changed, and what changed since a
// commit.
//
// Source are the files git tracks, as they stand in the work tree, and the owner's file .openwikiignore. Not source are the wiki itself,
// the git directory, and what .openwikiignore names; a file whose name is not valid UTF-8 cannot be named in the files of a wiki and is
// no source either. Untracked files never are, so that build output neither shows up in a wiki nor makes it look out of date.
//
// The main type is [Source]. [Source.Snapshot] reduces all of it to one fingerprint in the OpenWiki format
// openwiki-source-fingerprint-v1, [Source.Same] tells cheaply whether that is still true, [Source.ChangedSince] lists what moved since a
// commit, and [Source.Read] reads a file. A question that git could not answer is an error and never an empty answer.
//
// [Source.Ignored] follows the rules of gitignore exactly, with one difference: upper and lower case are the same. It is a privacy
// boundary, and on many file systems two spellings are one file.
//
// The package does not watch files, does not follow symbolic links unless asked to ([Source.Resolve]), and writes nothing.
package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/wikiwright/wikiwright/internal/atomicfile"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
)

// IgnoreFile is the name of the owner's file with ignore rules, in the top directory of the repository.
const IgnoreFile = ".openwikiignore"

var (
	// ErrIgnored means that a path is not source: .openwikiignore names it, or it belongs to the wiki or to git.
	ErrIgnored = errors.New("not a source file: ignored, or part of the wiki or of git")
	// ErrUntracked means that git does not track a file.
	ErrUntracked = errors.New("not tracked by git")
	// ErrChanging means that files changed while they were being read. Reading again may succeed.
	ErrChanging = errors.New("the source changed while it was being read")
)

// A Source is the source of one repository. It may be used by several goroutines.
type Source struct {
	repo    *gitrepo.Repo
	dir     *atomicfile.Dir
	wikiDir string
	rules   *rules

	mu      sync.Mutex
	listing *listing // nil until asked for
}

// Open reads the ignore rules. The directory dir is the top of the repository; wikiDir is the wiki's place in it, such as "openwiki".
// A missing .openwikiignore means no rules; one that cannot be read is an error.
func Open(ctx context.Context, repo *gitrepo.Repo, dir *atomicfile.Dir, wikiDir string) (*Source, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	text, err := readRules(dir)
	if err != nil {
		return nil, fmt.Errorf("read ignore rules: %w", err)
	}
	return &Source{repo: repo, dir: dir, wikiDir: wikiDir, rules: parseRules(text)}, nil
}

// WikiDir returns the place of the wiki, which is not source.
func (s *Source) WikiDir() string { return s.wikiDir }

// readRules follows a link inside the repository: rules in an unusual place are better than no rules.
func readRules(dir *atomicfile.Dir) ([]byte, error) {
	text, err := dir.Root().ReadFile(IgnoreFile)
	if err == nil {
		return text, nil
	}
	if _, statErr := dir.Root().Lstat(IgnoreFile); errors.Is(statErr, fs.ErrNotExist) {
		return nil, nil
	}
	return nil, err
}

// Ignored tells whether .openwikiignore excludes the path, or a directory above it. The file itself never is ignored.
func (s *Source) Ignored(path string, isDir bool) bool {
	path = canonical(path)
	return path != IgnoreFile && s.rules.ignored(path, isDir)
}

// Selected tells whether a tracked file or directory of that path is source.
func (s *Source) Selected(path string, isDir bool) bool {
	path = canonical(path)
	switch {
	case path == IgnoreFile:
		return true
	case path == s.wikiDir || strings.HasPrefix(path, s.wikiDir+"/"):
		return false
	case inGitDir(path) || !utf8.ValidString(path):
		return false
	}
	return !s.rules.ignored(path, isDir)
}

// canonical removes what would let another spelling of a path slip past the rules.
func canonical(p string) string {
	if fs.ValidPath(p) {
		return p
	}
	return strings.TrimPrefix(path.Clean("/"+p), "/")
}

// inGitDir tells whether a component of the path is .git in any case, which git never tracks.
func inGitDir(p string) bool {
	for len(p) >= 4 {
		part, rest, _ := strings.Cut(p, "/")
		if len(part) == 4 && strings.EqualFold(part, ".git") {
			return true
		}
		p = rest
	}
	return false
}

// A FileKind says what git tracks at a path, or that it is not there.
type FileKind string

// The kinds of tracked files.
const (
	Regular FileKind = "file"
	Symlink FileKind = "symlink"
	Gitlink FileKind = "gitlink" // a submodule
	Missing FileKind = "missing" // tracked, but not in the work tree
)

// A File is one selected tracked file.
type File struct {
	Path       string
	Kind       FileKind
	Executable bool   // as the index has it
	OID        string // object name of the content in the index
}

// Files returns the selected tracked files by their code units. They are listed once; [Source.Snapshot] lists them anew. The caller does
// not change the slice.
func (s *Source) Files(ctx context.Context) ([]File, error) {
	l, err := s.list(ctx)
	if err != nil {
		return nil, err
	}
	r := s.reader()
	defer r.close()
	return l.look(r)
}

// Tracked tells whether the path is a selected tracked file. It reads the listing if need be, and says no if that fails: call
// [Source.Files] first to know.
func (s *Source) Tracked(path string) bool {
	l, err := s.list(context.Background())
	if err != nil {
		return false
	}
	return l.has(path)
}

// Read returns the bytes of a selected regular file in the work tree. A path that is not source is an [ErrIgnored], one that leads
// through a symbolic link an [*atomicfile.SymlinkError].
//
// A file that git does not track is an [ErrUntracked] as soon as the files have been listed. Read does not list them itself, which would
// cost a proof that nothing changed more than everything else in it: who shows to others what it reads asks [Source.Tracked] first.
func (s *Source) Read(path string) ([]byte, error) {
	r := s.dir.Reader()
	defer r.Close()
	return s.readWith(r, nil, path)
}
