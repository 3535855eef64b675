package secretscan

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// canaries are made from parts, so that no scanner of this repository takes them for secrets.
var canaries = []struct{ name, rule, text string }{
	{"GitHub token", "github-pat", "ghp" + "_x7Kq2ZpLm9VwR4tYc8NbJ3hFd6GsA1eUoPiQ"},
	{"GitHub installation", "github-app-token", "ghs" + "_x7Kq2ZpLm9VwR4tYc8NbJ3hFd6GsA1eUoPiQ"},
	{"GitHub fine-grained", "github-fine-grained-pat", "github" + "_pat_11ABCDE2Y0" + "x7Kq2ZpLm9VwR4_tYc8NbJ3hFd6GsA1eUoPiQx7Kq2ZpLm9VwR4tYc8NbJ3hFd6GsA1eUoPi1234x"},
	{"Anthropic", "anthropic-key", "sk" + "-ant-api03-x7Kq2ZpLm9VwR4tYc8NbJ3hFd6GsA1eUoPiQx7Kq2ZpLm9VwR4tYc8NbJ3hFd6GsA1eUoPiQAA"},
	{"OpenAI", "openai-key", "sk" + "-proj-x7Kq2ZpLm9VwR4tYc8NbJ3hFd6GsA1eUoPiQx7Kq2ZpLm9VwR4tYc8"},
	{"AWS", "aws-access-token", "AKIA" + "2EXK7FQ3B2K4C5PW"},
	{"Slack", "slack-bot-token", "xoxb" + "-263594206564-2343594206574-FGqddMF8t08v8N7Oq4i57vs1"},
	{"Google API", "gcp-api-key", "AIza" + "SyDx7Kq2ZpLm9VwR4tYc8NbJ3hFd6GsA1eU"},
	{"Stripe", "stripe-access-token", "sk" + "_live_x7Kq2ZpLm9VwR4tYc8NbJ3hF"},
	{"JWT", "jwt", "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiI5MTg0NzI2MSIsIm5hbWUiOiJKIn0." + "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"},
	{"PEM", "private-key", "-----BEGIN RSA " + "PRIVATE KEY-----\nMIIEowIBAAKCAQEAx7Kq2ZpLm9VwR4tYc8NbJ3hFd6GsA1eUoPiQx7Kq2ZpLm9Vw\nR4tYc8NbJ3hFd6GsA1eUoPiQx7Kq2ZpLm9VwR4tYc8NbJ3hFd6GsA1eUoPiQ\n-----END RSA " + "PRIVATE KEY-----"},
	{"npm", "npm-access-token", "npm" + "_x7Kq2ZpLm9VwR4tYc8NbJ3hFd6GsA1eUoPiQ"},
	{"password assignment", "generic-api-key", `password = "x7Kq2ZpLm9VwR4tYc8Nb"`},
}

func TestScan_canaries(t *testing.T) {
	s := New()
	for _, c := range canaries {
		page := "# Title\n\nSome words before.\n\n`" + c.text + "`\n\nand after.\n"
		hits := s.Scan([]byte(page))
		found := false
		for _, h := range hits {
			found = found || h.Rule == c.rule && h.Line == 5
		}
		if !found {
			t.Errorf("%s: got %v, want %s in line 5", c.name, hits, c.rule)
		}
		redacted := s.Redact(page)
		if strings.Contains(redacted, c.text) || len(s.Scan([]byte(redacted))) != 0 {
			t.Errorf("%s: redacted to %q", c.name, redacted)
		}
	}
}

// A credential at the end of a sentence, in brackets or in a list is one too.
func TestScan_prose(t *testing.T) {
	s := New()
	for _, c := range canaries {
		if c.name == "PEM" || c.name == "password assignment" {
			continue // they end in a mark of their own
		}
		for _, text := range []string{"It logs in with %s.\n", "Use %s, please.\n", "(see %s)", "(see %s).\n", "**%s**\n", "| a | %s|\n", `"It uses %s."`, "is it %s?!\n", "%s: it is"} {
			page := strings.Replace(text, "%s", c.text, 1)
			hit := slices.ContainsFunc(s.Scan([]byte(page)), func(h Hit) bool { return h.Rule == c.rule })
			if !hit || strings.Contains(s.Redact(page), c.text) {
				t.Errorf("%s in %q: got %v, %q", c.name, text, s.Scan([]byte(page)), s.Redact(page))
			}
		}
	}
}

