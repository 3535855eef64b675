package githubtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// maxBody is what the server reads of a request.
const maxBody = 200 << 20

type object = map[string]any

// A request is one REST call on its way to a handler.
type request struct {
	http   *http.Request
	route  *route
	params map[string]string
	query  url.Values
	body   []byte
	grant  Grant
	prefix string // of refs, for a call about the fork
}

// ref is the full name of a ref of the repository that the call is about.
func (r *request) ref(name string) string { return r.prefix + name }

// decode reads the body into a struct. The body was already held against the description.
func (r *request) decode(into any) error {
	if len(r.body) == 0 {
		return nil
	}
	return json.Unmarshal(r.body, into)
}

// number is a path parameter that is a number; 0 when it is not.
func (r *request) number(name string) int {
	n, err := strconv.Atoi(r.params[name])
	if err != nil {
		return 0
	}
	return n
}

// An answer is what a handler says.
type answer struct {
	status int
	body   any // nil: no body
	header http.Header
}

func ok(body any) answer      { return answer{status: http.StatusOK, body: body} }
func created(body any) answer { return answer{status: http.StatusCreated, body: body} }

// refuse is an error as GitHub words it.
func refuse(status int, message string) answer {
	return answer{status: status, body: object{"message": message, "documentation_url": "https://docs.github.com/rest", "status": strconv.Itoa(status)}}
}

func notFound() answer { return refuse(http.StatusNotFound, "Not Found") }

// unprocessable is a validation error about one field, or with a message of its own.
func unprocessable(resource, field, code, message string) answer {
	problem := object{"resource": resource, "code": code}
	if field != "" {
		problem["field"] = field
	}
	if message != "" {
		problem["message"] = message
	}
	return answer{status: http.StatusUnprocessableEntity, body: object{
		"message": "Validation Failed", "errors": []any{problem}, "documentation_url": "https://docs.github.com/rest", "status": "422",
	}}
}

// serve is the door: API, GraphQL and git.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	if err != nil {
		return // the client went away
	}
	call := &Call{Method: r.Method, Query: r.URL.Query(), Body: raw, UserAgent: r.UserAgent()}
	escaped := r.URL.EscapedPath()
	repository := "/" + s.Owner + "/" + s.Name
	var handler func(*Call, *http.Request) reply
	if rest, ok := strings.CutPrefix(escaped, "/api/v3"); ok {
		call.Kind, call.Path = "rest", s.short(rest)
		call.Fork = s.opts.ForkOwner != "" && strings.HasPrefix(rest, "/repos/"+s.opts.ForkOwner+"/"+s.Name+"/")
		handler = func(call *Call, r *http.Request) reply { return s.serveREST(call, r, rest) }
	} else if escaped == "/api/graphql" {
		call.Kind, call.Path = "graphql", "graphql"
		handler = s.serveGraphQL
	} else if rest, ok := gitPath(escaped, repository); ok {
		call.Kind, call.Path = "git", rest
		handler = s.serveGit
	} else if rest, ok := gitPath(escaped, "/"+s.opts.ForkOwner+"/"+s.Name); ok && s.opts.ForkOwner != "" {
		call.Kind, call.Path, call.Fork = "git", rest, true
		handler = s.serveGit
	} else {
		call.Kind, call.Path = "other", strings.TrimPrefix(escaped, "/")
		handler = func(*Call, *http.Request) reply {
			s.violate(UnknownRoute, "%s %s: no such route", r.Method, r.URL.Path)
			return answer{status: http.StatusNotFound}.encode()
		}
	}
	s.journal.begin(call)
	s.perform(w, r, call, handler)
}

// short is the path of a REST call relative to the repository.
func (s *Server) short(path string) string {
	path = strings.TrimPrefix(path, "/repos/"+s.Owner+"/"+s.Name)
	if s.opts.ForkOwner != "" {
		path = strings.TrimPrefix(path, "/repos/"+s.opts.ForkOwner+"/"+s.Name)
	}
	if decoded, err := url.PathUnescape(path); err == nil {
		path = decoded
	}
	return strings.TrimPrefix(path, "/")
}

// A reply is an answer in bytes.
type reply struct {
	status int
	header http.Header
	body   []byte
}

