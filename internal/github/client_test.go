package github

import (
	"context"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestHosts(t *testing.T) {
	for _, test := range []struct{ api, server, wantAPI, wantGraphQL, wantServer string }{
		{"", "", "https://api.github.com/", "https://api.github.com/graphql", "https://github.com"},
		{"https://api.github.com", "https://github.com", "https://api.github.com/", "https://api.github.com/graphql", "https://github.com"},
		{"https://api.acme.ghe.com", "", "https://api.acme.ghe.com/", "https://api.acme.ghe.com/graphql", "https://acme.ghe.com"},
		{"https://ghes.example.com/api/v3", "", "https://ghes.example.com/api/v3/", "https://ghes.example.com/api/graphql", "https://ghes.example.com"},
		{"https://ghes.example.com/api/v3/", "", "https://ghes.example.com/api/v3/", "https://ghes.example.com/api/graphql", "https://ghes.example.com"},
		{"https://ghes.example.com", "https://www.example.com/", "https://ghes.example.com/api/v3/", "https://ghes.example.com/api/graphql", "https://www.example.com"},
		{"http://127.0.0.1:1234/api/v3", "", "http://127.0.0.1:1234/api/v3/", "http://127.0.0.1:1234/api/graphql", "http://127.0.0.1:1234"},
	} {
		client, err := New(Config{APIURL: test.api, ServerURL: test.server})
		if err != nil {
			t.Errorf("%q: %v", test.api, err)
			continue
		}
		got := []string{client.API().BaseURL.String(), client.graphql, client.ServerURL(), client.CloneURL("o", "r")}
		if diff := cmp.Diff([]string{test.wantAPI, test.wantGraphQL, test.wantServer, test.wantServer + "/o/r.git"}, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.api, diff)
		}
	}
}

func TestRemote(t *testing.T) {
	client, err := New(Config{Tokens: Static(canary)})
	if err != nil {
		t.Fatal(err)
	}
	remote := client.Remote("o", "r")
	user, password, err := remote.Credential(t.Context())
	if remote.URL != "https://github.com/o/r.git" || user != "x-access-token" || password != canary || err != nil || remote.Pause == nil {
		t.Errorf("got %+v: %s %s, %v", remote, user, password, err)
	}
	anonymous, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	if user, password, err := anonymous.Remote("o", "r").Credential(t.Context()); user != "" || password != "" || err != nil {
		t.Errorf("without a token: %q %q, %v", user, password, err)
	}
}

func TestNew_error(t *testing.T) {
	for _, address := range []string{"ftp://x", "api.github.com", "https://", "https://user:secret@host", "https://host?token=secret", "https://host/%zz"} {
		for _, cfg := range []Config{{APIURL: address}, {ServerURL: address}} {
			if _, err := New(cfg); err == nil || strings.Contains(err.Error(), "secret") {
				t.Errorf("%+v: %v", cfg, err)
			}
		}
	}
}

func TestGraphQL(t *testing.T) {
	s := play(t,
		answer{status: 502},
		answer{status: 200, body: `{"data":{"viewer":{"login":"ada"}}}`},
		answer{status: 200, body: `{"data":{"x":null},"errors":[{"type":"NOT_FOUND","message":"no such thing"},{"message":"and more"}]}`},
		answer{status: 502},
	)
	client, clock := s.client(t, nil)
	var out struct{ Viewer struct{ Login string } }
	if err := client.GraphQL(t.Context(), "query($n: Int) { viewer { login } }", map[string]any{"n": 1}, &out); err != nil || out.Viewer.Login != "ada" {
		t.Errorf("got %+v, %v", out, err)
	}
	if want := `{"query":"query($n: Int) { viewer { login } }","variables":{"n":1}}`; s.bodies[1] != want || s.requests[1].URL.Path != "/api/graphql" {
		t.Errorf("sent %s to %s", s.bodies[1], s.requests[1].URL.Path)
	}
	err := client.GraphQL(t.Context(), "{x}", nil, nil)
	var failed *GraphQLError
	if !errors.As(err, &failed) || !failed.Has("NOT_FOUND") || failed.Error() != "GraphQL: no such thing; and more" || Classify(err).Code != CodeNotFound {
		t.Errorf("got %v", err)
	}
	if err := client.GraphQL(t.Context(), "mutation {y}", nil, nil); !MaybeApplied(err) {
		t.Errorf("mutation: %v", err)
	}
	if calls, writes := client.Requests(); calls != 4 || writes != 1 || len(clock.slept) != 1 {
		t.Errorf("%d calls, %d writes, %d waits; want 4, 1, 1", calls, writes, len(clock.slept))
	}
}

// The quota of GraphQL is told with status 200 and is its own.
func TestGraphQL_limit(t *testing.T) {
	s := play(t,
		answer{status: 200, body: `{"errors":[{"type":"RATE_LIMITED","message":"API rate limit exceeded"}]}`},
		answer{status: 200, body: `{"data":{}}`},
	)
	client, clock := s.client(t, nil)
	if err := client.GraphQL(t.Context(), "mutation {y}", nil, nil); err != nil {
		t.Fatal(err)
	}
	if len(clock.slept) != 1 || clock.slept[0] != minLimitWait {
		t.Errorf("waits %v", clock.slept)
	}
}

func TestGraphQL_limitForEver(t *testing.T) {
	limited := answer{status: 200, body: `{"errors":[{"type":"RATE_LIMITED","message":"API rate limit exceeded"}]}`}
	s := play(t, limited, limited, limited, limited, limited, limited, limited, limited, limited, limited, limited)
	client, _ := s.client(t, nil)
	err := client.GraphQL(t.Context(), "{x}", nil, nil)
	if Classify(err).Code != CodeRateLimited {
		t.Errorf("got %v", err)
	}
}

// childAPI is set in the child process of the tests of proxy and certificates: Go reads both once per process.
const childAPI = "WIKIWRIGHT_TEST_API"

func TestMain(m *testing.M) {
	api := os.Getenv(childAPI)
	if api == "" {
		os.Exit(m.Run())
	}
	client, err := New(Config{APIURL: api, Tokens: Static(canary), Sleep: newClock().sleep})
	if err == nil {
		err = client.GraphQL(context.Background(), "{x}", nil, nil)
	}
	if err != nil {
		_, _ = io.WriteString(os.Stderr, err.Error())
		os.Exit(1)
	}
	os.Exit(0)
}

func child(t *testing.T, env ...string) (string, error) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH")}, env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func TestCertificate(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"data":{}}`) }))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	defer s.Close()
	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := child(t, childAPI+"="+s.URL, "SSL_CERT_FILE="+file); err != nil {
		t.Errorf("with the certificate: %v %s", err, out)
	}
	if out, err := child(t, childAPI+"="+s.URL); err == nil || !strings.Contains(out, "certificate") {
		t.Errorf("without the certificate: %v %s", err, out)
	}
}

func TestProxy(t *testing.T) {
	var asked []string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.String())
		_, _ = io.WriteString(w, `{"data":{}}`)
	}))
	defer proxy.Close()
	if out, err := child(t, childAPI+"=http://github.test", "HTTP_PROXY="+proxy.URL); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	if diff := cmp.Diff([]string{"http://github.test/api/graphql"}, asked); diff != "" {
		t.Errorf("the proxy was asked (-want +got):\n%s", diff)
	}
}
