// Command cutevents makes testdata/events: one payload per event that starts a workflow, taken from the examples GitHub shows.
//
// The examples come from the npm package @octokit/webhooks-examples (MIT, see LICENSE.octokit). To repeat, in internal/githubtest/testdata:
//
//	npm pack @octokit/webhooks-examples@7.6.1 && tar xzf octokit-webhooks-examples-7.6.1.tgz package/api.github.com/index.json
//	go run cutevents/main.go package/api.github.com/index.json events
//
// There is no example of a schedule: it is made of the repository of workflow_dispatch, as GitHub's documentation of the event says.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
)

type object = map[string]any

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: cutevents INDEX DIRECTORY")
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		log.Fatal("cutevents: ", err)
	}
}

func run(index, directory string) error {
	data, err := os.ReadFile(index)
	if err != nil {
		return err
	}
	var events []struct {
		Name     string
		Examples []object
	}
	if err := json.Unmarshal(data, &events); err != nil {
		return err
	}
	wanted := []struct{ file, event, action string }{
		{"push", "push", ""}, {"workflow_dispatch", "workflow_dispatch", ""}, {"pull_request", "pull_request", "opened"},
		{"issue_comment", "issue_comment", "created"}, {"merge_group", "merge_group", "checks_requested"},
	}
	found := map[string]object{}
	for _, want := range wanted {
		for _, event := range events {
			for _, example := range event.Examples {
				action, _ := example["action"].(string)
				if event.Name == want.event && action == want.action && found[want.file] == nil {
					found[want.file] = example
				}
			}
		}
		if found[want.file] == nil {
			return fmt.Errorf("no example of %s %s", want.event, want.action)
		}
	}
	dispatch := found["workflow_dispatch"]
	found["schedule"] = object{"schedule": "17 4 * * *", "workflow": ".github/workflows/wiki.yml", "repository": dispatch["repository"], "organization": dispatch["organization"]}
	for name, payload := range found {
		text, err := json.MarshalIndent(payload, "", " ")
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(directory, name+".json"), append(text, '\n'), 0o644); err != nil {
			return err
		}
	}
	return nil
}
