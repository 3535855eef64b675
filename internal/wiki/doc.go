// Package wiki reads and writes the files of a wiki: Markdown pages with a YAML front matter block, generated index files, and the
// links and diagrams in them, as the OpenWiki format describes them.
//
// A [Wiki] is the wiki directory of an open checkout. It finds the factual pages, reads and writes them, keeps their index files, and
// says whether a directory looks like a wiki of ours at all. A [Document] is one page taken apart into front matter and body. The other
// functions are pure: they take the bytes of a page and return the bytes of a better one.
//
// What the package promises:
//   - An edit of front matter leaves every line it does not concern byte-identical, and leaves the whole page alone when nothing would
//     change in meaning.
//   - [Repair] always returns a page that validates, keeps the body, and changes nothing on a second run. Neither it nor any other
//     function here panics on malformed pages: they were written by models and people.
//   - Order that can be seen in a file is collation order, never the order of a map or of a directory listing.
//   - Nothing is read or written through a symbolic link, and no page path leaves the wiki directory.
//   - Problems in page text are returned as [Finding] values. The text gets no marks that could pile up; marks that other tools left
//     are removed. The one exception is a diagram that cannot be drawn, which becomes a text block with a note.
//
// What it does not do: it knows nothing about Claims, runs, git or language models, decides no order of work, and never touches a
// file outside the wiki directory except to ask whether it exists.
package wiki
