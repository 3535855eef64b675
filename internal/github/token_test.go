package github

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestToken(t *testing.T) {
	s := play(t, answer{status: 200, body: refJSON})
	client, _ := s.client(t, nil)
	if err := get(t.Context(), client); err != nil {
		t.Fatal(err)
	}
	got := s.requests[0].Header
	for name, want := range map[string]string{
		"Authorization": "Bearer " + canary, "User-Agent": "wikiwright", "X-Github-Api-Version": "2022-11-28", "Accept": "application/vnd.github.v3+json",
	} {
		if got.Get(name) != want {
			t.Errorf("%s is %q, want %q", name, got.Get(name), want)
		}
	}
}

// renewing hands out one token after the other.
type renewing struct {
	mu     sync.Mutex
	tokens []string
	gone   []string
}

func (r *renewing) Token(context.Context) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.tokens[min(len(r.gone), len(r.tokens)-1)], nil
}

func (r *renewing) Invalidate(token string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gone = append(r.gone, token)
}

func TestToken_renewed(t *testing.T) {
	s := play(t, answer{status: 401}, answer{status: 200, body: refJSON})
	tokens := &renewing{tokens: []string{"first-token", "second-token"}}
	client, _ := s.client(t, func(cfg *Config) { cfg.Tokens = tokens })
	if err := get(t.Context(), client); err != nil {
		t.Fatal(err)
	}
	if got := s.requests[1].Header.Get("Authorization"); got != "Bearer second-token" {
		t.Errorf("second request has %q", got)
	}
	if diff := cmp.Diff([]string{"first-token"}, tokens.gone); diff != "" {
		t.Errorf("invalidated (-want +got):\n%s", diff)
	}
}

func TestStatic(t *testing.T) {
	s := Static("t")
	s.Invalidate("another")
	s.Invalidate("another")
	s.Invalidate("t")
	if got, err := s.Token(t.Context()); got != "t" || err != nil {
		t.Errorf("after one refusal: %q, %v", got, err)
	}
	s.Invalidate("t")
	if _, err := s.Token(t.Context()); !errors.Is(err, ErrTokenExpired) {
		t.Errorf("after two refusals: %v", err)
	}
}

func TestRedirect(t *testing.T) {
	other := play(t)
	for name, test := range map[string]struct {
		send   func(context.Context, *Client) error
		status int
		to     func(*script) string
	}{
		"other host":             {get, 302, func(*script) string { return other.URL + "/x" }},
		"other scheme":           {get, 301, func(s *script) string { return strings.Replace(s.URL, "http:", "https:", 1) }},
		"a write becomes a read": {post, 301, func(s *script) string { return s.URL + "/x" }},
	} {
		s := play(t, answer{})
		s.answers[0] = answer{status: test.status, header: map[string]string{"Location": test.to(s)}}
		client, _ := s.client(t, nil)
		err := test.send(t.Context(), client)
		if !errors.Is(err, ErrForeignRedirect) || Classify(err).Code != CodeMoved {
			t.Errorf("%s: got %v", name, err)
		}
	}
	// A renamed repository: the same origin, and 307 keeps the method.
	s := play(t, answer{}, answer{status: 201, body: refJSON})
	s.answers[0] = answer{status: 307, header: map[string]string{"Location": s.URL + "/api/v3/repositories/1/git/refs"}}
	client, _ := s.client(t, nil)
	if err := post(t.Context(), client); err != nil {
		t.Fatal(err)
	}
	if got := s.requests[1]; got.Method != "POST" || got.Header.Get("Authorization") != "Bearer "+canary {
		t.Errorf("followed by %s with %q", got.Method, got.Header.Get("Authorization"))
	}
}

// The transport itself gives no token away, whoever calls it.
func TestAuthorize_otherHost(t *testing.T) {
	other := play(t, answer{status: 200})
	client, _ := play(t).client(t, nil)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, other.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+canary)
	resp, err := client.transport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if got := other.requests[0].Header.Get("Authorization"); got != "" {
		t.Errorf("another host got %q", got)
	}
}

func TestSecrets(t *testing.T) {
	var log bytes.Buffer
	body := `{"message":"token ` + canary + ` and ghp_0123456789abcdefghij0123 are bad, see https://u:pw@host/"}`
	s := play(t, answer{status: 422, body: body}, answer{status: 200, body: `{"errors":[{"message":"no ` + canary + `"}]}`})
	client, _ := s.client(t, func(cfg *Config) {
		cfg.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	errs := []error{post(t.Context(), client), client.GraphQL(t.Context(), "{viewer{login}}", nil, nil)}
	text := fmt.Sprintf("%v\n%+v\n%s", errs, errs, log.String())
	for _, secret := range []string{canary, "ghp_0123", "u:pw"} {
		if strings.Contains(text, secret) {
			t.Errorf("%s is in:\n%s", secret, text)
		}
	}
	if !strings.Contains(text, "token *** and *** are bad, see https://***@host/") {
		t.Errorf("more than secrets is gone:\n%s", text)
	}
	if !strings.Contains(log.String(), "path=/api/v3/repos/o/r/git/refs status=422") {
		t.Errorf("log:\n%s", log.String())
	}
}

// A proxy address that cannot be used may hold a password.
func TestSecrets_network(t *testing.T) {
	client, err := New(Config{APIURL: "http://127.0.0.1:1", Tokens: Static(canary), Sleep: newClock().sleep, HTTP: roundTripFunc(
		func(*http.Request) (*http.Response, error) {
			return nil, fmt.Errorf("proxyconnect http://user:secret@proxy:1: Bearer %s: %w", canary, io.ErrClosedPipe)
		})})
	if err != nil {
		t.Fatal(err)
	}
	err = get(t.Context(), client)
	if !errors.Is(err, io.ErrClosedPipe) || strings.Contains(err.Error(), canary) || strings.Contains(err.Error(), "user:secret") {
		t.Errorf("got %v", err)
	}
}

type roundTripFunc func(*http.Request) (*http.Response, error)

func (f roundTripFunc) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// Many requests at once that all find the token refused.
func TestConcurrent(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer good-token" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_, _ = io.WriteString(w, refJSON)
	}))
	defer s.Close()
	clock := newClock()
	client, err := New(Config{APIURL: s.URL, Tokens: &renewing{tokens: []string{"bad-token", "good-token"}}, Now: clock.now, Sleep: clock.sleep})
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 50 {
		group.Go(func() {
			if err := get(t.Context(), client); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}