func TestScan_documentation(t *testing.T) {
	version := "repo-lines-v1:sha256:" + strings.Repeat("0a1b2c3d", 8) + ":eyJzZWxlY3RlZExpbmVDb3VudCI6M30"
	for _, text := range []string{
		"",
		"aws_access_key_id = AKIAIOSFODNN7EXAMPLE\naws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\n",
		"token: ${GITHUB_TOKEN}\ntoken: ${{ secrets.GITHUB_TOKEN }}\nexport TOKEN=<your-token>\n",
		`"key": "sha256:` + strings.Repeat("0a1b2c3d", 8) + `"`,
		"key: 9fceb02d0ae598e95dc970b74767f19372d61af8",
		`{"version": "` + version + `"}`,
		"api_key: xxxxxxxxxxxxxxxxxxxxxxxx",
		"password: changeme-changeme-1",
		"ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
		"postgres://user:password@localhost:5432/db redis://:secret@host",
		"access_token = config.get_access_token()",
		"the key `security.authenticator.json_login.main` of the container",
		"integrity: sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
		"-----BEGIN " + "PRIVATE KEY-----\n...\n-----END " + "PRIVATE KEY-----",
	} {
		if hits := New().Scan([]byte(text)); len(hits) != 0 {
			t.Errorf("%q: got %v, want nothing", text, hits)
		}
	}
}

func TestScan_hiddenInVersion(t *testing.T) {
	hidden := "repo-lines-v1:sha256:" + strings.Repeat("0", 64) + ":" + canaries[0].text
	if hits := New().Scan([]byte(hidden)); len(hits) == 0 {
		t.Errorf("got %v, want the token", hits)
	}
}

func TestScan_noSwitch(t *testing.T) {
	if hits := New().Scan([]byte(canaries[0].text + " # gitleaks:allow")); len(hits) == 0 {
		t.Error("a comment switched the rule off")
	}
}

// TestRules reads what a scanner leaves out when it cannot be read.
func TestRules(t *testing.T) {
	set := builtin()
	if got := len(set.rules); got != 217+len(ownRules()) {
		t.Errorf("got %d rules", got)
	}
	ids := map[string]bool{}
	for _, r := range set.rules {
		if r.compiled().secret == nil {
			t.Errorf("rule %s does not compile", r.id)
		}
		if ids[r.id] {
			t.Errorf("rule %s is there twice", r.id)
		}
		ids[r.id] = true
		if len(r.keywords) == 0 {
			t.Errorf("rule %s has no keyword and is tried on every text", r.id)
		}
	}
	if diff := cmp.Diff(0, len(set.words.always)); diff != "" {
		t.Error(diff)
	}
	if len(set.global()) != 2 {
		t.Error("the allowances are not read")
	}
}

func TestScanner_concurrent(t *testing.T) {
	s := New()
	done := make(chan []Hit)
	for range 4 {
		go func() { done <- s.Scan([]byte(canaries[0].text)) }()
	}
	for range 4 {
		if hits := <-done; len(hits) == 0 {
			t.Error("no hit")
		}
	}
}

func BenchmarkScan(b *testing.B) {
	page := []byte(strings.Repeat("The key of the cache is made from the token of the access list, see `internal/auth/key.go`.\n", 200))
	s := New()
	s.Scan(page)
	b.SetBytes(int64(len(page)))
	for b.Loop() {
		s.Scan(page)
	}
}

func FuzzRedact(f *testing.F) {
	for _, c := range canaries {
		f.Add(c.text)
	}
	s := New()
	f.Fuzz(func(t *testing.T, text string) {
		for _, hit := range s.Scan([]byte(text)) {
			if hit.Line < 1 || hit.Line > 1+strings.Count(text, "\n") {
				t.Errorf("line %d", hit.Line)
			}
		}
		s.Redact(text)
	})
}
