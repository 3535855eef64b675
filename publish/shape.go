package publish

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	gogithub "github.com/google/go-github/v62/github"

	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/evidence"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// Kinds of [Blocked] beside those of the content gate.
const (
	KindPath     = "path"     // a name that is not published
	KindRejected = "rejected" // a reviewer ticked the box of the page
	KindClosed   = "closed"   // a closed pull request proposed the page from the same inputs
)

// A job is one evaluation: a bundle in a scene.
type job struct {
	*Publisher
	*scene
	bundle *Bundle
	inputs map[wiki.PagePath]string // of the pages of the bundle as it came
	mode   mode
	out    *Outcome

	wanted   wanted
	analysed tree // of the commit that the bundle was made from
	tipTree  tree // of the tip of the base
	gate     *pathGate
	content  contentGate

	changes []Change // to the tip of the base
	moved   []string // paths that the base changed in another way meanwhile
	branchT tree     // of the branch; nil without one
	append  []Change // to the branch, when commits of others are on it and stay
	stale   []wiki.PagePath
	dropped []string        // paths that are left out although they differ
	sources map[string]bool // files of the analysed commit; nil when nothing is told of them

	foreignComment *gogithub.IssueComment // ours about commits of others
	pushed         bool                   // the branch was moved
	pushedOver     bool                   // and commits of others are gone by it
}

// shape finds what the bundle changes and leaves out what must not be published. Refused means that nothing of it is.
func (j *job) shape(ctx context.Context) (refused bool, err error) {
	if j.base == "" {
		return false, nil
	}
	if err := j.load(ctx); err != nil {
		if errors.Is(err, ErrRefused) {
			return j.refuse(err.Error(), "look at the base branch; links below the wiki directory are not followed"), nil
		}
		return false, err
	}
	for _, f := range slices.Concat(j.bundle.Files, j.bundle.Extra) {
		if reason := j.gate.fatal(f.Path); reason != "" && !slices.Contains([]string{"AGENTS.md", "CLAUDE.md"}, f.Path) {
			return j.refuse(fmt.Sprintf("the bundle holds %.200q, which %s", f.Path, reason), "this is a defect of the generator or an attack; nothing was published"), nil
		}
	}
	if err := j.leaveOut(ctx, j.rejected()); err != nil {
		return false, err
	}
	if refused, err := j.contentGate(ctx); refused || err != nil {
		return refused, err
	}
	j.compare()
	bad := j.badPaths()
	if err := j.leaveOut(ctx, bad); err != nil {
		return false, err
	}
	if len(bad) > 0 {
		j.compare()
		j.dropPaths(bad)
	}
	j.out.Blocked = append(j.out.Blocked, j.extraProblems(ctx)...)
	j.onlyRecords()
	return false, j.listSources(ctx)
}

// listSources finds which files the analysed commit has, so that the report links to no other.
func (j *job) listSources(ctx context.Context) (err error) {
	if j.mode == modeCheckpoint || len(j.changes) == 0 {
		return nil
	}
	j.sources, err = j.Repo.FileNames(ctx, j.bundle.BaseSHA)
	return err
}

// contentGate leaves out the pages whose text must not be published. What it finds in files of no page, such as an index, stops all.
func (j *job) contentGate(ctx context.Context) (refused bool, err error) {
	found := j.content.inspect(j.bundle)
	if len(found) == 0 {
		return false, nil
	}
	if err := j.leaveOut(ctx, found); err != nil {
		return false, err
	}
	if left := j.content.inspect(j.bundle); len(left) > 0 {
		j.out.Blocked = append(j.out.Blocked, left...)
		return j.refuse(fmt.Sprintf("%s %s", left[0].Path, left[0].Message), "remove it from the source or the file that it comes from"), nil
	}
	return false, nil
}

func (j *job) refuse(reason, hint string) bool {
	j.out.Operation, j.out.Reason, j.out.Hint = OpRefused, reason, hint
	return true
}

// load reads the trees that everything is compared with.
func (j *job) load(ctx context.Context) error {
	if err := j.Repo.FetchObjects(ctx, j.Remote, j.base); err != nil {
		return fmt.Errorf("get the tip of the base branch: %w", err)
	}
	if err := j.Repo.FetchObjects(ctx, j.Remote, j.bundle.BaseSHA); err != nil {
		return fmt.Errorf("get the analysed commit: %w", err)
	}
	dir := j.bundle.WikiDir
	tip, entries, err := j.treeAt(ctx, j.base, dir)
	if err != nil {
		return err
	}
	for parent := path.Dir(string(dir)); parent != "."; parent = path.Dir(parent) {
		above, err := j.Repo.TreeOf(ctx, j.base, parent)
		if err != nil {
			return err
		}
		entries = append(entries, slices.DeleteFunc(above, func(e gitrepo.TreeEntry) bool { return e.Path != parent })...)
	}
	if j.gate, err = newPathGate(dir, j.Policy.ExtraPaths, entries); err != nil {
		return err
	}
	j.tipTree = tip
	j.analysed = tip
	if j.bundle.BaseSHA != j.base {
		if j.analysed, _, err = j.treeAt(ctx, j.bundle.BaseSHA, dir); err != nil {
			return err
		}
	}
	j.content = contentGate{secrets: j.secrets, at: j.analysedFiles(ctx)}
	if j.tip != "" {
		return j.loadBranch(ctx)
	}
	return nil
}

