package llm

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"charm.land/fantasy"
)

// classify turns what a request ended with into an Error. The context's own end is not the provider's fault and is returned as it is.
func (m *Model) classify(ctx context.Context, err error, x *exchange) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var known *Error
	if errors.As(err, &known) {
		return known
	}
	host, status, header, body := x.get()
	e := &Error{Provider: m.config.Provider, Model: m.config.Model, Host: host}
	text := err.Error()
	if status >= 400 {
		e.Status = status
		text = errorText(body, text)
		e.Class = classOfStatus(status, strings.ToLower(text))
		e.RetryAfter = retryAfter(header, body, m.now())
	} else {
		e.Class, text = classOfBroken(err, text)
	}
	e.Err = m.config.clean(err, text)
	e.Hint = m.config.hint(e.Class, status)
	return e
}

// classOfStatus goes by the status, and by the words only where providers use one status for different things.
func classOfStatus(status int, text string) Class {
	switch {
	case mentions(text, "context length", "context window", "context_length", "prompt is too long", "too many tokens", "input is too long", "maximum context", "input length", "token count exceeds", "exceeds the maximum number of tokens"):
		return ClassContextTooLong
	case mentions(text, "insufficient_quota", "insufficient quota", "credit balance", "billing", "exceeded your current quota", "insufficient credit", "insufficient balance", "requires more credits"):
		return ClassQuota
	}
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return ClassAuth
	case http.StatusPaymentRequired:
		return ClassQuota
	case http.StatusTooManyRequests:
		return ClassRateLimit
	case http.StatusRequestTimeout, http.StatusGatewayTimeout:
		return ClassTimeout
	case http.StatusConflict, http.StatusTooEarly, 529:
		return ClassOverloaded
	case http.StatusRequestEntityTooLarge:
		return ClassContextTooLong
	}
	switch {
	case status >= 500:
		return ClassOverloaded
	case mentions(text, "content filter", "content_filter", "content management policy", "content policy", "safety"):
		return ClassContentFilter
	case status == http.StatusNotFound && mentions(text, "provider returned error"):
		return ClassOverloaded // OpenRouter, when the provider behind it fails
	}
	return ClassInvalidRequest
}

