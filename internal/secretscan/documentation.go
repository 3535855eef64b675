package secretscan

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"regexp"
	"strings"
	"sync"
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

// versionText matches a version of evidence in lines. Its second part is Base64 and holds nothing but counts and hashes.
var versionText = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`repo-(?:lines|file)-v1:sha256:[0-9a-f]{64}(?::[A-Za-z0-9_-]+)?`)
})

// maskVersions replaces versions of evidence by spaces, but only those that hold what a version holds: a secret could be hidden in one.
func maskVersions(text []byte) []byte {
	if !bytes.Contains(text, []byte("repo-lines-v1:")) && !bytes.Contains(text, []byte("repo-file-v1:")) {
		return text
	}
	return versionText().ReplaceAllFunc(text, func(version []byte) []byte {
		parts := bytes.SplitN(version, []byte(":"), 4)
		if len(parts) == 4 && !isMetadata(parts[3]) {
			return version
		}
		return bytes.Repeat([]byte(" "), len(version))
	})
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
