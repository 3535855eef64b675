package gitrepo

import (
	"errors"
	"fmt"
	"strings"
)

// What can be wrong with a remote before it comes to a refusal of its own, see [RejectedError].
var (
	// ErrRemoteURL is a remote URL that is not used. Its text is never repeated, because a URL may hold a password.
	ErrRemoteURL = errors.New("the remote URL is neither https, http nor file, or it holds a user name")
	// ErrAuthentication means that the remote did not accept the credential, or wants one.
	ErrAuthentication = errors.New("the remote refuses the credential")
	// ErrRemoteNotFound means that there is no such repository, or none that the credential may see.
	ErrRemoteNotFound = errors.New("the remote has no such repository, or the credential may not see it")
	// ErrRemoteForbidden means that the credential is good and not enough.
	ErrRemoteForbidden = errors.New("the remote forbids it to the credential")
	// ErrRemoteMoved means that the remote answers with a redirect, which is not followed: it would take the credential along.
	ErrRemoteMoved = errors.New("the remote has another address now")
	// ErrRemoteUnreachable means that no whole answer came. It may come the next time.
	ErrRemoteUnreachable = errors.New("the remote cannot be reached")
)

// classifyRemote recognises what git says when it did not come to the end of a conversation. GitHub answers "not found" where a credential
// is missing.
func classifyRemote(err *Error) error {
	said := func(parts ...string) bool {
		for _, part := range parts {
			if strings.Contains(err.Stderr, part) {
				return true
			}
		}
		return false
	}
	switch {
	case said("Authentication failed", "could not read Username", "could not read Password", "Invalid username or", "returned error: 401",
		"terminal prompts disabled"):
		return fmt.Errorf("%w: %w", ErrAuthentication, err)
	case said("Repository not found", "returned error: 404", "does not appear to be a git repository"),
		said("repository '") && said("' not found"):
		return fmt.Errorf("%w: %w", ErrRemoteNotFound, err)
	case said("returned error: 403"):
		return fmt.Errorf("%w: %w", ErrRemoteForbidden, err)
	case said("returned error: 301", "returned error: 302", "returned error: 307", "returned error: 308", "from redirection"):
		return fmt.Errorf("%w: %w", ErrRemoteMoved, err)
	case said("Could not resolve", "Failed to connect", "Connection refused", "onnection reset", "timed out", "Operation too slow", "SSL",
		"TLS", "certificate", "returned error: 5", "returned error: 429", "hung up", "unexpected disconnect", "early EOF", "Empty reply",
		"RPC failed", "transfer closed", "HTTP/2", "Recv failure", "Send failure", "invalid server response", "expected flush"):
		return fmt.Errorf("%w: %w", ErrRemoteUnreachable, err)
	}
	return err
}
