package llm

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// authorizer puts the credential on requests, below the libraries, so that they neither hold nor repeat it.
type authorizer interface {
	authorize(ctx context.Context, req *http.Request) error
	// refused is told that the credential of a request was refused, and reports whether there may be another one now.
	refused() bool
}

// noAuth leaves requests as the library made them: local servers, and cloud identities that the library resolves.
type noAuth struct{}

func (noAuth) authorize(context.Context, *http.Request) error { return nil }
func (noAuth) refused() bool                                  { return false }

// keyAuth sends one key under the header, and the scheme, that the endpoint wants.
type keyAuth struct {
	header, scheme string
	key            Secret
}

func (a keyAuth) authorize(_ context.Context, req *http.Request) error {
	setCredential(req, a.header, a.scheme, a.key)
	return nil
}

func (keyAuth) refused() bool { return false }

// setCredential replaces every credential on the request.
func setCredential(req *http.Request, header, scheme string, key Secret) {
	for _, name := range []string{"Authorization", "X-Api-Key", "Api-Key", "X-Goog-Api-Key"} {
		req.Header.Del(name)
	}
	value := key.Value()
	if scheme != "" {
		value = scheme + " " + value
	}
	req.Header.Set(header, value)
}

// commandTimeout is how long a command that prints a token may take.
const commandTimeout = time.Minute

// commandAuth sends the bearer token that a command prints. It is safe for concurrent use.
type commandAuth struct {
	header, scheme string
	command        []string

	mu    sync.Mutex
	token Secret
	fresh bool // the token has not been refused
}

func (a *commandAuth) authorize(ctx context.Context, req *http.Request) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.fresh {
		token, err := runTokenCommand(ctx, a.command)
		if err != nil {
			return err
		}
		a.token, a.fresh = token, true
	}
	setCredential(req, a.header, a.scheme, a.token)
	return nil
}

func (a *commandAuth) refused() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.fresh = false
	return true
}

func runTokenCommand(ctx context.Context, command []string) (Secret, error) {
	ctx, cancel := context.WithTimeout(ctx, commandTimeout)
	defer cancel()
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil {
		return "", &Error{Class: ClassConfig, Err: fmt.Errorf("run the token command %s: %w", command[0], err), Hint: "run the command by hand; it must print the token and nothing else"}
	}
	token := trimKey(out.String())
	if token == "" || strings.ContainsAny(token, "\r\n") {
		return "", &Error{Class: ClassConfig, Err: fmt.Errorf("the token command %s printed no single token", command[0]), Hint: "it must print the token and nothing else"}
	}
	return Secret(token), nil
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

func newRecorder(c Config, known provider, o Options) *recorder {
	r := &recorder{base: o.Transport, headers: c.Headers, firstByte: c.FirstByteTimeout, idle: c.IdleTimeout, auth: newAuthorizer(c, known)}
	if r.base == nil {
		r.base = newTransport(c.ConnectTimeout)
	}
	return r
}

func newAuthorizer(c Config, known provider) authorizer {
	header, scheme := "Authorization", "Bearer"
	switch {
	case c.AuthHeader != "":
		header, scheme = c.AuthHeader, ""
		if strings.EqualFold(header, "Authorization") {
			scheme = "Bearer"
		}
	case known.authHeader != "":
		header, scheme = known.authHeader, ""
	case known.authScheme != "":
		scheme = known.authScheme
	case known.id == "anthropic":
		header, scheme = "X-Api-Key", ""
	case known.id == "gemini":
		header, scheme = "X-Goog-Api-Key", ""
	}
	switch {
	case len(c.TokenCommand) > 0:
		return &commandAuth{header: header, scheme: scheme, command: c.TokenCommand}
	case c.Key != "" && known.id != "bedrock":
		return keyAuth{header, scheme, c.Key}
	}
	return noAuth{}
}
