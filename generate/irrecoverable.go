package generate

import (
	"context"
	"fmt"
	"slices"

	"github.com/wikiwright/wikiwright/internal/wiki"
)

// refuseIrrecoverable keeps an init from removing what nobody could bring
// back: a page of the wiki that holds a person's text, or that of an author
// which is not this one, and whose content git does not have. What is staged or
// committed comes back from git. It returns the number of pages of other
// authors.
func (r *Run) refuseIrrecoverable(ctx context.Context) (others int, err error) {
	pages, err := r.wiki.Pages()
	if err != nil || len(pages) == 0 {
		return 0, err
	}
	unsaved, err := r.opt.Repo.Unsaved(ctx, string(r.wiki.Dir()))
	if err != nil {
		return 0, err
	}
	// A record that cannot be read vouches for nothing.
	manifest, err := readManifest(r.wiki)
	if err != nil {
		manifest = NewManifest()
	}
	for _, page := range pages {
		origin := r.originOf(page, manifest)
		if origin == ofAnother {
			others++
		}
		if origin == ofRun || !slices.Contains(unsaved, page.RepoPath()) {
			continue
		}
		what := "holds text that no run wrote and that"
		if origin == ofAnother {
			what = "is the work of another author and"
		}
		return 0, &Error{Code: CodeInvalidInput, Op: r.op(),
			Err:  fmt.Errorf("%s %s is not in git; init would remove it", page.RepoPath(), what),
			Hint: "commit the file, move it out of the wiki, or use update, which keeps it"}
	}
	return others, nil
}

// origin is whose text a page is.
type origin int

const (
	ofRun     origin = iota // of an author like that of this run, which writes it again
	ofAnother               // of an author that this run does not stand for
	ofPerson
)

func (r *Run) originOf(page wiki.PagePath, manifest *Manifest) origin {
	text, err := r.wiki.Read(page)
	if err != nil {
		return ofRun // a link or no file: not a page, and not followed when the wiki is replaced
	}
	side, err := r.loadSidecar(page)
	if err != nil {
		side = nil
	}
	var entry *ManifestEntry
	if e, ok := manifest.Get(page); ok {
		entry = &e
	}
	event, _ := wiki.Parse(text).Generated()
	if event.By == "" && side != nil && side.Verification != nil {
		event = *side.Verification
	}
	switch state := stateOfPage(text, entry, side); {
	case state == pageEdited, state == pageBare && !wiki.OwnActor(event.By):
		return ofPerson
	case event.By != "" && !sameAuthor(event.By, r.opt.Actor.Producer):
		return ofAnother
	}
	return ofRun
}
