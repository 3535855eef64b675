package github

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

const (
	maxAttempts    = 6  // of one request
	maxLimited     = 12 // of one that is met by a limit each time
	maxAnswer      = 32 << 20
	attemptTimeout = 2 * time.Minute
	defaultMaxWait = 10 * time.Minute
)

// ErrTooLarge is an answer of more than 32 MiB.
var ErrTooLarge = errors.New("the answer of GitHub is too large")

type contextKey int

const (
	safeKey contextKey = iota
	queryKey
)

// Safe marks the requests of a context as safe to be repeated although they write: sending them twice has the effect of sending them once.
// That is so for blobs, trees and commits that nothing points to yet, and for setting a value.
func Safe(ctx context.Context) context.Context { return context.WithValue(ctx, safeKey, true) }

// MaybeApplied tells whether a write that ended with err may have happened all the same: the answer was lost, or the server broke off.
func MaybeApplied(err error) bool {
	var sent *sentError
	return errors.As(err, &sent) || responseStatus(err) >= 500
}

// A sentError is a failure after the request was, or may have been, sent.
type sentError struct{ err error }

func (e *sentError) Error() string { return e.err.Error() }
func (e *sentError) Unwrap() error { return e.err }

// transport is the retrying, authenticating, counting http.RoundTripper of a client.
type transport struct {
	base   http.RoundTripper
	origin *url.URL
	tokens TokenSource
	now    func() time.Time
	sleep  func(context.Context, time.Duration) error
	log    *slog.Logger
	redact redactor

	mu      sync.Mutex
	budget  time.Duration        // what may still be waited
	blocked map[string]time.Time // by quota: nothing is sent before
	calls   int
	writes  int
}

func newTransport(cfg Config, origin *url.URL) *transport {
	t := &transport{
		base: cfg.HTTP, origin: origin, tokens: cfg.Tokens, now: cfg.Now, sleep: cfg.Sleep, log: cfg.Log, budget: cfg.MaxWait,
		blocked: map[string]time.Time{},
	}
	if t.base == nil {
		t.base = &http.Transport{
			Proxy:                 http.ProxyFromEnvironment,
			DialContext:           (&net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
			ForceAttemptHTTP2:     true,
			TLSHandshakeTimeout:   15 * time.Second,
			ResponseHeaderTimeout: attemptTimeout,
			IdleConnTimeout:       90 * time.Second,
			MaxIdleConnsPerHost:   4,
		}
	}
	if t.now == nil {
		t.now = time.Now
	}
	if t.sleep == nil {
		t.sleep = sleep
	}
	if t.log == nil {
		t.log = slog.New(slog.DiscardHandler)
	}
	if t.budget == 0 {
		t.budget = defaultMaxWait
	}
	return t
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

func (t *transport) counts() (calls, writes int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.calls, t.writes
}

// RoundTrip implements http.RoundTripper. The answer is read before it is returned, so that an answer that breaks off counts as lost.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := t.roundTrip(req)
	if err != nil {
		return nil, t.redact.error(err)
	}
	return resp, nil
}

func (t *transport) roundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		defer req.Body.Close()
	}
	refused := false // GitHub has refused a token once
	for attempt := 0; ; attempt++ {
		if err := t.waitBlocked(req); err != nil {
			return nil, err
		}
		resp, body, token, err := t.attempt(req, attempt)
		if err == nil && resp.StatusCode == http.StatusUnauthorized && token != "" {
			t.tokens.Invalidate(token)
			if refused {
				return nil, fmt.Errorf("%w: %w", ErrTokenExpired, statusError{resp.StatusCode})
			}
			refused = true
			if canRepeat(req) {
				continue
			}
		}
		wait, again := t.again(req, resp, body, err, attempt)
		if !again {
			return t.finish(resp, body, err)
		}
		if err := t.pause(req.Context(), wait); err != nil {
			return nil, err
		}
	}
}

// A statusError carries a status where there is no answer to carry it.
type statusError struct{ code int }

func (e statusError) Error() string { return http.StatusText(e.code) }

// finish hands the answer to go-github. Headers about quotas are taken away: go-github would refuse the next request by itself, with no
// regard to how long may be waited, and here they have already been obeyed.
func (t *transport) finish(resp *http.Response, body []byte, err error) (*http.Response, error) {
	if err != nil {
		return nil, err
	}
	if resp.StatusCode >= 400 {
		body = []byte(t.redact.text(string(body)))
	}
	for _, name := range []string{"X-Ratelimit-Remaining", "X-Ratelimit-Reset", "X-Ratelimit-Limit", "X-Ratelimit-Used", "Retry-After"} {
		resp.Header.Del(name)
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	resp.ContentLength = int64(len(body))
	return resp, nil
}

// attempt sends the request once and reads the answer.
func (t *transport) attempt(req *http.Request, n int) (_ *http.Response, body []byte, token string, err error) {
	ctx, cancel := context.WithTimeout(req.Context(), attemptTimeout)
	defer cancel()
	out := req.Clone(ctx)
	if req.Body != nil && req.Body != http.NoBody && (n > 0 || req.GetBody != nil) {
		if out.Body, err = req.GetBody(); err != nil {
			return nil, nil, "", fmt.Errorf("repeat request: %w", err)
		}
	}
	if token, err = t.authorize(out); err != nil {
		return nil, nil, "", err
	}
	t.count(req)
	start := t.now()
	resp, err := t.base.RoundTrip(out)
	if err == nil {
		defer resp.Body.Close()
		resp.Request = req
		body, err = io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
		if err == nil && len(body) > maxAnswer {
			err = ErrTooLarge
		}
	}
	t.logAttempt(req, resp, err, t.now().Sub(start))
	if err != nil {
		if req.Context().Err() == nil && ctx.Err() != nil {
			err = fmt.Errorf("no answer within %s: %w", attemptTimeout, err)
		}
		if !neverSent(err) {
			err = &sentError{err}
		}
		return nil, nil, token, err
	}
	return resp, body, token, nil
}

// authorize puts the token into requests to the API's own origin, and only there.
func (t *transport) authorize(req *http.Request) (string, error) {
	req.Header.Del("Authorization")
	if t.tokens == nil || req.URL.Scheme != t.origin.Scheme || req.URL.Host != t.origin.Host {
		return "", nil
	}
	token, err := t.tokens.Token(req.Context())
	if err != nil {
		return "", fmt.Errorf("get a GitHub token: %w", err)
	}
	if token != "" {
		t.redact.know(token)
		req.Header.Set("Authorization", "Bearer "+token)
	}
	return token, nil
}

func (t *transport) count(req *http.Request) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.calls++
	if !isRead(req) {
		t.writes++
	}
}

