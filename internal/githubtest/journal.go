package githubtest

import (
	"net/url"
	"slices"
	"sync"
)

// A Call is one request the server got.
type Call struct {
	Kind      string // rest, graphql, git or other
	Method    string
	Path      string // relative to the repository, see the package comment
	Query     url.Values
	Body      []byte
	UserAgent string
	Fork      bool // about the fork, see [Options.ForkOwner]

	Login     string // whose token
	Operation string // of GraphQL: the fields asked for at the top, such as "viewer"; with "mutation " before it when it is one
	Status    int    // what was answered; 0 when the connection was cut
	Fault     string // which fault hit it; "" for none

	index  int
	record *Call // what [Server.Calls] reads
}

// String is the method and the path.
func (c Call) String() string { return c.Method + " " + c.Path }

// Writes says whether the call is one that changes something.
func (c Call) Writes() bool {
	switch c.Kind {
	case "rest":
		return isWrite(c.Method)
	case "graphql":
		return len(c.Operation) > 8 && c.Operation[:8] == "mutation"
	case "git":
		return c.Path == "git-receive-pack" && len(c.Body) > 4
	}
	return false
}

// A Violation is a kind of misbehaviour of a client. All fail the test unless allowed.
type Violation string

// The violations.
const (
	UnknownRoute  Violation = "unknown route"
	MissingHeader Violation = "missing header"
	BadRequest    Violation = "request not as described"
	BadAnswer     Violation = "answer not as described" // a defect of this package
	BadToken      Violation = "bad token"
	NoPermission  Violation = "no permission"
)

type journal struct {
	mu      sync.Mutex
	calls   []*Call
	allowed map[Violation]bool
}

// Allow lets a violation pass without failing the test: the test wants to see what the client makes of it.
func (s *Server) Allow(kinds ...Violation) {
	s.journal.mu.Lock()
	defer s.journal.mu.Unlock()
	if s.journal.allowed == nil {
		s.journal.allowed = map[Violation]bool{}
	}
	for _, kind := range kinds {
		s.journal.allowed[kind] = true
	}
}

func (s *Server) violate(kind Violation, format string, args ...any) {
	s.journal.mu.Lock()
	allowed := s.journal.allowed[kind]
	s.journal.mu.Unlock()
	if !allowed {
		s.report.Helper()
		s.report.Errorf("githubtest: "+string(kind)+": "+format, args...)
	}
}

func (j *journal) begin(c *Call) {
	j.mu.Lock()
	defer j.mu.Unlock()
	c.index = len(j.calls)
	record := *c
	c.record = &record
	j.calls = append(j.calls, c.record)
}

// end records what became of a call.
func (j *journal) end(c *Call) {
	j.mu.Lock()
	defer j.mu.Unlock()
	record := c.record
	*record = *c
	record.record = nil
}

// Calls returns what was asked so far, in order of arrival.
func (s *Server) Calls() []Call {
	s.journal.mu.Lock()
	defer s.journal.mu.Unlock()
	out := make([]Call, len(s.journal.calls))
	for i, c := range s.journal.calls {
		out[i] = *c
	}
	return out
}

// Forget drops the calls recorded so far, so that a test counts from here. The ref log stays.
func (s *Server) Forget() {
	s.journal.mu.Lock()
	defer s.journal.mu.Unlock()
	s.journal.calls = nil
}

// APICalls is the number of REST and GraphQL calls so far.
func (s *Server) APICalls() int {
	return count(s.Calls(), func(c Call) bool { return c.Kind == "rest" || c.Kind == "graphql" })
}

// Writes is the number of calls so far that change something: REST writes, GraphQL mutations and pushes, also those that were refused.
func (s *Server) Writes() int { return count(s.Calls(), Call.Writes) }

func count(calls []Call, matches func(Call) bool) int {
	return len(slices.DeleteFunc(calls, func(c Call) bool { return !matches(c) }))
}
