package generate

import (
	"path"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/evidence"
	"github.com/wikiwright/wikiwright/internal/source"
	"github.com/wikiwright/wikiwright/internal/wiki"
)

// quickstartName is the page every wiki has.
const quickstartName = "quickstart.md"

// Purposes of the pages that the lifecycle adds to a plan.
const (
	reconcilePurpose = "Reconcile the affected Claims with the current source: correct what is no longer true, keep everything else as it is."
	rewritePurpose   = "Rewrite the page in the target language: keep every supported fact and reconcile all Claims."
)

// planRules is what a proposal is checked against.
type planRules struct {
	dir      wiki.Dir
	mode     Mode
	runID    string
	existing []wiki.PagePath // on disk now
	issues   []claims.Issue
	rewrite  []wiki.PagePath
}

func (r *planRules) quickstart() wiki.PagePath {
	return wiki.PagePath("/" + string(r.dir) + "/" + quickstartName)
}

// normalizePlan turns a proposal into the queue: canonical paths, sorted
// lists, the forced pages of an update, quickstart last. Every error is an
// *InputError.
func normalizePlan(p Proposal, r *planRules) (*Plan, error) {
	plan := &Plan{Pages: []PageJob{}, DeletePages: []wiki.PagePath{}}
	for _, page := range p.Pages {
		job, err := r.job(page)
		if err != nil {
			return nil, err
		}
		plan.Pages = append(plan.Pages, job)
	}
	for _, given := range p.DeletePages {
		page, err := r.dir.ParsePage(given)
		if err != nil {
			return nil, inputErrorf("deletePages: %w", err)
		}
		plan.DeletePages = append(plan.DeletePages, page)
	}
	slices.SortFunc(plan.DeletePages, comparePages)
	plan.DeletePages = slices.Compact(plan.DeletePages)
	if err := r.checkPlan(plan); err != nil {
		return nil, err
	}
	if r.mode == ModeUpdate {
		r.force(plan)
	}
	if err := r.checkClashes(plan); err != nil {
		return nil, err
	}
	// An update where there is no wiki yet makes one: without a page it would be complete with nothing done.
	if len(r.existing) == 0 && !slices.ContainsFunc(plan.Pages, func(job PageJob) bool { return job.Path == r.quickstart() }) {
		return nil, inputErrorf("the plan of a new wiki needs the page %s", r.quickstart())
	}
	r.sort(plan)
	return plan, nil
}

