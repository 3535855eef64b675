package claims

import (
	"errors"
	"fmt"
	"strings"

	"github.com/wikiwright/wikiwright/internal/atomicfile"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// FileError reports a sidecar that is not what the format allows. The file is
// left as it is.
type FileError struct {
	Path string // repository path of the sidecar
	Line int    // 0 when the whole file is meant
	Err  error  // what is wrong, with the field in front
	Hint string // what a person can do
}

// Error implements error.
func (e *FileError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("%s:%d: %v", e.Path, e.Line, e.Err)
	}
	return fmt.Sprintf("%s: %v", e.Path, e.Err)
}

// Unwrap returns the cause.
func (e *FileError) Unwrap() error { return e.Err }

// InputError reports decisions that their author can correct and hand in again.
// The Claims of the page are as they were before.
type InputError struct {
	Page     wiki.PagePath
	Problems []string // in the order of the input
}

// Error implements error.
func (e *InputError) Error() string {
	return fmt.Sprintf("claims of %s: %s", e.Page, strings.Join(e.Problems, "; "))
}

// PageMissingError reports decided Claims whose page is not there.
type PageMissingError struct{ Page wiki.PagePath }

// Error implements error.
func (e *PageMissingError) Error() string {
	return fmt.Sprintf("claims of %s: the page does not exist", e.Page)
}

// Hint says what to do.
func (e *PageMissingError) Hint() string { return "write the page before its claims" }

// PersistError reports a file of the wiki that could not be read or written.
// Trying the same again with other decisions does not help.
type PersistError struct {
	Page wiki.PagePath
	Op   string // "read", "write" or "remove"
	Err  error
}

// Error implements error.
func (e *PersistError) Error() string { return fmt.Sprintf("%s claims of %s: %v", e.Op, e.Page, e.Err) }

// Unwrap returns the cause.
func (e *PersistError) Unwrap() error { return e.Err }

// SecurityError reports a sidecar or page that is reached through a symbolic
// link or another spelling of its name.
type SecurityError struct {
	Path string
	Err  error
}

// Error implements error.
func (e *SecurityError) Error() string { return fmt.Sprintf("claims file %s: %v", e.Path, e.Err) }

// Unwrap returns the cause.
func (e *SecurityError) Unwrap() error { return e.Err }

// ProofError reports that a page and its Claims are not durable.
type ProofError struct {
	Page   wiki.PagePath
	Op     string // the operation to repeat: "submit_page" or "finish"
	Reason string
}

// Error implements error.
func (e *ProofError) Error() string {
	return fmt.Sprintf("page %s is not durable: %s; retry %s", e.Page, e.Reason, e.Op)
}

// fileFailure classifies an error of reading or writing the file name.
func fileFailure(page wiki.PagePath, op, name string, err error) error {
	var link *atomicfile.SymlinkError
	var spelling *atomicfile.CaseError
	if errors.As(err, &link) || errors.As(err, &spelling) {
		return &SecurityError{Path: name, Err: err}
	}
	return &PersistError{Page: page, Op: op, Err: err}
}
