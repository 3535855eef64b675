package app

import (
	"context"
	"errors"
	"io/fs"
	"syscall"

	"github.com/wikiwright/wikiwright/generate"
	"github.com/wikiwright/wikiwright/internal/atomicfile"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/language"
	"github.com/wikiwright/wikiwright/internal/llm"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// Codes of ErrorResult beside those of the lifecycle (generate.Code).
const (
	CodeUsage         = "usage"         // a command line that cannot be understood; nothing was done
	CodeConfiguration = "configuration" // wrong use or settings; nothing was done
	CodeStopped       = "stopped"       // by a signal; finished pages are kept
	CodeFailed        = "failed"
)

// resultOf turns the outcome of a run into what is reported.
func resultOf(job Job, choice authorChoice, o *generate.Outcome, err error) *Result {
	result := newResult(job, choice)
	result.Outcome = o.Kind
	result.RunID = o.RunID
	result.Resumed = o.Resumed
	result.Language = o.Language
	result.GitHead = o.GitHead
	result.SourceChanged = o.SourceChanged
	result.Claims = ClaimTotals(o.Claims)
	result.Findings = append(result.Findings, o.Findings...)
	result.Notes = append(result.Notes, o.Notes...)
	if job.Message != "" && choice.name == AuthorExtractive {
		result.Notes = append(result.Notes, "the message was not heeded: only a model can, and this wiki is written from the source alone")
	}
	for _, p := range o.Pages {
		result.Pages = append(result.Pages, pageResultOf(p))
		result.Totals.add(p.State)
	}
	if err != nil {
		result.Error = Explain(err)
	}
	return result
}

func pageResultOf(p generate.PageOutcome) PageResult {
	return PageResult{Path: p.Path, State: p.State, Change: p.Change, Reason: p.Reason, Attempts: p.Attempts, Claims: ClaimChanges(p.Claims)}
}

// Refused is the result of a job that a front door refuses before it runs.
func Refused(job Job, err error) *Result {
	choice, _ := chooseAuthor(AuthorAuto, Model{})
	return failedResult(job, choice, err)
}

func failedResult(job Job, choice authorChoice, err error) *Result {
	result := newResult(job, choice)
	result.Outcome = generate.OutcomeFailed
	result.Error = Explain(err)
	return result
}

func newResult(job Job, choice authorChoice) *Result {
	return &Result{
		SchemaVersion: SchemaVersion,
		Mode:          string(job.Mode),
		Author:        choice.name,
		AuthorReason:  choice.reason,
		Model:         choice.model.Name,
		Language:      language.Primary(job.Language),
		Pages:         []PageResult{},
		Findings:      []wiki.Finding{},
		Notes:         []string{},
	}
}

func (t *Totals) add(state string) {
	switch state {
	case generate.PageComplete:
		t.Complete++
	case generate.PageSkipped:
		t.Skipped++
	case generate.PagePending:
		t.Pending++
	case generate.PageDeleted:
		t.Deleted++
		return
	default: // kept: not part of the plan
		return
	}
	t.Planned++
}

// Explain turns an error into its code, message and next step.
func Explain(err error) *ErrorResult {
	result := &ErrorResult{Code: CodeFailed, Message: err.Error(), Hint: hintOf(err)}
	code := generate.CodeOf(err)
	switch {
	case errors.Is(err, context.Canceled):
		result.Code = CodeStopped
		if result.Hint == "" {
			result.Hint = "finished pages are kept; run the same command again to go on"
		}
	case IsConfiguration(err):
		result.Code = CodeConfiguration
	case IsLimit(err):
		result.Code = CodeLimit
		if result.Hint == "" {
			result.Hint = "finished pages are kept; run the same command again to go on"
		}
	case modelClass(err) != "":
		result.Code = string(modelClass(err))
	case code != "":
		result.Code = string(code)
	default:
		var coded interface{ ErrorCode() string }
		if errors.As(err, &coded) && coded.ErrorCode() != "" {
			result.Code = coded.ErrorCode()
		}
	}
	return result
}

// IsConfiguration reports whether err is wrong use or a wrong setting, found before anything was done.
func IsConfiguration(err error) bool {
	var config *ConfigError
	var unknown *language.UnknownError
	var refusal *gitrepo.Refusal
	var model *ModelError
	return errors.As(err, &model) || errors.As(err, &config) || errors.As(err, &unknown) || errors.As(err, &refusal)
}

// IsLimit reports whether a run ended because a limit of it was reached: finished pages are kept, and the next run goes on.
func IsLimit(err error) bool {
	var stop *generate.StopError
	return errors.As(err, &stop) && (modelClass(err) == llm.ClassBudget || modelClass(err) == "")
}

// CodeLimit is the code of a run that ended because a limit was reached.
const CodeLimit = "limit"

// modelClass is the class of the error of a model, "" when err is none.
func modelClass(err error) llm.Class {
	var e *llm.Error
	if errors.As(err, &e) {
		return e.Class
	}
	return ""
}

// hintOf finds the next step that an error carries: that of the lifecycle, which knows the run, or else the outermost one.
func hintOf(err error) string {
	var lifecycle *generate.Error
	if errors.As(err, &lifecycle) && lifecycle.Hint != "" {
		return lifecycle.Hint
	}
	var model *llm.Error
	if errors.As(err, &model) && model.Hint != "" {
		return model.Hint
	}
	var hinted interface{ Hint() string }
	if errors.As(err, &hinted) {
		return hinted.Hint()
	}
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "free some space and run the same command again; finished pages are kept"
	case errors.Is(err, atomicfile.ErrNotRegular):
		return "put a regular file there, or name it in .openwikiignore"
	case errors.Is(err, fs.ErrPermission):
		return "give this user access to the checkout and its git directory, then run the same command again"
	}
	return ""
}