func (r *planRules) job(p ProposedPage) (PageJob, error) {
	page, err := r.dir.ParsePlannedPage(p.Path)
	if err != nil {
		return PageJob{}, inputErrorf("plan page: %w", err)
	}
	job := PageJob{
		ID: jobID(r.runID, page), Path: page, Status: JobPending,
		Title: strings.TrimSpace(p.Title), Purpose: strings.TrimSpace(p.Purpose),
		SeedPaths: []string{}, RelatedPages: []string{}, Instructions: []string{},
	}
	if job.Title == "" {
		return PageJob{}, inputErrorf("plan page %s: the title is empty", page)
	}
	if job.Purpose == "" {
		return PageJob{}, inputErrorf("plan page %s: the purpose is empty", page)
	}
	for _, seed := range p.SeedPaths {
		clean := strings.TrimLeft(strings.ReplaceAll(strings.TrimSpace(seed), `\`, "/"), "/")
		if clean == "" || slices.Contains(strings.Split(clean, "/"), "..") {
			return PageJob{}, inputErrorf("plan page %s: seed path %q is not a path in the repository", page, seed)
		}
		job.SeedPaths = append(job.SeedPaths, clean)
	}
	for _, related := range p.RelatedPages {
		target, err := r.dir.ParsePlannedPage(related)
		if err != nil {
			return PageJob{}, inputErrorf("plan page %s: related page: %w", page, err)
		}
		job.RelatedPages = append(job.RelatedPages, string(target))
	}
	for _, text := range p.Instructions {
		if text = strings.TrimSpace(text); text != "" {
			job.Instructions = append(job.Instructions, text)
		}
	}
	job.SeedPaths, job.RelatedPages, job.Instructions = sortedSet(job.SeedPaths), sortedSet(job.RelatedPages), sortedSet(job.Instructions)
	return job, nil
}

func sortedSet(list []string) []string {
	slices.SortFunc(list, source.CompareCodeUnits)
	return slices.Compact(list)
}

func (r *planRules) checkPlan(plan *Plan) error {
	if r.mode == ModeInit && len(plan.DeletePages) > 0 {
		return inputErrorf("a new wiki has no pages to delete, but the plan deletes %s", plan.DeletePages[0])
	}
	if slices.Contains(plan.DeletePages, r.quickstart()) {
		return inputErrorf("%s cannot be deleted", r.quickstart())
	}
	planned := map[wiki.PagePath]bool{}
	for _, job := range plan.Pages {
		if planned[job.Path] {
			return inputErrorf("page %s is planned twice", job.Path)
		}
		planned[job.Path] = true
	}
	for _, page := range plan.DeletePages {
		if planned[page] {
			return inputErrorf("page %s is both planned and deleted", page)
		}
	}
	if r.mode == ModeInit && !planned[r.quickstart()] {
		return inputErrorf("the plan of a new wiki needs the page %s", r.quickstart())
	}
	return nil
}

// force adds the pages an update cannot leave out: those with stale or
// unresolved Claims, and all pages when the language changed.
func (r *planRules) force(plan *Plan) {
	taken := map[wiki.PagePath]bool{}
	for _, job := range plan.Pages {
		taken[job.Path] = true
	}
	for _, page := range plan.DeletePages {
		taken[page] = true
	}
	seeds := map[wiki.PagePath][]string{}
	var stale []wiki.PagePath
	for _, issue := range r.issues {
		if taken[issue.Page] {
			continue
		}
		if seeds[issue.Page] == nil {
			stale = append(stale, issue.Page)
			seeds[issue.Page] = []string{}
		}
		for _, resource := range issue.Resources {
			if parsed, err := evidence.Parse(resource, string(r.dir)); err == nil {
				seeds[issue.Page] = append(seeds[issue.Page], parsed.Path)
			}
		}
	}
	for _, page := range stale {
		plan.Pages = append(plan.Pages, r.forced(page, reconcilePurpose, sortedSet(seeds[page])))
		taken[page] = true
	}
	for _, page := range r.rewrite {
		if !taken[page] {
			plan.Pages = append(plan.Pages, r.forced(page, rewritePurpose, []string{}))
			taken[page] = true
		}
	}
}

func (r *planRules) forced(page wiki.PagePath, purpose string, seeds []string) PageJob {
	return PageJob{
		ID: jobID(r.runID, page), Path: page, Title: titleOf(page), Purpose: purpose, Status: JobPending,
		SeedPaths: seeds, RelatedPages: []string{}, Instructions: []string{},
	}
}

// titleOf derives a title from a file name: "auth-and-tokens.md" is "Auth And
// Tokens".
func titleOf(page wiki.PagePath) string {
	base := strings.TrimSuffix(path.Base(string(page)), ".md")
	words := strings.FieldsFunc(base, func(c rune) bool { return c == '-' || c == '_' })
	for i, word := range words {
		first := []rune(word)[0]
		words[i] = strings.ToUpper(string(first)) + word[len(string(first)):]
	}
	if len(words) == 0 {
		return base
	}
	return strings.Join(words, " ")
}

func (r *planRules) sort(plan *Plan) {
	quickstart := r.quickstart()
	slices.SortFunc(plan.Pages, func(a, b PageJob) int {
		if last := boolInt(a.Path == quickstart) - boolInt(b.Path == quickstart); last != 0 {
			return last
		}
		return comparePages(a.Path, b.Path)
	})
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// checkClashes refuses pages that some file systems take for one file: names
// that differ only by case or Unicode form, and a page used as a folder.
func (r *planRules) checkClashes(plan *Plan) error {
	deleted := map[wiki.PagePath]bool{}
	for _, page := range plan.DeletePages {
		deleted[page] = true
	}
	spelled := map[string]string{} // folded path of a page or folder → its spelling
	pages := map[string]bool{}     // spelled paths that are pages
	add := func(page wiki.PagePath) error {
		name := string(page)
		pages[name] = true
		for dir := name; dir != "/" && dir != "."; dir = path.Dir(dir) {
			key := wiki.PagePath(dir).FoldKey()
			if have, ok := spelled[key]; ok && have != dir {
				return inputErrorf("page %s clashes with %s: they differ only in case or Unicode form", page, have)
			}
			spelled[key] = dir
			if dir != name && pages[dir] {
				return inputErrorf("page %s would lie inside the page %s", page, dir)
			}
		}
		return nil
	}
	var all []wiki.PagePath
	for _, page := range r.existing {
		if !deleted[page] {
			all = append(all, page)
		}
	}
	for _, job := range plan.Pages {
		all = append(all, job.Path)
	}
	slices.SortFunc(all, comparePages)
	for _, page := range slices.Compact(all) {
		if err := add(page); err != nil {
			return err
		}
	}
	return nil
}

// samePlan reports whether a repeated proposal asks for the installed plan.
// Identity and progress of the jobs do not matter.
func samePlan(a, b *Plan) bool {
	return slices.EqualFunc(a.Pages, b.Pages, func(x, y PageJob) bool {
		return x.Path == y.Path && x.Title == y.Title && x.Purpose == y.Purpose &&
			slices.Equal(x.SeedPaths, y.SeedPaths) && slices.Equal(x.RelatedPages, y.RelatedPages) &&
			slices.Equal(x.Instructions, y.Instructions)
	}) && slices.Equal(a.DeletePages, b.DeletePages)
}

// keepForced adds the forced pages of an installed plan to a repeated
// proposal: their issues may have been settled since.
func keepForced(plan, installed *Plan, r *planRules) {
	proposed := map[wiki.PagePath]int{}
	for i, job := range plan.Pages {
		proposed[job.Path] = i
	}
	for _, job := range installed.Pages {
		if job.Purpose != reconcilePurpose && job.Purpose != rewritePurpose {
			continue
		}
		if i, ok := proposed[job.Path]; !ok {
			plan.Pages = append(plan.Pages, job)
		} else if plan.Pages[i].Purpose == job.Purpose {
			plan.Pages[i] = job
		}
	}
	r.sort(plan)
}
