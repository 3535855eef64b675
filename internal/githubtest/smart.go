package githubtest

import (
	"bytes"
	"compress/gzip"
	"crypto/sha1"
	"fmt"
	"io"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os/exec"
	"strconv"
	"strings"
)

// gitPath is the part of a path after the repository, for the three paths of the smart protocol.
func gitPath(path, repository string) (string, bool) {
	rest, found := strings.CutPrefix(path, repository)
	if !found {
		return "", false
	}
	rest = strings.TrimPrefix(strings.TrimPrefix(rest, ".git"), "/")
	switch rest {
	case "info/refs", "git-upload-pack", "git-receive-pack":
		return rest, true
	}
	return "", false
}

func plain(status int, text string) reply {
	return reply{status: status, header: http.Header{"Content-Type": {"text/plain; charset=utf-8"}}, body: []byte(text)}
}

// serveGit answers git over HTTP.
func (s *Server) serveGit(call *Call, r *http.Request) reply {
	grant, given, valid := s.gitGrant(r.Header.Get("Authorization"))
	pushing := call.Path == "git-receive-pack" || call.Query.Get("service") == "git-receive-pack"
	if given && !valid {
		s.violate(BadToken, "git %s: bad or expired token", call.Path)
	}
	if given && !valid || !given && (pushing || s.opts.Private) {
		out := plain(http.StatusUnauthorized, "Invalid username or token. Password authentication is not supported for Git operations.\n")
		out.header.Set("Www-Authenticate", `Basic realm="GitHub"`)
		return out
	}
	call.Login = grant.Login
	s.mu.Lock()
	defer s.mu.Unlock()
	if pushing && s.settings.archived {
		return plain(http.StatusForbidden, "This repository was archived so it is read-only.\n")
	}
	if !s.has(grant, need{"contents", pushing}) {
		s.violate(NoPermission, "git %s: the token of %s may not", call.Path, grant.Login)
		if grant.Kind == PAT {
			return plain(http.StatusForbidden, fmt.Sprintf("Permission to %s.git denied to %s.\n", s.fullName(), grant.Login))
		}
		return plain(http.StatusForbidden, "Write access to repository not granted.\n")
	}
	if call.Path == "git-receive-pack" {
		return s.receivePack(call, r, grant)
	}
	if call.Path == "info/refs" && !pushing && r.Header.Get("Git-Protocol") == "version=2" {
		return s.capabilities(call, r, grant)
	}
	return s.httpBackend(call, r, call.Body, grant)
}

// capabilities is what git says before it is asked for refs. In version 2 of the protocol it is always the same.
func (s *Server) capabilities(call *Call, r *http.Request, g Grant) reply {
	const key = "capabilities\x00"
	if known, ok := s.known.Load(key); ok {
		out := known.(reply)
		out.header = out.header.Clone()
		return out
	}
	out := s.httpBackend(call, r, call.Body, g)
	if out.status == http.StatusOK {
		s.known.Store(key, reply{out.status, out.header.Clone(), out.body})
	}
	return out
}

// httpBackend hands a request to git.
func (s *Server) httpBackend(call *Call, r *http.Request, body []byte, g Grant) reply {
	git, err := exec.LookPath("git")
	if err != nil {
		return plain(http.StatusInternalServerError, err.Error())
	}
	inner := r.Clone(r.Context())
	inner.URL.Path = "/" + call.Path
	inner.Body, inner.ContentLength, inner.TransferEncoding = io.NopCloser(bytes.NewReader(body)), int64(len(body)), nil
	handler := &cgi.Handler{
		Path: git, Args: []string{"http-backend"}, Dir: s.Bare,
		Env: append(gitEnvironment(), "GIT_PROJECT_ROOT="+s.Bare, "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER="+or(g.Login, "anonymous"),
			"GIT_PROTOCOL="+r.Header.Get("Git-Protocol")),
	}
	if call.Fork {
		handler.Env = append(handler.Env, "GIT_NAMESPACE="+s.opts.ForkOwner)
	}
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, inner)
	return reply{status: recorder.Code, header: recorder.Header().Clone(), body: recorder.Body.Bytes()}
}

// A command is one ref a push wants to change.
type command struct{ ref, old, new string }