func (j *job) loadBranch(ctx context.Context) (err error) {
	if err := j.Repo.FetchObjects(ctx, j.headRemote(), j.tip); err != nil {
		return fmt.Errorf("get the branch: %w", err)
	}
	j.branchT, _, err = j.treeAt(ctx, j.tip, j.bundle.WikiDir)
	return err
}

func (p *Publisher) headRemote() gitrepo.Remote {
	if p.Fork != nil {
		return p.Fork.Remote
	}
	return p.Remote
}

// compare finds the changes to the tip of the base.
func (j *job) compare() {
	files := slices.Clone(j.bundle.Files)
	for _, f := range j.bundle.Extra {
		if slices.Contains(j.Policy.ExtraPaths, f.Path) {
			files = append(files, f)
		}
	}
	j.wanted = wantedOf(j.bundle.WikiDir, files)
	for _, name := range j.Policy.ExtraPaths {
		if _, given := j.wanted.tree[name]; !given && j.analysed[name] != "" {
			j.wanted.tree[name] = j.analysed[name] // a file outside of the wiki that the bundle does not speak of stays
		}
	}
	j.changes, j.moved = j.wanted.changes(j.bundle.WikiDir, j.analysed, j.tipTree)
	j.dropPaths(nil)
}

// onlyRecords drops a difference in nothing but the records of runs.
func (j *job) onlyRecords() {
	if !slices.ContainsFunc(j.changes, func(c Change) bool { return !isRecord(j.bundle.WikiDir, c.Path) }) {
		j.changes = nil
		j.moved = slices.DeleteFunc(j.moved, func(name string) bool { return isRecord(j.bundle.WikiDir, name) })
	}
}

// badPaths judges the paths that change.
func (j *job) badPaths() []Blocked {
	for _, c := range j.changes {
		if c.Delete {
			j.gate.forget(c.Path)
		}
	}
	var bad []Blocked
	for _, c := range j.changes {
		if c.Delete {
			continue
		}
		if reason := j.gate.problem(c.Path); reason != "" {
			bad = append(bad, Blocked{Page: pageOf(j.bundle.WikiDir, c.Path), Path: c.Path, Kind: KindPath, Message: reason})
			continue
		}
		j.gate.remember(c.Path)
	}
	return bad
}

// dropPaths removes what leaving pages out did not: files that belong to no page.
func (j *job) dropPaths(bad []Blocked) {
	for _, b := range bad {
		j.dropped = append(j.dropped, b.Path)
	}
	j.changes = slices.DeleteFunc(j.changes, func(c Change) bool { return slices.Contains(j.dropped, c.Path) })
}

// extraProblems judges AGENTS.md and CLAUDE.md. What is wrong with one of them never stops the wiki.
func (j *job) extraProblems(ctx context.Context) []Blocked {
	var bad []Blocked
	for _, c := range j.changes {
		if !slices.Contains(j.Policy.ExtraPaths, c.Path) {
			continue
		}
		var before []byte
		if j.tipTree[c.Path] != "" {
			data, err := j.Repo.Blob(ctx, j.base, c.Path)
			if err != nil {
				bad = append(bad, Blocked{Path: c.Path, Kind: KindPath, Message: "cannot be compared: " + err.Error()})
				continue
			}
			before = data
		}
		reason := blockProblem(before, c.Data)
		if c.Delete {
			reason = "would be removed"
		}
		if reason != "" {
			bad = append(bad, Blocked{Path: c.Path, Kind: KindPath, Message: reason})
		}
	}
	for _, f := range j.bundle.Extra {
		if !slices.Contains(j.Policy.ExtraPaths, f.Path) {
			bad = append(bad, Blocked{Path: f.Path, Kind: KindPath, Message: "is not among the extra paths"})
		}
	}
	j.dropPaths(bad)
	return bad
}

