package gitrepo

import (
	"context"
	"fmt"
	"strings"
)

// A Ref is a branch, tag or other name of a remote, and the object it points to.
type Ref struct {
	Name string // full, such as refs/heads/main
	OID  string
}

// LsRemote returns the refs of a remote that match one of the patterns, in the order of git: by name. A pattern is a full name, or the
// beginning of one followed by a star that stands for any text. No matching ref is an empty result and no error.
func (r *Repo) LsRemote(ctx context.Context, remote Remote, patterns ...string) ([]Ref, error) {
	args := []string{"ls-remote", "--quiet", "--refs"}
	if onlyBranches(patterns) {
		args = append(args, "--heads") // the server then leaves out the refs of pull requests
	}
	out, err := r.remoteRead(ctx, remote, append(args, "--", remoteArg)...)
	if err != nil {
		return nil, fmt.Errorf("list refs of the remote: %w", err)
	}
	refs, err := parseRefs(string(out))
	if err != nil {
		return nil, fmt.Errorf("list refs of the remote: %w", err)
	}
	matching := refs[:0]
	for _, ref := range refs {
		if matchesAny(ref.Name, patterns) {
			matching = append(matching, ref)
		}
	}
	return matching, nil
}

func onlyBranches(patterns []string) bool {
	for _, p := range patterns {
		if !strings.HasPrefix(p, "refs/heads/") {
			return false
		}
	}
	return len(patterns) > 0
}

func matchesAny(name string, patterns []string) bool {
	for _, pattern := range patterns {
		prefix, isPrefix := strings.CutSuffix(pattern, "*")
		if name == pattern || isPrefix && strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// parseRefs reads lines of "<object>\t<ref>".
func parseRefs(out string) ([]Ref, error) {
	var refs []Ref
	for line := range strings.Lines(out) {
		oid, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok || !isObjectName(oid) || name == "" || strings.ContainsAny(name, "\x00\r\n\t ") {
			return nil, fmt.Errorf("malformed ref %.100q", line)
		}
		refs = append(refs, Ref{Name: name, OID: oid})
	}
	return refs, nil
}

// isObjectName accepts full object names.
func isObjectName(s string) bool { return s != "HEAD" && isCommitName(s) }