func mentions(text string, words ...string) bool {
	for _, word := range words {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// classOfBroken is for requests that ended without an answer, or in the middle of one.
func classOfBroken(err error, text string) (Class, string) {
	var provider *fantasy.ProviderError
	if errors.As(err, &provider) {
		lower := strings.ToLower(provider.ErrorType + " " + provider.Message)
		switch {
		case provider.ContextTooLargeErr:
			return ClassContextTooLong, text
		case provider.StatusCode >= 400:
			return classOfStatus(provider.StatusCode, lower), text
		case mentions(lower, "rate_limit", "rate limit", "resource_exhausted", "too many requests"):
			return ClassRateLimit, text
		case mentions(lower, "overloaded", "unavailable", "server_error", "internal", "api_error"):
			return ClassOverloaded, text
		}
	}
	var dns *net.DNSError
	var certificate *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var timeout net.Error
	switch {
	case errors.Is(err, errFirstByte), errors.Is(err, errIdle):
		return ClassTimeout, rootText(err)
	case errors.As(err, &dns):
		return ClassNetwork, "the host name cannot be resolved: " + dns.Name
	case errors.As(err, &certificate), errors.As(err, &authority):
		return ClassNetwork, "the certificate is not trusted: " + rootText(err)
	case errors.Is(err, syscall.ECONNREFUSED):
		return ClassNetwork, "the connection is refused"
	case errors.As(err, &timeout) && timeout.Timeout():
		return ClassTimeout, rootText(err)
	case mentions(text, "context deadline exceeded"):
		return ClassTimeout, text
	}
	return ClassNetwork, rootText(err)
}

// rootText is the text of the innermost cause.
func rootText(err error) string {
	for {
		next := errors.Unwrap(err)
		if next == nil || next.Error() == "" {
			return err.Error()
		}
		err = next
	}
}

// errorText finds the provider's own words in the body of an error, whose shape differs by provider.
func errorText(body []byte, otherwise string) string {
	var shapes struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
		Detail  json.RawMessage `json:"detail"`
	}
	if list := []json.RawMessage{}; json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0] // Gemini streams its errors as a list
	}
	if json.Unmarshal(body, &shapes) != nil {
		return firstOf(strings.TrimSpace(string(body)), otherwise)
	}
	var detail struct {
		Message  string `json:"message"`
		Type     string `json:"type"`
		Code     any    `json:"code"`
		Metadata struct {
			Raw string `json:"raw"`
		} `json:"metadata"`
	}
	var plain string
	switch {
	case json.Unmarshal(shapes.Error, &detail) == nil && detail.Message != "":
		text := detail.Message
		if detail.Metadata.Raw != "" {
			text += ": " + detail.Metadata.Raw
		}
		if code, ok := detail.Code.(string); ok && code != "" {
			text += " (" + code + ")"
		} else if detail.Type != "" {
			text += " (" + detail.Type + ")"
		}
		return text
	case json.Unmarshal(shapes.Error, &plain) == nil && plain != "":
		return plain
	case shapes.Message != "":
		return shapes.Message
	case len(shapes.Detail) > 0:
		return strings.Trim(string(shapes.Detail), `"`)
	}
	return otherwise
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// durations as OpenAI writes them into reset headers ("1s", "6m0s", "20ms") and Google into RetryInfo ("34.5s").
var goDuration = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:\d+(?:\.\d+)?(?:ms|h|m|s))+$`) })

// retryAfter returns how long the provider asks to wait, from any of the places where providers say it: the Retry-After header in seconds
// or as a date (RFC 9110), retry-after-ms, the reset headers of OpenAI and OpenRouter, and the bodies of Google and OpenRouter.
func retryAfter(header http.Header, body []byte, now time.Time) time.Duration {
	get := func(name string) string { return header.Get(name) }
	if ms, err := strconv.ParseFloat(get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	if wait := oneWait(get("Retry-After"), now); wait > 0 {
		return wait
	}
	var answer struct {
		Error struct {
			Details []struct {
				RetryDelay string `json:"retryDelay"`
			} `json:"details"`
			Metadata struct {
				Headers map[string]any `json:"headers"`
			} `json:"metadata"`
		} `json:"error"`
	}
	_ = json.Unmarshal(body, &answer) // not every body is JSON
	for _, detail := range answer.Error.Details {
		if wait := oneWait(detail.RetryDelay, now); wait > 0 {
			return wait
		}
	}
	for name, value := range answer.Error.Metadata.Headers {
		if strings.EqualFold(name, "X-RateLimit-Reset") || strings.EqualFold(name, "Retry-After") {
			if wait := oneWait(fmt.Sprint(number(value)), now); wait > 0 {
				return wait
			}
		}
	}
	for _, name := range []string{"X-RateLimit-Reset", "X-RateLimit-Reset-Requests", "X-RateLimit-Reset-Tokens", "Anthropic-RateLimit-Requests-Reset", "Anthropic-RateLimit-Tokens-Reset"} {
		if wait := oneWait(get(name), now); wait > 0 {
			return wait
		}
	}
	return 0
}

// number keeps JSON numbers from being printed with an exponent.
func number(v any) any {
	if f, ok := v.(float64); ok {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return v
}

// oneWait reads seconds, an epoch in seconds or milliseconds, a duration, or a date.
func oneWait(text string, now time.Time) time.Duration {
	text = strings.TrimSpace(text)
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		switch {
		case n > 1e12:
			return time.UnixMilli(int64(n)).Sub(now)
		case n > 1e9:
			return time.Unix(int64(n), 0).Sub(now)
		case n > 0:
			return time.Duration(n * float64(time.Second))
		}
		return 0
	}
	if goDuration().MatchString(text) {
		d, err := time.ParseDuration(text)
		if err == nil {
			return d
		}
	}
	for _, layout := range []string{time.RFC3339, http.TimeFormat, time.RFC1123} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.Sub(now)
		}
	}
	return 0
}
