package generate

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/internal/atomicfile"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// replacedFile, in the git directory, holds the wiki an init replaces from
// before its first file is removed until the plan of the new one is durable:
// while it is there, no page of the new wiki is. It is one file, written
// atomically: either it is whole or nothing was removed.
const replacedFile = "wikiwright/replaced.tar"

// goalFile is the brief of the wiki's owner, which no run removes.
const goalFile = "INSTRUCTIONS.md"

// logFile is reserved for people.
const logFile = "log.md"

// replaceWiki saves and removes what earlier runs made of the wiki: Markdown
// but the owner's brief, Claims, manifest, metadata. Other files stay.
func (r *Run) replaceWiki(ctx context.Context) error {
	names, err := replaceable(r.wiki)
	if err != nil || len(names) == 0 {
		return err
	}
	archive, err := packFiles(r.opt.Files, names)
	if err != nil {
		return fmt.Errorf("save the old wiki: %w", err)
	}
	if err := r.git.Write(replacedFile, archive); err != nil {
		return fmt.Errorf("save the old wiki: %w", err)
	}
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.opt.Files.Remove(name); err != nil {
			return fmt.Errorf("remove the old wiki: %w", err)
		}
		if err := r.opt.Files.RemoveEmptyParents(name, string(r.wiki.Dir())); err != nil {
			return fmt.Errorf("remove the old wiki: %w", err)
		}
	}
	return nil
}

// replaceable lists the files an init replaces, in byte order. A symbolic
// link in their place is refused before anything is touched.
func replaceable(w *wiki.Wiki) ([]string, error) {
	if !w.Exists() {
		return nil, nil
	}
	var names []string
	root := string(w.Dir())
	err := fs.WalkDir(w.Files().Root().FS(), root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel := strings.TrimPrefix(name, root+"/")
		ours := strings.HasSuffix(rel, ".md") && rel != goalFile && rel != logFile ||
			strings.HasPrefix(rel, ".claims/") || rel == manifestFile || rel == lastUpdateFile
		switch {
		case entry.IsDir() && entry.Name() == ".git":
			return fs.SkipDir
		case entry.Type()&fs.ModeSymlink != 0 && (ours || rel == ".claims" || rel == goalFile):
			return &Error{Code: CodeInvalidState, Op: "replace the wiki",
				Err: &atomicfile.SymlinkError{Name: name, Link: name}, Hint: "replace the link by a file, or remove it"}
		case ours && entry.Type().IsRegular():
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list the old wiki: %w", err)
	}
	slices.Sort(names)
	return names, nil
}

func packFiles(files *atomicfile.Dir, names []string) ([]byte, error) {
	var buf bytes.Buffer
	tw := tar.NewWriter(&buf)
	for _, name := range names {
		data, err := files.Read(name)
		if err != nil {
			return nil, err
		}
		info, err := files.Root().Lstat(name)
		if err != nil {
			return nil, err
		}
		header := &tar.Header{Name: name, Mode: int64(info.Mode().Perm()), Size: int64(len(data)), Format: tar.FormatPAX}
		if err := tw.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := tw.Write(data); err != nil {
			return nil, err
		}
	}
	if err := tw.Close(); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

// commitReplacement drops the saved wiki: from here on the plan and its pages
// are what an interruption is recovered from.
func (r *Run) commitReplacement() error { return r.git.Remove(replacedFile) }

// hasReplaced reports whether a wiki that an init replaces is still kept.
func (r *Run) hasReplaced() bool {
	_, err := r.git.Root().Lstat(replacedFile)
	return err == nil
}

// recoverReplacement brings back the wiki of an init that ended before its
// run was durable. One that got further goes on, or is reset. It is called
// with the lock held.
func (r *Run) recoverReplacement() (restored bool, err error) {
	_, err = r.opt.Files.Root().Lstat(r.wiki.Path(stateFile))
	if err == nil {
		return false, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return false, fmt.Errorf("restore the replaced wiki: %w", err)
	}
	return r.restoreReplaced()
}

// restoreReplaced brings back the wiki that an init replaces, if one is kept.
// The caller has removed the run state.
func (r *Run) restoreReplaced() (restored bool, err error) {
	archive, err := r.git.Read(replacedFile)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err == nil {
		err = r.unpack(archive)
	}
	if err != nil {
		return false, &Error{Code: CodeInvalidState, Op: "restore the replaced wiki", Err: err,
			Hint: "the old wiki is still in " + path.Join(r.git.Path(), replacedFile) + ", a tar file"}
	}
	return true, r.commitReplacement()
}

func (r *Run) unpack(archive []byte) error {
	tr := tar.NewReader(bytes.NewReader(archive))
	metadata := r.wiki.Path(lastUpdateFile)
	recorded := false
	for {
		header, err := tr.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if header.Name != path.Clean(header.Name) || !strings.HasPrefix(header.Name, string(r.wiki.Dir())+"/") {
			return fmt.Errorf("unexpected file %q", header.Name)
		}
		recorded = recorded || header.Name == metadata
		if err := r.unpackFile(header, tr); err != nil {
			return err
		}
	}
	if recorded {
		return nil
	}
	// What is there is of the init that is undone.
	return r.opt.Files.Remove(metadata)
}

// unpackFile brings one file back. What is in its place, other than the
// metadata, is of somebody who wrote it since the run removed the old file.
func (r *Run) unpackFile(header *tar.Header, content io.Reader) error {
	data, err := io.ReadAll(content)
	if err != nil {
		return err
	}
	have, err := r.opt.Files.Read(header.Name)
	switch {
	case err == nil && bytes.Equal(have, data):
		return nil
	case err == nil && header.Name != r.wiki.Path(lastUpdateFile):
		r.notes = append(r.notes, fmt.Sprintf("%s was written while the wiki was being replaced: it is kept", header.Name))
		return nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if err := r.opt.Files.Write(header.Name, data); err != nil {
		return err
	}
	if mode := fs.FileMode(header.Mode).Perm(); mode != 0o644 {
		return r.opt.Files.Root().Chmod(header.Name, mode)
	}
	return nil
}
