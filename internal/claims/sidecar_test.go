package claims

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

func TestDecode(t *testing.T) {
	data, err := os.ReadFile("testdata/good/full.json")
	if err != nil {
		t.Fatal(err)
	}
	got, err := decode("x.json", data)
	if err != nil {
		t.Fatal(err)
	}
	want := &PageClaims{
		SchemaVersion: 1,
		PageVersion:   "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
		Claims: []Claim{{
			ID:        "claim_0123456789abcdef0123456789abcdef",
			Statement: "Uses <b> & \"quotes\", \\u2028 and \u2028 raw, é in one line.",
			Evidence: []Evidence{
				{Resource: "repo://src/a.go#L4-L6", Version: "repo-file-v1:sha256:x"},
				{Resource: "repo://src/b.go", Version: "v"},
			},
		}},
		Verification: &wiki.Event{By: "openwiki/0.7.0", At: "2026-01-02T00:00:00.000Z"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// What other tools wrote passes through without a changed byte.
func TestEncode_RoundTrip(t *testing.T) {
	files, err := filepath.Glob("testdata/good/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("files %v, %v", files, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for name, variant := range map[string][]byte{
			"as it is": data, "CRLF": bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n")), "BOM": append([]byte("\ufeff"), data...),
		} {
			page, err := decode(file, variant)
			if err != nil {
				t.Errorf("%s, %s: %v", file, name, err)
				continue
			}
			again, err := encode(*page)
			if err != nil {
				t.Errorf("%s, %s: %v", file, name, err)
			}
			if diff := cmp.Diff(string(data), string(again)); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", file, name, diff)
			}
		}
	}
}

func TestDecode_Error(t *testing.T) {
	tests := []struct {
		file string
		line int
		want string
	}{
		{"array", 1, `must be an object`},
		{"bad_page_version", 3, `pageVersion: must be sha256: and 64 hexadecimal digits`},
		{"conflict", 3, `unresolved merge conflict`},
		{"empty", 1, `the file ends too early`},
		{"empty_id", 5, `claims[0].id: must not be empty`},
		{"evidence_missing", 5, `claims[0].evidence[0].version: missing`},
		{"evidence_twice", 6, `claims[0].evidence[1].resource: repo://a is cited twice`},
		{"evidence_unknown", 5, `claims[0].evidence[0].hint: unknown field`},
		{"field_twice", 7, `claims: given twice`},
		{"id_twice", 6, `claims[1].id: c is used twice`},
		{"missing_claims", 4, `claims: missing`},
		{"missing_comma", 3, `invalid character '"' after object key:value pair`},
		{"newer", 2, `schemaVersion: 2 is newer than this wikiwright reads`},
		{"no_evidence", 5, `claims[0].evidence: must not be empty`},
		{"no_version", 4, `schemaVersion: missing`},
		{"not_json", 1, `invalid character 'h' looking for beginning of value`},
		{"null_claims", 4, `claims: must be an array`},
		{"null_verification", 7, `verification: must be an object`},
		{"number_id", 5, `claims[0].id: must be a string`},
		{"old_version", 2, `schemaVersion: must be 1`},
		{"other_case", 4, `Claims: unknown field`},
		{"padded_statement", 6, `claims[1].statement: must not begin or end with a blank`},
		{"text_version", 2, `schemaVersion: must be 1`},
		{"trailing", 8, `something follows the end of the object`},
		{"truncated", 3, `the file ends too early`},
		{"unknown_field", 7, `prose: unknown field`},
		{"verification_without_at", 7, `verification.at: missing`},
	}
	files, err := filepath.Glob("testdata/bad/*.json")
	if err != nil || len(files) != len(tests) {
		t.Errorf("%d files for %d tests, %v", len(files), len(tests), err)
	}
	for _, test := range tests {
		data, err := os.ReadFile("testdata/bad/" + test.file + ".json")
		if err != nil {
			t.Fatal(err)
		}
		_, err = decode("openwiki/.claims/core.json", data)
		var file *FileError
		if !errors.As(err, &file) {
			t.Errorf("%s: error %v, want *FileError", test.file, err)
			continue
		}
		if file.Line != test.line || file.Err.Error() != test.want || file.Path != "openwiki/.claims/core.json" {
			t.Errorf("%s: got %s line %d %q, want line %d %q", test.file, file.Path, file.Line, file.Err, test.line, test.want)
		}
		hint := "restore the file from git, or run `wikiwright update` after removing it"
		if test.file == "newer" {
			hint = "install a newer wikiwright"
		}
		if file.Hint != hint {
			t.Errorf("%s: hint %q, want %q", test.file, file.Hint, hint)
		}
	}
	err = &FileError{Path: "a.json", Line: 3, Err: errors.New("x: missing")}
	if got := err.Error(); got != "a.json:3: x: missing" {
		t.Errorf("message %q", got)
	}
}

// Nothing is written that would not be read.
func TestEncode_Error(t *testing.T) {
	good := func() PageClaims {
		return PageClaims{
			SchemaVersion: 1, PageVersion: "sha256:" + strings.Repeat("0", 64),
			Claims:       []Claim{{ID: "c", Statement: "s", Evidence: []Evidence{{Resource: "r", Version: "v"}}}},
			Verification: &wiki.Event{By: "b", At: "a"},
		}
	}
	if _, err := encode(good()); err != nil {
		t.Fatal(err)
	}
	for want, break_ := range map[string]func(*PageClaims){
		"schemaVersion: must be 1":                                func(p *PageClaims) { p.SchemaVersion = 0 },
		"pageVersion: must be sha256: and 64 hexadecimal digits":  func(p *PageClaims) { p.PageVersion = "" },
		"claims[0].id: must not be empty":                         func(p *PageClaims) { p.Claims[0].ID = "" },
		"claims[0].statement: must not begin or end with a blank": func(p *PageClaims) { p.Claims[0].Statement = " s" },
		"claims[0].evidence: must not be empty":                   func(p *PageClaims) { p.Claims[0].Evidence = nil },
		"claims[0].evidence[0].version: must not be empty":        func(p *PageClaims) { p.Claims[0].Evidence[0].Version = "" },
		"claims[0].evidence[1].resource: r is cited twice":        func(p *PageClaims) { p.Claims[0].Evidence = append(p.Claims[0].Evidence, p.Claims[0].Evidence[0]) },
		"claims[1].id: c is used twice":                           func(p *PageClaims) { p.Claims = append(p.Claims, p.Claims[0]) },
		"verification.at: must not be empty":                      func(p *PageClaims) { p.Verification.At = "" },
	} {
		p := good()
		break_(&p)
		if _, err := encode(p); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

func TestDescribes(t *testing.T) {
	event := &wiki.Event{By: "wikiwright/1.0", At: "2026-01-02T00:00:00.000Z"}
	page := []byte("---\ntype: concept\n---\n\n# Core\n")
	stampedPage := project(page, event)
	p := &PageClaims{PageVersion: wiki.PageVersion(stampedPage), Verification: event}
	for name, text := range map[string][]byte{
		"same":            stampedPage,
		"CRLF":            bytes.ReplaceAll(stampedPage, []byte("\n"), []byte("\r\n")),
		"byte order mark": append([]byte("\ufeff"), stampedPage...),
		"no last newline": bytes.TrimRight(stampedPage, "\n"),
		"two newlines":    append(bytes.Clone(stampedPage), '\n'),
		"stamp owed":      page,
	} {
		if !p.Describes(text) {
			t.Errorf("%s: not described", name)
		}
	}
	for name, text := range map[string][]byte{
		"edit":  bytes.Replace(stampedPage, []byte("Core"), []byte("Kern"), 1),
		"empty": nil,
	} {
		if p.Describes(text) {
			t.Errorf("%s: described", name)
		}
	}
}

// The fast decoder reads what is written, and nothing that the strict one would
// not read as the same.
func TestDecodeCanonical(t *testing.T) {
	good, _ := filepath.Glob("testdata/good/*.json")
	if len(good) == 0 {
		t.Fatal("no sidecars in testdata")
	}
	for _, file := range good {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		page, err := decode(file, data)
		if err != nil {
			t.Fatal(err)
		}
		written, err := encode(*page)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := decodeCanonical(written)
		if diff := cmp.Diff(page, got); !ok || diff != "" {
			t.Errorf("%s: read %t (-want +got):\n%s", file, ok, diff)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, pattern := range []string{"testdata/good/*.json", "testdata/bad/*.json"} {
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		page, err := decode("x.json", data)
		if fast, ok := decodeCanonical(data); ok {
			strict, err := decodeStrict("x.json", data)
			if err != nil {
				t.Fatalf("the fast decoder takes %q, which is refused: %v", data, err)
			}
			if diff := cmp.Diff(strict, fast); diff != "" {
				t.Fatalf("the decoders differ (-strict +fast):\n%s", diff)
			}
		}
		if err != nil {
			var file *FileError
			if !errors.As(err, &file) || file.Hint == "" {
				t.Fatalf("error %v is no *FileError with a hint", err)
			}
			return
		}
		out, err := encode(*page)
		if err != nil {
			t.Fatalf("decoded %q is not written: %v", data, err)
		}
		again, err := decode("x.json", out)
		if err != nil {
			t.Fatalf("own output %q is refused: %v", out, err)
		}
		if diff := cmp.Diff(page, again); diff != "" {
			t.Fatalf("round trip changes (-before +after):\n%s", diff)
		}
	})
}
