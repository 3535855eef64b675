package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/wikiwright/wikiwright/internal/wiki"
	"github.com/wikiwright/wikiwright/publish"
)

// A bundle directory holds a bundle for a process that cannot see the work tree it was made from: bundle.json, and below files/ the wiki.
const (
	bundleRecord  = "bundle.json"
	bundleFiles   = "files"
	bundleVersion = 1
	maxBundleFile = 32 << 20
)

// bundleJSON is bundle.json: what a bundle says but for its files and what follows from them.
type bundleJSON struct {
	SchemaVersion int               `json:"schemaVersion"`
	WikiDir       string            `json:"wikiDir"`
	BaseRef       string            `json:"baseRef"`
	BaseSHA       string            `json:"baseSha"`
	State         publish.State     `json:"state"`
	Pages         []publish.Page    `json:"pages"`
	Findings      []wiki.Finding    `json:"findings"`
	Run           publish.RunInfo   `json:"run"`
	Files         map[string]string `json:"files"` // digests
}

// WriteBundle writes a bundle into a directory that is made for it and must be empty, and returns the digest of bundle.json, which holds the
// digests of all files.
func WriteBundle(dir string, b *publish.Bundle) (digest string, err error) {
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return "", fmt.Errorf("write the bundle: %s is not empty", dir)
	}
	if err := os.MkdirAll(filepath.Join(dir, bundleFiles), 0o755); err != nil {
		return "", fmt.Errorf("write the bundle: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", fmt.Errorf("write the bundle: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	record := bundleJSON{
		SchemaVersion: bundleVersion, WikiDir: string(b.WikiDir), BaseRef: b.BaseRef, BaseSHA: b.BaseSHA, State: b.State,
		Pages: b.Pages, Findings: b.Findings, Run: b.Run, Files: map[string]string{},
	}
	for _, f := range b.Files {
		record.Files[f.Path] = digestOf(f.Data)
		name := path.Join(bundleFiles, f.Path)
		if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
			return "", fmt.Errorf("write the bundle: %w", err)
		}
		if err := root.WriteFile(name, f.Data, 0o644); err != nil {
			return "", fmt.Errorf("write the bundle: %w", err)
		}
	}
	data, err := json.MarshalIndent(record, "", "  ")
	if err != nil {
		return "", fmt.Errorf("write the bundle: %w", err)
	}
	if err := root.WriteFile(bundleRecord, append(data, '\n'), 0o644); err != nil {
		return "", fmt.Errorf("write the bundle: %w", err)
	}
	return digestOf(append(data, '\n')), nil
}

func digestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// ReadBundle reads a bundle directory in a checkout that has the analysed commit. The bundle is foreign: every digest is compared, nothing
// outside the directory is read, and what the bundle says of pages is told anew from the files. digest, if not empty, must be that of
// bundle.json. The publisher's gates judge the rest. settings say which managed files go with it: those are made here and never taken from
// a bundle.
func ReadBundle(ctx context.Context, checkoutDir, dir, digest string, settings *Settings) (*publish.Bundle, []string, error) {
	record, files, err := readBundleFiles(dir, digest)
	if err != nil {
		return nil, nil, err
	}
	wikiDir, err := wiki.ParseDir(record.WikiDir)
	if err != nil {
		return nil, nil, fmt.Errorf("read the bundle: %w", err)
	}
	place, err := Locate(ctx, checkoutDir, record.WikiDir)
	if err != nil {
		return nil, nil, err
	}
	base, err := readCommitted(ctx, place.Repo, record.BaseSHA, wikiDir)
	if err != nil {
		return nil, nil, err
	}
	work, err := workOf(wikiDir, files)
	if err != nil {
		return nil, nil, err
	}
	extra, notes, err := ManagedFiles(ctx, place, record.BaseSHA, settings)
	if err != nil {
		return nil, nil, err
	}
	s := &staging{
		opt: StageOptions{BaseRef: record.BaseRef, BaseSHA: record.BaseSHA, Extra: extra},
		dir: wikiDir, base: base, work: work, left: map[wiki.PagePath]string{}, state: record.State, told: record,
	}
	bundle, err := s.bundle()
	return bundle, notes, err
}

func readBundleFiles(dir, digest string) (*bundleJSON, map[string][]byte, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, &ConfigError{Name: "bundle", Err: err, Next: "name the directory that the generating job wrote with bundle-path"}
	}
	defer root.Close()
	data, err := root.ReadFile(bundleRecord)
	if err != nil {
		return nil, nil, &ConfigError{Name: "bundle", Err: err, Next: "name the directory that the generating job wrote with bundle-path"}
	}
	if got := digestOf(data); digest != "" && got != digest {
		return nil, nil, &ConfigError{Name: "bundle-digest", Err: fmt.Errorf("the bundle has the digest %s, not %s", got, digest), Next: "pass the output bundle-digest of the job that wrote it"}
	}
	var record bundleJSON
	if err := json.Unmarshal(data, &record); err != nil {
		return nil, nil, fmt.Errorf("read the bundle: %w", err)
	}
	if record.SchemaVersion != bundleVersion {
		return nil, nil, fmt.Errorf("read the bundle: it has version %d, this program reads %d", record.SchemaVersion, bundleVersion)
	}
	files := map[string][]byte{}
	for name, want := range record.Files {
		if !fs.ValidPath(name) || !below(wiki.Dir(record.WikiDir), name) || isRunState(wiki.Dir(record.WikiDir), name) {
			return nil, nil, fmt.Errorf("read the bundle: %.200q is no file of the wiki", name)
		}
		info, err := root.Stat(path.Join(bundleFiles, name))
		if err != nil {
			return nil, nil, fmt.Errorf("read the bundle: %w", err)
		}
		if info.Size() > maxBundleFile {
			return nil, nil, fmt.Errorf("read the bundle: %s has %d bytes", name, info.Size())
		}
		text, err := root.ReadFile(path.Join(bundleFiles, name))
		if err != nil {
			return nil, nil, fmt.Errorf("read the bundle: %w", err)
		}
		if digestOf(text) != want {
			return nil, nil, fmt.Errorf("read the bundle: %s is not the file that was bundled", name)
		}
		files[name] = text
	}
	return &record, files, nil
}
