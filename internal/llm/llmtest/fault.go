package llmtest

import (
	"net"
	"net/http"
	"strings"
	"time"
)

// A Quirk is a way in which gateways write streams that are right but unusual. It has no effect on a whole answer.
type Quirk string

// The quirks.
const (
	Pings       Quirk = "pings"       // comments between the events
	CRLF        Quirk = "crlf"        // lines end in CR LF
	NoDone      Quirk = "no done"     // no [DONE] at the end
	SplitRunes  Quirk = "split runes" // every byte in a chunk of its own; in a whole answer, too
	Interleaved Quirk = "interleaved" // pieces of several tool calls mixed, by index
	NoIndex     Quirk = "no index"    // pieces of tool calls without their index, by id
	FirstBrace  Quirk = "first brace" // the first piece of the arguments comes with the name
	NoRole      Quirk = "no role"     // the first piece does not say that it is the assistant's
	SameIndex   Quirk = "same index"  // pieces of all tool calls with the index 0
	UsageFirst  Quirk = "usage first" // usage before the last event instead of after it
)

// Kind is the kind of a fault.
type Kind int

// The kinds of faults.
const (
	none        Kind = iota
	Unexpected       // the request should not have been made; fails the test
	Status           // Fault.Status with Fault.Header and Fault.Body
	Reset            // the connection is reset without an answer
	Silence          // no answer, until the client gives up
	Trickle          // a comment or a space every Fault.Pause, then the reply; Fault.Count times
	Stall            // the first half of the reply, then nothing more
	Cut              // the connection ends in the middle of the reply
	NoBody           // status 200 and nothing else
	BadJSON          // status 200 and a body that is not what it should be
	HiddenError      // status 200 with Fault.Body, an error
	StreamError      // the first half of the reply, then Fault.Body as an event
)

// A Fault is what happens instead of, or in the middle of, a reply.
type Fault struct {
	Kind   Kind
	Status int
	Header map[string]string
	Body   string
	Pause  time.Duration
	Count  int
}

// Refuse is an answer with a status of 400 or more. Headers are pairs of names and values.
func Refuse(status int, body string, headers ...string) Step {
	f := Fault{Kind: Status, Status: status, Body: body, Header: map[string]string{}}
	for i := 0; i+1 < len(headers); i += 2 {
		f.Header[headers[i]] = headers[i+1]
	}
	return Step{Fault: f}
}

// Fail is a step that only has a fault.
func Fail(k Kind) Step { return Step{Fault: Fault{Kind: k}} }

func (s *Server) playFault(w http.ResponseWriter, req *http.Request, c codec, r *Request, step Step) {
	f := step.Fault
	switch f.Kind {
	case Unexpected:
		s.fail(w, http.StatusTeapot, "request %d was not expected\n%s", r.N, r.Body)
	case Status:
		for name, value := range f.Header {
			w.Header().Set(name, value)
		}
		if w.Header().Get("Content-Type") == "" {
			w.Header().Set("Content-Type", "application/json")
		}
		w.WriteHeader(f.Status)
		s.send(w, f.Body)
	case Reset:
		reset(w)
	case Silence:
		s.wait(req)
	case NoBody:
		w.Header().Set("Content-Type", contentType(r))
		w.WriteHeader(http.StatusOK)
	case BadJSON:
		w.Header().Set("Content-Type", "application/json")
		s.send(w, `{"choices":[{"message":<html>`)
	case HiddenError:
		w.Header().Set("Content-Type", "application/json")
		s.send(w, f.Body)
	default:
		s.playPart(w, req, c, r, step)
	}
}

func contentType(r *Request) string {
	if r.Stream {
		return "text/event-stream"
	}
	return "application/json"
}

// playPart plays the faults that come with a part of a reply.
func (s *Server) playPart(w http.ResponseWriter, req *http.Request, c codec, r *Request, step Step) {
	out := render(c, r, step)
	w.Header().Set("Content-Type", out.contentType)
	if step.Fault.Kind == Trickle {
		beat := " "
		if r.Stream {
			beat = ": ping\n\n"
		}
		for range step.Fault.Count {
			s.send(w, beat)
			flush(w)
			select {
			case <-time.After(step.Fault.Pause):
			case <-req.Context().Done():
				return
			}
		}
		s.write(w, req, out, step)
		return
	}
	var whole strings.Builder
	for _, piece := range out.pieces {
		whole.Write(piece)
	}
	half := whole.String()[:whole.Len()/2]
	if r.Stream && step.Fault.Kind == StreamError {
		half = strings.Join(pieces(out.pieces[:len(out.pieces)/2]), "")
	}
	s.send(w, half)
	flush(w)
	switch step.Fault.Kind {
	case Stall:
		s.wait(req)
	case Cut:
		reset(w)
	case StreamError:
		s.send(w, "event: error\ndata: "+step.Fault.Body+"\n\n")
	}
}

func pieces(list [][]byte) []string {
	texts := make([]string, len(list))
	for i, piece := range list {
		texts[i] = string(piece)
	}
	return texts
}

func (s *Server) send(w http.ResponseWriter, text string) {
	if _, err := w.Write([]byte(text)); err != nil {
		s.t.Logf("llmtest: the client left: %v", err)
	}
}

// wait lasts until the client gives up, or the test ends.
func (s *Server) wait(req *http.Request) {
	select {
	case <-req.Context().Done():
	case <-s.closed:
	}
}

// reset ends the connection without its proper end.
func reset(w http.ResponseWriter) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // else the end would look ordinary
	}
	_ = conn.Close()
}
