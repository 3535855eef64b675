package evidence

import (
	"encoding/base64"
	"strings"
	"testing"
)

const abc = "alpha\nbeta\ngamma\n"

// The vector the OpenWiki format publishes.
const (
	betaHash = "f2c82decdd7181cf98945929a62598db7e6b477e11f6e0eb0ae97020eff151ad"
	betaMeta = `{"selectedLineCount":1,"firstSelectedLineHash":"` + betaHash + `","lastSelectedLineHash":"` + betaHash +
		`","precedingContextLineCount":1,"precedingContextHash":"b6a98d9ce9a2d9149288fa3df42d377c3e42737afdcdaf714e33c0a100b51060"` +
		`,"followingContextLineCount":1,"followingContextHash":"ae9a6306a205417afddd14316cc1d0d5e04a98f1be10865dce643925ee070ce2"}`
)

func TestFileVersion(t *testing.T) {
	tests := []struct{ in, want string }{
		{abc, "repo-file-v1:sha256:4fdbc441ea7b546100e086ac1e4fc5ae6749b7314311c99db05be450eca12996"},
		{"", "repo-file-v1:sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
	}
	for _, test := range tests {
		if got := FileVersion([]byte(test.in)); got != test.want {
			t.Errorf("FileVersion(%q) = %s, want %s", test.in, got, test.want)
		}
	}
	if got, want := FileVersion([]byte("\xff\xfe")), FileVersion([]byte("\ufffd\ufffd")); got != want {
		t.Errorf("invalid bytes are not hashed as replacement characters: %s, want %s", got, want)
	}
}

func TestLineVersion(t *testing.T) {
	got, ok := LineVersion([]byte(abc), 2, 2)
	want := "repo-lines-v1:sha256:" + betaHash + ":" + base64.RawURLEncoding.EncodeToString([]byte(betaMeta))
	if !ok || got != want {
		t.Errorf("LineVersion = %s, %v\nwant %s", got, ok, want)
	}
	// Context is at most three lines, and empty context hashes the empty string.
	const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	got, _ = LineVersion([]byte("1\n2\n3\n4\n5\n6\n"), 5, 6)
	a, ok := parseAnchor(got)
	if !ok {
		t.Fatalf("own version %s is not read back", got)
	}
	if a.Count != 2 || a.PrecedingCount != 3 || a.FollowingCount != 0 || a.Following != empty || a.Preceding != hash([]byte("2\n3\n4\n")) {
		t.Errorf("anchor = %+v", a)
	}
	if a.String() != got {
		t.Errorf("parse and String: %s, want %s", a.String(), got)
	}
}

func TestLineVersion_OutOfRange(t *testing.T) {
	for _, test := range []struct{ start, end int }{{0, 1}, {-1, 1}, {2, 1}, {3, 4}, {4, 4}} {
		if v, ok := LineVersion([]byte(abc), test.start, test.end); ok || v != "" {
			t.Errorf("LineVersion(%d, %d) = %q, %v, want none", test.start, test.end, v, ok)
		}
	}
	if _, ok := LineVersion(nil, 1, 1); ok {
		t.Error("an empty file has a line")
	}
}

func TestParseAnchor_Error(t *testing.T) {
	encode := func(meta string) string {
		return "repo-lines-v1:sha256:" + betaHash + ":" + base64.RawURLEncoding.EncodeToString([]byte(meta))
	}
	if _, ok := parseAnchor(encode(betaMeta)); !ok {
		t.Fatal("the published vector is refused")
	}
	for name, version := range map[string]string{
		"empty":          "",
		"other":          "repo-file-v1:sha256:" + betaHash,
		"no metadata":    "repo-lines-v1:sha256:" + betaHash,
		"short hash":     "repo-lines-v1:sha256:ab:" + base64.RawURLEncoding.EncodeToString([]byte(betaMeta)),
		"padding":        encode(betaMeta) + "=",
		"not base64":     "repo-lines-v1:sha256:" + betaHash + ":***",
		"not JSON":       encode("x"),
		"trailing":       encode(betaMeta + "{}"),
		"unknown key":    encode(strings.Replace(betaMeta, "{", `{"x":1,`, 1)),
		"missing key":    encode(strings.Replace(betaMeta, `"precedingContextLineCount":1,`, ``, 1)),
		"other order":    encode(strings.Replace(betaMeta, `"precedingContextLineCount":1,`, ``, 1) + `,"precedingContextLineCount":1`),
		"leading zero":   encode(strings.Replace(betaMeta, `"selectedLineCount":1`, `"selectedLineCount":01`, 1)),
		"negative":       encode(strings.Replace(betaMeta, `"selectedLineCount":1`, `"selectedLineCount":-1`, 1)),
		"space":          encode(strings.Replace(betaMeta, `:1`, `: 1`, 1)),
		"no lines":       encode(strings.Replace(betaMeta, `"selectedLineCount":1`, `"selectedLineCount":0`, 1)),
		"float":          encode(strings.Replace(betaMeta, `"selectedLineCount":1`, `"selectedLineCount":1.5`, 1)),
		"big context":    encode(strings.Replace(betaMeta, `"precedingContextLineCount":1`, `"precedingContextLineCount":4`, 1)),
		"upper-case hex": encode(strings.Replace(betaMeta, "f2c82d", "F2C82D", 1)),
	} {
		if a, ok := parseAnchor(version); ok {
			t.Errorf("%s: accepted as %+v", name, a)
		}
	}
}

func FuzzVersion(f *testing.F) {
	f.Add([]byte(abc), 2, 2)
	f.Add([]byte("a\r\nb"), 1, 2)
	f.Add([]byte("\xff\n\xe2\x82\n"), 1, 1)
	f.Fuzz(func(t *testing.T, data []byte, start, end int) {
		version, ok := LineVersion(data, start, end)
		if !ok {
			return
		}
		a, ok := parseAnchor(version)
		if !ok || a.String() != version {
			t.Fatalf("version %s is read back as %s, %v", version, a.String(), ok)
		}
	})
}

func FuzzParseAnchor(f *testing.F) {
	f.Add("repo-lines-v1:sha256:" + betaHash + ":" + base64.RawURLEncoding.EncodeToString([]byte(betaMeta)))
	f.Add("repo-file-v1:sha256:" + betaHash)
	f.Fuzz(func(t *testing.T, s string) {
		if a, ok := parseAnchor(s); ok && a.String() != s {
			t.Fatalf("parseAnchor(%q).String() = %q", s, a.String())
		}
	})
}
