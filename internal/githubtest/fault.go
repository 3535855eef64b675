package githubtest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/bmatcuk/doublestar/v4"
)

// A Match says which calls a fault hits.
type Match struct {
	Kind   string // rest, graphql or git; "" for any
	Method string // "" for any
	Path   string // pattern over [Call.Path], with ** for several segments; "" for any
	Nth    int    // only the nth matching call, from 1; 0: every one
	Times  int    // at most so many calls; 0: without end
}

// A Fault is what happens to a call. The zero value lets it pass; several fields may be set at once.
type Fault struct {
	Name   string        // for [Call.Fault]; default a description
	Before func()        // runs before the call is handled: somebody is faster
	Delay  time.Duration // before the answer
	Status int           // answer this instead of doing anything
	Body   string        // of that answer; default GitHub's text for the status
	Header http.Header

	Lost     bool // do the work, then cut the connection instead of answering
	Reset    bool // cut the connection without doing anything
	Truncate bool // do the work, announce the whole answer, send the first half and cut
}

// SecondaryLimit is the 403 of the secondary rate limit. retryAfter is the header's value; "" leaves it out.
func SecondaryLimit(retryAfter string) Fault {
	f := Fault{Name: "secondary limit", Status: http.StatusForbidden, Header: http.Header{}, Body: `{"message":"You have exceeded a secondary rate limit. Please wait a few minutes before you try again. If you reach out to GitHub Support for help, please include the request ID.","documentation_url":"https://docs.github.com/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits","status":"403"}`}
	if retryAfter != "" {
		f.Header.Set("Retry-After", retryAfter)
	}
	return f
}

// TooManyRequests is a 429. retryAfter is a number of seconds or an HTTP date; "" leaves it out.
func TooManyRequests(retryAfter string) Fault {
	f := SecondaryLimit(retryAfter)
	f.Name, f.Status = "429", http.StatusTooManyRequests
	return f
}

type faults struct {
	mu     sync.Mutex
	rules  []faultRule
	fired  map[int]int // rule → calls it matched
	random *rand.Rand
	rateOf float64
	streak int

	limit     int // calls left; only when limited
	limited   bool
	limitedTo time.Time
}

type faultRule struct {
	match Match
	fault Fault
}

// Fault adds a fault. The first rule that matches a call acts on it.
func (s *Server) Fault(m Match, f Fault) {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	s.faults.rules = append(s.faults.rules, faultRule{m, f})
}

// ClearFaults removes every fault, the random ones too.
func (s *Server) ClearFaults() {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	s.faults.rules, s.faults.fired, s.faults.random, s.faults.limited = nil, map[int]int{}, nil, false
}

// RandomFaults lets a share of all calls fail, the same ones for the same seed and order of calls: server errors, rate limits, lost
// answers, resets and cut bodies. At most two calls in a row fail, so that a client that tries three times gets through.
func (s *Server) RandomFaults(seed uint64, rate float64) {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	s.faults.random, s.faults.rateOf = rand.New(rand.NewPCG(seed, 0)), rate
}

// LimitCalls lets so many API calls pass until the primary rate limit is reached, which ends at reset.
func (s *Server) LimitCalls(remaining int, reset time.Time) {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	s.faults.limit, s.faults.limited, s.faults.limitedTo = remaining, true, reset
}

// rate is what the rate limit headers say.
func (f *faults) rate(now time.Time) (limit, remaining int, reset time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.limited && now.Before(f.limitedTo) {
		return 5000, max(f.limit, 0), f.limitedTo
	}
	return 5000, 4999, now.Add(time.Hour)
}

// choose decides what happens to a call.
func (f *faults) choose(c *Call, now time.Time) Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.limited && c.Kind != "git" && now.Before(f.limitedTo) {
		if f.limit--; f.limit < 0 {
			return Fault{Name: "primary limit", Status: http.StatusForbidden, Body: `{"message":"API rate limit exceeded for installation ID 1. If you reach out to GitHub Support for help, please include the request ID.","documentation_url":"https://docs.github.com/rest/overview/rate-limits-for-the-rest-api","status":"403"}`}
		}
	}
	for i, rule := range f.rules {
		if !rule.match.matches(c) {
			continue
		}
		f.fired[i]++
		if n := f.fired[i]; rule.match.Nth != 0 && n != rule.match.Nth || rule.match.Times != 0 && n > rule.match.Times {
			continue
		}
		return rule.fault
	}
	return f.roll(c)
}

