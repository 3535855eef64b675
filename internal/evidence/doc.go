// Package evidence resolves what a Claim cites: a file of the repository, or a
// range of its lines, at the content the Claim was made from.
//
// A [Resource] names the place ("repo://src/a.go#L4-L6"); its version string
// fingerprints the content and, for a range, enough of the surroundings to find
// the same content again after other lines were added or removed. A [Resolver]
// compares a place and a recorded version with the work tree and answers with
// one [State]: Current, Moved, Changed or Missing.
//
// Promises: version strings are exactly those of the OpenWiki format, so a wiki
// can change hands between the two tools. A version is Current when the content
// is equal as it stands or after line endings are normalised. Moved never
// changes the version string; it only corrects the place. Content that can no
// longer be told apart from a copy of itself is Missing, not guessed. Evidence
// the rules forbid (ignored, untracked, outside the repository) is Missing with
// a reason; it never aborts a run.
//
// The package reads only through source.Source, keeps at most a bounded amount
// of text in memory, and writes nothing. It does not know Claims or pages.
package evidence
