package generate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/evidence"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/language"
	"github.com/wikiwright/wikiwright/internal/source"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// noopWorkers read the wiki while git compares the work tree.
const noopWorkers = 4

// noopProof is what is known about an update that may have nothing to do.
type noopProof struct {
	// reason says what there is to do; empty means nothing.
	reason string
	// doubt means that nothing but the text of some evidence speaks against a
	// no-op: it may have moved, or have other line endings, and a preflight
	// must tell.
	doubt  bool
	last   *LastUpdate
	head   string
	claims int
	bare   []wiki.PagePath // pages without Claims, which nothing proves
	// manifest is what the wiki records of its pages, snapshot the source if
	// the proof had to read it.
	manifest *Manifest
	snapshot *source.Snapshot
}

func (p *noopProof) proven() bool { return p != nil && p.reason == "" && !p.doubt }

// proveNoop finds out, reading only, whether the wiki is true of the source
// as it is. The source is what the last update documented when git says that
// no selected file changed since that commit; the wiki is complete and whole
// when manifest and sidecars agree with every page, whatever git thinks of
// the files of the wiki; and each Claim is checked against the lines it
// cites. Git and the reading of the wiki run at the same time.
func (r *Run) proveNoop(ctx context.Context) (*noopProof, error) {
	p := &noopProof{}
	if _, err := r.opt.Files.Root().Lstat(r.wiki.Path(stateFile)); !errors.Is(err, fs.ErrNotExist) {
		p.reason = "a run was interrupted"
		return p, nil
	}
	if _, err := r.git.Root().Lstat(replacedFile); !errors.Is(err, fs.ErrNotExist) {
		p.reason = "an init was interrupted"
		return p, nil
	}
	var err error
	if p.last, err = readLastUpdate(r.wiki); err != nil {
		return nil, err
	}
	if p.reason = r.lastUpdateReason(p.last); p.reason != "" {
		return p, nil
	}
	var sourceReason, wikiReason string
	var dirty bool
	group, groupCtx := errgroup.WithContext(ctx)
	group.Go(func() (err error) {
		p.head, sourceReason, dirty, err = r.sourceReason(groupCtx, p.last.GitHead)
		return err
	})
	group.Go(func() (err error) {
		wikiReason, err = r.proveWiki(groupCtx, p)
		return err
	})
	if err := group.Wait(); err != nil {
		return nil, err
	}
	if dirty && wikiReason == "" && !p.doubt {
		same, err := r.madeFromThis(ctx, p)
		if err != nil {
			return nil, err
		}
		if same {
			return p, nil
		}
	}
	if p.reason = sourceReason; p.reason == "" {
		p.reason = wikiReason
	}
	return p, nil
}

// madeFromThis reports whether the wiki was made from the uncommitted source
// as it is: every page is proven up to HEAD and to the fingerprint of now. The
// source is read only if the pages at least agree with each other.
func (r *Run) madeFromThis(ctx context.Context, p *noopProof) (bool, error) {
	var at Checkpoint
	for _, page := range p.manifest.Pages() {
		entry, _ := p.manifest.Get(page)
		if at.SourceFingerprint == "" {
			at.SourceFingerprint = entry.SourceFingerprint
		}
		if entry.GitHead != p.head || entry.SourceFingerprint != at.SourceFingerprint {
			return false, nil
		}
	}
	if at.SourceFingerprint == "" {
		return false, nil
	}
	var err error
	if p.snapshot, err = r.takeSnapshot(ctx); err != nil {
		return false, err
	}
	return p.snapshot.Fingerprint == at.SourceFingerprint && p.snapshot.GitHead == p.head, nil
}

func (r *Run) lastUpdateReason(last *LastUpdate) string {
	switch {
	case last == nil:
		return "the wiki records no update"
	case last.Status == StatusInterrupted:
		return "the last run left pages out"
	case last.GitHead == "":
		return "the last update records no commit"
	case r.language != "" && language.Primary(r.language) != language.Primary(last.Language):
		return "the language changes"
	}
	return ""
}

