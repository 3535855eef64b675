package githubtest

import (
	"embed"
	"encoding/json"
	"fmt"
)

//go:embed testdata/events
var events embed.FS

// Event returns the payload that GitHub's documentation shows for an event: push, workflow_dispatch, schedule, pull_request (opened),
// issue_comment (created) or merge_group. It is nil for any other name.
func Event(name string) []byte {
	data, err := events.ReadFile("testdata/events/" + name + ".json")
	if err != nil {
		return nil
	}
	return data
}

// Event returns the payload of an event in this server's repository. change, if not nil, may alter it.
func (s *Server) Event(name string, change func(payload map[string]any)) []byte {
	s.report.Helper()
	payload := object{}
	if err := json.Unmarshal(Event(name), &payload); err != nil {
		s.failed("event "+name, fmt.Errorf("no such payload: %w", err))
		return nil
	}
	s.mu.Lock()
	payload["repository"] = s.repositoryObject(true)
	s.mu.Unlock()
	switch name {
	case "push":
		head := s.branchHead(s.DefaultBranch)
		payload["ref"], payload["after"] = "refs/heads/"+s.DefaultBranch, head
	case "workflow_dispatch":
		payload["ref"] = "refs/heads/" + s.DefaultBranch
	}
	if change != nil {
		change(payload)
	}
	data, err := json.MarshalIndent(payload, "", " ")
	if err != nil {
		s.failed("event "+name, err)
	}
	return data
}