func (a answer) encode() reply {
	out := reply{status: a.status, header: http.Header{}, body: nil}
	for name, values := range a.header {
		out.header[name] = values
	}
	if a.body == nil {
		return out
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(a.body); err != nil {
		return reply{status: http.StatusInternalServerError, header: http.Header{}, body: []byte(err.Error())}
	}
	out.header.Set("Content-Type", "application/json; charset=utf-8")
	out.body = text.Bytes()
	return out
}

// serveREST answers one call of the REST API.
func (s *Server) serveREST(call *Call, r *http.Request, path string) reply {
	req := &request{http: r, query: r.URL.Query(), body: call.Body}
	if call.Fork {
		req.prefix = s.forkPrefix()
	}
	if refused := s.checkHeaders(call, r); refused != nil {
		return refused.encode()
	}
	grant, refused := s.authenticate(call, r.Header.Get("Authorization"))
	if refused != nil {
		return refused.encode()
	}
	req.grant, call.Login = grant, grant.Login
	route, params, found := s.match(r.Method, path)
	if !found {
		s.violate(UnknownRoute, "%s %s: no such route", r.Method, path)
		return notFound().encode()
	}
	req.route, req.params = route, params
	input := s.described(req)
	if err := checkRequest(req, input); err != nil {
		s.violate(BadRequest, "%s %s: request: %v", r.Method, path, err)
		return refuse(http.StatusUnprocessableEntity, "Invalid request.\n\n"+err.Error()).encode()
	}
	s.mu.Lock()
	out := s.permitted(req)
	if out.status == 0 {
		out = route.handle(req)
	}
	s.mu.Unlock()
	encoded := out.encode()
	if err := checkResponse(req, input, encoded.status, encoded.header, encoded.body); err != nil {
		s.violate(BadAnswer, "%s %s: the stand-in's answer %d: %v", r.Method, path, encoded.status, err)
	}
	return encoded
}

// checkHeaders looks for what every request to the API must carry.
func (s *Server) checkHeaders(call *Call, r *http.Request) *answer {
	if r.UserAgent() == "" || strings.HasPrefix(r.UserAgent(), "Go-http-client/") {
		s.violate(MissingHeader, "%s %s: no User-Agent", r.Method, call.Path)
		out := refuse(http.StatusForbidden, "Request forbidden by administrative rules. Please make sure your request has a User-Agent header (https://docs.github.com/en/rest/overview/resources-in-the-rest-api#user-agent-required). Check https://developer.github.com for other possible causes.")
		return &out
	}
	if call.Kind != "rest" {
		return nil
	}
	if !strings.Contains(r.Header.Get("Accept"), "application/vnd.github") {
		s.violate(MissingHeader, "%s %s: Accept is %q, want application/vnd.github+json", r.Method, call.Path, r.Header.Get("Accept"))
	}
	if version := r.Header.Get("X-Github-Api-Version"); version != "2022-11-28" && version != "2026-03-10" {
		s.violate(MissingHeader, "%s %s: X-GitHub-Api-Version is %q", r.Method, call.Path, version)
	}
	if len(call.Body) > 0 && !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		s.violate(MissingHeader, "%s %s: Content-Type is %q", r.Method, call.Path, r.Header.Get("Content-Type"))
	}
	return nil
}

// commonHeaders stand on every answer of the API.
func (s *Server) commonHeaders(call *Call, h http.Header) {
	if call.Kind != "rest" && call.Kind != "graphql" {
		return
	}
	limit, remaining, reset := s.faults.rate(s.now())
	set := func(name, value string) {
		if h.Get(name) == "" {
			h.Set(name, value)
		}
	}
	set("X-RateLimit-Limit", strconv.Itoa(limit))
	set("X-RateLimit-Remaining", strconv.Itoa(remaining))
	set("X-RateLimit-Used", strconv.Itoa(limit-remaining))
	set("X-RateLimit-Reset", strconv.FormatInt(reset.Unix(), 10))
	set("X-RateLimit-Resource", "core")
	set("X-GitHub-Request-Id", fmt.Sprintf("FAKE:%04X", call.index))
	set("X-GitHub-Media-Type", "github.v3; format=json")
}

func timestamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// stamp is a time that may be missing.
func stamp(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return timestamp(t)
}
