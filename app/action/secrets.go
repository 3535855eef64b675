package action

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/internal/safetext"
)

// minimum is the length in bytes below which a value from the environment, or a line of a longer one, is not taken for a secret: masking
// "1" would make every log unreadable.
const minimum = 6

// secrets are the values that must not be seen, with the forms in which others may print them, longest first.
type secrets struct {
	forms    []string
	replacer *strings.Replacer
}

// newSecrets takes the values of inputs, which are secret whatever their length, and all variables of the environment whose name says that
// they are.
func newSecrets(inputs []string, environ []string) *secrets {
	values := slices.Clone(inputs)
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		if secretName(name) && len(strings.TrimSpace(value)) >= minimum {
			values = append(values, value)
		}
	}
	var forms []string
	for _, value := range values {
		forms = append(forms, derived(value)...)
	}
	slices.SortFunc(forms, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b)) })
	forms = slices.Compact(forms)
	pairs := make([]string, 0, 2*len(forms))
	for _, form := range forms {
		pairs = append(pairs, form, "***")
	}
	return &secrets{forms: forms, replacer: strings.NewReplacer(pairs...)}
}

// secretName reports whether a variable holds a secret by its name.
func secretName(name string) bool {
	name = strings.ToUpper(name)
	for _, part := range []string{"TOKEN", "SECRET", "PASSWORD", "PASSWD", "API_KEY", "APIKEY", "ACCESS_KEY", "PRIVATE_KEY", "CREDENTIAL", "MODEL_KEY"} {
		if strings.Contains(name, part) {
			return !strings.HasSuffix(name, "_MAX_TOKENS") && !strings.HasSuffix(name, "_EXPIRES_AT") && !strings.HasSuffix(name, "_TOKENS")
		}
	}
	return false
}

// derived returns a value and the forms in which it turns up: trimmed, line by line, in base64 alone and as the password of GitHub's
// user names, escaped for URLs, JSON, shells and Markdown, in hex.
func derived(value string) []string {
	var forms []string
	add := func(s string) {
		if s != "" {
			forms = append(forms, s)
		}
	}
	trimmed := strings.TrimSpace(value)
	if trimmed == "" {
		return nil
	}
	parts := []string{value, trimmed}
	if lines := strings.FieldsFunc(value, func(r rune) bool { return r == '\n' || r == '\r' }); len(lines) > 1 {
		for _, line := range lines {
			if line = strings.TrimSpace(line); len(line) >= minimum {
				parts = append(parts, line)
			}
		}
	}
	for _, part := range parts {
		add(part)
		add(url.QueryEscape(part))
		add(url.PathEscape(part))
		add(jsonEscaped(part))
		add(strings.ReplaceAll(part, "'", `'\''`))
		add(safetext.Inline(part, 0))
		add(hex.EncodeToString([]byte(part)))
		for _, plain := range []string{part, "x-access-token:" + part, "git:" + part, ":" + part} {
			add(base64.StdEncoding.EncodeToString([]byte(plain)))
			add(base64.RawStdEncoding.EncodeToString([]byte(plain)))
			add(base64.URLEncoding.EncodeToString([]byte(plain)))
			add(base64.RawURLEncoding.EncodeToString([]byte(plain)))
		}
	}
	return forms
}

func jsonEscaped(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		return ""
	}
	return strings.Trim(string(data), `"`)
}

// redact replaces every form of every secret.
func (s *secrets) redact(text string) string { return s.replacer.Replace(text) }

// masks are what the runner is to hide in what others print: one line each.
func (s *secrets) masks() []string {
	var list []string
	for _, form := range s.forms {
		if !strings.ContainsAny(form, "\r\n") {
			list = append(list, form)
		}
	}
	return list
}
