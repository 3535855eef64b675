package generate

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/wikiwright/wikiwright/internal/source"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// manifestFile is the name of the page manifest below the wiki directory.
const manifestFile = ".page-manifest.json"

const manifestHint = "restore the file from git, or delete it: its pages are then reviewed once more"

// Checkpoint names a state of the source.
type Checkpoint struct{ GitHead, SourceFingerprint string }

// ManifestEntry says up to which state of the source a page is proven, and
// who completed it. Fields stand in the order in which they are written.
type ManifestEntry struct {
	PageVersion       string `json:"pageVersion"`
	GitHead           string `json:"gitHead,omitempty"`
	SourceFingerprint string `json:"sourceFingerprint,omitempty"`
	CompletedBy       string `json:"completedBy,omitempty"`
	CompletedRunID    string `json:"completedRunId,omitempty"`
}

func (e ManifestEntry) at(c Checkpoint) bool {
	return e.SourceFingerprint == c.SourceFingerprint && (c.GitHead == "" || e.GitHead == c.GitHead)
}

// Manifest is the file .page-manifest.json. It keeps its pages sorted and
// each entry encoded, so that recording one page costs little however many
// there are.
type Manifest struct {
	entries map[wiki.PagePath]ManifestEntry
	order   []wiki.PagePath
	encoded map[wiki.PagePath][]byte
}

// NewManifest returns a manifest without pages.
func NewManifest() *Manifest {
	return &Manifest{entries: map[wiki.PagePath]ManifestEntry{}, encoded: map[wiki.PagePath][]byte{}}
}

// DecodeManifest reads a manifest of the wiki in dir. path is for errors,
// which are *FileError.
func DecodeManifest(path string, dir wiki.Dir, data []byte) (*Manifest, error) {
	d := &strictDecoder{path: path, hint: manifestHint}
	root, line, err := parseJSON(data)
	if err != nil {
		return nil, &FileError{Path: path, Line: line, Err: fmt.Errorf("not valid JSON: %w", err), Hint: manifestHint}
	}
	f := d.object(root, "")
	f.version()
	m := NewManifest()
	if v := f.need("pages"); v != nil {
		pages := d.object(v, "pages")
		for i, entry := range pages.v.members {
			pages.used[i] = true
			name := fmt.Sprintf("pages[%q]", entry.key)
			if p, err := dir.ParsePage(entry.key); err != nil || string(p) != entry.key {
				d.fail(entry.val.line, name, "is not the path of a page")
			}
			m.Set(wiki.PagePath(entry.key), decodeEntry(d, entry.val, name))
		}
	}
	f.done()
	if d.err != nil {
		return nil, d.err
	}
	return m, nil
}

func decodeEntry(d *strictDecoder, v *value, name string) ManifestEntry {
	f := d.object(v, name)
	defer f.done()
	return ManifestEntry{
		PageVersion:       f.text("pageVersion", digest),
		GitHead:           f.optional("gitHead", filled),
		SourceFingerprint: f.optional("sourceFingerprint", digest),
		CompletedBy:       f.optional("completedBy", trimmed),
		CompletedRunID:    f.optional("completedRunId", uuid),
	}
}

// Get returns the entry of a page.
func (m *Manifest) Get(p wiki.PagePath) (ManifestEntry, bool) {
	e, ok := m.entries[p]
	return e, ok
}

// Set records the entry of a page.
func (m *Manifest) Set(p wiki.PagePath, e ManifestEntry) {
	if old, ok := m.entries[p]; ok && old == e {
		return
	} else if !ok {
		at, _ := slices.BinarySearchFunc(m.order, p, comparePages)
		m.order = slices.Insert(m.order, at, p)
	}
	m.entries[p] = e
	delete(m.encoded, p)
}

// Delete drops the entry of a page.
func (m *Manifest) Delete(p wiki.PagePath) {
	if _, ok := m.entries[p]; !ok {
		return
	}
	delete(m.entries, p)
	delete(m.encoded, p)
	at, _ := slices.BinarySearchFunc(m.order, p, comparePages)
	m.order = slices.Delete(m.order, at, at+1)
}

// Pages returns the recorded pages in code-unit order.
func (m *Manifest) Pages() []wiki.PagePath { return slices.Clone(m.order) }

// Equal reports whether both record the same.
func (m *Manifest) Equal(o *Manifest) bool { return maps.Equal(m.entries, o.entries) }

// saysSame reports whether both record the same versions of the same pages,
// each proven up to some commit. How far up does not count.
func (m *Manifest) saysSame(o *Manifest) bool {
	return maps.EqualFunc(m.entries, o.entries, func(a, b ManifestEntry) bool {
		covered := a.GitHead != "" && b.GitHead != ""
		if a.GitHead, a.SourceFingerprint = b.GitHead, b.SourceFingerprint; !covered {
			return false
		}
		return a == b
	})
}

// Encode returns the file of the manifest.
func (m *Manifest) Encode() []byte {
	var buf bytes.Buffer
	buf.Grow(len(m.order)*384 + 64)
	buf.WriteString("{\n  \"schemaVersion\": 1,\n  \"pages\": {")
	for i, p := range m.order {
		if i > 0 {
			buf.WriteByte(',')
		}
		text, ok := m.encoded[p]
		if !ok {
			text = slices.Concat(encodeJSON(string(p), ""), []byte(": "), encodeJSON(m.entries[p], "    "))
			m.encoded[p] = text
		}
		buf.WriteString("\n    ")
		buf.Write(text)
	}
	if len(m.order) > 0 {
		buf.WriteString("\n  ")
	}
	buf.WriteString("}\n}\n")
	return buf.Bytes()
}

func comparePages(a, b wiki.PagePath) int { return source.CompareCodeUnits(string(a), string(b)) }

// readManifest returns an empty manifest when there is no file.
func readManifest(w *wiki.Wiki) (*Manifest, error) {
	path := w.Path(manifestFile)
	data, err := w.Files().Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return NewManifest(), nil
	}
	if err != nil {
		return nil, fmt.Errorf("read page manifest: %w", err)
	}
	return DecodeManifest(path, w.Dir(), data)
}

// writeManifest leaves a file alone that says the same: OpenWiki writes entries
// and fields in another order.
func writeManifest(w *wiki.Wiki, m *Manifest) error {
	if have, err := readManifest(w); err == nil && len(m.order) > 0 && have.Equal(m) {
		return nil
	}
	if _, err := w.Files().WriteIfChanged(w.Path(manifestFile), m.Encode()); err != nil {
		return fmt.Errorf("write page manifest: %w", err)
	}
	return nil
}