// sourceReason says how the source differs from the commit base, and whether
// it does so in nothing but what is not committed. Status and diff run at the
// same time, unless it is plain that there is no diff to make.
func (r *Run) sourceReason(ctx context.Context, base string) (head, reason string, uncommitted bool, err error) {
	var now gitrepo.Head
	var dirty, changed []string
	var unknown error
	compared := !r.atCommit(base)
	group, groupCtx := errgroup.WithContext(ctx)
	group.Go(func() (err error) {
		now, dirty, err = r.src.Clean(groupCtx)
		return err
	})
	if compared {
		group.Go(func() (err error) {
			changed, unknown = r.src.CommittedSince(groupCtx, base)
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return "", "", false, err
	}
	if !compared && now.Commit != base {
		changed, unknown = r.src.CommittedSince(ctx, base)
	}
	switch {
	case now.Unborn():
		reason = "the branch has no commit"
	case len(dirty) > 0:
		reason, uncommitted = fmt.Sprintf("%s differs from HEAD", dirty[0]), now.Commit == base
	case now.Commit == base:
	case errors.Is(unknown, gitrepo.ErrUnknownCommit):
		reason = "the commit of the last update is not in this clone"
	case unknown != nil:
		return "", "", false, unknown
	case len(changed) > 0:
		reason = fmt.Sprintf("%s changed since the last update", changed[0])
	}
	return now.Commit, reason, uncommitted, nil
}

// atCommit guesses, without git, whether HEAD is a commit. A wrong guess costs
// time and nothing else.
func (r *Run) atCommit(commit string) bool {
	head, err := os.ReadFile(filepath.Join(r.opt.Repo.GitDir, "HEAD"))
	if err != nil {
		return false
	}
	text := strings.TrimSpace(string(head))
	if ref, ok := strings.CutPrefix(text, "ref: "); ok && filepath.IsLocal(ref) {
		head, err = os.ReadFile(filepath.Join(r.opt.Repo.CommonDir, filepath.FromSlash(ref)))
		if err != nil {
			return false
		}
		text = strings.TrimSpace(string(head))
	}
	return text == commit
}

// proveWiki compares every page with what is recorded of it.
func (r *Run) proveWiki(ctx context.Context, p *noopProof) (reason string, err error) {
	manifest, err := readManifest(r.wiki)
	if err != nil {
		return "", err
	}
	pages, err := r.wiki.Pages()
	if err != nil {
		return "", err
	}
	if len(pages) == 0 {
		return "the wiki has no pages", nil
	}
	found := make([]pageProof, len(pages))
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(noopWorkers)
	for i, page := range pages {
		group.Go(func() error {
			if err := groupCtx.Err(); err != nil {
				return err
			}
			var entry *ManifestEntry
			if e, ok := manifest.Get(page); ok {
				entry = &e
			}
			proof, err := r.provePage(page, entry)
			found[i] = proof
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return "", err
	}
	p.manifest = manifest
	if p.doubt, err = r.doubtful(ctx, found); err != nil {
		return "", err
	}
	return p.sum(pages, found, manifest), nil
}

// sum adds up what was found about the pages.
func (p *noopProof) sum(pages []wiki.PagePath, found []pageProof, manifest *Manifest) (reason string) {
	onDisk := map[wiki.PagePath]bool{}
	for i, page := range pages {
		onDisk[page] = true
		p.claims += len(found[i].claims)
		switch found[i].state {
		case pageBare:
			p.bare = append(p.bare, page)
		case pageEdited:
			return fmt.Sprintf("%s was edited", page)
		case pageUnproven:
			return fmt.Sprintf("%s is not proven", page)
		}
	}
	for _, page := range manifest.Pages() {
		if !onDisk[page] {
			return fmt.Sprintf("%s is gone", page)
		}
	}
	return ""
}

type pageProof struct {
	state  pageState
	claims []claims.Claim
}

// doubtful reports whether some cited lines do not read as they did. What is
// tracked is not asked: it cannot have changed when nothing changed since the
// commit the Claims were proven at.
func (r *Run) doubtful(ctx context.Context, pages []pageProof) (bool, error) {
	var ask []evidence.Query
	for _, page := range pages {
		for _, c := range page.claims {
			for _, e := range c.Evidence {
				resource, err := evidence.Parse(e.Resource, string(r.wiki.Dir()))
				if err != nil {
					return true, nil
				}
				ask = append(ask, evidence.Query{Resource: resource, Previous: e.Version})
			}
		}
	}
	same, err := evidence.NewResolver(r.src).Unchanged(ctx, ask, noopWorkers)
	return !same, err
}

func (r *Run) provePage(page wiki.PagePath, entry *ManifestEntry) (pageProof, error) {
	text, err := r.wiki.Read(page)
	if err != nil {
		return pageProof{}, err
	}
	side, err := r.loadSidecar(page)
	if err != nil {
		return pageProof{}, err
	}
	proof := pageProof{state: stateOfPage(text, entry, side)}
	if side != nil {
		proof.claims = side.Claims
	}
	return proof, nil
}

// loadSidecar returns nil for a page without sidecar.
func (r *Run) loadSidecar(page wiki.PagePath) (*claims.PageClaims, error) {
	side, err := r.store.Load(page)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return side, err
}

// noopOutcome reports a proven no-op.
func (r *Run) noopOutcome(p *noopProof) *Outcome {
	if p == nil {
		return nil
	}
	out := &Outcome{Kind: OutcomeNoop, Mode: r.opt.Mode, Language: p.last.Language, GitHead: p.head,
		Claims: ClaimTotals{Total: p.claims}, Notes: r.notes}
	if out.Language == "" {
		out.Language = defaultLanguage
	}
	switch len(p.bare) {
	case 0:
	case 1:
		out.Notes = append(out.Notes, fmt.Sprintf("1 page has no Claims, so nothing proves it: %s", joinPages(p.bare)))
	default:
		out.Notes = append(out.Notes, fmt.Sprintf("%d pages have no Claims, so nothing proves them: %s", len(p.bare), joinPages(p.bare)))
	}
	return out
}

// joinPages lists some pages for a person.
func joinPages(pages []wiki.PagePath) string {
	const most = 5
	var names []string
	for i, page := range pages {
		if i == most {
			names = append(names, fmt.Sprintf("and %d more", len(pages)-most))
			break
		}
		names = append(names, string(page))
	}
	return strings.Join(names, ", ")
}
