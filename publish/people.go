package publish

import (
	"fmt"
	"slices"
	"strings"
)

// An Identity is the GitHub account that publishes.
type Identity struct {
	Login string // such as "github-actions[bot]"
	ID    int64  // the user's number, which nobody can take over
	// NoReply is the host of noreply addresses; "" means users.noreply.github.com.
	NoReply string
}

// ActionsIdentity is the account of the default token of a workflow on github.com. Enterprise servers have their own number.
func ActionsIdentity() Identity { return Identity{Login: "github-actions[bot]", ID: 41898282} }

// Email is the address that GitHub links to the account.
func (id Identity) Email() string {
	host := id.NoReply
	if host == "" {
		host = "users.noreply.github.com"
	}
	return fmt.Sprintf("%d+%s@%s", id.ID, id.Login, host)
}

// A Signature is who wrote or committed a commit, as GitHub tells it.
type Signature struct {
	Name, Email string
	Login       string // of the account linked to the address; "" for none
	ID          int64  // of that account; 0 for none
}

// is tells whether the signature is that of the account.
func (s Signature) is(id Identity) bool {
	return id.ID != 0 && (s.ID == id.ID || s.ID == 0 && strings.EqualFold(s.Email, id.Email()))
}

// webFlow is GitHub itself, the committer of what is made through the API or on the web page.
func (s Signature) webFlow() bool {
	return s.ID == 19864447 || s.ID == 0 && s.Name == "GitHub" && strings.EqualFold(s.Email, "noreply@github.com")
}

// A BranchCommit is a commit that the branch has and its base has not.
type BranchCommit struct {
	SHA               string
	Parents           []string
	Message           string
	Author, Committer Signature
}

// own tells whether we made the commit. An account such as that of the default token is shared by all workflows of a repository, so our
// trailer is asked for too; and we name no co-author, so one who is named has changed the commit.
func (c BranchCommit) own(id Identity) bool {
	if !c.Author.is(id) || !(c.Committer.is(id) || c.Committer.webFlow()) || len(c.Parents) > 1 {
		return false
	}
	trailers := parseTrailers(c.Message)
	return trailers[trailerRun] != "" && trailers["co-authored-by"] == ""
}

// foreign returns the commits of others, in the order given.
func foreign(commits []BranchCommit, id Identity) []BranchCommit {
	return slices.DeleteFunc(slices.Clone(commits), func(c BranchCommit) bool { return c.own(id) })
}

// people names who made commits, for a message: sorted, without repetition, at most three.
func people(commits []BranchCommit) string {
	var names []string
	for _, c := range commits {
		name := c.Author.Login
		if name == "" {
			name = c.Author.Name
		}
		names = append(names, name)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if len(names) > 3 {
		names = append(names[:3], "others")
	}
	return strings.Join(names, ", ")
}

// Keys of trailers, in lower case as parseTrailers returns them.
const (
	trailerRun   = "wikiwright-run"
	trailerBase  = "wikiwright-base"
	trailerState = "wikiwright-state"
)

// parseTrailers reads the lines "Key: value" of the last paragraph of a commit message. Keys come in lower case; the last of a key wins.
func parseTrailers(message string) map[string]string {
	message = strings.TrimRight(strings.ReplaceAll(message, "\r\n", "\n"), "\n ")
	last := message
	if i := strings.LastIndex(message, "\n\n"); i >= 0 {
		last = message[i+2:]
	}
	trailers := map[string]string{}
	for line := range strings.Lines(last) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if ok && !strings.Contains(key, " ") {
			trailers[strings.ToLower(key)] = strings.TrimSpace(value)
		}
	}
	return trailers
}

// trailersOf are the trailers of our commit. The first is what makes it ours, so it is never empty.
func trailersOf(b *Bundle) []Trailer {
	run := b.Run.ID
	if run == "" {
		run = "unknown"
	}
	return []Trailer{
		{"Wikiwright-Run", run},
		{"Wikiwright-Base", b.BaseSHA},
		{"Wikiwright-Fingerprint", b.Run.Fingerprint},
		{"Wikiwright-Version", b.Run.Version},
		{"Wikiwright-State", string(b.State)},
		{"Wikiwright-Inputs", b.Run.Inputs},
	}
}
