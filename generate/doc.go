// Package generate makes a wiki from a repository, and keeps it true: the
// durable lifecycle of one run, and the loop that drives an [Author] through
// it.
//
// [Do] is the whole of it. It begins a [Run] or takes up an interrupted one,
// lets the author plan, lets it write page after page, and finishes. What to
// write is the author's business; that it is done once, completely, and
// survives the end of the process at any point is this package's.
//
// The steps are methods of Run, which a host may call instead of an Author:
//
//	Begin       proves that there is nothing to do, or makes a run durable
//	SubmitPlan  turns a Proposal into a queue of PageJobs
//	NextPage    names the next page, StartPage hands it out
//	SubmitPage  takes a page and the decisions about its Claims
//	SkipPage    gives a page up and puts it back
//	Finish      deletes, follows moved evidence, records, ends the run
//
// Three files beside the pages carry a run, in the format of OpenWiki:
// .run.json ([State]) is the run itself and is removed last; the committed
// .page-manifest.json ([Manifest]) says for each page up to which state of the
// source it is proven; .last-update.json ([LastUpdate]) names the commit the
// whole wiki is true of. A page is complete when page, sidecar and manifest
// agree. What a run must be able to put back is kept in the git directory: the
// wiki an init replaces, and each page before an author changes it.
//
// Promises: ending the process at any write and running again gives the wiki
// the undisturbed run gives, byte for byte but for the clock. A finished page
// is never lost or written twice. A page that is skipped, and a page the run
// has no reason to touch, keeps every byte. A no-op writes nothing, and costs
// about what git status costs. The same commit gives the same bytes, with one
// worker or eight. A file of the run that cannot be read is refused by name and
// line and never replaced. A page that somebody edited is kept.
//
// It does not: call a model, read configuration or environment, commit, push,
// or write outside the wiki and the git directory.
package generate
