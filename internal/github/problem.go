package github

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"

	"github.com/google/go-github/v62/github"

	"github.com/wikiwright/wikiwright/internal/gitrepo"
)

// A Code names a kind of problem. It is stable: programs may compare it.
type Code string

// The codes of problems.
const (
	CodePermission        Code = "permission"
	CodeNotPermittedPulls Code = "not_permitted_pull_requests"
	CodeTokenExpired      Code = "token_expired"
	CodeRateLimited       Code = "rate_limited"
	CodeNotFound          Code = "not_found"
	CodeConflict          Code = "conflict"
	CodeValidation        Code = "validation"
	CodeProtectedBranch   Code = "protected_branch"
	CodeRuleset           Code = "ruleset"
	CodeSignature         Code = "signature_required"
	CodeSecret            Code = "secret"
	CodeWorkflowScope     Code = "workflow_scope"
	CodeArchived          Code = "archived"
	CodeHook              Code = "pre_receive_hook"
	CodeTooLarge          Code = "too_large"
	CodeMoved             Code = "moved"
	CodeNetwork           Code = "network"
	CodeServer            Code = "server"
	CodeCanceled          Code = "canceled"
	CodeUnknown           Code = "unknown"
)

// A Problem is what a maintainer needs to know of an error of GitHub or of a push.
type Problem struct {
	Code Code
	Hint string // what to do, one or two sentences; never empty
}

func problem(code Code) Problem { return Problem{Code: code, Hint: hint(code)} }

// hint says what to do about a code.
func hint(code Code) string {
	switch code {
	case CodePermission:
		return "the token lacks a permission: give the job `permissions:` with `contents: write` and `pull-requests: write`, or use a token of an App or person that has both in this repository"
	case CodeNotPermittedPulls:
		return "allow it in two places, the stricter one wins: the repository's Settings → Actions → General → Workflow permissions → " +
			"“Allow GitHub Actions to create and approve pull requests”, and the same setting of the organisation (Organisation settings → Actions → General); " +
			"or use the token of a GitHub App. The branch is pushed: its compare link opens the pull request by hand"
	case CodeTokenExpired:
		return "the token has expired or was revoked: the token of a job ends with the job, that of an App after an hour; make a new one right before publishing, or run again"
	case CodeRateLimited:
		return "GitHub's rate limit was reached and asks for a longer wait than allowed: run again later; other automation with the same token shares the limit"
	case CodeNotFound:
		return "the repository, branch or pull request does not exist or the token may not see it: check its name and that the token or App has access to this repository"
	case CodeConflict:
		return "someone else changed the branch or the pull request at the same time; nothing was overwritten: run again"
	case CodeValidation:
		return "GitHub does not accept a value; its message names the field"
	case CodeProtectedBranch:
		return "a branch protection rule covers the branch of the pull request: exclude it from the rule under Settings → Branches, or choose another branch name"
	case CodeRuleset:
		return "a ruleset covers the branch of the pull request: see Settings → Rules → Rulesets of the repository and of the organisation; add the author of the push to the bypass list, or choose another branch name"
	case CodeSignature:
		return "commits must be signed here: publish through GitHub's API, which signs them (sign-commits: true); that needs the token of a job or an App, not one of a person"
	case CodeSecret:
		return "push protection found something that looks like a secret: remove it from the page or from the source it quotes, or allow it under Settings → Code security"
	case CodeWorkflowScope:
		return "the token may not write files in .github/workflows, and the branch would bring some that its base on GitHub lacks: update the base branch, or use a token with that right"
	case CodeArchived:
		return "the repository is archived and read-only: unarchive it, or turn this job off"
	case CodeTooLarge:
		return "a file or answer is larger than GitHub or Wikiwright accepts"
	case CodeMoved:
		return "the repository was renamed or moved: use its present name and address"
	case CodeNetwork:
		return "GitHub could not be reached: check the network, HTTPS_PROXY, NO_PROXY and SSL_CERT_FILE, then run again"
	case CodeServer:
		return "GitHub had a problem of its own: see https://www.githubstatus.com and run again"
	case CodeCanceled:
		return "the run was stopped; run again to go on"
	}
	return "the message tells what is known; run again, and report it if it stays"
}

