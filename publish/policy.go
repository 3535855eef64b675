package publish

import (
	"fmt"
	"slices"
	"strings"
)

// A Policy is what a repository wants of its pull requests. Start from [DefaultPolicy]; the zero value is not usable.
type Policy struct {
	Branch        string // name of the branch, without refs/heads/; "" for the default of the base branch
	Title         string // of the pull request; "" for the usual one
	CommitMessage string // subject; "" for the usual one. What changed and trailers are added.
	BodyHeader    string // Markdown shown above the report

	Labels        []string // given when the pull request is opened
	Assignees     []string // given when the pull request is opened
	Reviewers     []string // asked when the pull request is opened
	TeamReviewers []string // slugs, without the organisation
	Milestone     int      // number; 0 for none

	Draft               DraftMode
	SignCommits         SignMode
	MaintainerCanModify bool
	AutoMerge           string // merge, squash or rebase; "" leaves merging to people

	DeleteBranch     bool // remove the branch when nothing is left to publish
	OnForeignCommits ForeignMode
	OnClosed         ClosedMode
	MinNewPages      int // after a pull request was closed: how many pages with new inputs it takes to open another

	AllowMassDelete   bool
	MassDeletePercent int // more than so many percent of the pages vanish: refused unless AllowMassDelete

	ExtraPaths []string // files outside the wiki that may be published: AGENTS.md, CLAUDE.md; only their managed block
}

// A DraftMode says when the pull request is a draft.
type DraftMode string

// The draft modes.
const (
	DraftAuto   DraftMode = "auto"        // draft while the wiki is incomplete
	DraftOnce   DraftMode = "true"        // opened as a draft, afterwards left to people
	DraftAlways DraftMode = "always-true" // a draft again after every update
	DraftNever  DraftMode = "false"
)

// A SignMode says how commits are made.
type SignMode string

// The sign modes.
const (
	SignAuto  SignMode = "auto"  // by the API where the change fits, so that GitHub signs them
	SignTrue  SignMode = "true"  // only by the API
	SignFalse SignMode = "false" // by a push
)

// A ForeignMode says what happens to a branch with commits of others.
type ForeignMode string

// The foreign modes.
const (
	ForeignStop      ForeignMode = "stop"      // leave the branch and say so in a comment
	ForeignAppend    ForeignMode = "append"    // add a commit on top; pages that people touched stay theirs
	ForeignOverwrite ForeignMode = "overwrite" // drop their commits
)

// A ClosedMode says what a pull request that was closed without merging means.
type ClosedMode string

// The closed modes.
const (
	ClosedRemember ClosedMode = "remember" // the same inputs are not proposed again
	ClosedRecreate ClosedMode = "recreate"
)

// DefaultPolicy is what holds without configuration.
func DefaultPolicy() Policy {
	return Policy{
		Title:               subject,
		CommitMessage:       subject,
		Labels:              []string{LabelWiki},
		Draft:               DraftAuto,
		SignCommits:         SignAuto,
		MaintainerCanModify: true,
		DeleteBranch:        true,
		OnForeignCommits:    ForeignStop,
		OnClosed:            ClosedRemember,
		MinNewPages:         1,
		MassDeletePercent:   50,
	}
}

// The labels that mean something to the publisher. It adds and removes the second and third itself; people set the last.
const (
	LabelWiki    = "wikiwright"
	LabelPartial = "wikiwright: partial"
	LabelBlocked = "wikiwright: blocked"
	LabelSnoozed = "wikiwright: snoozed"
)

// A PolicyError is a setting that has no meaning.
type PolicyError struct{ Setting, Value, Reason string }

// Error names the setting and what is wrong with it.
func (e *PolicyError) Error() string { return fmt.Sprintf("%s %q %s", e.Setting, e.Value, e.Reason) }

// Check reports the first setting that has no meaning, as a [*PolicyError].
func (p Policy) Check() error {
	choices := []struct {
		setting, value string
		allowed        []string
	}{
		{"draft", string(p.Draft), []string{"auto", "true", "always-true", "false"}},
		{"sign-commits", string(p.SignCommits), []string{"auto", "true", "false"}},
		{"on-foreign-commits", string(p.OnForeignCommits), []string{"stop", "append", "overwrite"}},
		{"on-closed", string(p.OnClosed), []string{"remember", "recreate"}},
		{"auto-merge", p.AutoMerge, []string{"", "merge", "squash", "rebase"}},
	}
	for _, c := range choices {
		if !slices.Contains(c.allowed, c.value) {
			return &PolicyError{c.setting, c.value, "is none of " + strings.Join(slices.DeleteFunc(c.allowed, func(s string) bool { return s == "" }), ", ")}
		}
	}
	for _, path := range p.ExtraPaths {
		if path != "AGENTS.md" && path != "CLAUDE.md" {
			return &PolicyError{"extra-paths", path, "is neither AGENTS.md nor CLAUDE.md"}
		}
	}
	if p.Branch != "" {
		if reason := badBranch(p.Branch); reason != "" {
			return &PolicyError{"branch", p.Branch, reason}
		}
	}
	return nil
}

// badBranch says what git check-ref-format has against a branch name, "" for nothing.
func badBranch(name string) string {
	switch {
	case len(name) > 200:
		return "is longer than 200 bytes"
	case strings.HasPrefix(name, "-"), strings.HasPrefix(name, "refs/"):
		return "must not start with a dash or refs/"
	case name == "@", name == "HEAD", strings.Contains(name, "@{"), strings.Contains(name, ".."), strings.HasSuffix(name, "."):
		return "is no valid branch name"
	case strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r == 0x7f || strings.ContainsRune(`~^:?*[\`, r) }):
		return "contains a character that branch names must not have"
	}
	for segment := range strings.SplitSeq(name, "/") {
		if segment == "" || strings.HasPrefix(segment, ".") || strings.HasSuffix(segment, ".lock") {
			return "has an empty segment, or one that starts with a dot or ends in .lock"
		}
	}
	return ""
}

// The branch of the default base, and the one used when a branch named "openwiki" stands in its way.
const (
	defaultBranch  = "openwiki/update"
	fallbackBranch = "openwiki-update"
)

// branchName is the branch for a base. clash says that a branch named like the first segment exists, which makes the usual name
// impossible: git cannot hold both "openwiki" and "openwiki/update".
func (p Policy) branchName(base, defaultBase string, clash bool) string {
	if p.Branch != "" {
		return p.Branch
	}
	name := defaultBranch
	if clash {
		name = fallbackBranch
	}
	if base != defaultBase && defaultBase != "" {
		name += "-" + strings.ReplaceAll(base, "/", "-")
	}
	return name
}
