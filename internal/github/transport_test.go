package github

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	gogithub "github.com/google/go-github/v62/github"
)

const canary = "ghs_canaryCanaryCanaryCanaryCanary0123"

// A clock moves only when somebody sleeps.
type clock struct {
	mu    sync.Mutex
	at    time.Time
	slept []time.Duration
}

func newClock() *clock { return &clock{at: time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.slept = append(c.slept, d)
	c.at = c.at.Add(d)
	return ctx.Err()
}

// An answer is what a scripted server does with one request.
type answer struct {
	status int
	header map[string]string
	body   string
	cut    bool // close the connection instead
	half   bool // announce more than is sent, then close
}

// A script answers requests one by one; one too many is an error of the test.
type script struct {
	*httptest.Server
	t *testing.T

	mu       sync.Mutex
	answers  []answer
	requests []*http.Request
	bodies   []string
}

func play(t *testing.T, answers ...answer) *script {
	t.Helper()
	s := &script{t: t, answers: answers}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.requests)
	s.requests, s.bodies = append(s.requests, r), append(s.bodies, string(body))
	if n >= len(s.answers) {
		s.t.Errorf("request %d is one too many: %s %s", n+1, r.Method, r.URL)
		w.WriteHeader(http.StatusTeapot)
		return
	}
	a := s.answers[n]
	if a.cut {
		connection, _, err := w.(http.Hijacker).Hijack()
		if err == nil {
			_ = connection.Close()
		}
		return
	}
	for name, value := range a.header {
		w.Header().Set(name, value)
	}
	if a.half {
		w.Header().Set("Content-Length", "1000")
	}
	w.WriteHeader(a.status)
	_, _ = io.WriteString(w, a.body)
}

func (s *script) client(t *testing.T, change func(*Config)) (*Client, *clock) {
	t.Helper()
	clock := newClock()
	cfg := Config{APIURL: s.URL + "/api/v3", Tokens: Static(canary), Now: clock.now, Sleep: clock.sleep}
	if change != nil {
		change(&cfg)
	}
	client, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return client, clock
}

const (
	refJSON       = `{"ref":"refs/heads/x","object":{"sha":"0123456789012345678901234567890123456789"}}`
	secondaryBody = `{"message":"You have exceeded a secondary rate limit.","documentation_url":"https://docs.github.com/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits"}`
)

func get(ctx context.Context, c *Client) error {
	_, _, err := c.API().Git.GetRef(ctx, "o", "r", "heads/x")
	return err
}

func post(ctx context.Context, c *Client) error {
	_, _, err := c.API().Git.CreateRef(ctx, "o", "r", &gogithub.Reference{
		Ref: gogithub.String("refs/heads/x"), Object: &gogithub.GitObject{SHA: gogithub.String("s")},
	})
	return err
}

