package wiki

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"path"
)

// PageVersion returns the version of a page in sidecars and manifest: "sha256:" and the hex digest of its exact bytes.
func PageVersion(b []byte) string {
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// ContentSnapshot returns a digest of everything below the wiki directory but the state of the run and of the last update. Equal trees
// give equal strings. It equals the snapshot of the OpenWiki format wherever their collations agree.
func (w *Wiki) ContentSnapshot() (string, error) {
	digest := sha256.New()
	if err := w.snapshotDir(digest, ""); err != nil {
		return "", fmt.Errorf("snapshot wiki: %w", err)
	}
	return hex.EncodeToString(digest.Sum(nil)), nil
}

// snapshotDir adds the directory rel, relative to the wiki directory, to the digest.
func (w *Wiki) snapshotDir(digest hash.Hash, rel string) error {
	entries, err := fs.ReadDir(w.files.Root().FS(), path.Join(string(w.dir), rel))
	if errors.Is(err, fs.ErrNotExist) {
		digest.Write([]byte("missing"))
		return nil
	}
	if err != nil {
		return err
	}
	sortCollatedFunc(entries, fs.DirEntry.Name)
	for _, entry := range entries {
		name := path.Join(rel, entry.Name())
		switch {
		case name == lastUpdateFile || name == runFile:
		case entry.IsDir():
			fmt.Fprintf(digest, "dir:%s\x00", name)
			if err := w.snapshotDir(digest, name); err != nil {
				return err
			}
		case entry.Type().IsRegular():
			if err := w.snapshotFile(digest, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// snapshotFile adds one file; a file that disappears while the tree is read counts as never having been there.
func (w *Wiki) snapshotFile(digest hash.Hash, name string) error {
	data, err := w.files.Read(w.Path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(digest, "file:%s\x00", name)
	digest.Write(data)
	digest.Write([]byte{0})
	return nil
}
