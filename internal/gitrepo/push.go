package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/capability"
	"github.com/go-git/go-git/v5/plumbing/transport"
	githttp "github.com/go-git/go-git/v5/plumbing/transport/http"
)

// Push sends a commit and moves or creates a branch of the remote to it, if the branch is at expect, or absent when expect is empty. The
// server itself compares, so nobody else's commit can be lost. A branch that is elsewhere is a [StaleError], every other refusal a
// [RejectedError]. A branch that is already at the commit is success: an earlier answer was lost.
//
// From a shallow clone exactly the new objects are sent, by go-git. Elsewhere git pushes, which knows the proxies and certificates of the
// user's configuration; the new objects are then stored in the repository first.
func (r *Repo) Push(ctx context.Context, remote Remote, commit *NewCommit, branch, expect string) error {
	ref := "refs/heads/" + branch
	if !isRefName(ref) || expect != "" && !isObjectName(expect) {
		return fmt.Errorf("push: %.100q at %.60q is no branch", branch, expect)
	}
	u, err := remote.check()
	if err != nil {
		return fmt.Errorf("push: %w", err)
	}
	if r.Shallow && u.Scheme != "file" {
		err = sendPack(ctx, remote, ref, expect, commit)
	} else if err = r.store(ctx, commit); err == nil {
		err = r.pushGit(ctx, remote, commit.SHA, ref, expect)
	}
	if err = r.explain(ctx, remote, ref, expect, commit.SHA, err); err != nil {
		return fmt.Errorf("push %s: %w", branch, err)
	}
	return nil
}

// DeleteBranch removes a branch of the remote if it is at expect. An absent branch is success; one that is elsewhere is a [StaleError].
func (r *Repo) DeleteBranch(ctx context.Context, remote Remote, branch, expect string) error {
	ref := "refs/heads/" + branch
	if !isRefName(ref) || !isObjectName(expect) {
		return fmt.Errorf("delete branch: %.100q at %.60q is no branch", branch, expect)
	}
	refs, err := r.LsRemote(ctx, remote, ref)
	if err != nil {
		return fmt.Errorf("delete branch %s: %w", branch, err)
	}
	if len(refs) == 0 {
		return nil
	}
	err = r.explain(ctx, remote, ref, expect, "", r.pushGit(ctx, remote, "", ref, expect))
	if err != nil {
		return fmt.Errorf("delete branch %s: %w", branch, err)
	}
	return nil
}

// explain looks after a failed push where the branch is. It tells a lost answer and a stale lease from a refusal by what is there, because
// servers differ in what they say; it returns nil if the push has happened. The question is worth a request only here.
func (r *Repo) explain(ctx context.Context, remote Remote, ref, expect, wanted string, pushed error) error {
	if pushed == nil || ctx.Err() != nil || errors.Is(pushed, ErrAuthentication) || errors.Is(pushed, ErrRemoteNotFound) {
		return pushed
	}
	refs, err := r.LsRemote(ctx, remote, ref)
	if err != nil {
		return pushed
	}
	found := ""
	if len(refs) > 0 {
		found = refs[0].OID
	}
	switch {
	case found == wanted:
		return nil
	case found != expect:
		return &StaleError{Ref: ref, Expect: expect, Found: found}
	}
	return pushed
}

// pushGit lets git push. An empty sha deletes.
func (r *Repo) pushGit(ctx context.Context, remote Remote, sha, ref, expect string) error {
	out, err := r.remoteRun(ctx, remote, "push", "--porcelain", "--quiet", "--no-verify", "--no-follow-tags",
		"--force-with-lease="+ref+":"+expect, "--", remoteArg, sha+":"+ref)
	var failed *Error
	switch {
	case errors.As(err, &failed) && !errors.Is(err, ErrAuthentication) && !errors.Is(err, ErrRemoteNotFound):
		status, reason := pushStatus(string(out), ref)
		if status == '!' || status == 0 {
			return reject(ref, strings.TrimSpace(reason+"\n"+failed.Stderr), err)
		}
		return err
	case err != nil:
		return err
	}
	return nil
}

// pushStatus finds the line "<flag>\t<from>:<to>\t<summary> (<reason>)" of a ref in the porcelain output of git push. The flag is 0 when
// there is none.
func pushStatus(out, ref string) (flag byte, reason string) {
	for line := range strings.Lines(out) {
		fields := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 3)
		if len(fields) != 3 || len(fields[0]) != 1 {
			continue
		}
		if _, to, ok := strings.Cut(fields[1], ":"); ok && to == ref {
			return fields[0][0], fields[2]
		}
	}
	return 0, ""
}

// manyObjects is from where on a pack is kept as a pack; git's own fetch unpacks fewer than 100.
const manyObjects = 100

