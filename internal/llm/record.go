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
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	maxRecorded = 64 << 10 // of the body of an answer that reports an error
	maxWhole    = 64 << 20 // of an answer that is not streamed
)

// An exchange is what the wire saw of one request: what libraries lose on the way to their results and errors.
type exchange struct {
	stream bool // asked for as a stream

	mu     sync.Mutex
	host   string
	status int // 0: no answer
	header http.Header
	body   []byte // of an error, also of one in the middle of an answer
	used   Secret // the credential
	facts  facts
}

func (x *exchange) begin(host string, used Secret) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.host, x.used = host, used
}

func (x *exchange) answered(status int, header http.Header, body []byte) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.status, x.header, x.body = status, header, body
}

// learn adds what an event, or a whole answer, says.
func (x *exchange) learn(f func(*facts), failure []byte) {
	x.mu.Lock()
	defer x.mu.Unlock()
	f(&x.facts)
	if failure != nil {
		x.body = failure[:min(len(failure), maxRecorded)]
	}
}

// seen is a copy of an exchange, to read at leisure.
type seen struct {
	host   string
	status int
	header http.Header
	body   []byte
	used   Secret
	facts  facts
}

func (x *exchange) seen() seen {
	x.mu.Lock()
	defer x.mu.Unlock()
	return seen{x.host, x.status, x.header, x.body, x.used, x.facts}
}

// failed reports that the provider itself has said that something went wrong.
func (s seen) failed() bool { return s.status >= 300 || len(s.body) > 0 }

// begun reports that the answer had begun, so that its tokens are paid for.
func (s seen) begun() bool { return s.status != 0 && s.status < 300 && len(s.body) == 0 }

type exchangeKey struct{}

func withExchange(ctx context.Context, x *exchange) context.Context {
	return context.WithValue(ctx, exchangeKey{}, x)
}

// recorder is the http.RoundTripper under every provider: it decides which headers leave, adds the credential, watches over the waits, and
// records the answer in the exchange of the request's context.
type recorder struct {
	base      http.RoundTripper
	wire      wireFormat
	passed    []string          // headers of the library that are passed on
	headers   map[string]string // the provider's own and the configured ones
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

// passedHeaders are what a request needs. Libraries add others from variables of the environment that are meant for another provider, such as
// an organization or a key, and a description of the machine.
func passedHeaders(known provider) []string {
	names := []string{"Accept", "Content-Type", "User-Agent", "Anthropic-Version", "Anthropic-Beta", "Http-Referer", "X-Title"}
	if known.id == "openai" {
		names = append(names, "Openai-Organization", "Openai-Project")
	}
	return names
}

func newRecorder(c Config, known provider, o Options) *recorder {
	r := &recorder{base: o.Transport, wire: newDialect(c, known).wire, passed: passedHeaders(known), headers: map[string]string{}, firstByte: c.FirstByteTimeout, idle: c.IdleTimeout}
	for _, headers := range []map[string]string{known.headers, c.Headers} {
		for name, value := range headers {
			r.headers[http.CanonicalHeaderKey(name)] = value
		}
	}
	if r.base == nil {
		r.base = newTransport(c.ConnectTimeout)
	}
	r.auth = newAuthorizer(c, known, r.base, o.Now)
	return r
}

// outgoing is the request as it leaves: a RoundTripper must not change the one it is given.
func (r *recorder) outgoing(ctx context.Context, req *http.Request) (*http.Request, Secret, error) {
	out := req.Clone(ctx)
	for name := range out.Header {
		if !slices.Contains(r.passed, name) {
			out.Header.Del(name)
		}
	}
	for name, value := range r.headers {
		out.Header.Set(name, value)
	}
	used, err := r.auth.authorize(ctx, out)
	return out, used, err
}

// RoundTrip implements http.RoundTripper.
func (r *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(req.Context())
	out, used, err := r.outgoing(ctx, req)
	if err != nil {
		cancel(nil)
		return nil, err
	}
	x, _ := ctx.Value(exchangeKey{}).(*exchange)
	if x == nil {
		x = &exchange{}
	}
	x.begin(out.URL.Host, used)
	watch := time.AfterFunc(r.firstByte, func() { cancel(errFirstByte) })
	resp, err := r.base.RoundTrip(out)
	if err != nil {
		watch.Stop()
		cancel(nil)
		return nil, causeOr(ctx, err)
	}
	resp.Body = &watchedBody{ctx: ctx, body: resp.Body, watch: watch, idle: r.idle, cancel: cancel}
	if err := r.record(x, resp); err != nil {
		resp.Body.Close()
		return nil, err
	}
	return resp, nil
}

// record notes the answer. A stream is looked at while it passes. Anything else is read here and put back; an answer of status 200 that only
// holds an error is given the status of the error.
func (r *recorder) record(x *exchange, resp *http.Response) error {
	kind, _, _ := strings.Cut(resp.Header.Get("Content-Type"), ";")
	kind = strings.ToLower(strings.TrimSpace(kind))
	if resp.StatusCode < 300 && kind == "application/vnd.amazon.eventstream" {
		x.answered(resp.StatusCode, resp.Header, nil)
		return nil
	}
	if resp.StatusCode < 300 && kind == "text/event-stream" && x.stream {
		x.answered(resp.StatusCode, resp.Header, nil)
		resp.Body = newTap(resp.Body, x, r.wire)
		resp.ContentLength = -1
		return nil
	}
	limit := int64(maxWhole)
	if resp.StatusCode >= 300 {
		limit = maxRecorded
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	if closeErr := resp.Body.Close(); err == nil {
		err = closeErr
	}
	if resp.StatusCode < 300 {
		x.answered(resp.StatusCode, resp.Header, nil)
		switch {
		case err != nil:
			return fmt.Errorf("read the answer: %w", err)
		case int64(len(data)) > limit:
			return fmt.Errorf("the answer is larger than %d MiB", maxWhole>>20)
		}
		if status := hiddenError(data); status != 0 {
			resp.StatusCode, resp.Status = status, fmt.Sprintf("%d %s", status, http.StatusText(status))
		}
	}
	data = data[:min(int64(len(data)), limit)]
	if resp.StatusCode >= 300 {
		x.answered(resp.StatusCode, resp.Header, data[:min(len(data), maxRecorded)])
	} else {
		x.whole(r.wire, kind, data)
	}
	resp.Body = io.NopCloser(bytes.NewReader(data))
	resp.ContentLength = int64(len(data))
	resp.Header.Del("Content-Length")
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
	if code := errorCode(answer.Error); code != 0 {
		return code
	}
	return http.StatusBadGateway
}

// errorCode returns the HTTP status that an error object names, or 0.
func errorCode(object json.RawMessage) int {
	var detail struct {
		Code   json.RawMessage `json:"code"`
		Status json.RawMessage `json:"status"`
	}
	_ = json.Unmarshal(object, &detail) // an error may be a plain string
	for _, raw := range []json.RawMessage{detail.Code, detail.Status} {
		var code int
		if json.Unmarshal(bytes.Trim(raw, `"`), &code) == nil && code >= 400 && code < 600 {
			return code
		}
	}
	return 0
}

// What a request ran out of. Both end in ClassTimeout.
var (
	errFirstByte = errors.New("no answer in time")
	errIdle      = errors.New("the answer stopped coming")
)

// causeOr returns what the request ran out of, when that is why it ended.
func causeOr(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); errors.Is(cause, errFirstByte) || errors.Is(cause, errIdle) {
		return cause
	}
	return err
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
