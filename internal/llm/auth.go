package llm

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"time"
)

// authorizer puts the credential on requests.
type authorizer interface {
	// authorize adds the credential, and returns it so that it can be kept out of errors.
	authorize(ctx context.Context, req *http.Request) (Secret, error)
	// refused is told that a credential was refused, and reports whether there may be another one now.
	refused(used Secret) bool
}

// noAuth sends no credential: local servers, and those that take one in a header that is configured.
type noAuth struct{}

func (noAuth) authorize(context.Context, *http.Request) (Secret, error) { return "", nil }
func (noAuth) refused(Secret) bool                                      { return false }

// keyAuth sends one key under the header, and after the scheme, that the endpoint wants.
type keyAuth struct {
	place keyPlace
	key   Secret
}

func (a keyAuth) authorize(_ context.Context, req *http.Request) (Secret, error) {
	a.place.set(req, a.key)
	return a.key, nil
}

func (keyAuth) refused(Secret) bool { return false }

// keyPlace is where a key stands: its header, and the word before it.
type keyPlace struct{ header, scheme string }

func (p keyPlace) set(req *http.Request, key Secret) {
	value := key.Value()
	if p.scheme != "" {
		value = p.scheme + " " + value
	}
	req.Header.Set(p.header, value)
}

func placeOf(c Config, known provider) keyPlace {
	switch {
	case strings.EqualFold(c.AuthHeader, "Authorization"):
		return keyPlace{"Authorization", "Bearer"}
	case c.AuthHeader != "":
		return keyPlace{c.AuthHeader, ""}
	case known.authHeader != "":
		return keyPlace{known.authHeader, ""}
	case known.authScheme != "":
		return keyPlace{"Authorization", known.authScheme}
	}
	return keyPlace{"Authorization", "Bearer"}
}

// newAuthorizer chooses by what is configured; base carries the requests that fetch tokens of a cloud.
func newAuthorizer(c Config, known provider, base http.RoundTripper, now func() time.Time) authorizer {
	if now == nil {
		now = time.Now
	}
	place := placeOf(c, known)
	switch {
	case len(c.TokenCommand) > 0:
		if len(known.authHeader) > 0 && c.AuthHeader == "" {
			place = keyPlace{"Authorization", "Bearer"} // what a command prints is a bearer token, not an API key
		}
		return &tokenAuth{place: place, fetch: func(ctx context.Context) (Secret, time.Time, error) {
			token, err := runTokenCommand(ctx, c.TokenCommand)
			return token, time.Time{}, err
		}, now: now}
	case c.Key != "":
		return keyAuth{place, c.Key}
	case known.id == "bedrock":
		return &awsAuth{region: c.Region, pair: c.AWS, base: base, now: now}
	case known.id == "gemini-enterprise":
		return &tokenAuth{place: keyPlace{"Authorization", "Bearer"}, fetch: googleToken(base), now: now}
	}
	return noAuth{}
}

// tokenAuth sends a token that is fetched when it is needed, and again when it has ended or was refused. It is safe for concurrent use.
type tokenAuth struct {
	place keyPlace
	fetch func(context.Context) (token Secret, ends time.Time, err error)
	now   func() time.Time

	mu    sync.Mutex
	token Secret // "" is none
	ends  time.Time
}

func (a *tokenAuth) authorize(ctx context.Context, req *http.Request) (Secret, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.ends.IsZero() && !a.now().Before(a.ends) {
		a.token = ""
	}
	if a.token == "" {
		token, ends, err := a.fetch(ctx)
		if err != nil {
			return "", err
		}
		a.token, a.ends = token, ends
	}
	a.place.set(req, a.token)
	return a.token, nil
}

// refused forgets the token, unless another request has replaced it already.
func (a *tokenAuth) refused(used Secret) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.token == used {
		a.token = ""
	}
	return true
}

// trimKey removes what comes along when a key is pasted: space, line ends, quotes.
func trimKey(s string) string {
	for {
		trimmed := strings.TrimSpace(s)
		if n := len(trimmed); n >= 2 && (trimmed[0] == '"' || trimmed[0] == '\'') && trimmed[n-1] == trimmed[0] {
			trimmed = trimmed[1 : n-1]
		}
		if trimmed == s {
			return s
		}
		s = trimmed
	}
}