func (t *transport) logAttempt(req *http.Request, resp *http.Response, err error, took time.Duration) {
	status := 0
	if resp != nil {
		status = resp.StatusCode
	}
	attrs := []any{"method", req.Method, "path", req.URL.Path, "status", status, "ms", took.Milliseconds()}
	if err != nil {
		attrs = append(attrs, "error", t.redact.text(err.Error()))
	}
	t.log.DebugContext(req.Context(), "github request", attrs...)
}

// again decides whether the request is sent once more, and after what time.
func (t *transport) again(req *http.Request, resp *http.Response, body []byte, err error, attempt int) (time.Duration, bool) {
	if req.Context().Err() != nil || !canRepeat(req) {
		return 0, false
	}
	last := attempt+1 >= maxAttempts
	if err != nil {
		retryable := neverSent(err) || isSafe(req)
		return backoff(attempt), retryable && !last && !errors.Is(err, ErrTooLarge) && isNetwork(err)
	}
	now := t.now()
	if wait, ok := limitWait(resp, body, now, attempt); ok {
		t.block(req, now.Add(max(wait, time.Second)))
		return 0, attempt+1 < maxLimited // the next turn waits, or fails with a LimitError
	}
	t.noteQuota(req, resp, body, now)
	if isGraphQLLimit(resp, body) {
		return 0, attempt+1 < maxLimited
	}
	if resp.StatusCode >= 500 && resp.StatusCode != http.StatusNotImplemented && isSafe(req) && !last {
		wait, ok := retryAfter(resp.Header, now)
		if !ok {
			wait = backoff(attempt)
		}
		return wait, true
	}
	return 0, false
}

// backoff is 1, 2, 4, … seconds, with up to half as much again so that many clients do not come back together.
func backoff(attempt int) time.Duration {
	d := time.Second << min(attempt, 5)
	return d + rand.N(d/2)
}

// block keeps all requests of the same quota back until then.
func (t *transport) block(req *http.Request, until time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if key := quota(req); until.After(t.blocked[key]) {
		t.blocked[key] = until
	}
}

// noteQuota remembers that an answer used the last of a quota, so that the next request waits instead of being refused.
func (t *transport) noteQuota(req *http.Request, resp *http.Response, body []byte, now time.Time) {
	wait, ok := untilReset(resp.Header, now)
	if !ok && isGraphQLLimit(resp, body) {
		wait, ok = minLimitWait, true
	}
	if ok {
		t.block(req, now.Add(wait))
	}
}

// quota names the allowance a request is counted against.
func quota(req *http.Request) string {
	if strings.HasSuffix(req.URL.Path, "/graphql") {
		return "graphql"
	}
	return "core"
}

func (t *transport) waitBlocked(req *http.Request) error {
	t.mu.Lock()
	wait := t.blocked[quota(req)].Sub(t.now())
	t.mu.Unlock()
	if wait <= 0 {
		return nil
	}
	return t.pause(req.Context(), wait)
}

// pause waits within the budget.
func (t *transport) pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t.mu.Lock()
	if d > t.budget {
		t.mu.Unlock()
		return &LimitError{Wait: d, Until: t.now().Add(d)}
	}
	t.budget -= d
	t.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	return t.sleep(ctx, d)
}

// canRepeat tells whether the body can be sent a second time.
func canRepeat(req *http.Request) bool {
	return req.Body == nil || req.Body == http.NoBody || req.GetBody != nil
}

func isRead(req *http.Request) bool {
	return req.Method == http.MethodGet || req.Method == http.MethodHead || req.Context().Value(queryKey) != nil
}

func isSafe(req *http.Request) bool { return isRead(req) || req.Context().Value(safeKey) != nil }

// neverSent recognises failures before the first byte: no connection, or one that is not trusted.
func neverSent(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial" || isUntrusted(err)
}

// isNetwork tells the failures of a connection, which may be gone a moment later, from those that stay.
func isNetwork(err error) bool {
	var op net.Error
	var sent *sentError
	return (errors.As(err, &op) || errors.As(err, &sent)) && !isUntrusted(err)
}

func isUntrusted(err error) bool {
	var certificate *tls.CertificateVerificationError
	return errors.As(err, &certificate)
}
