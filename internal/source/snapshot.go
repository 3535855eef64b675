package source

import "context"

// A Snapshot is the state of the source at one time.
type Snapshot struct {
	Fingerprint string // "sha256:" and 64 hexadecimal digits
	GitHead     string // commit of HEAD; empty before the first commit
	Files       int    // tracked files that count
	Untracked   int    // untracked files, which do not; the ones git ignores are not counted
	Unnamed     int    // tracked files left out because their names are not valid UTF-8
}

// Snapshot reads every source file and returns the fingerprint.
func (s *Source) Snapshot(ctx context.Context) (*Snapshot, error) {
	return nil, ErrChanging
}

// Same tells whether the source still is what the snapshot was taken of.
func (s *Source) Same(ctx context.Context, snapshot *Snapshot) (bool, error) {
	return false, ErrChanging
}
