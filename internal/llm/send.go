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
	"time"

	"github.com/wikiwright/wikiwright/internal/llm/wire"
)

const (
	maxRefusal = 64 << 10 // of the body of an answer that reports an error
	maxHeaders = 1 << 20
)

// errRefused is an answer with a status of 300 or more. Redirects are not followed: credentials and source go nowhere else.
var errRefused = errors.New("the request is refused")

// exchange is one request and what came of it.
type exchange struct {
	host   string
	used   Secret // the credential
	status int    // 0: no answer
	header http.Header
	body   []byte       // of a refusal, also of one in the middle of an answer
	answer *wire.Answer // never nil, and beside an error what had come until then
}

// failed reports that the provider itself has said that something went wrong.
func (x *exchange) failed() bool { return x.status >= 300 || len(x.body) > 0 }

// begun reports that the answer had begun, so that its tokens are paid for.
func (x *exchange) begun() bool { return x.status != 0 && x.status < 300 && len(x.body) == 0 }

// sender sends requests to one endpoint. It is safe for concurrent use.
type sender struct {
	base      http.RoundTripper
	endpoint  endpoint
	headers   map[string]string // all but the credential
	auth      authorizer
	firstByte time.Duration
	idle      time.Duration
}

func newTransport(connect time.Duration) http.RoundTripper {
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: connect, KeepAlive: 30 * time.Second}).DialContext,
		ForceAttemptHTTP2:      true,
		TLSHandshakeTimeout:    connect,
		IdleConnTimeout:        90 * time.Second,
		MaxIdleConnsPerHost:    8,
		MaxResponseHeaderBytes: maxHeaders,
	}
}

func newSender(c Config, known provider, o Options) *sender {
	s := &sender{base: o.Transport, endpoint: newEndpoint(c, known), headers: map[string]string{}, firstByte: c.FirstByteTimeout, idle: c.IdleTimeout}
	for _, headers := range []map[string]string{s.endpoint.headers, {"Content-Type": "application/json", "User-Agent": o.UserAgent}, known.headers, c.Headers} {
		for name, value := range headers {
			s.headers[http.CanonicalHeaderKey(name)] = value
		}
	}
	if s.base == nil {
		s.base = newTransport(c.ConnectTimeout)
	}
	s.auth = newAuthorizer(c, known, s.base, o.Now)
	return s
}

// send sends a request once and reads the answer. The exchange says more than the error.
func (s *sender) send(ctx context.Context, r wire.Request) (*exchange, error) {
	x := &exchange{answer: &wire.Answer{}}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	req, err := s.request(ctx, r)
	if err != nil {
		return x, err
	}
	if x.used, err = s.auth.authorize(ctx, req); err != nil {
		return x, err
	}
	x.host = req.URL.Host
	watch := time.AfterFunc(s.firstByte, func() { cancel(errFirstByte) })
	resp, err := s.base.RoundTrip(req)
	if err != nil {
		watch.Stop()
		return x, causeOr(ctx, err)
	}
	body := &watchedBody{ctx: ctx, body: resp.Body, watch: watch, idle: s.idle, cancel: cancel}
	defer body.Close()
	x.status, x.header = resp.StatusCode, resp.Header
	if x.status >= 300 {
		x.body, _ = io.ReadAll(io.LimitReader(body, maxRefusal)) // of a refusal, a part is enough
		return x, errRefused
	}
	x.answer, err = s.endpoint.format.Read(body, resp.Header.Get("Content-Type"))
	var refusal *wire.Refusal
	if errors.As(err, &refusal) {
		x.body = refusal.Body[:min(len(refusal.Body), maxRefusal)]
	}
	return x, err
}

func (s *sender) request(ctx context.Context, r wire.Request) (*http.Request, error) {
	r.Cloud = s.endpoint.cloud
	body, err := s.endpoint.format.Encode(r)
	if err != nil {
		return nil, &Error{Class: ClassInvalidRequest, Err: fmt.Errorf("encode the request: %w", err)}
	}
	url, accept := s.endpoint.whole, "application/json"
	if r.Stream {
		url, accept = s.endpoint.stream, "text/event-stream"
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return nil, &Error{Class: ClassConfig, Err: errors.New("the address of the provider is not one"), Hint: "check the base URL"}
	}
	if s.endpoint.accept != "" && r.Stream {
		accept = s.endpoint.accept
	}
	req.Header.Set("Accept", accept)
	for name, value := range s.headers {
		req.Header.Set(name, value)
	}
	return req, nil
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
	begun  bool
	idle   time.Duration
	cancel context.CancelCauseFunc
}

func (b *watchedBody) Read(p []byte) (int, error) {
	n, err := b.body.Read(p)
	if n > 0 && b.watch.Stop() { // a timer that has fired has cancelled the request already
		if b.begun {
			b.watch.Reset(b.idle)
		} else {
			b.watch, b.begun = time.AfterFunc(b.idle, func() { b.cancel(errIdle) }), true
		}
	}
	if err != nil && err != io.EOF {
		err = causeOr(b.ctx, err)
	}
	return n, err
}

func (b *watchedBody) Close() error {
	b.watch.Stop()
	return b.body.Close()
}