// rejected returns the pages of the bundle that a reviewer does not want from these inputs.
func (j *job) rejected() []Blocked {
	unticked := map[wiki.PagePath]bool{}
	var open marker
	ticked := map[wiki.PagePath]bool{}
	if j.pull != nil && j.pull.Own {
		open, unticked = j.pull.Marker, offered(j.pull.Body)
		for _, page := range j.pull.Controls.Reject {
			ticked[page] = true
		}
	}
	var blocked []Blocked
	for _, page := range j.bundle.Pages {
		one := pairOf(page.Path, page.Inputs)
		known := open.Pairs.has(one) || open.Rejected.has(one)
		wanted := ticked[page.Path] && known || !unticked[page.Path] && (open.Rejected.has(one) || j.rejectedBefore(one))
		if wanted && page.Change != "unchanged" {
			blocked = append(blocked, Blocked{Page: page.Path, Path: page.Path.RepoPath(), Kind: KindRejected, Message: "a reviewer rejected the page; it comes back when its sources change"})
		}
	}
	return blocked
}

func (j *job) rejectedBefore(one pair) bool {
	return slices.ContainsFunc(j.past, func(p Pull) bool { return p.Marker.Rejected.has(one) })
}

// leaveOut takes pages out of the bundle. What people decided leaves its state as it was; what the gate found makes it partial.
func (j *job) leaveOut(ctx context.Context, blocked []Blocked) error {
	var pages []wiki.PagePath
	for _, b := range blocked {
		if b.Page != "" && !slices.Contains(pages, b.Page) {
			pages = append(pages, b.Page)
		}
	}
	if len(blocked) == 0 {
		return nil
	}
	j.out.Blocked = append(j.out.Blocked, slices.DeleteFunc(slices.Clone(blocked), func(b Blocked) bool { return b.Page == "" && b.Kind != KindPath })...)
	if len(pages) == 0 {
		return nil
	}
	if j.bundle.Without == nil {
		return fmt.Errorf("leave out %s: the bundle cannot be cut", pages[0])
	}
	slices.Sort(pages)
	rest, err := j.bundle.Without(ctx, pages, blocked[0].Message)
	if err != nil {
		return fmt.Errorf("leave out %d pages: %w", len(pages), err)
	}
	if kind := blocked[0].Kind; kind == KindRejected || kind == KindClosed {
		whole := *rest
		whole.State = j.bundle.State
		rest = &whole
	}
	j.bundle = rest
	return nil
}

// changedPages returns the pages that the changes are about, sorted.
func (j *job) changedPages() []wiki.PagePath {
	var pages []wiki.PagePath
	for _, c := range j.changes {
		if page := pageOf(j.bundle.WikiDir, c.Path); page != "" {
			pages = append(pages, page)
		}
	}
	slices.Sort(pages)
	return slices.Compact(pages)
}

// pairsOf returns the inputs of pages. Files that belong to no page count together, by their content, when nothing else changes.
func (j *job) pairsOf(pages []wiki.PagePath) pairs {
	var list []pair
	for _, page := range pages {
		list = append(list, pairOf(page, j.inputs[page]))
	}
	if len(pages) == 0 && len(j.changes) > 0 {
		var all strings.Builder
		for _, c := range j.changes {
			fmt.Fprintf(&all, "%s %s\n", c.Path, j.wanted.tree[c.Path])
		}
		list = append(list, pairOf("", all.String()))
	}
	return newPairs(list...)
}

// staleAtPublish returns the pages that change and cite files that the base changed after the analysed commit.
func (j *job) staleAtPublish(ctx context.Context) ([]wiki.PagePath, error) {
	if j.base == j.bundle.BaseSHA || len(j.changes) == 0 {
		return nil, nil
	}
	changed, err := j.Repo.Changed(ctx, j.bundle.BaseSHA, j.base)
	if err != nil {
		return nil, fmt.Errorf("find what the base branch changed meanwhile: %w", err)
	}
	moved := map[string]bool{}
	for _, name := range changed {
		moved[name] = true
	}
	var stale []wiki.PagePath
	for _, page := range j.changedPages() {
		sidecar := sidecarPath(j.bundle.WikiDir, page)
		if data, ok := j.wanted.data[sidecar]; ok && slices.ContainsFunc(cited(sidecar, data, j.bundle.WikiDir), func(name string) bool { return moved[name] }) {
			stale = append(stale, page)
		}
	}
	return stale, nil
}

// cited returns the files that a sidecar names as evidence.
func cited(name string, data []byte, dir wiki.Dir) []string {
	sidecar, err := claims.Decode(name, data)
	if err != nil {
		return nil
	}
	var files []string
	for _, c := range sidecar.Claims {
		for _, e := range c.Evidence {
			if res, err := evidence.Parse(e.Resource, string(dir)); err == nil {
				files = append(files, res.Path)
			}
		}
	}
	return files
}
