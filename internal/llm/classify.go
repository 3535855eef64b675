package llm

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/wikiwright/wikiwright/internal/llm/wire"
)

// classify turns what a request ended with into an Error. The context's own end is not the provider's fault and is returned as it is.
func (m *Model) classify(ctx context.Context, err error, x *exchange) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	e := &Error{Provider: m.config.Provider, Model: m.config.Model, Host: x.host}
	var known *Error
	switch {
	case errors.As(err, &known):
		*e = *known
		e.Provider, e.Model, e.Host = m.config.Provider, m.config.Model, x.host
		return e
	case x.failed():
		m.refusal(e, err, x)
	case errors.Is(err, wire.ErrEmpty):
		e.Class, e.Err = ClassEmpty, wire.ErrEmpty
	default:
		var text string
		e.Class, e.Detail, text = classOfBroken(err)
		e.Err = m.config.clean(err, text, x.used)
	}
	if e.Hint == "" {
		e.Hint = m.config.hint(e.Class, e.Status)
	}
	return e
}

// refusal reads what the provider has answered: an error instead of a reply, or in the middle of one.
func (m *Model) refusal(e *Error, err error, x *exchange) {
	text := errorText(x.body, firstOf(http.StatusText(x.status), err.Error()))
	e.Status = x.status
	if x.status < 300 {
		e.Status = max(errorCode(objectOf(x.body)), 0)
	}
	e.Class = classOfStatus(e.Status, strings.ToLower(text))
	if e.Class == ClassRateLimit || e.Class == ClassOverloaded {
		e.RetryAfter = retryAfter(e.Status, x.header, x.body, m.now())
	}
	e.Err = m.config.clean(err, text, x.used)
}

// objectOf returns the error object in a body.
func objectOf(body []byte) json.RawMessage {
	var answer struct {
		Error json.RawMessage `json:"error"`
	}
	_ = json.Unmarshal(body, &answer) // not every body is JSON
	return answer.Error
}

// classOfStatus goes by the status, and by the words only where providers use one status for different things.
func classOfStatus(status int, text string) Class {
	switch {
	case mentions(text, "context length", "context window", "context_length", "prompt is too long", "too many tokens", "input is too long", "maximum context", "input length", "token count exceeds", "exceeds the maximum number of tokens"):
		return ClassContextTooLong
	case mentions(text, "insufficient_quota", "insufficient quota", "credit balance", "billing", "exceeded your current quota", "insufficient credit", "insufficient balance", "requires more credits", "insufficient funds"):
		return ClassQuota
	}
	switch status {
	case 0: // in the middle of a reply, where only words tell
		return classOfWords(text)
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
	case status < 400: // no redirect is followed
		return ClassInvalidRequest
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

// classOfWords is for errors without a status: by the types that providers give them.
func classOfWords(text string) Class {
	switch {
	case mentions(text, "rate_limit", "rate limit", "resource_exhausted", "too many requests", "throttl"):
		return ClassRateLimit
	case mentions(text, "authentication", "permission", "unauthorized", "api key", "api_key"):
		return ClassAuth
	case mentions(text, "content_filter", "content filter", "content policy", "safety"):
		return ClassContentFilter
	case mentions(text, "invalid_request", "invalid_argument", "invalid request", "validationexception"):
		return ClassInvalidRequest
	}
	return ClassOverloaded
}

// classOfBroken is for requests that ended without an answer, or in the middle of one. The detail is the part of the machine's code after
// the class.
func classOfBroken(err error) (class Class, detail, text string) {
	var dns *net.DNSError
	var certificate *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var record tls.RecordHeaderError
	var timeout net.Error
	switch {
	case errors.Is(err, errFirstByte), mentions(err.Error(), errFirstByte.Error()):
		return ClassTimeout, "first_byte", errFirstByte.Error()
	case errors.Is(err, errIdle), mentions(err.Error(), errIdle.Error()):
		return ClassTimeout, "idle", errIdle.Error()
	case errors.As(err, &dns):
		return ClassNetwork, "dns", "the host name cannot be resolved: " + dns.Name
	case errors.As(err, &certificate), errors.As(err, &authority):
		return ClassNetwork, "tls", "the certificate is not trusted: " + rootText(err)
	case errors.As(err, &record), mentions(err.Error(), "tls: ", "server gave HTTP response to HTTPS client"):
		return ClassNetwork, "tls", rootText(err)
	case errors.Is(err, syscall.ECONNREFUSED):
		return ClassNetwork, "refused", "the connection is refused"
	case errors.As(err, &timeout) && timeout.Timeout(), mentions(err.Error(), "context deadline exceeded"):
		return ClassTimeout, "connect", rootText(err)
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, wire.ErrCut), mentions(err.Error(), "connection reset", "EOF"):
		return ClassNetwork, "reset", "the connection broke: " + rootText(err)
	}
	return ClassNetwork, "answer", "the answer cannot be read: " + rootText(err)
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
func retryAfter(status int, header http.Header, body []byte, now time.Time) time.Duration {
	get := func(name string) string { return header.Get(name) }
	if ms, err := strconv.ParseFloat(get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	if wait := oneWait(get("Retry-After"), now); wait > 0 {
		return wait
	}
	if wait := waitInBody(body, now); wait > 0 {
		return wait
	}
	if status != http.StatusTooManyRequests {
		return 0 // with other answers, the reset of a limit says nothing about them
	}
	if wait := oneWait(get("X-RateLimit-Reset"), now); wait > 0 {
		return wait
	}
	// The reset that counts is that of the limit that is used up.
	var longest time.Duration
	for _, limit := range []string{"X-RateLimit-%s-Requests", "X-RateLimit-%s-Tokens", "Anthropic-RateLimit-Requests-%s", "Anthropic-RateLimit-Tokens-%s", "Anthropic-RateLimit-Input-Tokens-%s", "Anthropic-RateLimit-Output-Tokens-%s"} {
		if left := get(fmt.Sprintf(limit, "Remaining")); left == "" || left == "0" {
			longest = max(longest, oneWait(get(fmt.Sprintf(limit, "Reset")), now))
		}
	}
	return longest
}

// waitInBody reads the bodies of Google (RetryInfo) and of OpenRouter, which repeats the headers of the provider behind it.
func waitInBody(body []byte, now time.Time) time.Duration {
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
	if list := []json.RawMessage{}; json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0]
	}
	_ = json.Unmarshal(body, &answer) // not every body is JSON
	for _, detail := range answer.Error.Details {
		if wait := oneWait(detail.RetryDelay, now); wait > 0 {
			return wait
		}
	}
	headers := http.Header{}
	for name, value := range answer.Error.Metadata.Headers {
		headers.Set(name, fmt.Sprint(number(value)))
	}
	for _, name := range []string{"Retry-After", "X-RateLimit-Reset"} {
		if wait := oneWait(headers.Get(name), now); wait > 0 {
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
