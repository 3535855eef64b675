package gitrepo

import (
	"errors"
	"os/exec"
	"strings"
	"testing"

	"github.com/wikiwright/wikiwright/internal/gittest"
)

// What GitHub prints, as people quote it in their questions.
func TestReject(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]Rejection{
		"[remote rejected] (refusing to allow a GitHub App to create or update workflow `.github/workflows/a.yml` without `workflows` permission)":              RejectedWorkflow,
		"! [remote rejected] main (refusing to allow an OAuth App to create or update workflow `.github/workflows/a.yml` without `workflow` scope)":             RejectedWorkflow,
		"refusing to allow a Personal Access Token to create or update workflow `.github/workflows/a.yml` without `workflow` scope":                             RejectedWorkflow,
		"remote: error: GH006: Protected branch update failed for refs/heads/x.\nremote: error: Cannot force-push to this branch":                               RejectedProtected,
		"remote: error: GH006: Protected branch update failed for refs/heads/x.\nremote: error: Commits must have verified signatures.":                         RejectedSignature,
		"[remote rejected] (protected branch hook declined)":                                                                                                    RejectedProtected,
		"remote: error: GH013: Repository rule violations found for refs/heads/x.\nremote: - Cannot create ref due to creations being restricted.":              RejectedRuleset,
		"remote: error: GH013: Repository rule violations found for refs/heads/x.\nremote: - Commits must have verified signatures.":                            RejectedSignature,
		"remote: error: GH013: Repository rule violations found for refs/heads/x.\nremote: - GITHUB PUSH PROTECTION\nremote:     - Push cannot contain secrets": RejectedSecret,
		"remote: error: GH001: Large files detected. You may want to try Git Large File Storage":                                                                RejectedTooLarge,
		"remote: This repository was archived so it is read-only.\nThe requested URL returned error: 403":                                                       RejectedArchived,
		"remote: Write access to repository not granted.\nunable to access 'https://github.com/o/r/': The requested URL returned error: 403":                    RejectedPermission,
		"remote: Permission to o/r.git denied to ada.\nThe requested URL returned error: 403":                                                                   RejectedPermission,
		"[remote rejected] (pre-receive hook declined)\nremote: no pushes on Fridays":                                                                           RejectedHook,
		"unable to access 'https://github.com/o/r/': Could not resolve host: github.com":                                                                        RejectedOther,
		"the remote end hung up unexpectedly": RejectedOther,
	} {
		err := reject("refs/heads/x", said, nil)
		if err.Kind != want {
			t.Errorf("%q: got %s, want %s", said, err.Kind, want)
		}
		if err.Hint() == "" || strings.ContainsAny(err.Error(), "\n\r\x1b") {
			t.Errorf("%q: hint %q, error %q", said, err.Hint(), err)
		}
	}
}

func TestClassifyRemote(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]error{
		"Authentication failed for 'https://github.com/o/r.git/'":                                                      ErrAuthentication,
		"could not read Username for 'https://github.com': terminal prompts disabled":                                  ErrAuthentication,
		"remote: Invalid username or token. Password authentication is not supported for Git operations.":              ErrAuthentication,
		"remote: Repository not found.; repository 'https://github.com/o/r.git/' not found":                            ErrRemoteNotFound,
		"'/nowhere' does not appear to be a git repository; Could not read from remote repository.":                    ErrRemoteNotFound,
		"remote: Write access to repository not granted.; unable to access 'x': The requested URL returned error: 403": ErrRemoteForbidden,
		"unable to access 'x': The requested URL returned error: 301":                                                  ErrRemoteMoved,
		"unable to update url base from redirection":                                                                   ErrRemoteMoved,
		"unable to access 'x': Could not resolve host: github.com":                                                     ErrRemoteUnreachable,
		"unable to access 'x': The requested URL returned error: 502":                                                  ErrRemoteUnreachable,
		"unable to access 'x': server certificate verification failed. CAfile: none CRLfile: none":                     ErrRemoteUnreachable,
		"RPC failed; curl 92 HTTP/2 stream 5 was not closed cleanly; the remote end hung up unexpectedly":              ErrRemoteUnreachable,
		"unable to access 'x': Operation too slow. Less than 1 bytes/sec transferred the last 120 seconds":             ErrRemoteUnreachable,
		"couldn't find remote ref refs/heads/none":                                                                     nil,
	} {
		failed := &Error{Args: []string{"fetch"}, Stderr: said, Err: errors.New("exit status 128")}
		err := classifyRemote(failed)
		for _, kind := range []error{ErrAuthentication, ErrRemoteNotFound, ErrRemoteForbidden, ErrRemoteMoved, ErrRemoteUnreachable} {
			if errors.Is(err, kind) != (kind == want) {
				t.Errorf("%q: got %v, want %v", said, err, want)
			}
		}
		if !errors.As(err, &failed) {
			t.Errorf("%q: the failure of git is lost", said)
		}
	}
}

func TestOneLine(t *testing.T) {
	t.Parallel()
	got := oneLine("remote: error: GH006: no\r\nremote: \x1b[31mred\x1b[0m\n\nremote: error: GH006: no\n" + strings.Repeat("é", 3000))
	if !strings.HasPrefix(got, "GH006: no; [31mred[0m; GH006: no; éé") || len(got) > maxStderr+len("…") {
		t.Errorf("got %d bytes: %.100s", len(got), got)
	}
}

// A hook of the server refuses: the reason is told, and where the branch is.
func TestPush_hook(t *testing.T) {
	t.Parallel()
	source := gittest.FromTxtar(t, twoFiles)
	s := serve(t, source.Bare(), token)
	s.bare.Write("hooks/pre-receive", "#!/bin/sh\necho 'GH013: Repository rule violations found for refs/heads/b.' >&2\necho '- Commits must have verified signatures.' >&2\nexit 1\n")
	s.bare.Chmod("hooks/pre-receive", 0o755)
	for name, work := range map[string]*gittest.Repo{"full": source.Clone(), "shallow": source.ShallowClone(1)} {
		r := open(t, work.Dir)
		commit := commitOf(t, r, source.Head(), "m", Edit{Path: "x", Data: []byte("x")})
		err := r.Push(t.Context(), s.remote(), commit, "b", "")
		var rejected *RejectedError
		if !errors.As(err, &rejected) || rejected.Kind != RejectedSignature || !strings.Contains(err.Error(), "GH013") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The rules for names are git's.
func TestIsRefName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"refs/heads/main", "refs/heads/openwiki/update", "refs/heads/é", "refs/heads/a.b", "refs/heads/-x", "refs/heads/@", "refs/heads/a@b", "refs/tags/v1",
		"refs/heads/", "refs/heads", "refs", "", "main", "refs/heads//a", "refs/heads/a/", "refs/heads/.a", "refs/heads/a/.b", "refs/heads/a..b", "refs/heads/a.",
		"refs/heads/a.lock", "refs/heads/a.lock/b", "refs/heads/a b", "refs/heads/a~b", "refs/heads/a^b", "refs/heads/a:b", "refs/heads/a?b", "refs/heads/a*b",
		"refs/heads/a[b", `refs/heads/a\b`, "refs/heads/a@{b", "refs/heads/a\nb", "refs/heads/a\x7fb", "refs/heads/a\tb",
	} {
		want := strings.HasPrefix(name, "refs/") && exec.CommandContext(t.Context(), "git", "check-ref-format", name).Run() == nil
		if got := isRefName(name); got != want {
			t.Errorf("%q: got %t, git says %t", name, got, want)
		}
	}
}
