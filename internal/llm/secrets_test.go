package llm_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/wikiwright/wikiwright/internal/llm"
	"github.com/wikiwright/wikiwright/internal/llm/llmtest"
)

const (
	keyCanary    = "sk-canary-key-0123456789"
	headerCanary = "canary:header/value+1"
	tokenCanary  = "canary.token-9876543210"
)

// V18: gateways take the key under another header, or as a header among others; nothing else that looks like a credential is sent.
func TestRun_AuthHeaders(t *testing.T) {
	for _, test := range []struct {
		name   string
		auth   map[string]string
		change func(*llm.Config)
	}{
		{"api-key", map[string]string{"api-key": keyCanary}, func(c *llm.Config) { c.AuthHeader = "api-key" }},
		{"subscription key beside the key", map[string]string{"Authorization": "Bearer " + keyCanary, "Ocp-Apim-Subscription-Key": headerCanary}, func(c *llm.Config) {
			c.Headers = map[string]string{"Ocp-Apim-Subscription-Key": headerCanary}
		}},
		{"subscription key instead of the key", map[string]string{"Ocp-Apim-Subscription-Key": headerCanary}, func(c *llm.Config) {
			c.Key, c.Headers = "", map[string]string{"ocp-apim-subscription-key": headerCanary}
		}},
		{"bearer", map[string]string{"Authorization": "Bearer " + keyCanary}, func(c *llm.Config) { c.AuthHeader = "Authorization" }},
	} {
		t.Run(test.name, func(t *testing.T) {
			eachWay(t, func(t *testing.T, w way) {
				var c llm.Config
				test.change(&c)
				if own := w.format == llmtest.Messages || w.format == llmtest.Gemini; own && c.AuthHeader == "" && test.auth["Authorization"] != "" {
					return // their keys are not bearer tokens
				}
				g := newRigWith(t, w, llmtest.Steps(submit()), llmtest.Settings{Key: keyCanary, Auth: test.auth}, test.change)
				g.run(t)
			})
		})
	}
}

// Variables that are meant for a vendor's own clients must not reach another endpoint.
func TestRun_ForeignEnvironment(t *testing.T) {
	for name, value := range map[string]string{
		"OPENAI_ORG_ID": "org-canary", "OPENAI_PROJECT_ID": "proj-canary", "OPENAI_API_KEY": "sk-canary-other", "OPENAI_CUSTOM_HEADERS": "X-Canary: canary",
		"ANTHROPIC_AUTH_TOKEN": "canary-token", "ANTHROPIC_CUSTOM_HEADERS": "X-Canary: canary", "GOOGLE_API_KEY": "canary-google",
		"OPENAI_BASE_URL": "http://127.0.0.1:1/canary", "ANTHROPIC_BASE_URL": "http://127.0.0.1:1/canary", "GOOGLE_GEMINI_BASE_URL": "http://127.0.0.1:1/canary",
	} {
		t.Setenv(name, value)
	}
	eachWay(t, func(t *testing.T, w way) {
		g := newRig(t, w, llmtest.Steps(submit()))
		g.run(t)
		r := g.server.Requests()[0]
		for name, values := range r.Header {
			ours := w.format == llmtest.Responses && strings.HasPrefix(name, "Openai-") // OpenAI's own names at OpenAI
			if text := strings.Join(values, " "); strings.Contains(text, "canary") && !ours || strings.HasPrefix(name, "X-Stainless") {
				t.Errorf("%s: %s", name, text)
			}
		}
		if got := r.Header.Get("User-Agent"); !strings.HasPrefix(got, "wikiwright") {
			t.Errorf("user agent %q", got)
		}
	})
}