// Classify tells what kind of problem an error of this package, of go-github or of a push is. It never fails: what it does not know is
// CodeUnknown. A nil error is the zero Problem.
func Classify(err error) Problem {
	var limit *LimitError
	var rejected *gitrepo.RejectedError
	var stale *gitrepo.StaleError
	var graph *GraphQLError
	switch {
	case err == nil:
		return Problem{}
	case errors.Is(err, ErrTokenExpired):
		return problem(CodeTokenExpired)
	case errors.As(err, &limit):
		return problem(CodeRateLimited)
	case errors.As(err, &stale):
		return problem(CodeConflict)
	case errors.As(err, &rejected):
		return Problem{Code: rejectionCode(rejected.Kind), Hint: rejected.Hint()}
	case errors.Is(err, gitrepo.ErrAuthentication):
		return problem(CodeTokenExpired)
	case errors.Is(err, gitrepo.ErrRemoteNotFound):
		return problem(CodeNotFound)
	case errors.Is(err, gitrepo.ErrRemoteForbidden):
		return problem(CodePermission)
	case errors.Is(err, gitrepo.ErrRemoteUnreachable):
		return problem(CodeNetwork)
	case errors.Is(err, ErrForeignRedirect), errors.Is(err, gitrepo.ErrRemoteMoved):
		return problem(CodeMoved)
	case errors.Is(err, ErrTooLarge):
		return problem(CodeTooLarge)
	case errors.As(err, &graph):
		return problem(graphCode(graph))
	}
	if status := responseStatus(err); status != 0 {
		return problem(statusCode(status, answerText(err)))
	}
	var network net.Error
	var sent *sentError
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return problem(CodeCanceled)
	case errors.As(err, &network), errors.As(err, &sent), isUntrusted(err):
		return problem(CodeNetwork)
	}
	return problem(CodeUnknown)
}

func rejectionCode(kind gitrepo.Rejection) Code {
	switch kind {
	case gitrepo.RejectedWorkflow:
		return CodeWorkflowScope
	case gitrepo.RejectedSignature:
		return CodeSignature
	case gitrepo.RejectedSecret:
		return CodeSecret
	case gitrepo.RejectedHook:
		return CodeHook
	case gitrepo.RejectedProtected:
		return CodeProtectedBranch
	case gitrepo.RejectedRuleset:
		return CodeRuleset
	case gitrepo.RejectedArchived:
		return CodeArchived
	case gitrepo.RejectedPermission:
		return CodePermission
	case gitrepo.RejectedTooLarge:
		return CodeTooLarge
	case gitrepo.RejectedMoved:
		return CodeMoved
	}
	return CodeNetwork
}

func graphCode(e *GraphQLError) Code {
	switch {
	case e.Has("RATE_LIMITED"):
		return CodeRateLimited
	case e.Has("NOT_FOUND"):
		return CodeNotFound
	case e.Has("FORBIDDEN"), e.Has("INSUFFICIENT_SCOPES"):
		return statusCode(http.StatusForbidden, strings.ToLower(e.Error()))
	}
	return statusCode(http.StatusUnprocessableEntity, strings.ToLower(e.Error()))
}

// responseStatus is the HTTP status of an answer of go-github, 0 for other errors.
func responseStatus(err error) int {
	var answer *github.ErrorResponse
	var status statusError
	switch {
	case errors.As(err, &answer) && answer.Response != nil:
		return answer.Response.StatusCode
	case errors.As(err, &status):
		return status.code
	}
	return 0
}

// answerText is all that an answer says, in lower case.
func answerText(err error) string {
	var answer *github.ErrorResponse
	if !errors.As(err, &answer) {
		return strings.ToLower(err.Error())
	}
	parts := []string{answer.Message}
	for _, one := range answer.Errors {
		parts = append(parts, one.Message)
	}
	return strings.ToLower(strings.Join(parts, "\n"))
}

// wordings are the messages of GitHub that call for a remedy of their own, whatever status they come with.
var wordings = [...]struct {
	code Code
	text string
}{
	{CodeNotPermittedPulls, "not permitted to create or approve pull requests"},
	{CodeArchived, "archived so"},
	{CodeArchived, "repository was archived"},
	{CodeWorkflowScope, "workflows` permission"},
	{CodeWorkflowScope, "workflow` scope"},
	{CodeSecret, "push cannot contain secrets"},
	{CodeSecret, "secret detected"},
	{CodeSignature, "verified signatures"},
	{CodeRuleset, "repository rule violations"},
	{CodeRuleset, "creations being restricted"},
	{CodeProtectedBranch, "protected branch"},
	{CodeProtectedBranch, "cannot force-push to this branch"},
	{CodeRateLimited, "rate limit"},
}

// statusCode sorts an answer by what it says, then by its status.
func statusCode(status int, said string) Code {
	for _, w := range wordings {
		if strings.Contains(said, w.text) {
			return w.code
		}
	}
	switch {
	case status == http.StatusUnauthorized:
		return CodeTokenExpired
	case status == http.StatusForbidden:
		return CodePermission
	case status == http.StatusNotFound, status == http.StatusGone:
		return CodeNotFound
	case status == http.StatusConflict, status == http.StatusPreconditionFailed:
		return CodeConflict
	case status == http.StatusTooManyRequests:
		return CodeRateLimited
	case status == http.StatusUnprocessableEntity && (strings.Contains(said, "already exists") || strings.Contains(said, "not a fast forward")):
		return CodeConflict
	case status >= 500:
		return CodeServer
	case status >= 400:
		return CodeValidation
	}
	return CodeUnknown
}
