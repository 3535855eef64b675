package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

const (
	maxRecorded = 64 << 10 // of the body of an answer that reports an error
	maxWhole    = 64 << 20 // of an answer that is not streamed
)

// What a request ran out of. Both end in ClassTimeout.
var (
	errFirstByte = errors.New("no answer in time")
	errIdle      = errors.New("the answer stopped coming")
)

// An exchange is what the wire saw of one request: what libraries lose on the way to their errors.
type exchange struct {
	mu     sync.Mutex
	host   string
	status int
	header http.Header
	body   []byte // of an error
}

func (x *exchange) set(host string, status int, header http.Header, body []byte) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.host, x.status, x.header, x.body = host, status, header, body
}

func (x *exchange) get() (host string, status int, header http.Header, body []byte) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.host, x.status, x.header, x.body
}

type exchangeKey struct{}

func withExchange(ctx context.Context, x *exchange) context.Context {
	return context.WithValue(ctx, exchangeKey{}, x)
}

// recorder is the http.RoundTripper under every provider: it adds credentials and headers, watches over the waits, and records the answer
// in the exchange of the request's context.
type recorder struct {
	base      http.RoundTripper
	headers   map[string]string
	auth      authorizer
	firstByte time.Duration
	idle      time.Duration
}

func newTransport(connect time.Duration) http.RoundTripper {
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: connect, KeepAlive: 30 * time.Second}).DialContext,
		ForceAttemptHTTP2:   true,
		TLSHandshakeTimeout: connect,
		IdleConnTimeout:     90 * time.Second,
		MaxIdleConnsPerHost: 8,
	}
}

// RoundTrip implements http.RoundTripper.
func (r *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(req.Context())
	req = req.Clone(ctx)
	for name, value := range r.headers {
		req.Header.Set(name, value)
	}
	if err := r.auth.authorize(ctx, req); err != nil {
		cancel(nil)
		return nil, err
	}
	x, _ := ctx.Value(exchangeKey{}).(*exchange)
	if x == nil {
		x = &exchange{}
	}
	x.set(req.URL.Host, 0, nil, nil)
	watch := time.AfterFunc(r.firstByte, func() { cancel(errFirstByte) })
	resp, err := r.base.RoundTrip(req)
	if err != nil {
		watch.Stop()
		cancel(nil)
		return nil, causeOr(ctx, err)
	}
	body := &watchedBody{ctx: ctx, body: resp.Body, watch: watch, idle: r.idle, cancel: cancel}
	resp.Body = body
	if err := r.record(x, req, resp); err != nil {
		body.Close()
		return nil, err
	}
	return resp, nil
}

// causeOr returns what the request ran out of, when that is why it ended.
func causeOr(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); errors.Is(cause, errFirstByte) || errors.Is(cause, errIdle) {
		return cause
	}
	return err
}

// record notes the answer. The body of an error is read, kept and put back. An answer of status 200 that only holds an error is given the
// status of the error.
func (r *recorder) record(x *exchange, req *http.Request, resp *http.Response) error {
	host := req.URL.Host
	streamed := strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream")
	if resp.StatusCode < 400 && streamed {
		x.set(host, resp.StatusCode, resp.Header, nil)
		return nil
	}
	limit := int64(maxWhole)
	if resp.StatusCode >= 400 {
		limit = maxRecorded
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	if closeErr := resp.Body.Close(); err == nil {
		err = closeErr
	}
	switch {
	case err != nil && resp.StatusCode < 400:
		return fmt.Errorf("read the answer: %w", err)
	case int64(len(data)) > limit && resp.StatusCode < 400:
		return fmt.Errorf("the answer is larger than %d MiB", maxWhole>>20)
	}
	data = data[:min(int64(len(data)), limit)]
	if status := hiddenError(data); resp.StatusCode < 400 && status != 0 {
		resp.StatusCode, resp.Status = status, fmt.Sprintf("%d %s", status, http.StatusText(status))
	}
	resp.Body = io.NopCloser(bytes.NewReader(data))
	resp.ContentLength = int64(len(data))
	resp.Header.Del("Content-Length")
	kept := data
	if resp.StatusCode < 400 {
		kept = nil
	}
	x.set(host, resp.StatusCode, resp.Header, kept[:min(len(kept), maxRecorded)])
	return nil
}

// hiddenError returns the status of an error that came as an ordinary answer, or 0. Gateways answer so when the provider behind them fails.
func hiddenError(data []byte) int {
	var answer struct {
		Error      json.RawMessage `json:"error"`
		Choices    json.RawMessage `json:"choices"`
		Content    json.RawMessage `json:"content"`
		Output     json.RawMessage `json:"output"`
		Candidates json.RawMessage `json:"candidates"`
	}
	if json.Unmarshal(data, &answer) != nil || len(answer.Error) == 0 || string(answer.Error) == "null" ||
		len(answer.Choices)+len(answer.Content)+len(answer.Output)+len(answer.Candidates) > 0 {
		return 0
	}
	var detail struct {
		Code   json.RawMessage `json:"code"`
		Status json.RawMessage `json:"status"`
	}
	_ = json.Unmarshal(answer.Error, &detail) // an error may be a plain string
	for _, raw := range []json.RawMessage{detail.Code, detail.Status} {
		var code int
		if json.Unmarshal(bytes.Trim(raw, `"`), &code) == nil && code >= 400 && code < 600 {
			return code
		}
	}
	return http.StatusBadGateway
}

// watchedBody is a body whose pauses are bounded: the first by what is left of the wait for the first byte, the others by idle.
type watchedBody struct {
	ctx    context.Context
	body   io.ReadCloser
	watch  *time.Timer
	idle   time.Duration
	cancel context.CancelCauseFunc
}

func (b *watchedBody) Read(p []byte) (int, error) {
	n, err := b.body.Read(p)
	if n > 0 {
		// A timer that has fired has cancelled the request already.
		if b.watch.Stop() {
			b.watch = time.AfterFunc(b.idle, func() { b.cancel(errIdle) })
		}
	}
	if err != nil && err != io.EOF {
		err = causeOr(b.ctx, err)
	}
	return n, err
}

func (b *watchedBody) Close() error {
	b.watch.Stop()
	err := b.body.Close()
	b.cancel(nil)
	return err
}