// V22: a command prints the token. It runs once for all requests, and again when the token is refused in the middle of the run.
func TestRun_TokenCommand(t *testing.T) {
	eachWay(t, func(t *testing.T, w way) {
		dir := t.TempDir()
		script := filepath.Join(dir, "token")
		write1 := fmt.Sprintf("#!/bin/sh\nn=$(cat %[1]s/n 2>/dev/null || echo 0)\nn=$((n+1))\necho $n > %[1]s/n\necho %[2]s-$n\n", dir, tokenCanary)
		if err := os.WriteFile(script, []byte(write1), 0o700); err != nil {
			t.Fatal(err)
		}
		wrote := 0
		g := newRigWith(t, w, func(r *llmtest.Request) llmtest.Step {
			token := "1"
			if r.N > 1 {
				token = "2"
			}
			if got := r.Header.Get("Authorization"); r.N != 1 && got != "Bearer "+tokenCanary+"-"+token {
				t.Errorf("request %d: Authorization %q", r.N, got)
			}
			if r.N == 1 {
				return llmtest.Refuse(401, `{"error":{"message":"token expired"}}`)
			}
			if wrote++; wrote < 3 {
				return write()
			}
			return submit()
		}, llmtest.Settings{AnyAuth: true}, func(c *llm.Config) { c.Key, c.TokenCommand, c.AuthHeader = "", []string{script}, "Authorization" })
		g.run(t)
		if n, err := os.ReadFile(filepath.Join(dir, "n")); err != nil || strings.TrimSpace(string(n)) != "2" || len(g.slept) != 0 {
			t.Errorf("the command ran %s times, slept %v, %v", n, g.slept, err)
		}
	})
}

func TestRun_TokenCommandFails(t *testing.T) {
	for _, test := range []struct {
		command []string
		want    string
	}{
		{[]string{"false"}, "run the token command false: exit status 1"},
		{[]string{"/does/not/exist"}, "run the token command /does/not/exist: "},
		{[]string{"true"}, "the token command true printed no single token"},
		{[]string{"printf", tokenCanary + `\n` + tokenCanary}, "the token command printf printed no single token"},
		{[]string{"sh", "-c", "echo " + tokenCanary + "; exit 3"}, "run the token command sh: exit status 3"},
	} {
		g := newRigWith(t, way{llmtest.Chat, llm.StreamOn}, llmtest.Steps(), llmtest.Settings{}, func(c *llm.Config) { c.Key, c.TokenCommand = "", test.command })
		_, err := g.model.Run(t.Context(), g.task())
		var e *llm.Error
		if !errors.As(err, &e) || e.Class != llm.ClassConfig || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), tokenCanary) || e.Hint == "" {
			t.Errorf("%v: %v", test.command, err)
		}
		if len(g.slept) != 0 {
			t.Errorf("%v was repeated", test.command)
		}
	}
}

// No key, header or token is in an error, an event, a log or a printed configuration, whatever an endpoint repeats of it.
func TestRun_Redaction(t *testing.T) {
	for _, body := range []string{
		fmt.Sprintf(`{"error":{"message":"Incorrect API key provided: %s. header %s token %s"}}`, keyCanary, headerCanary, tokenCanary),
		fmt.Sprintf(`<html>%s %s Bearer %s</html>`, keyCanary, headerCanary, tokenCanary),
		fmt.Sprintf(`{"detail":["%s","canary%%3Aheader%%2Fvalue%%2B1","%s"]}`, keyCanary, tokenCanary),
		fmt.Sprintf(`{"error":{"message":"x","metadata":{"raw":"%s %s %s"}}}`, keyCanary, headerCanary, tokenCanary),
	} {
		for _, status := range []int{400, 401, 429, 500} {
			eachWay(t, func(t *testing.T, w way) {
				var log bytes.Buffer
				server := llmtest.ServeWith(t, func(*llmtest.Request) llmtest.Step { return llmtest.Refuse(status, body) }, llmtest.Settings{AnyAuth: true})
				c := server.ConfigFor(w.format)
				c.Stream, c.Attempts = w.stream, 2
				c.Key, c.KeyName, c.Headers = keyCanary, "X_API_KEY", map[string]string{"X-Extra": headerCanary}
				if status == 401 {
					c.Key, c.TokenCommand = "", []string{"printf", tokenCanary}
				}
				m, err := llm.Open(t.Context(), c, llm.Options{
					Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})), Sleep: func(context.Context, time.Duration) error { return nil },
				})
				if err != nil {
					t.Fatal(err)
				}
				g := &rig{server: server, model: m}
				_, err = m.Run(t.Context(), g.task())
				var e *llm.Error
				if !errors.As(err, &e) {
					t.Fatalf("error %v", err)
				}
				printed := fmt.Sprintf("%v|%+v|%#v|%s|%v|%+v|%#v", err, e.Err, c.Key, e.Hint, c, c, c)
				for cause := errors.Unwrap(err); cause != nil; cause = errors.Unwrap(cause) {
					printed += fmt.Sprintf("|%v %+v %#v", cause, cause, cause)
				}
				for _, event := range g.events {
					printed += fmt.Sprintf("|%+v", event)
				}
				encoded, _ := json.Marshal(c.Key)
				printed += string(encoded) + log.String()
				canaries := []string{keyCanary, headerCanary}
				if status == 401 {
					canaries = []string{tokenCanary, headerCanary}
				}
				for _, canary := range canaries {
					if strings.Contains(printed, canary) {
						t.Errorf("the secret %s is printed: %s", canary, printed)
					}
				}
				if strings.Contains(err.Error(), "\n") || len(err.Error()) > 600 {
					t.Errorf("the error is not one short line: %q", err)
				}
			})
		}
	}
}