// receivePack takes a push: the objects first, then every rule, then git itself moves the refs.
func (s *Server) receivePack(call *Call, r *http.Request, g Grant) reply {
	body := call.Body
	if r.Header.Get("Content-Encoding") == "gzip" {
		unpacked, err := gunzip(body)
		if err != nil {
			return plain(http.StatusBadRequest, err.Error())
		}
		body = unpacked
		r.Header.Del("Content-Encoding")
	}
	commands, capabilities, rest, err := parseCommands(body)
	if err != nil {
		return plain(http.StatusBadRequest, err.Error())
	}
	if len(rest) > 0 {
		if _, err := s.git(string(rest), "index-pack", "--stdin", "--fix-thin"); err != nil {
			return plain(http.StatusBadRequest, err.Error())
		}
		body = append(bytes.Clone(body[:len(body)-len(rest)]), emptyPack()...)
	}
	stood := make([]bool, len(commands))
	full := func(ref string) string {
		if call.Fork {
			return s.forkPrefix() + ref
		}
		return ref
	}
	for i, c := range commands {
		stood[i] = s.refIs(full(c.ref), c.old)
		if problem := s.refProblem(full(c.ref), c.old, c.new, true, g); problem != nil {
			return reportRefused(commands, capabilities, problem)
		}
	}
	out := s.httpBackend(call, r, body, g)
	for i, c := range commands {
		// A client whose connection was cut may send the same push again, which then moves nothing.
		if stood[i] && s.refIs(full(c.ref), c.new) && c.old != c.new && out.status == http.StatusOK {
			s.moved(RefUpdate{Ref: full(c.ref), Old: c.old, New: c.new, By: g.Login, Via: "push"})
		}
	}
	return out
}

func (s *Server) refIs(name, sha string) bool {
	ref, found := s.lookupRef(name)
	return found && ref.sha == sha || !found && sha == ""
}

func gunzip(data []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// emptyPack stands for objects that are there already.
func emptyPack() []byte {
	head := []byte("PACK\x00\x00\x00\x02\x00\x00\x00\x00")
	sum := sha1.Sum(head)
	return append(head, sum[:]...)
}

// parseCommands splits the body of a push into commands, capabilities and pack.
func parseCommands(body []byte) (commands []command, capabilities, pack []byte, err error) {
	for len(body) >= 4 {
		size, err := strconv.ParseUint(string(body[:4]), 16, 16)
		if err != nil || size != 0 && size < 4 || int(size) > len(body) {
			return nil, nil, nil, fmt.Errorf("bad packet line %q", body[:4])
		}
		if size == 0 {
			return commands, capabilities, body[4:], nil
		}
		line := body[4:size]
		body = body[size:]
		if head, tail, found := bytes.Cut(line, []byte{0}); found {
			line, capabilities = head, tail
		}
		fields := strings.Fields(string(line))
		if len(fields) == 3 {
			commands = append(commands, command{ref: fields[2], old: strings.Trim(fields[0], "0"), new: fields[1]})
			last := &commands[len(commands)-1]
			if last.old != "" {
				last.old = fields[0]
			}
			if last.new == zeroName {
				last.new = ""
			}
		}
	}
	return commands, capabilities, body, nil
}

// reportRefused is the answer to a push that a rule refuses: no ref moves.
func reportRefused(commands []command, capabilities []byte, problem *refProblem) reply {
	var report bytes.Buffer
	report.WriteString(packetLine("unpack ok\n"))
	for _, c := range commands {
		reason := problem.reason
		if c.ref != problem.ref {
			reason = "atomic push failed"
		}
		report.WriteString(packetLine("ng " + c.ref + " " + reason + "\n"))
	}
	report.WriteString("0000")
	var body bytes.Buffer
	if bytes.Contains(capabilities, []byte("side-band-64k")) {
		if text := problem.remote(); text != "" {
			body.WriteString(packetLine("\x02" + strings.TrimSuffix(text, "\n") + "\n"))
		}
		body.WriteString(packetLine("\x01" + report.String()))
		body.WriteString("0000")
	} else {
		body = report
	}
	header := http.Header{"Content-Type": {"application/x-git-receive-pack-result"}, "Cache-Control": {"no-cache"}}
	return reply{status: http.StatusOK, header: header, body: body.Bytes()}
}

func packetLine(text string) string { return fmt.Sprintf("%04x%s", len(text)+4, text) }
