package app

import (
	"github.com/wikiwright/wikiwright/generate"
)

// A StatusResult is what `status --json` prints.
type StatusResult struct {
	SchemaVersion int             `json:"schemaVersion"`
	Exists        bool            `json:"exists"`
	UpToDate      bool            `json:"upToDate"`
	Reason        string          `json:"reason,omitempty"` // why an update would have work
	Baseline      *BaselineResult `json:"baseline,omitempty"`
	Running       *RunningResult  `json:"running,omitempty" jsonschema:"the process that is changing the wiki now"`
	Run           *RunResult      `json:"run,omitempty" jsonschema:"a run that has not ended: in progress if running is there, else interrupted"`
	Replaced      bool            `json:"replaced" jsonschema:"the wiki that an init replaces is kept until it has a plan; reset brings it back"`
	Pages         []PageStatus    `json:"pages"`
	Claims        ClaimTotals     `json:"claims"`
	Issues        []IssueResult   `json:"issues"`
	Moved         []MoveResult    `json:"moved"`
	Notes         []string        `json:"notes"`
}

// A BaselineResult is the last recorded run.
type BaselineResult struct {
	UpdatedAt string `json:"updatedAt"`
	Command   string `json:"command"`
	GitHead   string `json:"gitHead,omitempty"`
	Model     string `json:"model"`
	Status    string `json:"status"`
	Language  string `json:"language,omitempty"`
}

// A RunningResult is a process that is changing the wiki.
type RunningResult struct {
	Process int      `json:"process,omitempty"`
	Pages   []string `json:"pages" jsonschema:"the pages in work"`
}

// A RunResult is a run that has not ended.
type RunResult struct {
	RunID     string `json:"runId"`
	Mode      string `json:"mode"`
	Phase     string `json:"phase"`
	StartedAt string `json:"startedAt"`
	Language  string `json:"language"`
	Complete  int    `json:"complete"`
	Skipped   int    `json:"skipped"`
	Pending   int    `json:"pending"`
}

// A PageStatus is one page of the wiki.
type PageStatus struct {
	Path       string `json:"path"`
	GitHead    string `json:"gitHead,omitempty"`
	Covered    bool   `json:"covered"`
	HandEdited bool   `json:"handEdited"`
	Claims     int    `json:"claims"`
	Stale      int    `json:"stale"`
	Unresolved int    `json:"unresolved"`
}

// An IssueResult is a Claim that the source no longer supports as recorded.
type IssueResult struct {
	Page      string   `json:"page"`
	Kind      string   `json:"kind"` // stale, unresolved
	Claim     string   `json:"claim"`
	Resources []string `json:"resources"`
	Hints     []string `json:"hints,omitempty"`
}

// A MoveResult is evidence that reads the same in another place.
type MoveResult struct {
	Page  string `json:"page"`
	Claim string `json:"claim"`
	From  string `json:"from"`
	To    string `json:"to"`
}

// StatusOf turns a report into what is printed.
func StatusOf(r *generate.StatusReport) *StatusResult {
	result := &StatusResult{
		SchemaVersion: SchemaVersion, Exists: r.Exists, UpToDate: r.UpToDate, Reason: r.Reason, Claims: ClaimTotals(r.Claims),
		Pages: []PageStatus{}, Issues: []IssueResult{}, Moved: []MoveResult{}, Notes: append([]string{}, r.Notes...),
	}
	if u := r.LastUpdate; u != nil {
		result.Baseline = &BaselineResult{UpdatedAt: u.UpdatedAt, Command: string(u.Command), GitHead: u.GitHead, Model: u.Model, Status: string(u.Status), Language: u.Language}
	}
	if p := r.Running; p != nil {
		result.Running = &RunningResult{Process: p.ID, Pages: []string{}}
		for _, page := range p.Pages {
			result.Running.Pages = append(result.Running.Pages, string(page))
		}
	}
	result.Replaced = r.Replaced
	if s := r.Run; s != nil {
		result.Run = &RunResult{RunID: s.RunID, Mode: string(s.Mode), Phase: string(s.Phase), StartedAt: s.StartedAt, Language: s.Language, Complete: s.Complete, Skipped: s.Skipped, Pending: s.Pending}
	}
	for _, p := range r.Pages {
		result.Pages = append(result.Pages, PageStatus{Path: string(p.Path), GitHead: p.GitHead, Covered: p.Covered, HandEdited: p.HandEdited, Claims: p.Claims, Stale: p.Stale, Unresolved: p.Unresolved})
	}
	for _, i := range r.Issues {
		result.Issues = append(result.Issues, IssueResult{Page: string(i.Page), Kind: string(i.Kind), Claim: i.ClaimID, Resources: i.Resources, Hints: i.Hints})
	}
	for _, m := range r.Moved {
		result.Moved = append(result.Moved, MoveResult{Page: string(m.Page), Claim: m.ClaimID, From: m.From, To: m.To})
	}
	return result
}
