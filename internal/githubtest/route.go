package githubtest

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// A route is one operation of the REST API.
type route struct {
	method, path string // as in the description
	pattern      *regexp.Regexp
	names        []string
	needs        []need // any of them; none: only a valid token
	handle       func(*request) answer
}

// A need is a permission of a token.
type need struct {
	permission string
	write      bool
}

func read(permission string) need  { return need{permission, false} }
func write(permission string) need { return need{permission, true} }

const repo = "/repos/{owner}/{repo}"

// routeTable lists what the server can do. Whatever is not here is refused.
func (s *Server) routeTable() []route {
	contents, pulls := read("contents"), read("pull_requests")
	writePulls, discuss := write("pull_requests"), []need{write("issues"), write("pull_requests")}
	look := []need{read("issues"), read("pull_requests")}
	table := []route{
		{method: "GET", path: repo, handle: s.getRepository, needs: []need{read("metadata")}},
		{method: "GET", path: repo + "/branches/{branch}", handle: s.getBranch, needs: []need{contents}},
		{method: "GET", path: repo + "/collaborators/{username}/permission", handle: s.getPermission, needs: []need{read("metadata")}},
		{method: "GET", path: repo + "/commits", handle: s.listCommits, needs: []need{contents}},
		{method: "GET", path: repo + "/commits/{ref}", handle: s.getCommit, needs: []need{contents}},
		{method: "GET", path: repo + "/compare/{basehead}", handle: s.compare, needs: []need{contents}},
		{method: "GET", path: repo + "/contents/{path}", handle: s.getContents, needs: []need{contents}},
		{method: "POST", path: repo + "/git/blobs", handle: s.createBlob, needs: []need{write("contents")}},
		{method: "GET", path: repo + "/git/blobs/{file_sha}", handle: s.getBlob, needs: []need{contents}},
		{method: "POST", path: repo + "/git/commits", handle: s.createCommit, needs: []need{write("contents")}},
		{method: "GET", path: repo + "/git/commits/{commit_sha}", handle: s.getGitCommit, needs: []need{contents}},
		{method: "GET", path: repo + "/git/matching-refs/{ref}", handle: s.matchingRefs, needs: []need{contents}},
		{method: "GET", path: repo + "/git/ref/{ref}", handle: s.getRef, needs: []need{contents}},
		{method: "POST", path: repo + "/git/refs", handle: s.createRef, needs: []need{write("contents")}},
		{method: "PATCH", path: repo + "/git/refs/{ref}", handle: s.updateRef, needs: []need{write("contents")}},
		{method: "DELETE", path: repo + "/git/refs/{ref}", handle: s.deleteRef, needs: []need{write("contents")}},
		{method: "POST", path: repo + "/git/trees", handle: s.createTree, needs: []need{write("contents")}},
		{method: "GET", path: repo + "/git/trees/{tree_sha}", handle: s.getTree, needs: []need{contents}},
		{method: "GET", path: repo + "/issues/comments/{comment_id}", handle: s.getComment, needs: look},
		{method: "PATCH", path: repo + "/issues/comments/{comment_id}", handle: s.updateComment, needs: discuss},
		{method: "DELETE", path: repo + "/issues/comments/{comment_id}", handle: s.deleteComment, needs: discuss},
		{method: "GET", path: repo + "/issues/{issue_number}", handle: s.getIssue, needs: look},
		{method: "PATCH", path: repo + "/issues/{issue_number}", handle: s.updateIssue, needs: discuss},
		{method: "POST", path: repo + "/issues/{issue_number}/assignees", handle: s.addAssignees, needs: discuss},
		{method: "GET", path: repo + "/issues/{issue_number}/comments", handle: s.listComments, needs: look},
		{method: "POST", path: repo + "/issues/{issue_number}/comments", handle: s.createComment, needs: discuss},
		{method: "GET", path: repo + "/issues/{issue_number}/labels", handle: s.listIssueLabels, needs: look},
		{method: "POST", path: repo + "/issues/{issue_number}/labels", handle: s.addIssueLabels, needs: discuss},
		{method: "DELETE", path: repo + "/issues/{issue_number}/labels/{name}", handle: s.removeIssueLabel, needs: discuss},
		{method: "GET", path: repo + "/labels", handle: s.listLabels, needs: look},
		{method: "POST", path: repo + "/labels", handle: s.createLabel, needs: discuss},
		{method: "GET", path: repo + "/labels/{name}", handle: s.getLabel, needs: look},
		{method: "GET", path: repo + "/pulls", handle: s.listPulls, needs: []need{pulls}},
		{method: "POST", path: repo + "/pulls", handle: s.createPull, needs: []need{writePulls}},
		{method: "GET", path: repo + "/pulls/{pull_number}", handle: s.getPull, needs: []need{pulls, contents}},
		{method: "PATCH", path: repo + "/pulls/{pull_number}", handle: s.updatePull, needs: []need{writePulls}},
		{method: "GET", path: repo + "/pulls/{pull_number}/commits", handle: s.pullCommits, needs: []need{pulls}},
		{method: "GET", path: repo + "/pulls/{pull_number}/files", handle: s.pullFiles, needs: []need{pulls}},
		{method: "POST", path: repo + "/pulls/{pull_number}/requested_reviewers", handle: s.requestReviewers, needs: []need{writePulls}},
		{method: "DELETE", path: repo + "/pulls/{pull_number}/requested_reviewers", handle: s.removeReviewers, needs: []need{writePulls}},
		{method: "GET", path: repo + "/rules/branches/{branch}", handle: s.branchRules, needs: []need{read("metadata")}},
		{method: "GET", path: "/users/{username}", handle: s.getUser},
	}
	for i := range table {
		table[i].compile()
	}
	return table
}

