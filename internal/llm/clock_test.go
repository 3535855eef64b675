package llm_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wikiwright/wikiwright/internal/llm"
)

// slow answers after a time, or never. It needs no network, so that the clock of the test can run ahead.
type slow struct {
	after time.Duration // 0 is never
	body  string
}

func (s slow) RoundTrip(req *http.Request) (*http.Response, error) {
	if s.after == 0 {
		<-req.Context().Done()
		return nil, req.Context().Err()
	}
	timer := time.NewTimer(s.after)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-req.Context().Done():
		return nil, req.Context().Err()
	}
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(s.body)), Request: req}, nil
}

const hello = `{"id":"1","object":"chat.completion","model":"m","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"hi"}}],"usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15}}`

// V15: a model that thinks for minutes is awaited, with a sign of life each minute; one that never answers is given up at the configured time.
func TestRun_SlowModel(t *testing.T) {
	for _, test := range []struct {
		name    string
		slow    slow
		change  func(*llm.Config)
		waiting int
		took    time.Duration
		code    string
	}{
		{"90 seconds", slow{90 * time.Second, hello}, func(*llm.Config) {}, 1, 90 * time.Second, ""},
		{"9 minutes", slow{9*time.Minute + time.Second, hello}, func(*llm.Config) {}, 9, 9*time.Minute + time.Second, ""},
		{"never", slow{}, func(*llm.Config) {}, 9, 10 * time.Minute, "timeout_first_byte"},
		{"never, and less patience", slow{}, func(c *llm.Config) { c.FirstByteTimeout = 150 * time.Second }, 2, 150 * time.Second, "timeout_first_byte"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := llm.Config{Provider: "openai-compatible", Model: "m", BaseURL: "http://model.invalid/v1", Key: "sk-test-key", Stream: llm.StreamOff, Attempts: 1}
				test.change(&c)
				m, err := llm.Open(t.Context(), c, llm.Options{Transport: test.slow})
				if err != nil {
					t.Fatal(err)
				}
				waiting, begin := 0, time.Now()
				_, err = m.Run(t.Context(), llm.Task{Prompt: "hi", Nudge: func(string, int) (string, bool) { return "", false }, Observe: func(e llm.Event) {
					if e.Kind == llm.EventWaiting {
						waiting++
					}
				}})
				var e *llm.Error
				switch {
				case test.code == "" && err != nil, test.code != "" && (!errors.As(err, &e) || e.Code() != test.code):
					t.Errorf("error %v", err)
				case time.Since(begin) != test.took || waiting < test.waiting-1 || waiting > test.waiting+1:
					t.Errorf("took %v, %d signs of life", time.Since(begin), waiting)
				}
			})
		})
	}
}
