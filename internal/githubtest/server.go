package githubtest

import (
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/wikiwright/wikiwright/internal/gittest"
)

// Options describe the repository.
type Options struct {
	Owner, Name   string        // default "acme", "widgets"
	DefaultBranch string        // default gittest.Branch
	Seed          *gittest.Repo // its branches and tags are the first content; nil: one commit of a README.md
	SeedDir       string        // instead of Seed: a git directory or checkout to clone the first content from
	// Files is the first commit where there is no seed, path to content; nil is a README.md. No git process is needed for it.
	Files map[string]string

	Private, Fork, Archived bool
	ForkOwner               string // of a fork that can be pushed to; "" for none
	NoDrafts                bool   // the plan does not allow draft pull requests
	NoActionsPulls          bool   // the setting "Allow GitHub Actions to create and approve pull requests" is off
	NoAutoMerge             bool   // the setting "Allow auto-merge" is off

	Users      []User   // besides ada (admin, the author of gittest's commits), github-actions[bot] and web-flow
	Teams      []string // slugs of teams with access
	Milestones []string // titles; the first is number 1

	TLS bool             // serve HTTPS with [Server.Client]'s certificate
	Now func() time.Time // default time.Now
}

// A User is a person or a bot with an account.
type User struct {
	Login      string
	ID         int64
	Name       string // default Login
	Email      string // public e-mail; the noreply addresses always belong to the account too
	Permission string // admin, write, read or none; default write
}

// A Server is a running stand-in. Its methods may be called from any goroutine.
type Server struct {
	Owner, Name   string
	DefaultBranch string

	ServerURL  string // such as http://127.0.0.1:1234, what GITHUB_SERVER_URL holds
	APIURL     string // ServerURL/api/v3, what GITHUB_API_URL holds
	GraphQLURL string // ServerURL/api/graphql, what GITHUB_GRAPHQL_URL holds
	CloneURL   string // ServerURL/Owner/Name.git
	Bare       string // the bare repository on disk

	report  reporter
	http    *httptest.Server
	spec    *openapi3.T
	routes  []route
	now     func() time.Time
	done    chan struct{}
	opts    Options
	faults  faults
	journal journal
	known   sync.Map // answers of git that stay: see fixed

	mu       sync.Mutex // everything below, and every change of refs
	users    []User
	tokens   map[string]Grant
	issued   int
	rules    []Rules
	signed   map[string]bool // commits that GitHub signed
	pulls    []*pull
	labels   []label
	comments []*comment
	queue    map[int]string // pull request → ref in the merge queue
	refLog   []RefUpdate
	settings settings
}

// settings can be changed while the server runs.
type settings struct{ archived, noDrafts, noActionsPulls, noAutoMerge bool }

// A reporter takes what went against the rules; testing.TB is one.
type reporter interface {
	Helper()
	Errorf(format string, args ...any)
}

