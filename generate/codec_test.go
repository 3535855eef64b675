package generate

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/wiki"
)

// codecs are the strict files of a run.
var codecs = map[string]func(path string, data []byte) (encoded []byte, err error){
	"state": func(path string, data []byte) ([]byte, error) {
		s, err := DecodeState(path, data)
		if err != nil {
			return nil, err
		}
		return s.Encode(), nil
	},
	"manifest": func(path string, data []byte) ([]byte, error) {
		m, err := DecodeManifest(path, wiki.DefaultDir, data)
		if err != nil {
			return nil, err
		}
		return m.Encode(), nil
	},
}

func codecFiles(t testing.TB, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no files match %s: %v", pattern, err)
	}
	return files
}

func TestCodecRoundTrip(t *testing.T) {
	for kind, codec := range codecs {
		for _, file := range codecFiles(t, "testdata/"+kind+"/good/*.json") {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got, err := codec("openwiki/x", data)
			if err != nil {
				t.Errorf("%s: %v", file, err)
			} else if diff := cmp.Diff(string(data), string(got)); diff != "" {
				t.Errorf("%s (-file +written):\n%s", file, diff)
			}
		}
	}
}

func TestCodec_Error(t *testing.T) {
	paths := map[string]string{"state": "openwiki/.run.json", "manifest": "openwiki/.page-manifest.json"}
	for kind, codec := range codecs {
		for _, file := range codecFiles(t, "testdata/"+kind+"/bad/*.json") {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(strings.TrimSuffix(file, ".json") + ".want")
			if err != nil {
				t.Fatal(err)
			}
			_, err = codec(paths[kind], data)
			var f *FileError
			if !errors.As(err, &f) || !strings.Contains(err.Error(), strings.TrimSpace(string(want))) {
				t.Errorf("%s: got %v, want a file error with %q", file, err, want)
				continue
			}
			if !strings.HasPrefix(err.Error(), paths[kind]+":") || f.Line == 0 || f.Hint == "" {
				t.Errorf("%s: got %v, line %d, hint %q, want file, line and hint", file, err, f.Line, f.Hint)
			}
		}
	}
}

// A state whose jobs change one by one is written like one encoded at once.
func TestStateEncoderCache(t *testing.T) {
	data, err := os.ReadFile("testdata/state/good/full.json")
	if err != nil {
		t.Fatal(err)
	}
	s, err := DecodeState("x", data)
	if err != nil {
		t.Fatal(err)
	}
	encoder := newStateEncoder(s)
	encoder.encode(s.Plan)
	next := s.clone()
	next.Plan.Pages[1].Status, next.Plan.Pages[1].CompletedBy = JobComplete, "p"
	if diff := cmp.Diff(string(next.Encode()), string(encoder.encode(next.Plan))); diff != "" {
		t.Errorf("(-fresh +cached):\n%s", diff)
	}
	if s.Plan.Pages[1].Status != JobPending {
		t.Error("changing a clone changed the state")
	}
}

func TestManifestOrder(t *testing.T) {
	m := NewManifest()
	version := "sha256:" + strings.Repeat("ab", 32)
	// By UTF-16 code units U+1F600 comes before U+FFFD; by bytes it does not.
	for _, page := range []wiki.PagePath{"/openwiki/\uFFFD.md", "/openwiki/b.md", "/openwiki/\U0001F600.md", "/openwiki/a.md", "/openwiki/B.md"} {
		m.Set(page, ManifestEntry{PageVersion: version})
	}
	m.Delete("/openwiki/b.md")
	m.Delete("/openwiki/absent.md")
	want := []wiki.PagePath{"/openwiki/B.md", "/openwiki/a.md", "/openwiki/\U0001F600.md", "/openwiki/\uFFFD.md"}
	if diff := cmp.Diff(want, m.Pages()); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
	before := m.Encode()
	m.Set("/openwiki/a.md", ManifestEntry{PageVersion: version, GitHead: "h"})
	if bytes.Equal(before, m.Encode()) {
		t.Error("a changed entry is written as before")
	}
}

func TestDecodeLastUpdate(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       *LastUpdate
	}{
		{"full", `{"updatedAt":"t","command":"init","gitHead":"h","model":"m","status":"interrupted","language":"de"}`,
			&LastUpdate{UpdatedAt: "t", Command: ModeInit, GitHead: "h", Model: "m", Status: StatusInterrupted, Language: "de"}},
		{"old", `{"updatedAt":"t","command":"chat","model":"m"}`, &LastUpdate{UpdatedAt: "t", Command: ModeUpdate, Model: "m", Status: StatusComplete}},
		{"wrong types and unknown keys", `{"updatedAt":"t","command":"update","model":"m","gitHead":1,"language":[],"status":null,"x":1}`,
			&LastUpdate{UpdatedAt: "t", Command: ModeUpdate, Model: "m", Status: StatusComplete}},
		{"no model", `{"updatedAt":"t","command":"update"}`, nil},
		{"no object", `[]`, nil},
		{"not JSON", `{`, nil},
		{"empty", ``, nil},
	} {
		if diff := cmp.Diff(test.want, DecodeLastUpdate([]byte(test.text))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func FuzzDecodeState(f *testing.F) {
	for _, pattern := range []string{"testdata/state/good/*.json", "testdata/state/bad/*.json"} {
		for _, file := range codecFiles(f, pattern) {
			data, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := DecodeState("x", data)
		if err != nil {
			var file *FileError
			if !errors.As(err, &file) {
				t.Fatalf("got %v, want a file error", err)
			}
			return
		}
		once := s.Encode()
		again, err := DecodeState("x", once)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, once)
		}
		if diff := cmp.Diff(string(once), string(again.Encode())); diff != "" {
			t.Fatalf("(-once +again):\n%s", diff)
		}
	})
}

func FuzzDecodeManifest(f *testing.F) {
	for _, pattern := range []string{"testdata/manifest/good/*.json", "testdata/manifest/bad/*.json"} {
		for _, file := range codecFiles(f, pattern) {
			data, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := DecodeManifest("x", wiki.DefaultDir, data)
		if err != nil {
			return
		}
		again, err := DecodeManifest("x", wiki.DefaultDir, m.Encode())
		if err != nil || !m.Equal(again) {
			t.Fatalf("got %v, want what was written to be read the same:\n%s", err, m.Encode())
		}
	})
}
