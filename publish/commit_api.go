package publish

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	gogithub "github.com/google/go-github/v62/github"

	"github.com/wikiwright/wikiwright/internal/github"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
)

// apiCommitter makes the commit by GitHub's Git Data API, so that GitHub signs it for the identity of a job or an App. Text travels inside
// the request that makes the tree: the number of requests depends on the size of what changed, not on the number of files.
type apiCommitter struct {
	client      *github.Client
	owner, name string
	repo        *gitrepo.Repo  // where the parent's tree is read
	remote      gitrepo.Remote // where branches are read, and deleted
	// nodeID names the repository to GraphQL, which has the one exact compare-and-swap for a branch that is rebuilt. Without it the
	// branch is read again right before it is moved.
	nodeID string
}

// Commit implements committer. GitHub's tree must be the one computed here, or nothing is published.
func (c *apiCommitter) Commit(ctx context.Context, req CommitRequest) (Commit, error) {
	tree, err := newTree(ctx, c.repo, c.remote, req)
	if err != nil {
		return Commit{}, fmt.Errorf("commit by API: %w", err)
	}
	if err := c.upload(ctx, tree); err != nil {
		return Commit{}, fmt.Errorf("commit by API: %w", err)
	}
	made, err := c.create(ctx, tree, req.Message)
	if err != nil {
		return Commit{}, fmt.Errorf("commit by API: %w", err)
	}
	commit, err := c.move(ctx, req, made)
	if err != nil {
		return Commit{}, fmt.Errorf("commit by API: %w", err)
	}
	return commit, nil
}

// DeleteBranch implements committer.
func (c *apiCommitter) DeleteBranch(ctx context.Context, branch, expect string) error {
	return deleteBranch(ctx, c.repo, c.remote, branch, expect)
}

// upload makes the tree, each request based on the tree of the one before.
func (c *apiCommitter) upload(ctx context.Context, tree *gitrepo.NewTree) error {
	base := tree.ParentTree
	for _, entries := range treeRequests(tree) {
		for _, entry := range entries {
			if entry.binary == nil {
				continue
			}
			blob, err := c.blob(ctx, entry.binary)
			if err != nil {
				return fmt.Errorf("upload %s: %w", entry.GetPath(), err)
			}
			entry.SHA = &blob
		}
		var err error
		if base, err = c.tree(ctx, base, entries); err != nil {
			return fmt.Errorf("make tree: %w", err)
		}
	}
	if base != tree.OID {
		return fmt.Errorf("make tree: GitHub made %s where %s was asked for", base, tree.OID)
	}
	return nil
}

// maxTreeText is how much text one request for a tree carries.
const maxTreeText = 2 << 20

// An apiEntry is an entry of a tree request; binary holds content that must be uploaded first.
type apiEntry struct {
	gogithub.TreeEntry
	binary []byte
}

// treeRequests splits the edits of a tree into requests. What stands in the way of a directory is deleted by a request of its own before.
func treeRequests(tree *gitrepo.NewTree) [][]*apiEntry {
	var before, current []*apiEntry
	var requests [][]*apiEntry
	for _, path := range tree.Cleared {
		before = append(before, deletion(path))
	}
	wanted := directories(tree.Edits)
	size := 0
	for _, edit := range tree.Edits {
		if edit.Delete && wanted[edit.Path] {
			before = append(before, deletion(edit.Path))
			continue
		}
		entry, weight := entryOf(edit)
		if size+weight > maxTreeText && len(current) > 0 {
			requests = append(requests, current)
			current, size = nil, 0
		}
		current, size = append(current, entry), size+weight
	}
	if len(current) > 0 {
		requests = append(requests, current)
	}
	if len(before) > 0 {
		requests = append([][]*apiEntry{before}, requests...)
	}
	return requests
}

// directories returns every directory that an edit puts a file into.
func directories(edits []gitrepo.Edit) map[string]bool {
	dirs := map[string]bool{}
	for _, edit := range edits {
		for i, c := range edit.Path {
			if c == '/' && !edit.Delete {
				dirs[edit.Path[:i]] = true
			}
		}
	}
	return dirs
}

func deletion(path string) *apiEntry {
	// An entry with neither content nor object name is sent with "sha": null, which deletes.
	return &apiEntry{TreeEntry: gogithub.TreeEntry{Path: &path, Mode: gogithub.String(gitrepo.ModeRegular), Type: gogithub.String("blob")}}
}