// store writes the new objects into the object database of the repository. They are reachable from nothing until they are pushed and
// fetched again, and go with the next garbage collection otherwise.
func (r *Repo) store(ctx context.Context, commit *NewCommit) error {
	pack, err := commit.pack()
	if err != nil {
		return err
	}
	args := []string{"unpack-objects", "-q"}
	if len(commit.names) > manyObjects {
		args = []string{"index-pack", "--stdin"} // one pack instead of a file per object
	}
	if _, err := runWith(ctx, process{git: r.git, dir: r.Root, stdin: pack}, args...); err != nil {
		return fmt.Errorf("store objects: %w", err)
	}
	return nil
}

// pack encodes the new objects.
func (t *NewTree) pack() (*bytes.Buffer, error) {
	pack := &bytes.Buffer{}
	if _, err := packfile.NewEncoder(pack, t.objects, false).Encode(t.names, 0); err != nil {
		return nil, fmt.Errorf("encode objects: %w", err)
	}
	return pack, nil
}

// sendPack speaks the push protocol by go-git: the command names the object the branch must have, the pack holds what is new.
func sendPack(ctx context.Context, remote Remote, ref, expect string, commit *NewCommit) error {
	used, err := remote.login(ctx)
	if err != nil {
		return err
	}
	err = sendPackAs(ctx, remote, used, ref, expect, commit)
	if !errors.Is(err, ErrAuthentication) || used == nil {
		return err
	}
	fresh, freshErr := remote.login(ctx)
	if freshErr != nil || fresh == nil || *fresh == *used {
		return err
	}
	return sendPackAs(ctx, remote, fresh, ref, expect, commit)
}

// sendTimeout bounds one push by go-git, which has no timeouts of its own.
const sendTimeout = 10 * time.Minute

func sendPackAs(ctx context.Context, remote Remote, used *login, ref, expect string, commit *NewCommit) error {
	limited, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	said := &limitedText{}
	err := exchange(limited, remote, used, ref, expect, commit, said)
	if err == nil || ctx.Err() != nil {
		return errors.Join(ctx.Err(), err)
	}
	var stale *StaleError
	text := used.redact(strings.TrimSpace(said.String() + "\n" + err.Error()))
	switch {
	case errors.As(err, &stale):
		return stale
	case errors.Is(err, transport.ErrAuthenticationRequired):
		return fmt.Errorf("%w: %s", ErrAuthentication, text)
	case errors.Is(err, transport.ErrRepositoryNotFound):
		return fmt.Errorf("%w: %s", ErrRemoteNotFound, text)
	}
	return reject(ref, text, nil)
}

func exchange(ctx context.Context, remote Remote, used *login, ref, expect string, commit *NewCommit, said io.Writer) error {
	endpoint, err := transport.NewEndpoint(remote.URL)
	if err != nil {
		return ErrRemoteURL
	}
	var auth transport.AuthMethod
	if used != nil {
		auth = &githttp.BasicAuth{Username: used.user, Password: used.password}
	}
	// A redirect would take the credential along.
	client := githttp.NewClientWithOptions(nil, &githttp.ClientOptions{RedirectPolicy: githttp.NoFollowRedirects})
	session, err := client.NewReceivePackSession(endpoint, auth)
	if err != nil {
		return err
	}
	defer session.Close()
	advertised, err := session.AdvertisedReferencesContext(ctx)
	if err != nil {
		return err
	}
	if found := advertised.References[ref]; found.String() != orZero(expect) {
		return &StaleError{Ref: ref, Expect: expect, Found: fromZero(found)}
	}
	pack, err := commit.pack()
	if err != nil {
		return err
	}
	req := packp.NewReferenceUpdateRequestFromCapabilities(advertised.Capabilities)
	if advertised.Capabilities.Supports(capability.Sideband64k) {
		if err := req.Capabilities.Set(capability.Sideband64k); err != nil {
			return err
		}
	}
	req.Progress = said
	req.Commands = []*packp.Command{{Name: plumbing.ReferenceName(ref), Old: plumbing.NewHash(expect), New: plumbing.NewHash(commit.SHA)}}
	req.Packfile = io.NopCloser(pack)
	report, err := session.ReceivePack(ctx, req)
	if err != nil {
		return err
	}
	if report == nil {
		return errors.New("the server did not say what became of the push")
	}
	return report.Error()
}

func orZero(oid string) string {
	if oid == "" {
		return plumbing.ZeroHash.String()
	}
	return oid
}

func fromZero(h plumbing.Hash) string {
	if h.IsZero() {
		return ""
	}
	return h.String()
}

// limitedText keeps the first part of what a server says.
type limitedText struct{ strings.Builder }

// Write implements io.Writer.
func (l *limitedText) Write(p []byte) (int, error) {
	room := max(0, 64<<10-l.Len())
	l.Builder.Write(p[:min(len(p), room)])
	return len(p), nil
}
