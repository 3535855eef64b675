package generate

import (
	"context"
	"fmt"

	"github.com/wikiwright/wikiwright/internal/wiki"
)

// refuseIrrecoverable keeps an init from removing what nobody could bring
// back: a page of the wiki that holds a person's text and that git does not
// know. Text that is committed comes back from git.
func (r *Run) refuseIrrecoverable(ctx context.Context) error {
	untracked, err := r.opt.Repo.Untracked(ctx, string(r.wiki.Dir()))
	if err != nil {
		return err
	}
	// A record that cannot be read vouches for nothing.
	manifest, manifestErr := readManifest(r.wiki)
	for _, name := range untracked {
		page, err := r.wiki.Dir().ParsePage(name)
		if err != nil || page.RepoPath() != name {
			continue
		}
		var entry *ManifestEntry
		if manifestErr == nil {
			if e, ok := manifest.Get(page); ok {
				entry = &e
			}
		}
		if r.isPersonal(page, entry) {
			return &Error{Code: CodeInvalidInput, Op: r.op(),
				Err:  fmt.Errorf("%s holds text that no run wrote and that is not in git; init would remove it", name),
				Hint: "commit the file, move it out of the wiki, or use update, which keeps it"}
		}
	}
	return nil
}

// isPersonal reports whether the text of a page is not that of a run.
func (r *Run) isPersonal(page wiki.PagePath, entry *ManifestEntry) bool {
	text, err := r.wiki.Read(page)
	if err != nil {
		return false // a link or no file: not a page, and not followed when the wiki is replaced
	}
	side, err := r.loadSidecar(page)
	if err != nil {
		side = nil
	}
	switch stateOfPage(text, entry, side) {
	case pageEdited:
		return true
	case pageBare:
		event, ok := wiki.Parse(text).Generated()
		return !ok || !wiki.OwnActor(event.By)
	}
	return false
}
