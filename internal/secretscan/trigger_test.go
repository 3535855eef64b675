package secretscan

import (
	"bytes"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// plain is what a text has without triggers: every pattern is tried on all of it.
func plain(set *ruleSet, text []byte) []finding {
	masked := maskSentenceEnds(maskVersions(text))
	lower := bytes.ToLower(masked)
	var found []finding
	for _, r := range set.rules {
		if slices.ContainsFunc(r.keywords, func(word string) bool { return bytes.Contains(lower, bytes.ToLower([]byte(word))) }) {
			p := r.compiled()
			found = append(found, set.judge(r, p, masked, p.secret.FindAllSubmatchIndex(masked, -1))...)
		}
	}
	return sorted(found)
}

func TestTriggers(t *testing.T) {
	var without []string
	for _, r := range builtin().rules {
		if r.compiled().quick == nil {
			without = append(without, r.id)
		}
	}
	want := []string{"atlassian-api-token", "azure-ad-client-secret", "facebook-access-token", "maxmind-license-key", "sourcegraph-access-token"}
	if diff := cmp.Diff(want, without); diff != "" {
		t.Errorf("rules without a trigger (-want +got):\n%s", diff)
	}
}

func TestNewTrigger(t *testing.T) {
	for _, c := range []struct {
		pattern string
		words   []string
		front   int
	}{
		{`(?i)[\w.-]{0,50}?(?:access|api|auth)[\s]{0,3}=`, []string{"access", "api", "auth"}, 200},
		{`\b(ey[a-z]{17,})`, []string{"ey"}, -1},
		{`\b[a-z]+://x`, []string{"://x"}, -1},
		{`AKIA[A-Z2-7]{16}`, []string{"akia"}, 0},
		{`(?:gh[po]_|glpat-)x`, []string{"gho_x", "ghp_x", "glpat-x"}, 0},
		{`x?y?`, nil, 0},
		{`[a-z]{3}`, nil, 0},
		{`é+`, nil, 0},
	} {
		got := newTrigger(c.pattern)
		if c.words == nil {
			if got != nil {
				t.Errorf("%s: %q, want none", c.pattern, got.words)
			}
			continue
		}
		if got == nil {
			t.Errorf("%s: no trigger", c.pattern)
			continue
		}
		var words []string
		for _, word := range got.words {
			words = append(words, string(word))
		}
		if diff := cmp.Diff(c.words, words); diff != "" || got.front != c.front {
			t.Errorf("%s: front %d, want %d; words (-want +got):\n%s", c.pattern, got.front, c.front, diff)
		}
	}
}

func FuzzFind_likePlain(f *testing.F) {
	const key = `token = "x7Kq2ZpLm9VwR4tYc8Nb"`
	for _, text := range []string{
		key, key + key, "auth " + key + "\napi_key: x7Kq2ZpLm9VwR4tYc8NbZ; secret\n", "\u017fecret_" + key, "to\u212aen " + key, "İ" + key, "é " + key,
		"key key key key = 'x7Kq2ZpLm9VwR4tYc8NbZ'", "postgres://me:x7Kq2ZpLm9VwR4@host a://b", canaries[0].text + " key " + canaries[10].text,
	} {
		f.Add([]byte(text))
	}
	s := New()
	f.Fuzz(func(t *testing.T, text []byte) {
		if diff := cmp.Diff(plain(s.rules(), text), s.find(text), cmp.AllowUnexported(finding{})); diff != "" {
			t.Errorf("(-plain +with triggers):\n%s", diff)
		}
	})
}