func TestRetry(t *testing.T) {
	ok := answer{status: 200, body: refJSON}
	made := answer{status: 201, body: refJSON}
	reset := fmt.Sprint(newClock().now().Add(90 * time.Second).Unix())
	for _, test := range []struct {
		name    string
		send    func(context.Context, *Client) error
		answers []answer
		waits   []time.Duration // exact; nil for a backoff
		calls   int
		code    Code
	}{
		{"429 with seconds", get, []answer{{status: 429, header: map[string]string{"Retry-After": "7"}}, ok}, []time.Duration{7 * time.Second}, 2, ""},
		{"429 with a date", get, []answer{{status: 429, header: map[string]string{"Retry-After": "Wed, 04 Mar 2026 12:00:30 GMT"}}, ok}, []time.Duration{30 * time.Second}, 2, ""},
		{"429 without a time", post, []answer{{status: 429}, {status: 429}, made}, []time.Duration{time.Minute, 2 * time.Minute}, 3, ""},
		{"secondary with seconds", post, []answer{{status: 403, body: secondaryBody, header: map[string]string{"Retry-After": "5"}}, made}, []time.Duration{5 * time.Second}, 2, ""},
		{"secondary without a time", post, []answer{{status: 403, body: secondaryBody}, made}, []time.Duration{time.Minute}, 2, ""},
		{"quota spent", get, []answer{{status: 403, body: `{"message":"API rate limit exceeded for installation ID 1."}`,
			header: map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": reset}}, ok}, []time.Duration{91 * time.Second}, 2, ""},
		{"429 with a reset", get, []answer{{status: 429, header: map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": reset}}, ok}, []time.Duration{91 * time.Second}, 2, ""},
		{"a permission is no limit", get, []answer{{status: 403, body: `{"message":"Resource not accessible by integration"}`}}, []time.Duration{}, 1, CodePermission},
		{"a permission with a spent quota is no limit", get, []answer{{status: 403, body: `{"message":"Resource not accessible by integration"}`,
			header: map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": reset}}}, []time.Duration{}, 1, CodePermission},
		{"404", get, []answer{{status: 404}}, []time.Duration{}, 1, CodeNotFound},
		{"422", post, []answer{{status: 422, body: `{"message":"Reference already exists"}`}}, []time.Duration{}, 1, CodeConflict},
		{"502 on GET", get, []answer{{status: 502}, {status: 503}, ok}, nil, 3, ""},
		{"503 with seconds", get, []answer{{status: 503, header: map[string]string{"Retry-After": "3"}}, ok}, []time.Duration{3 * time.Second}, 2, ""},
		{"502 on POST", post, []answer{{status: 502}}, []time.Duration{}, 1, CodeServer},
		{"502 on a safe POST", func(ctx context.Context, c *Client) error { return post(Safe(ctx), c) }, []answer{{status: 502}, made}, nil, 2, ""},
		{"502 for ever", get, []answer{{status: 502}, {status: 502}, {status: 502}, {status: 502}, {status: 502}, {status: 502}}, nil, 6, CodeServer},
		{"501", get, []answer{{status: 501}}, []time.Duration{}, 1, CodeServer},
		{"cut on GET", get, []answer{{cut: true}, ok}, nil, 2, ""},
		{"cut on POST", post, []answer{{cut: true}}, []time.Duration{}, 1, CodeNetwork},
		{"half an answer to GET", get, []answer{{status: 200, body: `{"re`, half: true}, ok}, nil, 2, ""},
		{"half an answer to POST", post, []answer{{status: 201, body: `{"re`, half: true}}, []time.Duration{}, 1, CodeNetwork},
		{"token refused once", post, []answer{{status: 401}, made}, []time.Duration{}, 2, ""},
		{"token refused", get, []answer{{status: 401, body: `{"message":"Bad credentials"}`}, {status: 401}}, []time.Duration{}, 2, CodeTokenExpired},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := play(t, test.answers...)
			client, clock := s.client(t, nil)
			err := test.send(t.Context(), client)
			if got := Classify(err).Code; got != test.code {
				t.Errorf("code %q of %v, want %q", got, err, test.code)
			}
			if calls, _ := client.Requests(); calls != test.calls {
				t.Errorf("%d calls, want %d", calls, test.calls)
			}
			if test.waits != nil {
				if diff := cmp.Diff(test.waits, append([]time.Duration{}, clock.slept...)); diff != "" {
					t.Errorf("waits (-want +got):\n%s", diff)
				}
				return
			}
			for i, d := range clock.slept {
				if least := time.Second << i; d < least || d >= least*3/2 {
					t.Errorf("wait %d is %s, want a backoff from %s", i, d, least)
				}
			}
			if len(clock.slept) != test.calls-1 {
				t.Errorf("%d waits, want %d", len(clock.slept), test.calls-1)
			}
		})
	}
}

// A write that is repeated is sent whole.
func TestRetry_body(t *testing.T) {
	s := play(t, answer{status: 429, header: map[string]string{"Retry-After": "1"}}, answer{status: 201, body: refJSON})
	client, _ := s.client(t, nil)
	if err := post(t.Context(), client); err != nil {
		t.Fatal(err)
	}
	want := `{"ref":"refs/heads/x","sha":"s"}` + "\n"
	if diff := cmp.Diff([]string{want, want}, s.bodies); diff != "" {
		t.Errorf("bodies (-want +got):\n%s", diff)
	}
	if calls, writes := client.Requests(); calls != 2 || writes != 2 {
		t.Errorf("%d calls, %d writes; want 2 and 2", calls, writes)
	}
}

// go-github refuses requests by itself after it saw a spent quota; here they wait.
func TestLimit_next(t *testing.T) {
	until := newClock().now().Add(10 * time.Second)
	spent := map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": fmt.Sprint(until.Unix()), "X-RateLimit-Limit": "5000"}
	s := play(t, answer{status: 200, body: refJSON, header: spent}, answer{status: 200, body: refJSON})
	client, clock := s.client(t, nil)
	for range 2 {
		if err := get(t.Context(), client); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]time.Duration{11 * time.Second}, clock.slept); diff != "" {
		t.Errorf("waits (-want +got):\n%s", diff)
	}
}

func TestLimit_budget(t *testing.T) {
	wait := func(seconds string) answer {
		return answer{status: 403, body: secondaryBody, header: map[string]string{"Retry-After": seconds}}
	}
	s := play(t, wait("50"), wait("20"))
	client, clock := s.client(t, func(cfg *Config) { cfg.MaxWait = time.Minute })
	err := get(t.Context(), client)
	var limit *LimitError
	if !errors.As(err, &limit) || limit.Wait != 20*time.Second || !limit.Until.Equal(newClock().now().Add(70*time.Second)) {
		t.Errorf("got %v", err)
	}
	if diff := cmp.Diff([]time.Duration{50 * time.Second}, clock.slept); diff != "" {
		t.Errorf("waits (-want +got):\n%s", diff)
	}
	if got := Classify(err).Code; got != CodeRateLimited {
		t.Errorf("code %q", got)
	}
	// Nothing is sent while the limit lasts.
	if err := get(t.Context(), client); !errors.As(err, &limit) {
		t.Errorf("next request: %v", err)
	}
}

// Those who repeat a request themselves share the budget.
func TestPause(t *testing.T) {
	client, clock := play(t).client(t, func(cfg *Config) { cfg.MaxWait = 3 * time.Second })
	if err := client.Pause(t.Context(), 2*time.Second); err != nil {
		t.Error(err)
	}
	var limit *LimitError
	if err := client.Pause(t.Context(), 2*time.Second); !errors.As(err, &limit) {
		t.Errorf("beyond the budget: %v", err)
	}
	if diff := cmp.Diff([]time.Duration{2 * time.Second}, clock.slept); diff != "" {
		t.Errorf("waits (-want +got):\n%s", diff)
	}
}

func TestCancel(t *testing.T) {
	s := play(t, answer{status: 429, header: map[string]string{"Retry-After": "7"}})
	ctx, cancel := context.WithCancel(t.Context())
	client, _ := s.client(t, func(cfg *Config) {
		cfg.Sleep = func(ctx context.Context, _ time.Duration) error { cancel(); return ctx.Err() }
	})
	err := get(ctx, client)
	if !errors.Is(err, context.Canceled) || Classify(err).Code != CodeCanceled {
		t.Errorf("got %v", err)
	}
}

// With the real clock: a wait ends with its context.
func TestSleep(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := sleep(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if err := sleep(t.Context(), time.Nanosecond); err != nil {
		t.Error(err)
	}
}

func TestTooLarge(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		chunk := make([]byte, 1<<20)
		for range 33 {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	}))
	defer s.Close()
	client, err := New(Config{APIURL: s.URL, Sleep: newClock().sleep})
	if err != nil {
		t.Fatal(err)
	}
	err = get(t.Context(), client)
	if !errors.Is(err, ErrTooLarge) || Classify(err).Code != CodeTooLarge {
		t.Errorf("got %v", err)
	}
	if calls, _ := client.Requests(); calls != 1 {
		t.Errorf("%d calls", calls)
	}
}

func TestMaybeApplied(t *testing.T) {
	for name, test := range map[string]struct {
		answer answer
		want   bool
	}{
		"502": {answer{status: 502}, true}, "cut": {answer{cut: true}, true}, "half": {answer{status: 201, half: true}, true},
		"422": {answer{status: 422}, false}, "403": {answer{status: 403}, false},
	} {
		client, _ := play(t, test.answer).client(t, nil)
		if err := post(t.Context(), client); err == nil || MaybeApplied(err) != test.want {
			t.Errorf("%s: %t for %v", name, !test.want, err)
		}
	}
	closed := play(t)
	client, _ := closed.client(t, nil)
	closed.Close()
	if err := post(t.Context(), client); err == nil || MaybeApplied(err) {
		t.Errorf("no connection: true for %v", err)
	}
}
