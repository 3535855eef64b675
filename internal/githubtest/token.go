package githubtest

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// A Kind is a kind of token.
type Kind string

// The kinds of token.
const (
	Actions Kind = "actions" // the default token of a workflow run
	App     Kind = "app"     // installation token of a GitHub App
	PAT     Kind = "pat"     // fine-grained personal access token
)

// A Grant is what a token may do and as whom.
type Grant struct {
	Kind        Kind              // default Actions
	Login       string            // default github-actions[bot]; for an App "<slug>[bot]"
	ID          int64             // default the id of a known user, 41898282 for github-actions[bot], else 9001
	Permissions map[string]string // "contents": "write"…; nil: contents, pull_requests and issues write. "metadata" is always read.
	Expires     time.Time         // zero: never
}

// bot says whether GitHub signs commits for this token.
func (g Grant) bot() bool { return g.Kind != PAT }

// Token issues a token.
func (s *Server) Token(g Grant) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if g.Kind == "" {
		g.Kind = Actions
	}
	if g.Login == "" {
		g.Login = map[Kind]string{Actions: actionsLogin, App: "wikiwright[bot]", PAT: "ada"}[g.Kind]
	}
	user, known := s.user(g.Login)
	if g.ID == 0 && known {
		g.ID = user.ID
	} else if g.ID == 0 {
		g.ID = 9001
	}
	if !known {
		s.users = append(s.users, User{Login: g.Login, ID: g.ID, Name: g.Login, Permission: "write"})
	}
	if g.Permissions == nil {
		g.Permissions = map[string]string{"contents": "write", "pull_requests": "write", "issues": "write"}
	}
	s.issued++
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %d", g.Kind, g.Login, s.issued))
	token := map[Kind]string{Actions: "ghs_", App: "ghs_", PAT: "ghp_"}[g.Kind] + hex.EncodeToString(sum[:])[:36]
	s.tokens[token] = g
	return token
}

// Revoke makes a token bad, as at the end of a job.
func (s *Server) Revoke(token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.tokens, token)
}

// authenticate finds the grant of an Authorization header of the API.
func (s *Server) authenticate(call *Call, header string) (Grant, *answer) {
	scheme, token, _ := strings.Cut(header, " ")
	if scheme = strings.ToLower(scheme); scheme != "bearer" && scheme != "token" {
		s.violate(BadToken, "%s %s: no token", call.Method, call.Path)
		out := refuse(http.StatusUnauthorized, "Requires authentication")
		return Grant{}, &out
	}
	grant, valid := s.grant(token)
	if !valid {
		s.violate(BadToken, "%s %s: bad or expired token", call.Method, call.Path)
		out := refuse(http.StatusUnauthorized, "Bad credentials")
		return Grant{}, &out
	}
	return grant, nil
}

func (s *Server) grant(token string) (Grant, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	grant, found := s.tokens[token]
	if !found || !grant.Expires.IsZero() && !s.now().Before(grant.Expires) {
		return Grant{}, false
	}
	return grant, true
}

// gitGrant finds the grant of an Authorization header of git over HTTP. None is given without a header.
func (s *Server) gitGrant(header string) (grant Grant, given, valid bool) {
	if header == "" {
		return Grant{}, false, false
	}
	scheme, value, _ := strings.Cut(header, " ")
	token := value
	if strings.EqualFold(scheme, "basic") {
		decoded, err := base64.StdEncoding.DecodeString(value)
		if err != nil {
			return Grant{}, true, false
		}
		_, token, _ = strings.Cut(string(decoded), ":")
	}
	grant, valid = s.grant(token)
	return grant, true, valid
}

// has says whether a grant covers a need.
func (s *Server) has(g Grant, n need) bool {
	if !n.write && (!s.opts.Private || n.permission == "metadata") {
		return true
	}
	level := g.Permissions[n.permission]
	return level == "write" || level == "read" && !n.write
}

// permitted is the zero answer, or why the token may not do this. It is called with the lock held.
func (s *Server) permitted(r *request) answer {
	if s.settings.archived && isWrite(r.route.method) {
		return refuse(http.StatusForbidden, "Repository was archived so is read-only.")
	}
	if len(r.route.needs) == 0 {
		return answer{}
	}
	for _, n := range r.route.needs {
		if s.has(r.grant, n) {
			return answer{}
		}
	}
	s.violate(NoPermission, "%s %s: the token has none of %v", r.route.method, r.http.URL.Path, r.route.needs)
	return s.notAccessible(r.grant)
}

func (s *Server) notAccessible(g Grant) answer {
	if g.Kind == PAT {
		return refuse(http.StatusForbidden, "Resource not accessible by personal access token")
	}
	return refuse(http.StatusForbidden, "Resource not accessible by integration")
}
