package generate

import (
	"errors"
	"fmt"
)

// Code is the stable class of a lifecycle error, for callers that branch.
type Code string

// The classes of lifecycle errors.
const (
	// CodeInvalidInput: the caller can correct the input and try again.
	CodeInvalidInput Code = "invalid_input"
	// CodeInvalidState: wrong phase, malformed file, failed proof.
	CodeInvalidState Code = "invalid_state"
	// CodeConflict: another run, in another mode or language or by another
	// process, is in the way.
	CodeConflict Code = "conflict"
	// CodeNotFound: a page job of that id does not exist.
	CodeNotFound Code = "not_found"
)

// Error is a lifecycle error with its class and what to do about it.
type Error struct {
	Code Code
	// Op says what was being done, as in "begin update".
	Op  string
	Err error
	// Hint, for people, says what to do; it may be empty.
	Hint string
}

// Error returns the operation and the cause.
func (e *Error) Error() string { return e.Op + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// CodeOf returns the class of err, or "" when it has none.
func CodeOf(err error) Code {
	var input *InputError
	if errors.As(err, &input) {
		return CodeInvalidInput
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// InputError is what an Author can correct in the same attempt.
type InputError struct{ Err error }

// Error returns the cause.
func (e *InputError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *InputError) Unwrap() error { return e.Err }

func inputErrorf(format string, args ...any) error {
	return &InputError{Err: fmt.Errorf(format, args...)}
}

// SkipError is returned by WritePage to skip the page at once, without a
// second attempt.
type SkipError struct{ Reason string }

// Error returns the reason.
func (e *SkipError) Error() string { return "skip page: " + e.Reason }

// StopError is returned by an Author when nothing else of the run can succeed,
// as when a limit is reached or a key is refused. The page in work is put back,
// no other is started, and the run ends with this error; finished pages are
// kept, and running again goes on with the others.
type StopError struct{ Err error }

// Error returns the cause.
func (e *StopError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *StopError) Unwrap() error { return e.Err }

// ErrLocked is wrapped by the error of a second process on one checkout.
var ErrLocked = errors.New("another wikiwright process is running in this checkout")