// roll is the random part of choose.
func (f *faults) roll(c *Call) Fault {
	if f.random == nil || f.random.Float64() >= f.rateOf || f.streak == 2 {
		f.streak = 0
		return Fault{}
	}
	f.streak++
	if c.Kind == "git" {
		return []Fault{{Status: 503}, {Status: 502}, {Reset: true}, {Lost: true}}[f.random.IntN(4)]
	}
	choices := []Fault{
		{Status: 500}, {Status: 502}, {Status: 503}, {Reset: true}, {Lost: true}, {Truncate: true},
		SecondaryLimit("1"), SecondaryLimit(""), TooManyRequests("1"),
	}
	return choices[f.random.IntN(len(choices))]
}

func (m Match) matches(c *Call) bool {
	if m.Kind != "" && m.Kind != c.Kind || m.Method != "" && m.Method != c.Method {
		return false
	}
	if m.Path == "" {
		return true
	}
	hit, err := doublestar.Match(m.Path, c.Path)
	return err == nil && hit
}

// name describes a fault.
func (f Fault) name() string {
	switch {
	case f.Name != "":
		return f.Name
	case f.Status != 0:
		return "status " + strconv.Itoa(f.Status)
	case f.Reset:
		return "reset"
	case f.Lost:
		return "lost answer"
	case f.Truncate:
		return "truncated"
	case f.Delay != 0:
		return "delay"
	case f.Before != nil:
		return "before"
	}
	return ""
}

// perform handles a call with the fault that is due and records the outcome.
func (s *Server) perform(w http.ResponseWriter, r *http.Request, call *Call, handle func(*Call, *http.Request) reply) {
	fault := s.faults.choose(call, s.now())
	if fault.Before != nil {
		fault.Before()
	}
	if fault.Delay > 0 {
		select {
		case <-time.After(fault.Delay):
		case <-r.Context().Done():
		case <-s.done:
		}
	}
	var out reply
	switch {
	case fault.Reset:
		s.finish(call, fault, 0)
		cut(w)
		return
	case fault.Status != 0:
		out = fault.reply()
	default:
		out = handle(call, r)
	}
	if fault.Lost {
		s.finish(call, fault, 0)
		cut(w)
		return
	}
	s.finish(call, fault, out.status)
	s.commonHeaders(call, out.header)
	send(w, out, fault.Truncate)
}

func (s *Server) finish(call *Call, fault Fault, status int) {
	call.Status, call.Fault = status, fault.name()
	s.journal.end(call)
}

func send(w http.ResponseWriter, out reply, truncate bool) {
	for name, values := range out.header {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(out.body)))
	w.WriteHeader(out.status)
	if truncate {
		out.body = out.body[:len(out.body)/2]
	}
	_, err := w.Write(out.body)
	if truncate && err == nil {
		cut(w)
	}
}

// cut ends the connection without an answer or in the middle of one.
func cut(w http.ResponseWriter) {
	if flusher, ok := w.(http.Flusher); ok && w.Header().Get("Content-Length") != "" {
		flusher.Flush()
	}
	panic(http.ErrAbortHandler) // the way net/http is told to drop a connection
}

// reply is the answer of a fault with a status.
func (f Fault) reply() reply {
	body := f.Body
	if body == "" {
		text, err := json.Marshal(object{"message": faultText(f.Status), "documentation_url": "https://docs.github.com/rest", "status": strconv.Itoa(f.Status)})
		if err != nil {
			text = []byte("{}")
		}
		body = string(text)
	}
	header := http.Header{"Content-Type": {"application/json; charset=utf-8"}}
	for name, values := range f.Header {
		header[http.CanonicalHeaderKey(name)] = values
	}
	return reply{status: f.Status, header: header, body: []byte(body)}
}

func faultText(status int) string {
	switch status {
	case http.StatusBadGateway, http.StatusInternalServerError:
		return "Server Error"
	case http.StatusServiceUnavailable:
		return "No server is currently available to service your request. Sorry about that. Please try resubmitting your request and contact us if the problem persists."
	case http.StatusConflict:
		return "Git Repository is empty."
	}
	return fmt.Sprintf("%s (fault)", http.StatusText(status))
}
