package githubtest

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// serveGraphQL answers the few operations for which the REST API has nothing.
func (s *Server) serveGraphQL(call *Call, r *http.Request) reply {
	if refused := s.checkHeaders(call, r); refused != nil {
		return refused.encode()
	}
	grant, refused := s.authenticate(call, r.Header.Get("Authorization"))
	if refused != nil {
		return refused.encode()
	}
	call.Login = grant.Login
	var in struct {
		Query         string
		Variables     map[string]any
		OperationName string
	}
	if err := json.Unmarshal(call.Body, &in); err != nil {
		s.violate(BadRequest, "GraphQL: %v", err)
		return refuse(http.StatusBadRequest, "Problems parsing JSON").encode()
	}
	operation, err := parseQuery(in.Query)
	if err == nil {
		err = operation.check(in.Variables)
	}
	if err != nil {
		s.violate(BadRequest, "GraphQL: %v", err)
		return ok(object{"errors": []any{object{"message": err.Error()}}}).encode()
	}
	call.Operation = operation.name()
	s.mu.Lock()
	defer s.mu.Unlock()
	run := &execution{server: s, grant: grant, variables: in.Variables}
	data := run.root(operation)
	out := object{"data": data}
	if run.errors != nil {
		out["errors"] = run.errors
	}
	return ok(out).encode()
}

// An execution of one operation.
type execution struct {
	server    *Server
	grant     Grant
	variables map[string]any
	errors    []any
}

// fail adds an error as GitHub shapes it.
func (e *execution) fail(kind, path, message string) {
	problem := object{"message": message, "path": []any{path}}
	if kind != "" {
		problem["type"] = kind
	}
	e.errors = append(e.errors, problem)
}

func (e *execution) root(op operation) any {
	data := object{}
	for _, f := range op.fields {
		key := or(f.alias, f.name)
		if op.kind == "mutation" {
			data[key] = e.mutate(f)
		} else {
			data[key] = e.query(f)
		}
	}
	return data
}

func (e *execution) query(f field) any {
	s := e.server
	switch f.name {
	case "viewer":
		u, _ := s.user(e.grant.Login)
		return e.pick(f, "viewer", s.viewerObject(u))
	case "node":
		if p := s.pullByNode(e.argument(f, "id")); p != nil {
			return e.pick(f, "node", s.pullNodeObject(p))
		}
		e.fail("NOT_FOUND", f.name, fmt.Sprintf("Could not resolve to a node with the global id of '%s'.", e.argument(f, "id")))
		return nil
	case "repository":
		if e.argument(f, "owner") != s.Owner || e.argument(f, "name") != s.Name {
			e.fail("NOT_FOUND", f.name, fmt.Sprintf("Could not resolve to a Repository with the name '%s/%s'.", e.argument(f, "owner"), e.argument(f, "name")))
			return nil
		}
		return e.repository(f)
	}
	s.violate(UnknownRoute, "GraphQL: no field %q on Query", f.name)
	e.fail("", f.name, "Field '"+f.name+"' doesn't exist on type 'Query'")
	return nil
}

func (e *execution) repository(f field) any {
	out := object{}
	for _, sub := range f.fields {
		key := or(sub.alias, sub.name)
		switch sub.name {
		case "pullRequest":
			number, _ := e.value(sub, "number").(float64)
			if p := e.server.pull(int(number)); p != nil {
				out[key] = e.pick(sub, "pullRequest", e.server.pullNodeObject(p))
			} else {
				e.fail("NOT_FOUND", sub.name, fmt.Sprintf("Could not resolve to a PullRequest with the number of %d.", int(number)))
				out[key] = nil
			}
		default:
			out[key] = e.one(sub, "repository", object{"id": repositoryNode, "nameWithOwner": e.server.fullName(), "databaseId": repositoryID})
		}
	}
	return out
}

func (s *Server) viewerObject(u User) object {
	return object{"__typename": "User", "login": u.Login, "databaseId": u.ID, "id": fmt.Sprintf("U_%d", u.ID)}
}

func (s *Server) pullByNode(id string) *pull {
	for _, p := range s.pulls {
		if pullNode(p) == id {
			return p
		}
	}
	return nil
}