// V20: one line, with who, where, which attempt and the innermost cause; a code for each kind; a hint.
func TestRun_Errors(t *testing.T) {
	closed := httptest.NewServer(nil)
	closed.Close()
	listener, err := net.Listen("tcp", "127.0.0.1:0") // speaks no TLS
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			fmt.Fprint(conn, "HTTP/1.1 400 Bad Request\r\n\r\n")
			conn.Close()
		}
	}()
	t.Cleanup(func() { listener.Close() })
	untrusted := httptest.NewTLSServer(nil)
	untrusted.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	t.Cleanup(untrusted.Close)
	refuse := func(status int, body string) string {
		return llmtest.ServeWith(t, func(*llmtest.Request) llmtest.Step { return llmtest.Refuse(status, body) }, llmtest.Settings{AnyAuth: true}).URL
	}
	for _, test := range []struct {
		name, url, code, text string
	}{
		{"refused", closed.URL, "network_refused", ": network, attempt 2 of 2: the connection is refused"},
		{"DNS", "http://host.invalid", "network_dns", "test-model of openai-compatible at host.invalid: network, attempt 2 of 2: the host name cannot be resolved: host.invalid"},
		{"no TLS", "https://" + listener.Addr().String(), "network_tls", "attempt 2 of 2: "},
		{"untrusted", untrusted.URL, "network_tls", "the certificate is not trusted: x509: "},
		{"401", refuse(401, `{"error":{"message":"invalid key"}}`), "auth", ": auth (HTTP 401), attempt 1 of 2: invalid key"},
		{"402", refuse(402, `{"error":{"message":"no credit"}}`), "quota", ": quota (HTTP 402), attempt 1 of 2: no credit"},
		{"429", refuse(429, `{"error":{"message":"slow down"}}`), "rate_limit", ": rate limit (HTTP 429), attempt 2 of 2: slow down"},
		{"context", refuse(400, `{"error":{"message":"This model's maximum context length is 8192 tokens","code":"context_length_exceeded"}}`), "context_too_long",
			": context too long (HTTP 400), attempt 1 of 2: This model's maximum context length is 8192 tokens (context_length_exceeded)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, stream := range []llm.StreamMode{llm.StreamOn, llm.StreamOff} {
				c := llm.Config{Provider: "openai-compatible", Model: "test-model", BaseURL: test.url + "/v1", Key: "sk-test-key", Attempts: 2, Stream: stream}
				m, err := llm.Open(t.Context(), c, llm.Options{Sleep: func(context.Context, time.Duration) error { return nil }})
				if err != nil {
					t.Fatal(err)
				}
				_, err = m.Run(t.Context(), llm.Task{Prompt: "hi"})
				var e *llm.Error
				if !errors.As(err, &e) || e.Code() != test.code || !strings.Contains(err.Error(), test.text) || e.Hint == "" || strings.Contains(err.Error(), "\n") {
					t.Errorf("error %v (%+v)", err, e)
				}
			}
		})
	}
}