// entryOf returns the entry of an edit and how much text it adds to the request. Content that JSON cannot carry byte for byte, or that an
// API might take for absent, becomes a blob of its own.
func entryOf(edit gitrepo.Edit) (*apiEntry, int) {
	entry := deletion(edit.Path)
	weight := len(edit.Path) + len(`{"path":"","mode":"100644","type":"blob","content":""},`)
	switch text := string(edit.Data); {
	case edit.Delete:
	case text != "" && utf8.ValidString(text) && !strings.Contains(text, "\x00"):
		entry.Content = &text
		weight += len(text)
	default:
		entry.binary = append([]byte{}, edit.Data...)
	}
	return entry, weight
}

func (c *apiCommitter) blob(ctx context.Context, data []byte) (string, error) {
	blob, _, err := c.client.API().Git.CreateBlob(github.Safe(ctx), c.owner, c.name, &gogithub.Blob{
		Content: gogithub.String(base64.StdEncoding.EncodeToString(data)), Encoding: gogithub.String("base64"),
	})
	if err != nil {
		return "", err
	}
	return blob.GetSHA(), nil
}

// minSplit is the number of entries below which a request that GitHub cannot answer is not split.
const minSplit = 50

// tree makes one tree. GitHub gives up on a request after ten seconds; one that fails for that reason again and again is split.
func (c *apiCommitter) tree(ctx context.Context, base string, entries []*apiEntry) (sha string, err error) {
	sent := make([]*gogithub.TreeEntry, len(entries))
	for i, entry := range entries {
		sent[i] = &entry.TreeEntry
	}
	err = c.patiently(ctx, func() error {
		tree, _, err := c.client.API().Git.CreateTree(github.Safe(ctx), c.owner, c.name, base, sent)
		sha = tree.GetSHA()
		return err
	})
	if err == nil || ctx.Err() != nil || !github.MaybeApplied(err) || len(entries) < minSplit {
		return sha, err
	}
	if base, err = c.tree(ctx, base, entries[:len(entries)/2]); err != nil {
		return "", err
	}
	return c.tree(ctx, base, entries[len(entries)/2:])
}

// create makes the commit object. No author and no committer are sent: then GitHub fills in the identity of the token and signs.
func (c *apiCommitter) create(ctx context.Context, tree *gitrepo.NewTree, message string) (made Commit, err error) {
	err = c.patiently(ctx, func() error {
		commit, _, err := c.client.API().Git.CreateCommit(github.Safe(ctx), c.owner, c.name, &gogithub.Commit{
			Message: &message,
			Tree:    &gogithub.Tree{SHA: &tree.OID},
			Parents: []*gogithub.Commit{{SHA: &tree.Parent}},
		}, nil)
		made = Commit{SHA: commit.GetSHA(), Tree: commit.GetTree().GetSHA(), Verified: commit.GetVerification().GetVerified()}
		return err
	})
	if err == nil && made.Tree != tree.OID {
		err = fmt.Errorf("GitHub's commit has the tree %s where %s was asked for", made.Tree, tree.OID)
	}
	if err != nil {
		return Commit{}, fmt.Errorf("make commit: %w", err)
	}
	return made, nil
}

// patiently repeats a request while GitHub does not know an object it has just made: its copies of a repository agree a moment later.
func (c *apiCommitter) patiently(ctx context.Context, do func() error) error {
	for attempt := 1; ; attempt++ {
		err := do()
		if err == nil || attempt == moveAttempts || !isMomentary(err) {
			return err
		}
		if pauseErr := c.client.Pause(ctx, shortPause()); pauseErr != nil {
			return errors.Join(pauseErr, err)
		}
	}
}

// isMomentary recognises the answers that come from a copy of the repository that lags behind.
func isMomentary(err error) bool {
	var answer *gogithub.ErrorResponse
	if !errors.As(err, &answer) || answer.Response == nil {
		return false
	}
	said := strings.ToLower(answer.Message)
	for _, one := range answer.Errors {
		said += "\n" + strings.ToLower(one.Message)
	}
	switch answer.Response.StatusCode {
	case http.StatusUnprocessableEntity, http.StatusNotFound, http.StatusConflict:
		return strings.Contains(said, "sha does not exist") || strings.Contains(said, "object does not exist") ||
			strings.Contains(said, "reference update failed") || strings.Contains(said, "tree does not exist")
	}
	return false
}

