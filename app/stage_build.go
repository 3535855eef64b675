package app

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/generate"
	"github.com/wikiwright/wikiwright/internal/atomicfile"
	"github.com/wikiwright/wikiwright/internal/source"
	"github.com/wikiwright/wikiwright/internal/wiki"
	"github.com/wikiwright/wikiwright/internal/wikidiff"
	"github.com/wikiwright/wikiwright/publish"
)

// A staging makes bundles from two states of a wiki: that of the analysed commit and that which a run left.
type staging struct {
	opt   StageOptions
	dir   wiki.Dir
	base  *baseWiki
	work  *workWiki
	state publish.State
	left  map[wiki.PagePath]string // pages that stay as they were, with the reason
	told  *bundleJSON              // of a bundle that another process made; nil otherwise
}

// bundle stages, compares and describes.
func (s *staging) bundle() (*publish.Bundle, error) {
	files, err := s.files()
	if err != nil {
		return nil, err
	}
	before := wikidiff.State{Dir: s.dir, Files: s.base.files, Source: s.base.source}
	after := wikidiff.State{Dir: s.dir, Files: files, Source: s.base.source}
	delta, err := wikidiff.Compare(before, after)
	if err != nil {
		return nil, fmt.Errorf("compare the wiki with that of the analysed commit: %w", err)
	}
	inputs := wikidiff.Inputs(before, after, s.configDigest(), func(path string) string { return s.base.objects[path] })
	b := &publish.Bundle{
		WikiDir: s.dir, Files: sortedFiles(files), BaseRef: s.opt.BaseRef, BaseSHA: s.opt.BaseSHA,
		State: s.stateLeft(), Delta: delta, Run: s.runInfo(inputs), Extra: s.opt.Extra,
	}
	switch {
	case s.told != nil:
		b.Findings, b.Run = s.told.Findings, s.told.Run
	case s.opt.Result != nil:
		b.Findings = s.opt.Result.Findings
	}
	b.Pages = s.pages(files, delta, inputs)
	b.Without = func(_ context.Context, pages []wiki.PagePath, reason string) (*publish.Bundle, error) {
		next := *s
		next.left = maps.Clone(s.left)
		for _, page := range pages {
			next.left[page] = reason
		}
		return next.bundle()
	}
	return b, nil
}

// stateLeft is the state of the run, less what was left out.
func (s *staging) stateLeft() publish.State {
	if len(s.left) > 0 && s.state == publish.StateComplete {
		return publish.StatePartial
	}
	return s.state
}

// files returns the wiki as it shall be.
func (s *staging) files() (map[string][]byte, error) {
	files := maps.Clone(s.base.files)
	manifest, err := s.applyPages(files)
	if err != nil {
		return nil, err
	}
	changed := !maps.EqualFunc(files, s.base.files, bytes.Equal)
	if !manifest.Equal(s.base.manifest) {
		files[s.name(manifestName)] = manifest.Encode()
	}
	if s.stateLeft() == publish.StateComplete {
		files[s.name(lastUpdateName)] = s.work.files[s.name(lastUpdateName)]
	}
	if !changed {
		return files, nil
	}
	return s.syncIndexes(files)
}

func (s *staging) name(record string) string { return string(s.dir) + "/" + record }

// applyPages puts the pages that are done into files, takes away those that are gone, and returns the manifest that agrees.
func (s *staging) applyPages(files map[string][]byte) (*generate.Manifest, error) {
	manifest := generate.NewManifest()
	for _, page := range s.base.manifest.Pages() {
		entry, _ := s.base.manifest.Get(page)
		manifest.Set(page, entry)
	}
	for _, page := range s.allPages() {
		_, there := s.work.files[page.RepoPath()]
		if _, left := s.left[page]; left || there && !s.work.done(page) || !there && s.work.run != nil {
			continue
		}
		for _, name := range []string{page.RepoPath(), s.sidecar(page)} {
			if data, ok := s.work.files[name]; ok {
				files[name] = sameText(s.base.files[name], data)
			} else {
				delete(files, name)
			}
		}
		if entry, ok := s.work.manifest.Get(page); ok {
			manifest.Set(page, entry)
		} else {
			manifest.Delete(page)
		}
	}
	return manifest, nil
}

// sameText returns the committed text where the work tree has the same with other line ends, as a checkout makes them.
func sameText(committed, data []byte) []byte {
	if committed != nil && bytes.Equal(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")), committed) {
		return committed
	}
	return data
}

