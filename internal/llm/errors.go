package llm

import (
	"fmt"
	"strings"
	"time"
)

// A Class is the stable kind of an Error.
type Class string

// The classes of errors, and whether the same request may succeed later.
const (
	ClassConfig         Class = "config"           // something is missing or contradictory; never by itself
	ClassAuth           Class = "auth"             // the key is refused; never by itself
	ClassQuota          Class = "quota"            // no credit, or a limit of the account; not soon
	ClassRateLimit      Class = "rate_limit"       // too fast; later, and was retried
	ClassContextTooLong Class = "context_too_long" // the conversation does not fit; not as it is
	ClassContentFilter  Class = "content_filter"   // refused for what it says; not as it is
	ClassOverloaded     Class = "overloaded"       // the provider is in trouble; later, and was retried
	ClassNetwork        Class = "network"          // no connection, or it broke; later, and was retried
	ClassTimeout        Class = "timeout"          // no answer in time; later, and was retried
	ClassEmpty          Class = "empty"            // a reply without content; was retried and asked for the other way
	ClassToolMisuse     Class = "tool_misuse"      // the model does not use its tools as told; maybe with another model
	ClassTruncated      Class = "truncated"        // replies are cut at the output limit; not with this limit
	ClassInvalidRequest Class = "invalid_request"  // the provider does not accept the request; never by itself
	ClassBudget         Class = "budget"           // a limit of the run is reached; in the next run
)

// retryable reports whether the request is worth repeating at once or soon.
func (c Class) retryable() bool {
	switch c {
	case ClassRateLimit, ClassOverloaded, ClassNetwork, ClassTimeout, ClassEmpty:
		return true
	}
	return false
}

// An Error is why a model could not do its work: one line, without secrets.
type Error struct {
	Class Class
	// Detail tells kinds of a class apart where it has some: refused, dns, tls, reset, answer of network; first_byte, idle, connect of timeout.
	Detail string
	// Provider, Model and Host name the endpoint; empty when no request was made.
	Provider, Model, Host string
	// Status is that of HTTP, 0 when there was no answer.
	Status int
	// Attempt of Attempts was the last; both 0 when the request was not repeated.
	Attempt, Attempts int
	// RetryAfter is how long the provider asked to wait; 0 when it did not say.
	RetryAfter time.Duration
	// Err is the innermost cause, already free of secrets.
	Err error
	// Hint, for people, says what to do; it may be empty.
	Hint string
}

// Error says what happened where, in one line.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Model != "" {
		fmt.Fprintf(&b, "%s of %s", e.Model, e.Provider)
		if e.Host != "" {
			fmt.Fprintf(&b, " at %s", e.Host)
		}
		b.WriteString(": ")
	}
	b.WriteString(strings.ReplaceAll(string(e.Class), "_", " "))
	if e.Status != 0 {
		fmt.Fprintf(&b, " (HTTP %d)", e.Status)
	}
	if e.Attempts > 0 {
		fmt.Fprintf(&b, ", attempt %d of %d", e.Attempt, e.Attempts)
	}
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	return b.String()
}

// Code is the class and the detail in one word, for machines: "auth", "network_dns".
func (e *Error) Code() string {
	if e.Detail == "" {
		return string(e.Class)
	}
	return string(e.Class) + "_" + e.Detail
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// RateLimited reports that slowing down would help; the lifecycle then goes on with fewer pages at once.
func (e *Error) RateLimited() bool { return e.Class == ClassRateLimit }

// EndsRun reports that no other request of this run would fare better.
func (e *Error) EndsRun() bool {
	switch e.Class {
	case ClassConfig, ClassAuth, ClassQuota, ClassBudget:
		return true
	}
	return false
}