// move points the branch to the commit. After every failure the branch itself tells what happened.
func (c *apiCommitter) move(ctx context.Context, req CommitRequest, made Commit) (Commit, error) {
	swap := c.nodeID != "" && req.Expect != "" && req.Expect != req.Parent
	for attempt := 1; ; attempt++ {
		err := c.moveOnce(ctx, req, made.SHA, swap)
		if err == nil {
			return made, nil
		}
		if ctx.Err() != nil || isFinal(err) {
			return Commit{}, fmt.Errorf("move branch: %w", err)
		}
		found, readErr := tip(ctx, c.repo, c.remote, req.Branch)
		if readErr != nil {
			return Commit{}, fmt.Errorf("move branch: %w", errors.Join(err, readErr))
		}
		if found != req.Expect {
			return c.recognise(ctx, req, made, found)
		}
		switch {
		case swap && isRule(err):
			return Commit{}, fmt.Errorf("move branch: %w", err)
		case swap && !github.MaybeApplied(err):
			swap = false // this GitHub, or this token, has no such mutation: REST tells the real reason if it is another
		case attempt < moveAttempts && (isMomentary(err) || github.MaybeApplied(err)):
			if pauseErr := c.client.Pause(ctx, shortPause()); pauseErr != nil {
				return Commit{}, fmt.Errorf("move branch: %w", errors.Join(pauseErr, err))
			}
		case github.Classify(err).Code == github.CodeConflict:
			// What git shows may be older than what GitHub answered.
			return Commit{}, fmt.Errorf("move branch: %w (%w)", &LeaseError{Branch: req.Branch, Expected: req.Expect}, err)
		default:
			return Commit{}, fmt.Errorf("move branch: %w", err)
		}
	}
}

// isFinal tells failures that say nothing about the branch and will not be another the next time.
func isFinal(err error) bool {
	var limit *github.LimitError
	return errors.Is(err, github.ErrTokenExpired) || errors.As(err, &limit)
}

// isRule tells the answers of rules of the repository: asking in another way does not change them.
func isRule(err error) bool {
	code := github.Classify(err).Code
	return code == github.CodeRuleset || code == github.CodeProtectedBranch || code == github.CodeSignature
}

// moveOnce tries the one request that is safest for the case: to create a branch, and to advance it from its tip, fail by themselves when
// someone was faster.
func (c *apiCommitter) moveOnce(ctx context.Context, req CommitRequest, sha string, swap bool) error {
	ref := &gogithub.Reference{Ref: gogithub.String("refs/heads/" + req.Branch), Object: &gogithub.GitObject{SHA: &sha}}
	git := c.client.API().Git
	switch {
	case req.Expect == "":
		_, _, err := git.CreateRef(ctx, c.owner, c.name, ref)
		return err
	case req.Expect == req.Parent:
		_, _, err := git.UpdateRef(ctx, c.owner, c.name, ref, false)
		return err
	case swap:
		return c.swap(ctx, req, sha)
	}
	found, err := tip(ctx, c.repo, c.remote, req.Branch)
	if err != nil {
		return err
	}
	if found != req.Expect {
		return &LeaseError{Branch: req.Branch, Expected: req.Expect, Found: found}
	}
	_, _, err = git.UpdateRef(ctx, c.owner, c.name, ref, true)
	return err
}

const swapRefs = `mutation($input: UpdateRefsInput!) { updateRefs(input: $input) { clientMutationId } }`

// swap moves a branch that is at expect, whatever the new commit descends from. REST has no such request.
func (c *apiCommitter) swap(ctx context.Context, req CommitRequest, sha string) error {
	return c.client.GraphQL(ctx, swapRefs, map[string]any{"input": map[string]any{
		"repositoryId": c.nodeID,
		"refUpdates": []map[string]any{{
			"name": "refs/heads/" + req.Branch, "beforeOid": req.Expect, "afterOid": sha, "force": true,
		}},
	}}, nil)
}

// recognise tells a branch that this request moved, its answer being lost, from one that someone else moved.
func (c *apiCommitter) recognise(ctx context.Context, req CommitRequest, made Commit, found string) (Commit, error) {
	lease := &LeaseError{Branch: req.Branch, Expected: req.Expect, Found: found}
	switch found {
	case made.SHA:
		return made, nil
	case "":
		return Commit{}, lease
	}
	there, _, err := c.client.API().Git.GetCommit(ctx, c.owner, c.name, found)
	if err != nil {
		return Commit{}, fmt.Errorf("look at the moved branch: %w", errors.Join(lease, err))
	}
	if there.GetTree().GetSHA() == made.Tree && len(there.Parents) == 1 && there.Parents[0].GetSHA() == req.Parent {
		return Commit{SHA: found, Tree: made.Tree, Verified: there.GetVerification().GetVerified()}, nil
	}
	return Commit{}, lease
}
