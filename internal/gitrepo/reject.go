package gitrepo

import (
	"strings"
	"unicode"
)

// A StaleError is a branch that is not where a push expected it. Nothing was changed.
type StaleError struct {
	Ref           string
	Expect, Found string // "" for absent
}

// Error implements error.
func (e *StaleError) Error() string {
	return e.Ref + " is not where it was expected: someone else moved it"
}

// A Rejection is the kind of reason for which a server refuses a push.
type Rejection string

// The kinds of refusals that call for different remedies.
const (
	RejectedWorkflow   Rejection = "workflow_scope"   // workflow files changed, and the token may not do that
	RejectedSignature  Rejection = "signature"        // commits must be signed
	RejectedSecret     Rejection = "secret"           // push protection found a secret
	RejectedProtected  Rejection = "protected_branch" // a branch protection rule
	RejectedRuleset    Rejection = "ruleset"          // a rule of a ruleset
	RejectedArchived   Rejection = "archived"         // the repository is read-only
	RejectedPermission Rejection = "permission"       // the credential may not write
	RejectedTooLarge   Rejection = "too_large"        // a file above the limit
	RejectedMoved      Rejection = "moved"            // the remote answers with a redirect
	RejectedHook       Rejection = "hook"             // a hook of the server, for a reason of its own
	RejectedOther      Rejection = "other"            // anything else, the network too: it may succeed later
)

// A RejectedError is a push that failed although the branch is where it was expected.
type RejectedError struct {
	Ref    string
	Kind   Rejection
	Detail string // what the server said, one line, bounded, without credentials
	err    error
}

// Error implements error.
func (e *RejectedError) Error() string { return "the remote refused " + e.Ref + ": " + e.Detail }

// Unwrap returns the failure of the git process, if it was one.
func (e *RejectedError) Unwrap() error { return e.err }

// Hint says what a maintainer can do.
func (e *RejectedError) Hint() string {
	switch e.Kind {
	case RejectedWorkflow:
		return "the branch contains changes to files in .github/workflows that the base branch on GitHub lacks; update the base branch, or use a token that may write workflows"
	case RejectedSignature:
		return "commits must be signed here: let GitHub sign them by publishing through its API (sign-commits: true)"
	case RejectedSecret:
		return "push protection found something that looks like a secret; remove it from the page or from the source it quotes, or allow it in the repository's security settings"
	case RejectedProtected:
		return "a branch protection rule covers this branch: exclude it from the rule, or choose another branch name"
	case RejectedRuleset:
		return "a ruleset covers this branch: see Settings → Rules, add the author of the push to its bypass list, or choose another branch name"
	case RejectedArchived:
		return "the repository is archived and read-only: unarchive it, or stop running Wikiwright there"
	case RejectedPermission:
		return "the token may not write here: give the job `permissions: contents: write`, or use a token that may"
	case RejectedTooLarge:
		return "a file is larger than GitHub accepts"
	case RejectedMoved:
		return "the repository was renamed or moved: use its present address"
	case RejectedHook:
		return "a hook of the server refused the push; what it said is in the message"
	}
	return "the push did not arrive; run again"
}

// rejections are looked for from the special to the general: a ruleset, for instance, names signatures and secrets among its reasons.
var rejections = [...]struct {
	kind  Rejection
	texts []string
}{
	{RejectedWorkflow, []string{"create or update workflow", "without `workflow` scope", "without `workflows` permission"}},
	{RejectedSecret, []string{"push cannot contain secrets", "push protection"}},
	{RejectedSignature, []string{"must have verified signatures", "commits must be signed", "must have valid signatures"}},
	{RejectedTooLarge, []string{"gh001", "exceeds github's file size limit", "large files detected"}},
	{RejectedArchived, []string{"archived so it is read-only", "repository has been archived"}},
	{RejectedRuleset, []string{"gh013", "repository rule violations", "creations being restricted"}},
	{RejectedProtected, []string{"gh006", "protected branch", "cannot force-push to this branch"}},
	{RejectedPermission, []string{"write access to repository not granted", "permission to ", "returned error: 403", "resource not accessible",
		"status code: 403", "authorization failed"}},
	{RejectedMoved, []string{"redirect", "returned error: 301", "returned error: 307"}},
	{RejectedHook, []string{"pre-receive hook declined", "hook declined"}},
}

// reject makes a RejectedError of what was said.
func reject(ref, said string, err error) *RejectedError {
	kind := RejectedOther
	lower := strings.ToLower(said)
search:
	for _, one := range rejections {
		for _, text := range one.texts {
			if strings.Contains(lower, text) {
				kind = one.kind
				break search
			}
		}
	}
	return &RejectedError{Ref: ref, Kind: kind, Detail: oneLine(said), err: err}
}

// oneLine makes text of a server fit for an error: one line without control characters and the decoration of remote messages.
func oneLine(text string) string {
	var parts []string
	for line := range strings.FieldsFuncSeq(text, func(c rune) bool { return c == '\n' || c == '\r' }) {
		line = strings.TrimSpace(strings.Map(func(c rune) rune {
			if unicode.IsControl(c) {
				return -1
			}
			return c
		}, line))
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(line, "remote:"), " error:"))
		if line != "" && (len(parts) == 0 || parts[len(parts)-1] != line) {
			parts = append(parts, line)
		}
	}
	joined := strings.Join(parts, "; ")
	if len(joined) > maxStderr {
		joined = strings.ToValidUTF8(joined[:maxStderr], "") + "…"
	}
	return joined
}

// isRefName follows the rules of git check-ref-format for a full name below refs/.
func isRefName(name string) bool {
	if !strings.HasPrefix(name, "refs/") || strings.Contains(name, "..") || strings.Contains(name, "@{") || strings.HasSuffix(name, ".") {
		return false
	}
	if strings.ContainsFunc(name, func(c rune) bool { return c <= ' ' || c == 0x7f || strings.ContainsRune("~^:?*[\\", c) }) {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || strings.HasPrefix(part, ".") || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	return true
}
