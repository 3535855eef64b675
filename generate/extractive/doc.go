// Package extractive is the author that writes a wiki without a language model.
//
// It surveys the repository (package survey), decides which pages the repository deserves (the outline), and renders every page in
// memory from facts that carry their proof. Each material sentence is built together with its Claim: the plain statement and the
// narrowest lines that contain the names it uses. The page shows the same lines as links. What cannot be read with certainty is not
// written: no sentence without evidence, no guess about intent, no command that the repository does not define itself.
//
// [Author] implements the two steps of a generation run. Plan proposes exactly the pages whose fresh render differs from what is there,
// or that carry Claim issues, and deletes pages of its own that have no place any more. WritePage writes one page and reconciles its
// Claims. Both render from the same cached survey, so that the same source gives the same bytes whatever the order or the number of
// workers.
//
// The author maintains only pages it wrote: their front matter says generated.by "wikiwright-extractive/…". A page that another author
// wrote and that needs work is skipped with the reason "needs a model", and a wiki of another author gets no new pages. A page of ours
// that a person edited keeps its text; only its Claims are proved again.
//
// Text taken from the repository is data: it is quoted, escaped and shortened, and never becomes markup, a link, a mention or a diagram
// instruction. The prose is English in every wiki language; identifiers and front matter keys are the same everywhere.
package extractive
