package publish

// An Operation says what became of the pull request.
type Operation string

// The operations.
const (
	OpNone       Operation = "none"        // nothing to publish, or all of it is there already
	OpCreated    Operation = "created"     // opened, or reopened
	OpUpdated    Operation = "updated"     // branch, text or state changed
	OpClosed     Operation = "closed"      // nothing is left of it
	OpBlocked    Operation = "blocked"     // commits of others are in the way
	OpDeferred   Operation = "deferred"    // the next run does it: base or branch moved, or it is in the merge queue
	OpSnoozed    Operation = "snoozed"     // a person does not want it
	OpRefused    Operation = "refused"     // the gate does not let it through
	OpBranchOnly Operation = "branch-only" // the branch is there, the pull request could not be opened or was not asked for
)

// Failed tells whether the operation is one that a maintainer has to act on; the run then ends as an error. It is asked of [Publisher.Publish],
// not of a checkpoint, where branch-only is what was wanted.
func (o Operation) Failed() bool { return o == OpBlocked || o == OpRefused || o == OpBranchOnly }

// An Outcome is what publishing did. It is ready for JSON.
type Outcome struct {
	Operation  Operation `json:"operation"`
	Number     int       `json:"number,omitempty"`
	URL        string    `json:"url,omitempty"`
	Branch     string    `json:"branch,omitempty"`
	HeadSHA    string    `json:"headSha,omitempty"`
	BaseSHA    string    `json:"baseSha,omitempty"` // tip of the base branch the decision was made on
	CompareURL string    `json:"compareUrl,omitempty"`
	Draft      bool      `json:"draft,omitempty"`
	Verified   bool      `json:"verified,omitempty"` // GitHub signed the commit

	Reason  string    `json:"reason,omitempty"` // one line
	Hint    string    `json:"hint,omitempty"`   // what a person can do
	Code    string    `json:"code,omitempty"`   // of the error that stopped it, such as not_permitted_pull_requests
	Notes   []string  `json:"notes,omitempty"`  // what did not matter enough to stop: a label, a file left out
	Blocked []Blocked `json:"blocked,omitempty"`
	Stale   []string  `json:"stale,omitempty"` // pages whose evidence changed between the analysed commit and the tip

	Calls  int `json:"calls"`  // requests to the API
	Writes int `json:"writes"` // of them, those that change something

	Decision *Decision `json:"decision,omitempty"` // of a dry run

	Bundle *Bundle `json:"-"` // what was left of the bundle after the gates; nil when they did not let it through
}
