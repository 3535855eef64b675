package gitrepo

import (
	"context"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/wikiwright/wikiwright/internal/gittest"
)

// A server serves one bare repository over smart HTTP to those who know the token.
type server struct {
	*httptest.Server
	bare *gittest.Repo

	mu      sync.Mutex
	token   string
	headers []http.Header
	// instead is set by answer.
	instead func(http.ResponseWriter, *http.Request) bool
}

func serve(t *testing.T, bare *gittest.Repo, token string) *server {
	t.Helper()
	s := newServer(t, bare, token)
	s.Start()
	return s
}

// newServer is serve without the start.
func newServer(t *testing.T, bare *gittest.Repo, token string) *server {
	t.Helper()
	bare.Git("config", "http.receivepack", "true")
	bare.Git("config", "uploadpack.allowAnySHA1InWant", "true")
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	backend := &cgi.Handler{
		Path: git, Args: []string{"http-backend"}, Root: "/o/r.git",
		Env: []string{"GIT_PROJECT_ROOT=" + filepath.Clean(bare.Dir), "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER=x",
			"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*"},
	}
	s := &server{bare: bare, token: token}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.headers = append(s.headers, r.Header.Clone())
		want, instead := s.token, s.instead
		s.mu.Unlock()
		if _, password, _ := r.BasicAuth(); len(r.Header.Values("Authorization")) != 1 || password != want {
			w.Header().Set("WWW-Authenticate", `Basic realm="test"`)
			http.Error(w, "Invalid username or token. You sent "+r.Header.Get("Authorization"), http.StatusUnauthorized)
			return
		}
		if instead != nil && instead(w, r) {
			return
		}
		backend.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *server) remote() Remote {
	return Remote{URL: s.URL + "/o/r.git", Credential: func(context.Context) (string, string, error) {
		return "x-access-token", token, nil
	}}
}

// answer lets f answer requests, if it wants to. A request may be under way, so that the test and the server must not both look at the field.
func (s *server) answer(f func(http.ResponseWriter, *http.Request) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.instead = f
}

// accept changes the token that the server knows.
func (s *server) accept(token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.token = token
}

// seen returns the headers of all requests.
func (s *server) seen() []http.Header {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.headers)
}

// tip is where a branch of the bare repository is, "" for nowhere.
func (s *server) tip(branch string) string {
	out, err := s.bare.TryGit("", "rev-parse", "--verify", "--quiet", "refs/heads/"+branch)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(out)
}

func open(t *testing.T, dir string) *Repo {
	t.Helper()
	repo, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return repo
}
