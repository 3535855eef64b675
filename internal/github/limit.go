package github

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// A LimitError is a limit of GitHub that lasts longer than may be waited.
type LimitError struct {
	Wait  time.Duration // what GitHub asked to wait
	Until time.Time     // when the next request may be sent
}

// Error implements error.
func (e *LimitError) Error() string {
	return fmt.Sprintf("GitHub's rate limit asks to wait %s, until %s", e.Wait.Round(time.Second), e.Until.UTC().Format(time.RFC3339))
}

// minLimitWait is what GitHub asks of clients when a limit comes without a time: at least a minute, then exponentially longer.
const minLimitWait = time.Minute

// limitWait tells whether an answer is a limit, and how long it asks to wait. The order is that of GitHub's documentation: Retry-After,
// then the reset of a spent quota, then at least a minute.
func limitWait(resp *http.Response, body []byte, now time.Time, attempt int) (time.Duration, bool) {
	if !isLimit(resp, body) {
		return 0, false
	}
	if d, ok := retryAfter(resp.Header, now); ok {
		return d, true
	}
	if d, ok := untilReset(resp.Header, now); ok {
		return d, true
	}
	return minLimitWait << min(attempt, 6), true
}

func isLimit(resp *http.Response, body []byte) bool {
	switch resp.StatusCode {
	case http.StatusTooManyRequests:
		return true
	case http.StatusForbidden:
	default:
		return false
	}
	if resp.Header.Get("Retry-After") != "" {
		return true
	}
	var answer struct {
		Message string `json:"message"`
		Docs    string `json:"documentation_url"`
	}
	_ = json.Unmarshal(body, &answer) // an answer that is no JSON has no message
	message := strings.ToLower(answer.Message)
	return strings.Contains(message, "secondary rate limit") || strings.Contains(message, "abuse detection") ||
		strings.Contains(answer.Docs, "secondary-rate-limits") || strings.HasSuffix(answer.Docs, "#abuse-rate-limits") ||
		resp.Header.Get("X-Ratelimit-Remaining") == "0" && strings.Contains(message, "rate limit")
}

// retryAfter reads Retry-After in both forms of RFC 9110: seconds and a date.
func retryAfter(h http.Header, now time.Time) (time.Duration, bool) {
	value := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.ParseInt(value, 10, 32); err == nil && seconds >= 0 {
		return time.Duration(seconds) * time.Second, true
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, at.Sub(now)), true
	}
	return 0, false
}

// untilReset reads when a spent quota is filled again. A second is added because the clocks of two machines differ.
func untilReset(h http.Header, now time.Time) (time.Duration, bool) {
	if h.Get("X-Ratelimit-Remaining") != "0" {
		return 0, false
	}
	seconds, err := strconv.ParseInt(h.Get("X-Ratelimit-Reset"), 10, 64)
	if err != nil || seconds <= 0 {
		return 0, false
	}
	return max(0, time.Unix(seconds, 0).Sub(now)) + time.Second, true
}

// isGraphQLLimit finds the spent quota of GraphQL, which comes with status 200.
func isGraphQLLimit(resp *http.Response, body []byte) bool {
	return resp.StatusCode == http.StatusOK && strings.HasSuffix(resp.Request.URL.Path, "/graphql") &&
		bytes.Contains(body, []byte(`"RATE_LIMITED"`))
}
