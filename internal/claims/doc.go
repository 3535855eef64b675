// Package claims keeps the Claims of a wiki: statements of a page, each bound to
// evidence in the repository at a recorded version.
//
// Each page has a sidecar file (a [PageClaims], read and written by a [Store])
// below openwiki/.claims. A [Session] holds all of them during one run: it finds
// out which Claims the source no longer supports ([Session.Issues]) and which
// merely moved ([Session.Moved]), takes an author's decisions on one page
// ([Session.Reconcile]), makes them durable and stamps the page
// ([Session.Finalize]), and proves that they are ([Session.Prove]).
//
// Promises: a decision is applied whole or not at all. Ids and versions are made
// here, never by an author, and are the same whenever the same decisions are
// taken on the same source. A Claim nobody decided about keeps its bytes and its
// place. Nothing is written that would not change a byte. A Finalize that failed
// at any write can be repeated and ends with the same bytes. Admission of one
// page costs the same in a wiki of ten pages and of ten thousand. A sidecar that
// cannot be read is an error that names file, line and field, and is never
// replaced.
//
// Methods of a Session may be called from several goroutines; work on one page
// is serialised.
//
// The package does not decide which pages need work, does not repair front
// matter or links, and does not know run state or manifest.
package claims
