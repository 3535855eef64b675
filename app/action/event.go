package action

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/wikiwright/wikiwright/app"
)

// An event is what started the workflow: the name and ref of the runner, and of the payload what rules need.
type event struct {
	Name string
	Ref  string // full, such as refs/heads/main

	Deleted    bool   `json:"deleted"` // push
	Before     string `json:"before"`  // push: where the branch was
	Repository struct {
		FullName      string `json:"full_name"`
		Fork          bool   `json:"fork"`
		DefaultBranch string `json:"default_branch"`
	} `json:"repository"`
	PullRequest *struct {
		Number int     `json:"number"`
		Base   refSide `json:"base"`
		Head   refSide `json:"head"`
	} `json:"pull_request"`
	MergeGroup *struct {
		BaseSHA string `json:"base_sha"`
	} `json:"merge_group"`
	WorkflowRun *struct {
		Event          string `json:"event"`
		HeadRepository *struct {
			FullName string `json:"full_name"`
		} `json:"head_repository"`
	} `json:"workflow_run"`
}

type refSide struct {
	Ref string `json:"ref"`
	SHA string `json:"sha"`
}

// maxPayload bounds the payload that is read; GitHub's limit for events is 25 MB.
const maxPayload = 25 << 20

// readEvent reads what the runner says.
func readEvent(getenv func(string) string) (*event, error) {
	e := &event{}
	if name := getenv("GITHUB_EVENT_PATH"); name != "" {
		info, err := os.Stat(name)
		if err != nil {
			return nil, fmt.Errorf("read the event: %w", err)
		}
		if info.Size() > maxPayload {
			return nil, fmt.Errorf("read the event: the payload has %d bytes, more than %d", info.Size(), maxPayload)
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read the event: %w", err)
		}
		if err := json.Unmarshal(data, e); err != nil {
			return nil, fmt.Errorf("read the event: %w", err)
		}
	}
	e.Name, e.Ref = getenv("GITHUB_EVENT_NAME"), getenv("GITHUB_REF")
	return e, nil
}

// A verdict says whether a job runs. A quiet one ends with status 0 and a notice.
type verdict struct {
	quiet string
	err   error
}

func refuse(format string, args ...any) verdict {
	return verdict{err: &app.ConfigError{Name: "event", Err: fmt.Errorf(format, args...),
		Next: "run on schedule, workflow_dispatch, repository_dispatch or push to the base branch; docs/action.md shows workflows"}}
}

func quiet(format string, args ...any) verdict { return verdict{quiet: fmt.Sprintf(format, args...)} }

// judge applies the rules: only events that people with write access cause, on code that is in the repository, may make a wiki with
// secrets at hand. A check needs none and runs on pull requests, of forks too.
func (e *event) judge(mode string, runOnForks bool, isOurs func(branch string) bool) verdict {
	switch e.Name {
	case "":
		return refuse("GITHUB_EVENT_NAME is not set: this command is the entry of the GitHub Action")
	case "pull_request_target":
		return refuse("pull_request_target gives the code of a pull request the rights of the repository")
	case "issue_comment":
		return refuse("issue_comment can be caused by everybody")
	case "pull_request", "merge_group":
		if mode != "check" {
			return refuse("%s runs on code that is not merged: only mode check does that", e.Name)
		}
	case "workflow_run":
		return e.judgeWorkflowRun()
	case "push":
		return e.judgePush(isOurs)
	case "schedule":
		if e.Repository.Fork && !runOnForks {
			return quiet("this repository is a fork: scheduled runs do nothing here unless run-on-forks is true")
		}
	case "workflow_dispatch", "repository_dispatch", "workflow_call":
	default:
		return refuse("%s is no event to maintain a wiki on", e.Name)
	}
	return verdict{}
}

func (e *event) judgeWorkflowRun() verdict {
	run := e.WorkflowRun
	switch {
	case run == nil || run.HeadRepository == nil || run.HeadRepository.FullName != e.Repository.FullName:
		return refuse("the workflow run comes from a fork, or does not say where it comes from")
	case strings.HasPrefix(run.Event, "pull_request"):
		return refuse("the workflow run was caused by %s, whose code is not merged", run.Event)
	}
	return verdict{}
}

func (e *event) judgePush(isOurs func(string) bool) verdict {
	branch, ok := strings.CutPrefix(e.Ref, "refs/heads/")
	switch {
	case !ok:
		return quiet("a push of %s is no push to a branch: nothing to do", e.Ref)
	case e.Deleted:
		return quiet("%s was deleted: nothing to do", branch)
	case isOurs(branch):
		return quiet("%s is the branch of the wiki's own pull request: nothing to do", branch)
	}
	return verdict{}
}

// base is the branch the wiki belongs to.
func (e *event) base(setting string) (string, error) {
	if setting != "" {
		return setting, nil
	}
	if e.PullRequest != nil && e.PullRequest.Base.Ref != "" {
		return e.PullRequest.Base.Ref, nil
	}
	if branch, ok := strings.CutPrefix(e.Ref, "refs/heads/"); ok {
		return branch, nil
	}
	if e.Repository.DefaultBranch != "" && e.Name != "workflow_dispatch" {
		return e.Repository.DefaultBranch, nil
	}
	return "", &app.ConfigError{Name: "base", Err: fmt.Errorf("the job runs on %q, which is no branch", e.Ref), Next: "name the branch with the input base"}
}