// pullNodeObject is a pull request as the graph has it.
func (s *Server) pullNodeObject(p *pull) object {
	state := "OPEN"
	if !p.mergedAt.IsZero() {
		state = "MERGED"
	} else if p.closed {
		state = "CLOSED"
	}
	out := object{
		"__typename": "PullRequest", "id": pullNode(p), "databaseId": 1000 + p.number, "number": p.number, "title": p.title, "body": p.body, "isDraft": p.draft, "state": state,
		"merged": state == "MERGED", "headRefName": p.head, "headRefOid": p.headSHA, "baseRefName": p.base, "baseRefOid": p.baseSHA,
		"url": s.html(fmt.Sprintf("/pull/%d", p.number)), "isInMergeQueue": s.queue[p.number] != "", "autoMergeRequest": nil, "mergeQueueEntry": nil,
	}
	if p.autoMerge != nil {
		out["autoMergeRequest"] = object{"mergeMethod": upper(p.autoMerge.method), "enabledAt": timestamp(p.updatedAt), "enabledBy": object{"login": p.autoMerge.by}}
	}
	if s.queue[p.number] != "" {
		out["mergeQueueEntry"] = object{"id": fmt.Sprintf("MQE_%d", p.number), "position": 1, "state": "QUEUED"}
	}
	return out
}

// pick returns the fields that were asked for.
func (e *execution) pick(f field, on string, from object) any {
	out := object{}
	for _, sub := range f.fields {
		if sub.name == "..." {
			inner, _ := e.pick(sub, on, from).(object)
			for name, value := range inner {
				out[name] = value
			}
			continue
		}
		out[or(sub.alias, sub.name)] = e.one(sub, on, from)
	}
	return out
}

func (e *execution) one(sub field, on string, from object) any {
	value, known := from[sub.name]
	if !known {
		e.server.violate(UnknownRoute, "GraphQL: no field %q on %s", sub.name, on)
		e.fail("", sub.name, fmt.Sprintf("Field '%s' doesn't exist on type '%s'", sub.name, on))
		return nil
	}
	if inner, ok := value.(object); ok {
		return e.pick(sub, sub.name, inner)
	}
	return value
}

// mutate runs one of the mutations on pull requests.
func (e *execution) mutate(f field) any {
	s := e.server
	if f.name == "updateRefs" {
		return e.updateRefs(f)
	}
	input, _ := e.value(f, "input").(map[string]any)
	id, _ := input["pullRequestId"].(string)
	p := s.pullByNode(id)
	switch {
	case p == nil:
		e.fail("NOT_FOUND", f.name, fmt.Sprintf("Could not resolve to a node with the global id of '%s'.", id))
		return nil
	case !s.has(e.grant, write("pull_requests")):
		s.violate(NoPermission, "GraphQL %s: the token may not write pull requests", f.name)
		e.fail("FORBIDDEN", f.name, "Resource not accessible by integration")
		return nil
	}
	if problem := e.apply(f.name, p, input); problem != "" {
		e.fail("UNPROCESSABLE", f.name, problem)
		return nil
	}
	p.updatedAt = s.now()
	return e.pick(f, f.name, object{"pullRequest": s.pullNodeObject(p), "clientMutationId": input["clientMutationId"]})
}

// apply changes the pull request and says what is wrong, "" when it was done.
func (e *execution) apply(name string, p *pull, input map[string]any) string {
	s := e.server
	switch name {
	case "convertPullRequestToDraft":
		if s.settings.noDrafts {
			return "Draft pull requests are not supported."
		}
		p.draft = true
	case "markPullRequestReadyForReview":
		p.draft = false
	case "enablePullRequestAutoMerge":
		method, _ := input["mergeMethod"].(string)
		title, _ := input["commitHeadline"].(string)
		text, _ := input["commitBody"].(string)
		expected, _ := input["expectedHeadOid"].(string)
		switch {
		case s.settings.noAutoMerge:
			return "Auto merge is not allowed for this repository"
		case p.closed:
			return "Pull request is closed"
		case p.draft:
			return "Pull request is in draft state"
		case expected != "" && expected != p.headSHA:
			return "Head branch was modified. Review and try the merge again."
		}
		p.autoMerge = &autoMerge{by: e.grant.Login, method: lower(or(method, "MERGE")), title: title, message: text}
	case "disablePullRequestAutoMerge":
		if p.autoMerge == nil {
			return "Auto merge is not enabled for this pull request"
		}
		p.autoMerge = nil
	default:
		s.violate(UnknownRoute, "GraphQL: no mutation %q", name)
		return "Field '" + name + "' doesn't exist on type 'Mutation'"
	}
	return ""
}