// allPages are the pages of both states, in code-unit order.
func (s *staging) allPages() []wiki.PagePath {
	set := map[wiki.PagePath]bool{}
	for _, page := range s.work.pages {
		set[page] = true
	}
	for name := range s.base.files {
		if page, ok := pageAt(s.dir, name); ok {
			set[page] = true
		}
	}
	return sortedPages(set)
}

// hiddenBelow reports a file in a hidden directory of the wiki, or a hidden file: no page, though it may end in .md.
func hiddenBelow(dir wiki.Dir, name string) bool {
	rel := name[len(dir)+1:]
	return strings.HasPrefix(rel, ".") || strings.Contains(rel, "/.")
}

func (s *staging) sidecar(page wiki.PagePath) string {
	rel := strings.TrimPrefix(page.RepoPath(), string(s.dir)+"/")
	return s.name(path.Join(claimsDirName, strings.TrimSuffix(rel, ".md")+".json"))
}

// syncIndexes makes the indexes agree with the pages, in a copy that is thrown away. Pages themselves stay as they are.
func (s *staging) syncIndexes(files map[string][]byte) (_ map[string][]byte, err error) {
	temp, err := os.MkdirTemp("", "wikiwright-stage-")
	if err != nil {
		return nil, fmt.Errorf("stage the wiki: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	root, err := os.OpenRoot(temp)
	if err != nil {
		return nil, fmt.Errorf("stage the wiki: %w", err)
	}
	defer root.Close()
	for name, data := range files { // the order does not show
		if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
			return nil, fmt.Errorf("stage the wiki: %w", err)
		}
		if err := root.WriteFile(name, data, 0o644); err != nil {
			return nil, fmt.Errorf("stage the wiki: %w", err)
		}
	}
	if err := s.syncCopy(temp); err != nil {
		return nil, err
	}
	return readStaged(root, s.dir)
}

func (s *staging) syncCopy(temp string) error {
	dir, err := atomicfile.Open(temp)
	if err != nil {
		return fmt.Errorf("stage the wiki: %w", err)
	}
	defer dir.Close()
	w, err := wiki.Open(dir, s.dir)
	if err != nil {
		return err
	}
	pages, err := w.Pages()
	if err != nil {
		return err
	}
	exclude := map[wiki.PagePath]bool{}
	for _, page := range pages {
		exclude[page] = true
	}
	if _, err := w.SyncIndexes(s.language(), exclude); err != nil {
		return fmt.Errorf("update index pages: %w", err)
	}
	return nil
}

func readStaged(root *os.Root, dir wiki.Dir) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := fs.WalkDir(root.FS(), string(dir), func(name string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && name == string(dir) {
			return nil // every page was deleted
		}
		if err != nil || entry.IsDir() {
			return err
		}
		files[name], err = root.ReadFile(filepath.FromSlash(name))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the staged wiki: %w", err)
	}
	return files, nil
}

// language is that of the run, or else of the wiki.
func (s *staging) language() string {
	switch {
	case s.opt.Result != nil && s.opt.Result.Language != "":
		return s.opt.Result.Language
	case s.told != nil && s.told.Run.Language != "":
		return s.told.Run.Language
	case s.work.run != nil:
		return s.work.run.Language
	case s.work.update != nil && s.work.update.Language != "":
		return s.work.update.Language
	}
	return "en"
}

// configDigest is a digest of what pages are made from besides the source.
func (s *staging) configDigest() string {
	digest := sha256.New()
	fmt.Fprintf(digest, "%s\n%s\n", s.language(), s.base.files[s.name("INSTRUCTIONS.md")])
	switch {
	case s.told != nil:
		fmt.Fprintf(digest, "%s\n", s.told.Run.Author)
	case s.opt.Result != nil:
		fmt.Fprintf(digest, "%s\n", s.opt.Result.Author)
	}
	return hex.EncodeToString(digest.Sum(nil))
}

// sortedFiles lists files in code-unit order.
func sortedFiles(files map[string][]byte) []publish.File {
	list := make([]publish.File, 0, len(files))
	for name, data := range files {
		list = append(list, publish.File{Path: name, Data: data})
	}
	slices.SortFunc(list, func(a, b publish.File) int { return source.CompareCodeUnits(a.Path, b.Path) })
	return list
}

// temporary reports a file that an interrupted durable write left behind.
func temporary(name string) bool {
	base := path.Base(name)
	return strings.HasPrefix(base, ".") && strings.HasSuffix(base, ".tmp")
}
