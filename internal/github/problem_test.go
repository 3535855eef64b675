package github

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	gogithub "github.com/google/go-github/v62/github"

	"github.com/wikiwright/wikiwright/internal/gitrepo"
)

func response(status int, message string, more ...string) error {
	err := &gogithub.ErrorResponse{Response: &http.Response{StatusCode: status, Request: &http.Request{}}, Message: message}
	for _, text := range more {
		err.Errors = append(err.Errors, gogithub.Error{Message: text})
	}
	return fmt.Errorf("do: %w", err)
}

func rejected(kind gitrepo.Rejection) error {
	return fmt.Errorf("push: %w", &gitrepo.RejectedError{Kind: kind})
}

func graphError(kind, message string) error {
	err := &GraphQLError{}
	err.Errors = append(err.Errors, struct {
		Type    string `json:"type"`
		Message string `json:"message"`
	}{kind, message})
	return fmt.Errorf("ask: %w", err)
}

func TestClassify(t *testing.T) {
	for _, test := range []struct {
		err  error
		code Code
		hint string // part of it
	}{
		{response(403, "GitHub Actions is not permitted to create or approve pull requests."), CodeNotPermittedPulls, "organisation"},
		{response(403, "Resource not accessible by integration"), CodePermission, "contents: write"},
		{response(401, "Bad credentials"), CodeTokenExpired, "expired"},
		{response(404, "Not Found"), CodeNotFound, "access"},
		{response(409, "Conflict"), CodeConflict, "run again"},
		{response(422, "Reference already exists"), CodeConflict, "run again"},
		{response(422, "Update is not a fast forward"), CodeConflict, "run again"},
		{response(422, "Validation Failed", "head sha can't be blank"), CodeValidation, "field"},
		{response(422, "Repository rule violations found\n\nCannot force-push to this branch\n\n"), CodeRuleset, "Rulesets"},
		{response(422, "Repository rule violations found\n\nCommits must have verified signatures.\n\n"), CodeSignature, "sign-commits"},
		{response(403, "Repository was archived so is read-only."), CodeArchived, "unarchive"},
		{response(422, "Cannot update this protected branch."), CodeProtectedBranch, "Branches"},
		{response(403, "refusing to allow a GitHub App to create or update workflow `.github/workflows/a.yml` without `workflows` permission"), CodeWorkflowScope, "workflows"},
		{response(429, ""), CodeRateLimited, "later"},
		{response(503, ""), CodeServer, "githubstatus"},
		{graphError("", "Head branch was modified"), CodeValidation, "message"},
		{graphError("NOT_FOUND", "no"), CodeNotFound, "access"},
		{graphError("FORBIDDEN", "Resource not accessible by integration"), CodePermission, "contents: write"},
		{graphError("RATE_LIMITED", "no"), CodeRateLimited, "later"},
		{graphError("UNPROCESSABLE", "Repository rule violations found"), CodeRuleset, "Rulesets"},
		{rejected(gitrepo.RejectedWorkflow), CodeWorkflowScope, "workflows"},
		{rejected(gitrepo.RejectedSignature), CodeSignature, "sign-commits"},
		{rejected(gitrepo.RejectedSecret), CodeSecret, "secret"},
		{rejected(gitrepo.RejectedProtected), CodeProtectedBranch, "rule"},
		{rejected(gitrepo.RejectedRuleset), CodeRuleset, "Rules"},
		{rejected(gitrepo.RejectedArchived), CodeArchived, "unarchive"},
		{rejected(gitrepo.RejectedPermission), CodePermission, "contents: write"},
		{rejected(gitrepo.RejectedTooLarge), CodeTooLarge, "larger"},
		{rejected(gitrepo.RejectedMoved), CodeMoved, "renamed"},
		{rejected(gitrepo.RejectedHook), CodeHook, "hook"},
		{rejected(gitrepo.RejectedOther), CodeNetwork, "again"},
		{fmt.Errorf("x: %w", &gitrepo.StaleError{}), CodeConflict, "run again"},
		{fmt.Errorf("x: %w", gitrepo.ErrAuthentication), CodeTokenExpired, "expired"},
		{fmt.Errorf("x: %w", gitrepo.ErrRemoteNotFound), CodeNotFound, "access"},
		{fmt.Errorf("x: %w", gitrepo.ErrRemoteForbidden), CodePermission, "contents: write"},
		{fmt.Errorf("x: %w", gitrepo.ErrRemoteMoved), CodeMoved, "renamed"},
		{fmt.Errorf("x: %w", gitrepo.ErrRemoteUnreachable), CodeNetwork, "HTTPS_PROXY"},
		{context.DeadlineExceeded, CodeCanceled, "stopped"},
		{errors.New("what"), CodeUnknown, "message"},
	} {
		got := Classify(test.err)
		if got.Code != test.code || !strings.Contains(got.Hint, test.hint) {
			t.Errorf("%v: got %q (%s), want %q with %q", test.err, got.Code, got.Hint, test.code, test.hint)
		}
	}
	if got := Classify(nil); got != (Problem{}) {
		t.Errorf("nil: got %+v", got)
	}
	// The setting is in two places; a maintainer who changes one only would fail again.
	hint := Classify(response(403, "GitHub Actions is not permitted to create or approve pull requests.")).Hint
	if strings.Count(hint, "Settings → Actions → General")+strings.Count(hint, "settings → Actions → General") != 2 {
		t.Errorf("both settings should be named: %s", hint)
	}
}
