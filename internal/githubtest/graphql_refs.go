package githubtest

import (
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// repositoryNode is the global id of the repository.
const repositoryNode = "R_4242"

// updateRefs is the one request of the API that moves a ref only if it is where the caller believes. REST has nothing like it.
func (e *execution) updateRefs(f field) any {
	s := e.server
	input, _ := e.value(f, "input").(map[string]any)
	updates, _ := input["refUpdates"].([]any)
	switch {
	case input["repositoryId"] != repositoryNode:
		e.fail("NOT_FOUND", f.name, "Could not resolve to a node with the global id of the repository.")
		return nil
	case !s.has(e.grant, write("contents")):
		s.violate(NoPermission, "GraphQL %s: the token may not write contents", f.name)
		e.fail("FORBIDDEN", f.name, "Resource not accessible by integration")
		return nil
	case len(updates) != 1:
		s.violate(BadRequest, "GraphQL %s: %d updates; this package does one", f.name, len(updates))
		e.fail("", f.name, "one update only")
		return nil
	}
	update, _ := updates[0].(map[string]any)
	if problem := e.updateRef(update); problem != "" {
		e.fail("UNPROCESSABLE", f.name, problem)
		return nil
	}
	return e.pick(f, f.name, object{"clientMutationId": input["clientMutationId"]})
}

// updateRef moves one ref and says what is wrong, "" when it was done.
func (e *execution) updateRef(update map[string]any) string {
	s := e.server
	text := func(name string) string {
		value, _ := update[name].(string)
		return value
	}
	name, after, before := text("name"), text("afterOid"), text("beforeOid")
	force, _ := update["force"].(bool)
	ref, found := s.lookupRef(name)
	switch {
	case !strings.HasPrefix(name, "refs/") || len(after) != len(zeroName) || len(before) != 0 && len(before) != len(zeroName):
		s.violate(BadRequest, "GraphQL updateRefs: malformed update of %q", name)
		return "Variable $input of type UpdateRefsInput! was provided invalid value"
	case before != "" && before != or(ref.sha, zeroName):
		return "Reference update failed: " + name + " does not point to " + before
	case after != zeroName && s.kindOf(after) == plumbing.InvalidObject:
		return "Object does not exist"
	case found && after != zeroName && !force && !s.isAncestor(ref.sha, after):
		return "Update is not a fast forward"
	}
	if after == zeroName {
		after = ""
	}
	if refused := s.moveRef(name, ref.sha, after, force, e.grant); refused.status != 0 {
		body, _ := refused.body.(object)
		message, _ := body["message"].(string)
		return message
	}
	return ""
}
