// Package github is the client of GitHub's API that everything in Wikiwright shares: go-github behind a transport that waits out limits,
// repeats what may be repeated, and keeps the token to itself.
//
// [New] makes a [Client] for github.com, a GitHub Enterprise Server or a tenant of ghe.com. [Client.API] is go-github; [Client.GraphQL] is
// for the little that REST has not. All requests of a client go through one transport, which
//
//   - waits for what Retry-After, X-RateLimit-Reset or GitHub's rules ask for after 429 and the 403 of a limit, up to a total of
//     [Config.MaxWait], and then fails with a [LimitError];
//   - repeats GET and HEAD, and writes marked by [Safe], after 5xx and broken connections. Other writes are sent once, unless GitHub
//     said that it did nothing: their callers must look whether the write happened, see [MaybeApplied];
//   - answers 401 with a fresh token, once, and then with [ErrTokenExpired];
//   - sends the token to the API's own origin only, follows no redirect to another and none that turns a write into a read;
//   - bounds answers to 32 MiB and the time of one attempt to two minutes;
//   - removes tokens and what looks like one from every error.
//
// [Classify] turns an error into a code and a hint that a maintainer can act on. Proxy and certificates come from the environment, as in
// every Go program: HTTPS_PROXY, NO_PROXY, SSL_CERT_FILE, SSL_CERT_DIR.
//
// The package keeps no state between runs, caches nothing, and does not know what is published.
package github

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/wikiwright/wikiwright/internal/gitrepo"
)

// A Config says which GitHub a client talks to, and how. The zero value of every field but Tokens is a good default.
type Config struct {
	// APIURL is the address of the REST API: https://api.github.com when empty, https://HOST/api/v3 for an Enterprise Server,
	// https://api.TENANT.ghe.com for a tenant. A bare https://HOST means that server's /api/v3. It is the GITHUB_API_URL of a workflow.
	APIURL string
	// ServerURL is the address of web pages and of git over HTTP, derived from APIURL when empty. It is GITHUB_SERVER_URL.
	ServerURL string

	Tokens TokenSource // nil for requests without a token

	HTTP  http.RoundTripper                                // what really sends; nil for one made from the environment
	Now   func() time.Time                                 // nil for time.Now
	Sleep func(ctx context.Context, d time.Duration) error // nil for a timer
	Log   *slog.Logger                                     // one debug line per attempt; nil for none
	// MaxWait bounds all waiting of this client taken together; 10 minutes when zero.
	MaxWait   time.Duration
	UserAgent string // "wikiwright" when empty
}

// A Client talks to one GitHub as one identity. It may be used by several goroutines.
type Client struct {
	api       *github.Client
	http      *http.Client
	transport *transport
	graphql   string
	server    *url.URL
}

// New returns a client. It fails for addresses that are none.
func New(cfg Config) (*Client, error) {
	hosts, err := resolveHosts(cfg.APIURL, cfg.ServerURL)
	if err != nil {
		return nil, fmt.Errorf("set up GitHub client: %w", err)
	}
	if cfg.UserAgent == "" {
		cfg.UserAgent = "wikiwright"
	}
	t := newTransport(cfg, hosts.api)
	httpClient := &http.Client{Transport: t, CheckRedirect: checkRedirect}
	api := github.NewClient(httpClient)
	api.BaseURL = hosts.api
	api.UploadURL = hosts.api
	api.UserAgent = cfg.UserAgent
	return &Client{api: api, http: httpClient, transport: t, graphql: hosts.graphql, server: hosts.server}, nil
}

// API returns go-github. Its errors may be given to [Classify]; limits are waited out before they reach it.
func (c *Client) API() *github.Client { return c.api }

// Requests tells how many requests were sent, repeated ones included, and how many of them were writes: all but GET, HEAD and GraphQL
// queries.
func (c *Client) Requests() (calls, writes int) { return c.transport.counts() }

// ServerURL is the address of web pages, without a slash at its end.
func (c *Client) ServerURL() string { return strings.TrimSuffix(c.server.String(), "/") }

// CloneURL is where git finds a repository over HTTP. It holds no credential.
func (c *Client) CloneURL(owner, name string) string {
	return c.server.JoinPath(owner, name+".git").String()
}

// Remote is a repository as git reaches it over HTTP: as the identity of this client, with its patience.
func (c *Client) Remote(owner, name string) gitrepo.Remote {
	return gitrepo.Remote{
		URL:   c.CloneURL(owner, name),
		Pause: c.Pause,
		Credential: func(ctx context.Context) (user, password string, err error) {
			token, err := c.Token(ctx)
			if err != nil || token == "" {
				return "", "", err
			}
			return gitUser, token, nil
		},
	}
}

// gitUser is the user name that GitHub expects beside the token of a job or an App; beside others it takes any.
const gitUser = "x-access-token"

// Token returns a token for git over HTTP.
func (c *Client) Token(ctx context.Context) (string, error) {
	if c.transport.tokens == nil {
		return "", nil
	}
	return c.transport.tokens.Token(ctx)
}

// Pause waits on the clock of the client. It is for those who repeat a request themselves; the wait counts towards MaxWait, and a wait
// that would exceed it is a [LimitError].
func (c *Client) Pause(ctx context.Context, d time.Duration) error { return c.transport.pause(ctx, d) }

// ErrForeignRedirect is an answer that points to another origin, or that would turn a write into a read. It was not followed.
var ErrForeignRedirect = errors.New("the server answered with a redirect that is not followed")

// maxRedirects is how many redirects are followed; a renamed repository takes one.
const maxRedirects = 5

func checkRedirect(req *http.Request, via []*http.Request) error {
	first := via[0]
	switch {
	case len(via) > maxRedirects:
		return fmt.Errorf("%w: too many", ErrForeignRedirect)
	case req.URL.Scheme != first.URL.Scheme || req.URL.Host != first.URL.Host:
		return fmt.Errorf("%w: to %s", ErrForeignRedirect, req.URL.Host)
	case req.Method != first.Method:
		return fmt.Errorf("%w: %s became %s", ErrForeignRedirect, first.Method, req.Method)
	}
	return nil
}
