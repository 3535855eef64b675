package secretscan

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"regexp"
	"strings"
)

// documentation names what documentation shows in the place of secrets.
func documentation() allowance {
	return allowance{regexp: placeholders(), stop: []string{
		"example", "placeholder", "changeme", "change-me", "change_me", "dummy", "redacted", "your-", "your_", "yourtoken", "not-a-secret",
		"insert", "replace", "xxxxxx", "123456789", "abcdefgh", "deadbeef", "cafebabe", "...",
	}}
}

// placeholders match a whole secret.
func placeholders() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`^(?:sha(?:1|256|384|512)[:-])?(?:[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$`), // commit ids, checksums
		regexp.MustCompile(`^sha(?:256|384|512)-[A-Za-z0-9+/]+=*$`),                                                   // subresource integrity
		regexp.MustCompile(`^[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$`),                                  // UUIDs
		regexp.MustCompile(`^[<\[{(%$].*`),                                                                            // <token>, ${TOKEN}, %TOKEN%
	}
}

// names matches secrets that are rather the name of something. It counts only for rules that know a secret by what stands before it: a
// token with a known beginning may well look like a name.
func names() allowance {
	return allowance{regexp: []*regexp.Regexp{
		regexp.MustCompile(`^(?:[A-Z][A-Z0-9]*_)+[A-Z0-9]+$`),                       // NAME_OF_A_VARIABLE
		regexp.MustCompile(`^[A-Za-z_][\w$]*(?:[.:/-]+[A-Za-z_][\w$]*)+(?:\(\))?$`), // a.qualified.name, a/path, some-words
		regexp.MustCompile(`^[a-z]+(?:[A-Z][a-z]+)+\d?$|^(?:[A-Z][a-z]+)+\d?$`),     // camelCaseWords
	}}
}

// byContext reports the rules that know a secret only by what stands before it.
func byContext(rule string) bool { return rule == "generic-api-key" || rule == "url-password" }

// maskVersions replaces versions of evidence by spaces, but only those that hold what a version holds: a secret could be hidden in one.
// The second part of a version is Base64 and holds nothing but counts and hashes.
func maskVersions(text []byte) []byte {
	masked := text
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte("repo-"))
		if i < 0 {
			return masked
		}
		at += i
		size, metadata := versionAt(text[at:])
		if size > 0 && (metadata == nil || isMetadata(metadata)) {
			if &masked[0] == &text[0] {
				masked = bytes.Clone(text)
			}
			copy(masked[at:], bytes.Repeat([]byte(" "), size))
		}
		at += max(size, len("repo-"))
	}
}

// versionAt returns the length of the version that a text begins with, 0 when it does not, and its second part if it has one.
func versionAt(text []byte) (size int, metadata []byte) {
	rest, ok := bytes.CutPrefix(text, []byte("repo-lines-v1:sha256:"))
	if !ok {
		rest, ok = bytes.CutPrefix(text, []byte("repo-file-v1:sha256:"))
	}
	if !ok || span(rest, isHex) < 64 {
		return 0, nil
	}
	rest = rest[64:]
	if len(rest) > 1 && rest[0] == ':' {
		if n := span(rest[1:], isBase64URL); n > 0 {
			metadata, rest = rest[1:1+n], rest[1+n:]
		}
	}
	return len(text) - len(rest), metadata
}

// span counts the bytes at the beginning of a text that are of a kind.
func span(text []byte, kind func(byte) bool) int {
	for i, c := range text {
		if !kind(c) {
			return i
		}
	}
	return len(text)
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' }

func isBase64URL(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_'
}

// isMetadata reports whether Base64 holds an object of small numbers and hashes.
func isMetadata(encoded []byte) bool {
	data, err := base64.RawURLEncoding.AppendDecode(nil, encoded)
	if err != nil {
		return false
	}
	var fields map[string]any
	if json.Unmarshal(data, &fields) != nil || len(fields) > 7 {
		return false
	}
	for name, value := range fields {
		switch v := value.(type) {
		case float64:
		case string:
			if len(v) != 64 || strings.Trim(v, "0123456789abcdef") != "" {
				return false
			}
		default:
			return false
		}
		if len(name) > 32 {
			return false
		}
	}
	return true
}

// ownRules are for keys that the rule file does not name or names too narrowly.
func ownRules() []ruleText {
	return []ruleText{
		{ID: "anthropic-key", Regex: `\bsk-ant-[a-z]+\d{2}-[A-Za-z0-9_-]{20,}`, Entropy: 3, Keywords: []string{"sk-ant-"}},
		{ID: "openai-key", Regex: `\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{32,}`, Entropy: 3.5, Keywords: []string{"sk-"}},
		{ID: "github-token", Regex: `\b(?:gh[pousr]_[A-Za-z0-9_]{36,}|github_pat_[A-Za-z0-9_]{40,})`, Entropy: 3, Keywords: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"}},
		{ID: "private-key-block", Regex: `-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----\s+[A-Za-z0-9+/=\s:,-]{64,}`, Keywords: []string{"-----begin"}},
		{ID: "url-password", Regex: `\b[a-z][a-z0-9+.-]*://[^\s/:@"'<>]{1,60}:([^\s/:@"'<>${}]{8,})@[\w.-]+`, Entropy: 3.3, Keywords: []string{"://"}},
	}
}
