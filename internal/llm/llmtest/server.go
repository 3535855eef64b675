package llmtest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func number(n int) string { return strconv.Itoa(n) }

// ServeWith starts a server with settings of its own.
func ServeWith(t testing.TB, script Script, settings Settings) *Server {
	t.Helper()
	if settings.Key == "" {
		settings.Key = "sk-test-key"
	}
	s := &Server{t: t, script: script, settings: settings, closed: make(chan struct{})}
	server := httptest.NewServer(s)
	s.URL = server.URL
	t.Cleanup(func() {
		close(s.closed)
		server.Close()
	})
	return s
}

// codec is what differs by format.
type codec struct {
	keys  []string // allowed at the top of a request
	read  func(r *Request) error
	whole func(r *Request, s Step) any
	// events returns the stream of a reply; each has a name where the format names them.
	events func(r *Request, s Step) []event
	// done ends a stream, "" where nothing does.
	done string
	// auth is the header of the key, and what stands before the key.
	auth, scheme string
}

// event is one server-sent event.
type event struct {
	name string
	data any
}

func codecOf(f Format) codec {
	switch f {
	case Responses:
		return responsesCodec()
	case Messages:
		return messagesCodec()
	case Gemini:
		return geminiCodec()
	}
	return chatCodec()
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	f, stream, ok := route(req.URL.Path)
	if !ok || req.Method != http.MethodPost {
		s.fail(w, http.StatusNotFound, "unknown route %s %s", req.Method, req.URL.Path)
		return
	}
	body, err := io.ReadAll(req.Body)
	if err != nil {
		s.fail(w, http.StatusBadRequest, "read the request: %v", err)
		return
	}
	r := &Request{Format: f, Method: req.Method, Path: req.URL.Path, Query: req.URL.RawQuery, Header: req.Header.Clone(), Body: body}
	c := codecOf(f)
	if stream != nil {
		r.Stream = *stream
	}
	if err := c.read(r); err != nil {
		s.fail(w, http.StatusBadRequest, "the request does not have the format %s: %v\n%s", f, err, body)
		return
	}
	if problem := s.problem(c, r); problem != "" {
		s.fail(w, http.StatusBadRequest, "%s: %s\n%s", f, problem, body)
		return
	}
	s.record(r)
	s.play(w, req, c, r, s.script(r))
}

// problem says what a provider would refuse in the request.
func (s *Server) problem(c codec, r *Request) string {
	if problem := s.authProblem(c, r.Header); problem != "" {
		return problem
	}
	for key := range r.Keys() {
		if !slices.Contains(c.keys, key) && !slices.Contains(s.settings.Keys, key) {
			return "the request has the key " + key
		}
	}
	if r.Model == "" {
		return "the request names no model"
	}
	return conversationProblem(r.Messages)
}

// credentialHeaders carry credentials at some provider.
func credentialHeaders() []string {
	return []string{"Authorization", "X-Api-Key", "Api-Key", "X-Goog-Api-Key", "Ocp-Apim-Subscription-Key"}
}

func (s *Server) authProblem(c codec, header http.Header) string {
	if s.settings.AnyAuth {
		return ""
	}
	want := map[string]string{c.auth: c.scheme + s.settings.Key}
	if s.settings.Auth != nil {
		want = map[string]string{}
		for name, value := range s.settings.Auth {
			want[http.CanonicalHeaderKey(name)] = value
		}
	}
	for name, value := range want {
		if header.Get(name) != value {
			return "the header " + name + " is not the configured one: " + header.Get(name)
		}
	}
	for _, name := range credentialHeaders() {
		if _, ok := want[name]; !ok && header.Get(name) != "" {
			return "the header " + name + " is sent, too"
		}
	}
	return ""
}

// play answers with a step.
func (s *Server) play(w http.ResponseWriter, req *http.Request, c codec, r *Request, step Step) {
	for i := range step.Calls {
		if step.Calls[i].ID == "" {
			step.Calls = slices.Clone(step.Calls)
			step.Calls[i].ID = "call_" + number(r.N+1) + "_" + number(i+1)
		}
	}
	if step.Fault.Kind != none {
		s.playFault(w, req, c, r, step)
		return
	}
	out := render(c, r, step)
	w.Header().Set("Content-Type", out.contentType)
	s.write(w, req, out, step)
}

// answer is a reply as bytes, in the pieces in which it is written.
type answer struct {
	contentType string
	pieces      [][]byte
}

func render(c codec, r *Request, step Step) answer {
	if !r.Stream {
		return answer{"application/json", [][]byte{encode(c.whole(r, step))}}
	}
	if strings.HasSuffix(r.Path, "/invoke-with-response-stream") {
		return eventStream(c.events(r, step))
	}
	end := "\n"
	if step.has(CRLF) {
		end = "\r\n"
	}
	out := answer{contentType: "text/event-stream; charset=utf-8"}
	for _, e := range c.events(r, step) {
		var piece []byte
		if step.has(Pings) {
			piece = append(piece, ": ping"+end+end...)
		}
		if e.name != "" {
			piece = append(piece, "event: "+e.name+end...)
		}
		piece = append(piece, "data: "+string(encode(e.data))+end+end...)
		out.pieces = append(out.pieces, piece)
	}
	if c.done != "" && !step.has(NoDone) {
		out.pieces = append(out.pieces, []byte("data: "+c.done+end+end))
	}
	return out
}

func encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // only values made here are encoded
	}
	return data
}

// write sends the pieces one by one, or byte by byte.
func (s *Server) write(w http.ResponseWriter, _ *http.Request, out answer, step Step) {
	for _, piece := range out.pieces {
		size := len(piece)
		if step.has(SplitRunes) {
			size = 1
		}
		for chunk := range slices.Chunk(piece, max(size, 1)) {
			if _, err := w.Write(chunk); err != nil {
				return // the client has left
			}
			if step.has(SplitRunes) || len(out.pieces) > 1 {
				flush(w)
			}
		}
	}
}

func flush(w http.ResponseWriter) {
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}
