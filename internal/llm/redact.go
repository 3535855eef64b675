package llm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"unicode/utf8"

	"github.com/wikiwright/wikiwright/internal/llm/wire"
)

// maxErrorText bounds the words of a provider in an error, in bytes.
const maxErrorText = 400

// credentials as providers repeat them in their refusals.
var credentialPatterns = sync.OnceValue(func() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`(?i)(incorrect api key provided:\s*)\S+`),
		regexp.MustCompile(`(?i)(bearer\s+)[A-Za-z0-9._~+/=-]{8,}`),
		regexp.MustCompile(`()\bsk-[A-Za-z0-9_-]{8,}`),
		regexp.MustCompile(`()\b(?:gh[pousr]_|github_pat_)[A-Za-z0-9_]{8,}`),
		regexp.MustCompile(`()\bAIza[A-Za-z0-9_-]{20,}`),
		regexp.MustCompile(`([?&](?:key|api[-_]key|token)=)[^&\s"]+`),
		regexp.MustCompile(`()\b(?:AKIA|ASIA)[A-Z0-9]{16}\b`),
		regexp.MustCompile(`()-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`),
		regexp.MustCompile(`(://)[^/\s:@]+:[^/\s@]+@`),
	}
})

// redact removes the configured secrets, the one that was used, and what looks like one.
func (c Config) redact(text string, used Secret) string {
	secrets := []string{c.Key.Value(), used.Value(), c.AWS.AccessKeyID, c.AWS.SecretAccessKey.Value(), c.AWS.SessionToken.Value()}
	for _, value := range c.Headers {
		secrets = append(secrets, value)
	}
	// The longest first: one may be a part of another.
	slices.SortFunc(secrets, func(a, b string) int { return len(b) - len(a) })
	for _, secret := range secrets {
		if len(secret) >= 4 {
			text = strings.ReplaceAll(text, secret, "[secret]")
			text = strings.ReplaceAll(text, url.QueryEscape(secret), "[secret]")
		}
	}
	for _, pattern := range credentialPatterns() {
		text = pattern.ReplaceAllString(text, "${1}[secret]")
	}
	return text
}

// cleanError is a cause whose text is in one line, bounded and free of secrets. Of its chain only what cannot hold a secret stays, for
// errors.Is.
type cleanError struct {
	text  string
	cause error
}

func (e *cleanError) Error() string { return e.text }
func (e *cleanError) Unwrap() error { return e.cause }

// bareCause returns the part of a chain that names what happened and nothing else, or nil.
func bareCause(err error) error {
	var errno syscall.Errno
	var dns *net.DNSError
	switch {
	case errors.As(err, &errno):
		return errno
	case errors.As(err, &dns):
		return dns
	}
	for _, cause := range []error{context.DeadlineExceeded, context.Canceled, io.ErrUnexpectedEOF, errFirstByte, errIdle, wire.ErrCut, fs.ErrNotExist, fs.ErrPermission} {
		if errors.Is(err, cause) {
			return cause
		}
	}
	return nil
}

// clean gives an error the text that may be shown.
func (c Config) clean(err error, text string, used Secret) error {
	text = strings.Join(strings.FieldsFunc(c.redact(text, used), func(r rune) bool { return r <= ' ' || r == 0x7f }), " ")
	if len(text) > maxErrorText {
		cut := maxErrorText
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut] + "…"
	}
	return &cleanError{text: strings.ToValidUTF8(text, ""), cause: bareCause(err)}
}

// hint says what a person can do about a class of errors.
func (c Config) hint(class Class, status int) string {
	key := c.KeyName
	if key == "" {
		key = "the key"
	}
	switch class {
	case ClassAuth:
		if status == 403 {
			return fmt.Sprintf("%s is valid for another model, region or endpoint, or lacks a permission", key)
		}
		return fmt.Sprintf("check %s: it is wrong, expired, or of another provider than %q", key, c.Provider)
	case ClassQuota:
		return "add credit or raise the limit of the account; finished pages are kept, and the next run goes on"
	case ClassRateLimit:
		return "run again later, or with fewer pages at once (OPENWIKI_PAGE_CONCURRENCY); finished pages are kept"
	case ClassContextTooLong:
		return "use a model with a larger context"
	case ClassContentFilter:
		return "the page is skipped; another model may write it"
	case ClassOverloaded, ClassNetwork, ClassTimeout:
		return "run again later; finished pages are kept"
	case ClassEmpty:
		return "the endpoint answers without content; set OPENWIKI_OPENAI_COMPATIBLE_STREAMING to true or false, or use another model"
	case ClassTruncated:
		return "raise OPENWIKI_MAX_OUTPUT_TOKENS"
	case ClassToolMisuse:
		return "use a model with good tool support"
	case ClassInvalidRequest:
		if status == 404 {
			return "check the model id and the base URL"
		}
		return "the endpoint does not accept the request; check the model id and its options"
	case ClassConfig:
		return "check the settings of the provider"
	}
	return ""
}
