package gitrepo

// A Refusal is a reason for which a directory cannot be worked in, and what a person can do about it.
type Refusal struct{ reason, hint string }

// Error implements error.
func (r *Refusal) Error() string { return r.reason }

// Hint says what to do.
func (r *Refusal) Hint() string { return r.hint }

// The refusals of [Open], and of what asks git for more than it knows.
var (
	// ErrNoGit means that the git program was not found.
	ErrNoGit = &Refusal{"git is not installed", "install git 2.31 or newer and make sure that it is on the PATH"}
	// ErrOldGit means that git answers in a form that lacks what is needed.
	ErrOldGit = &Refusal{"git is too old: its status does not name HEAD", "install git 2.31 or newer"}
	// ErrNotDirectory means that the directory is not there, or is a file.
	ErrNotDirectory = &Refusal{"not a directory", "name a directory of a checkout"}
	// ErrNotRepository means that the directory is not inside the work tree of a Git repository.
	ErrNotRepository = &Refusal{"not a git repository, or not inside its work tree", "run in a checkout, or create a repository with git init"}
	// ErrBare means that the repository has no work tree.
	ErrBare = &Refusal{"the repository is bare and has no files to read", "use a clone with a work tree"}
	// ErrObjectFormat means that the repository names its objects by SHA-256.
	ErrObjectFormat = &Refusal{"the repository names its objects by SHA-256, which is not supported", "use a repository in the default object format"}
	// ErrLineBreak means that the path of the work tree contains a line break, so that what git says of it cannot be told apart.
	ErrLineBreak = &Refusal{"the path of the repository contains a line break", "rename the directory"}
)
