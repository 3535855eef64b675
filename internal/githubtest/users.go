package githubtest

import (
	"fmt"
	"net/http"
	"strings"
)

// Accounts that are always there.
const (
	actionsLogin = "github-actions[bot]"
	actionsID    = 41898282
	webFlowLogin = "web-flow"
	webFlowID    = 19864447
	webFlowEmail = "noreply@github.com"
	adaEmail     = "ada@example.com"
)

func knownUsers(more []User) []User {
	users := []User{
		{Login: "ada", ID: 1815, Name: "Ada", Email: adaEmail, Permission: "admin"},
		{Login: actionsLogin, ID: actionsID, Name: actionsLogin, Permission: "write"},
		{Login: webFlowLogin, ID: webFlowID, Name: "GitHub", Email: webFlowEmail, Permission: "none"},
	}
	for i, u := range more {
		if u.ID == 0 {
			u.ID = int64(2000 + i)
		}
		u.Name, u.Permission = or(u.Name, u.Login), or(u.Permission, "write")
		users = append(users, u)
	}
	return users
}

// user finds an account by login.
func (s *Server) user(login string) (User, bool) {
	for _, u := range s.users {
		if strings.EqualFold(u.Login, login) {
			return u, true
		}
	}
	return User{}, false
}

// byEmail finds the account of a commit's e-mail: a public one or either form of the noreply addresses.
func (s *Server) byEmail(email string) (User, bool) {
	local, noreply := strings.CutSuffix(strings.ToLower(email), "@users.noreply.github.com")
	id, _, withID := strings.Cut(local, "+")
	for _, u := range s.users {
		switch {
		case noreply && withID && id == fmt.Sprint(u.ID): // the id counts: logins change
			return u, true
		case noreply && !withID && strings.EqualFold(local, u.Login):
			return u, true
		case u.Email != "" && strings.EqualFold(email, u.Email):
			return u, true
		}
	}
	return User{}, false
}

// email is the address with which the account commits through the web or the API.
func (u User) email() string {
	if u.Email != "" {
		return u.Email
	}
	return fmt.Sprintf("%d+%s@users.noreply.github.com", u.ID, u.Login)
}

// noreply is the address in commits that the API makes for a bot.
func (u User) noreply() string { return fmt.Sprintf("%d+%s@users.noreply.github.com", u.ID, u.Login) }

func (u User) kind() string {
	if strings.HasSuffix(u.Login, "[bot]") {
		return "Bot"
	}
	return "User"
}

func (s *Server) userObject(u User) object {
	api := s.APIURL + "/users/" + u.Login
	return object{
		"login": u.Login, "id": u.ID, "node_id": fmt.Sprintf("U_%d", u.ID), "avatar_url": s.ServerURL + "/avatars/" + fmt.Sprint(u.ID), "gravatar_id": "",
		"url": api, "html_url": s.ServerURL + "/" + u.Login, "followers_url": api + "/followers", "following_url": api + "/following{/other_user}",
		"gists_url": api + "/gists{/gist_id}", "starred_url": api + "/starred{/owner}{/repo}", "subscriptions_url": api + "/subscriptions",
		"organizations_url": api + "/orgs", "repos_url": api + "/repos", "events_url": api + "/events{/privacy}", "received_events_url": api + "/received_events",
		"type": u.kind(), "site_admin": false, "user_view_type": "public",
	}
}

// login's object, or null for nobody.
func (s *Server) loginObject(login string) any {
	u, found := s.user(login)
	if !found {
		return nil
	}
	return s.userObject(u)
}

func (s *Server) getUser(r *request) answer {
	u, found := s.user(r.params["username"])
	if !found {
		return notFound()
	}
	out := s.userObject(u)
	for name, value := range (object{
		"name": u.Name, "company": nil, "blog": "", "location": nil, "email": nil, "hireable": nil, "bio": nil, "public_repos": 1, "public_gists": 0,
		"followers": 0, "following": 0, "created_at": "2020-01-01T00:00:00Z", "updated_at": "2020-01-01T00:00:00Z",
	}) {
		out[name] = value
	}
	return ok(out)
}

func (s *Server) getPermission(r *request) answer {
	u, found := s.user(r.params["username"])
	if !found {
		return refuse(http.StatusNotFound, r.params["username"]+" is not a user")
	}
	rights := map[string][]string{"admin": {"pull", "triage", "push", "maintain", "admin"}, "write": {"pull", "triage", "push"}, "read": {"pull"}}[u.Permission]
	permissions := object{"pull": false, "triage": false, "push": false, "maintain": false, "admin": false}
	for _, name := range rights {
		permissions[name] = true
	}
	account := s.userObject(u)
	account["permissions"], account["role_name"] = permissions, u.Permission
	return ok(object{"permission": u.Permission, "role_name": u.Permission, "user": account})
}