// spanning parameters take slashes too: they stand at the end of their path.
var spanning = map[string]bool{"ref": true, "path": true, "basehead": true, "branch": true}

func (r *route) compile() {
	var pattern strings.Builder
	for _, part := range strings.Split(strings.TrimPrefix(r.path, "/"), "/") {
		pattern.WriteByte('/')
		name, isParam := strings.CutPrefix(part, "{")
		switch name = strings.TrimSuffix(name, "}"); {
		case !isParam:
			pattern.WriteString(regexp.QuoteMeta(part))
			continue
		case spanning[name]:
			pattern.WriteString("(.+)")
		default:
			pattern.WriteString("([^/]+)")
		}
		r.names = append(r.names, name)
	}
	r.pattern = regexp.MustCompile("^" + pattern.String() + "$")
}

// match finds the operation of a path (still escaped) and its parameters (decoded).
func (s *Server) match(method, path string) (*route, map[string]string, bool) {
	for i := range s.routes {
		r := &s.routes[i]
		found := r.pattern.FindStringSubmatch(path)
		if r.method != method || found == nil {
			continue
		}
		params := map[string]string{}
		for i, name := range r.names {
			value, err := url.PathUnescape(found[i+1])
			if err != nil {
				return nil, nil, false
			}
			params[name] = value
		}
		if owner, ok := params["owner"]; ok && !s.serves(r, owner, params["repo"]) {
			return nil, nil, false
		}
		return r, params, true
	}
	return nil, nil, false
}

// serves says whether an operation is known for a repository: all for the one, those of the Git Data API for its fork.
func (s *Server) serves(r *route, owner, name string) bool {
	if !strings.EqualFold(name, s.Name) {
		return false
	}
	fork := s.opts.ForkOwner != "" && owner == s.opts.ForkOwner && strings.HasPrefix(r.path, repo+"/git/")
	return strings.EqualFold(owner, s.Owner) || fork
}

// isWrite says whether a method changes something.
func isWrite(method string) bool { return method != http.MethodGet && method != http.MethodHead }
