package github

import (
	"regexp"
	"strings"
	"sync"
)

// tokenShape matches what GitHub's own tokens look like, JSON web tokens, credentials in URLs and in Authorization headers.
var tokenShape = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\bgh[pousr]_[A-Za-z0-9_]{16,}|\bgithub_pat_[A-Za-z0-9_]{16,}|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}` +
		`|(?:://)[^/\s:@]+:[^/\s@]+@|(?i:\b(?:basic|bearer)\s+)[A-Za-z0-9+/=._~-]{12,}`)
})

const redacted = "***"

// A redactor removes the tokens a client has used from text.
type redactor struct {
	mu     sync.Mutex
	tokens []string
}

// know adds a token. Only the newest few can occur in an answer.
func (r *redactor) know(token string) {
	if len(token) < 4 {
		return // would tear up ordinary text
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.tokens) > 0 && r.tokens[len(r.tokens)-1] == token {
		return
	}
	r.tokens = append(r.tokens, token)
	if len(r.tokens) > 4 {
		r.tokens = r.tokens[1:]
	}
}

func (r *redactor) text(s string) string {
	r.mu.Lock()
	for _, token := range r.tokens {
		s = strings.ReplaceAll(s, token, redacted)
	}
	r.mu.Unlock()
	return tokenShape().ReplaceAllStringFunc(s, func(match string) string {
		if strings.HasPrefix(match, "://") {
			return "://" + redacted + "@"
		}
		return redacted
	})
}

// A cleanError is an error whose text was redacted. The chain below it stays, for errors.Is and errors.As.
type cleanError struct {
	text string
	err  error
}

func (e *cleanError) Error() string { return e.text }
func (e *cleanError) Unwrap() error { return e.err }

func (r *redactor) error(err error) error {
	if text := err.Error(); text != r.text(text) {
		return &cleanError{r.text(text), err}
	}
	return err
}