// New starts a server that ends with the test.
func New(t testing.TB, o Options) *Server {
	t.Helper()
	if o.Seed != nil {
		o.SeedDir = o.Seed.Dir
	}
	s, err := Start(t, t.TempDir(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// Start starts a server outside of a test, with its repository below dir. What goes against the rules is told to report. The caller
// closes it.
func Start(report reporter, dir string, o Options) (*Server, error) {
	s := &Server{
		Owner: or(o.Owner, "acme"), Name: or(o.Name, "widgets"), DefaultBranch: or(o.DefaultBranch, gittest.Branch),
		report: report, now: o.Now, opts: o, done: make(chan struct{}),
		tokens: map[string]Grant{}, signed: map[string]bool{}, queue: map[int]string{},
		users:    knownUsers(o.Users),
		settings: settings{archived: o.Archived, noDrafts: o.NoDrafts, noActionsPulls: o.NoActionsPulls, noAutoMerge: o.NoAutoMerge},
	}
	if s.now == nil {
		s.now = time.Now
	}
	s.faults.fired = map[int]int{}
	spec, err := loadDescription()
	if err != nil {
		return nil, err
	}
	s.spec = spec
	s.routes = s.routeTable()
	s.Bare = filepath.Join(dir, s.Name+".git")
	if err := s.initRepository(o.SeedDir); err != nil {
		return nil, err
	}
	s.http = httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	if o.TLS {
		s.http.StartTLS()
	} else {
		s.http.Start()
	}
	s.ServerURL = s.http.URL
	s.APIURL = s.ServerURL + "/api/v3"
	s.GraphQLURL = s.ServerURL + "/api/graphql"
	s.CloneURL = fmt.Sprintf("%s/%s/%s.git", s.ServerURL, s.Owner, s.Name)
	return s, nil
}

// Close ends the server. Running requests end first.
func (s *Server) Close() {
	select {
	case <-s.done:
	default:
		close(s.done)
		s.http.CloseClientConnections()
		s.http.Close()
	}
}

// Client returns an HTTP client that trusts the server's certificate.
func (s *Server) Client() *http.Client { return s.http.Client() }

// CertPEM is the certificate of a server with TLS, for clients that are other programs.
func (s *Server) CertPEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.http.Certificate().Raw})
}

// initRepository makes the bare repository with the first content and logs its refs as they are.
func (s *Server) initRepository(seed string) error {
	if seed == "" {
		if err := s.emptyRepository(); err != nil {
			return err
		}
		if err := s.firstCommit(); err != nil {
			return err
		}
	} else {
		if _, err := runGit("", "", "clone", "--quiet", "--bare", "--template=", seed, s.Bare); err != nil {
			return err
		}
		if err := s.configure(); err != nil {
			return err
		}
	}
	refs, err := s.allRefs()
	if err != nil {
		return err
	}
	for _, ref := range refs {
		s.refLog = append(s.refLog, RefUpdate{Ref: ref.name, New: ref.sha, By: "seed"})
	}
	return os.MkdirAll(filepath.Join(s.Bare, "hooks"), 0o755)
}

// emptyRepository is git init --bare without a process.
func (s *Server) emptyRepository() error {
	for _, dir := range []string{"objects/info", "objects/pack", "refs/heads", "refs/tags"} {
		if err := os.MkdirAll(filepath.Join(s.Bare, dir), 0o755); err != nil {
			return fmt.Errorf("make the repository: %w", err)
		}
	}
	if err := os.WriteFile(filepath.Join(s.Bare, "config"), []byte("[core]\n\trepositoryformatversion = 0\n\tbare = true\n"), 0o644); err != nil {
		return fmt.Errorf("make the repository: %w", err)
	}
	return s.configure()
}

// configuration makes the repository behave as one on GitHub, and quick. It is written without git: each process counts in tests.
const configuration = `
[http]
	receivepack = true
[uploadpack]
	allowAnySHA1InWant = true
	allowFilter = true
[transfer]
	hideRefs = refs/namespaces
[receive]
	denyDeleteCurrent = ignore
	autogc = false
[gc]
	auto = 0
[core]
	fsync = none
	logAllRefUpdates = false
`

func (s *Server) configure() error {
	file, err := os.OpenFile(filepath.Join(s.Bare, "config"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("configure the repository: %w", err)
	}
	_, err = file.WriteString(configuration)
	head := os.WriteFile(filepath.Join(s.Bare, "HEAD"), []byte("ref: refs/heads/"+s.DefaultBranch+"\n"), 0o644)
	if err := errors.Join(err, file.Close(), head); err != nil {
		return fmt.Errorf("configure the repository: %w", err)
	}
	return nil
}

// Archive makes the repository read-only.
func (s *Server) Archive() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settings.archived = true
}

// AllowActionsPulls sets whether the default token of GitHub Actions may create pull requests.
func (s *Server) AllowActionsPulls(allowed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settings.noActionsPulls = !allowed
}

func or(value, otherwise string) string {
	if value == "" {
		return otherwise
	}
	return value
}
