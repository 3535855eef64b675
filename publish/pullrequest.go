package publish

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	gogithub "github.com/google/go-github/v62/github"

	"github.com/wikiwright/wikiwright/internal/github"
	"github.com/wikiwright/wikiwright/internal/safetext"
)

// open opens the pull request. One that is there already, because an answer was lost or someone was faster, is taken over.
func (j *job) open(ctx context.Context, d Decision) error {
	data := j.bodyData(0)
	data.Supersedes = d.Supersedes
	m := j.newMarker(data)
	m.Draft = j.wantsDraft(true)
	m.AutoMerge = j.mayAutoMerge()
	body := replaceRegion("", j.render(data, &m))
	pr, err := j.create(ctx, body, m.Draft)
	if err != nil {
		return fmt.Errorf("open pull request: %w", err)
	}
	pull := toPull(pr, j.scene.identity)
	j.pull = &pull
	j.out.Operation = OpCreated
	j.out.Number, j.out.URL, j.out.Draft = pull.Number, pull.URL, pull.Draft
	if pull.Own && pull.Marker.Region != m.Region {
		// Somebody else's run opened it a moment ago: bring it up to date like any other.
		return j.update(ctx)
	}
	j.decorate(ctx)
	j.arm(ctx)
	return nil
}

// create sends the request until GitHub says yes, no, or that there is one.
func (j *job) create(ctx context.Context, body string, draft bool) (*gogithub.PullRequest, error) {
	head := j.branch
	if j.Fork != nil {
		head = j.Fork.Repository.Owner + ":" + j.branch
	}
	request := &gogithub.NewPullRequest{
		Title: gogithub.String(j.title()), Head: &head, Base: &j.baseRef, Body: &body, Draft: &draft,
		MaintainerCanModify: gogithub.Bool(j.Policy.MaintainerCanModify),
	}
	for attempt := 1; ; attempt++ {
		pr, _, err := j.GitHub.API().PullRequests.Create(ctx, j.Repository.Owner, j.Repository.Name, request)
		if err == nil {
			return pr, nil
		}
		if *request.Draft && saysDraft(err) {
			request.Draft = gogithub.Bool(false)
			j.note("this repository has no draft pull requests")
			continue
		}
		if !github.MaybeApplied(err) && !isValidation(err) {
			return nil, err
		}
		there, findErr := j.listPulls(ctx, j.branch, "open")
		if findErr != nil {
			return nil, errors.Join(err, fmt.Errorf("look whether it was opened: %w", findErr))
		}
		for _, pr := range there {
			if pr.GetBase().GetRef() == j.baseRef {
				if j.scene.identity.ID == 0 {
					j.scene.identity, findErr = j.Publisher.identity(ctx)
				}
				return pr, findErr
			}
		}
		if attempt == 3 || !github.MaybeApplied(err) {
			return nil, err
		}
	}
}

// isValidation tells a 422, which is also what GitHub answers when there is a pull request already.
func isValidation(err error) bool {
	var answer *gogithub.ErrorResponse
	return errors.As(err, &answer) && answer.Response != nil && answer.Response.StatusCode == http.StatusUnprocessableEntity
}

func saysDraft(err error) bool {
	return isValidation(err) && strings.Contains(strings.ToLower(err.Error()), "draft pull requests are not supported")
}

func (j *job) title() string { return j.secrets.Redact(title(j.Policy.Title)) }

// update brings text, title, base, labels and state of the open pull request to what they should be. Nothing that is right is written.
func (j *job) update(ctx context.Context) error {
	pull := j.pull
	if !pull.Own {
		j.note(fmt.Sprintf("pull request #%d was opened by somebody else: its text stays", pull.Number))
		return nil
	}
	data := j.bodyData(pull.Number)
	m := j.newMarker(data)
	toDraft, toReady := j.draftChange()
	m.Draft = (pull.Marker.Draft || toDraft) && !toReady
	m.AutoMerge = pull.Marker.AutoMerge || j.mayAutoMerge()
	edit := &gogithub.PullRequest{}
	changed := false
	if j.textDiffers(m) {
		body := replaceRegion(pull.Body, j.render(data, &m))
		edit.Body, changed = &body, true
	}
	if want := j.title(); want != pull.Title && pull.Title == pull.Marker.Title {
		edit.Title, changed = &want, true
	}
	if pull.BaseRef != j.baseRef {
		edit.Base, changed = &gogithub.PullRequestBranch{Ref: &j.baseRef}, true
	}
	if changed {
		if _, _, err := j.GitHub.API().PullRequests.Edit(github.Safe(ctx), j.Repository.Owner, j.Repository.Name, pull.Number, edit); err != nil {
			return fmt.Errorf("update pull request #%d: %w", pull.Number, err)
		}
		j.touched()
	}
	j.changeDraft(ctx, toDraft, toReady)
	j.syncLabels(ctx)
	j.arm(ctx)
	return nil
}

// touched records that something was written.
func (j *job) touched() {
	if j.out.Operation == OpNone {
		j.out.Operation, j.out.Reason = OpUpdated, ""
	}
}

// textDiffers tells whether the text has to be written: another report, another commit, or somebody edited our part.
func (j *job) textDiffers(m marker) bool {
	inner, ok := region(j.pull.Body)
	old := j.pull.Marker
	return j.pushed || !ok || old.BodyHash != m.BodyHash || old.Region != regionHash(inner) || old.Draft != m.Draft ||
		old.HeadSHA != m.HeadSHA || old.Closed != ""
}

// render returns our part of the text, with the marker as its last line. The digest of the part goes into the marker, so the part is
// rendered with a marker of the same length, which is replaced.
func (j *job) render(data bodyData, m *marker) string {
	m.Region = strings.Repeat("0", len(textHash("")))
	data.Marker = m.encode()
	body := j.redactAround(renderBody(data), data.Marker)
	m.Region = regionHash(body)
	return strings.Replace(body, data.Marker, m.encode(), 1)
}

// redactAround removes what looks like a credential from the report, not from the marker, which is our own base64.
func (j *job) redactAround(body, line string) string {
	before, after, ok := strings.Cut(body, line)
	if !ok {
		return j.secrets.Redact(body)
	}
	return j.secrets.Redact(before) + line + after
}

// bodyData is what the report is made from.
func (j *job) bodyData(number int) bodyData {
	data := bodyData{
		RepoURL: j.webURL(), Number: number, CompareURL: j.compareURL(), Bundle: j.bundle, Stale: j.stale,
		DefaultToken: j.DefaultToken, Settings: j.Settings, Header: j.Policy.BodyHeader, More: j.bundle.Run.LogURL,
	}
	if j.sources != nil {
		data.Exists = func(path string) bool { return j.sources[path] }
	}
	data.tellBlocked(j.out.Blocked)
	if j.pull != nil && j.pull.Own {
		data.Supersedes = j.supersedes()
	}
	if j.pull != nil {
		data.Reserve = safetext.Units(outside(j.pull.Body))
	}
	if foreign := j.foreign(); len(foreign) > 0 && j.pull != nil && !j.pushedOver {
		data.Notices = append(data.Notices, "The branch also holds commits of "+people(foreign)+"; pages that they touched are as they left them.")
	}
	return data.redacted(j.secrets.Redact)
}

// supersedes is the closed pull request that this one follows: the newest that is older.
func (j *job) supersedes() int {
	for _, past := range j.past {
		if past.Number < j.pull.Number && !past.Merged && past.Marker.Closed == "" {
			return past.Number
		}
	}
	return 0
}

// newMarker is what the next run shall know.
func (j *job) newMarker(data bodyData) marker {
	all := j.pairsOf(j.changedPages())
	m := marker{
		RunID: j.bundle.Run.ID, BaseRef: j.baseRef, BaseSHA: j.bundle.BaseSHA, TipSHA: j.base, HeadSHA: j.tip, State: j.bundle.State,
		Pairs: all, Rejected: j.rejectedPairs(), InputFP: all.digest(), TreeFP: j.treeDigest(), BodyHash: j.bodyHash(data),
		Title: j.title(), Version: j.bundle.Run.Version,
	}
	if len(all) > maxPairs {
		m.Pairs = nil
	}
	if !j.pushed && j.pull != nil && j.pull.Marker.HeadSHA == j.tip {
		m.TipSHA = j.pull.Marker.TipSHA
	}
	return m
}

// bodyHash identifies what the report says. Numbers, names and prices of one run have no part in it, so that a run which finds everything
// as it was writes nothing.
func (j *job) bodyHash(data bodyData) string {
	bundle := *data.Bundle
	bundle.BaseSHA = ""
	bundle.Run = RunInfo{Mode: bundle.Run.Mode, Author: bundle.Run.Author, Model: bundle.Run.Model, Language: bundle.Run.Language,
		Claims: bundle.Run.Claims, Error: bundle.Run.Error, Hint: bundle.Run.Hint}
	bundle.Pages = slices.Clone(bundle.Pages)
	for i := range bundle.Pages {
		bundle.Pages[i].Usage, bundle.Pages[i].Attempts = Usage{}, 0
	}
	data.Bundle, data.Number, data.More, data.Supersedes, data.Marker, data.Reserve = &bundle, 0, "", 0, "", 0
	return textHash(renderBody(data))
}

// reopen opens again what we closed. It comes before the branch moves: GitHub does not reopen a pull request whose branch was rebuilt.
func (j *job) reopen(ctx context.Context, number int) error {
	pr, _, err := j.GitHub.API().PullRequests.Edit(github.Safe(ctx), j.Repository.Owner, j.Repository.Name, number, &gogithub.PullRequest{State: gogithub.String("open")})
	if err != nil {
		return fmt.Errorf("reopen pull request #%d: %w", number, err)
	}
	pull := toPull(pr, j.scene.identity)
	j.pull = &pull
	j.out.Number, j.out.URL, j.out.Draft = pull.Number, pull.URL, pull.Draft
	return nil
}

// closePull closes the pull request and notes in it that it was us, so that nobody takes it for a refusal.
func (j *job) closePull(ctx context.Context, d Decision) error {
	m := j.pull.Marker
	m.Closed = d.Reason
	edit := &gogithub.PullRequest{State: gogithub.String("closed")}
	if inner, ok := region(j.pull.Body); ok {
		if start := strings.LastIndex(inner, markerStart); start >= 0 {
			inner = strings.TrimRight(inner[:start], "\n ")
		}
		body := replaceRegion(j.pull.Body, inner+"\n\n"+m.encode())
		edit.Body = &body
	}
	if _, _, err := j.GitHub.API().PullRequests.Edit(github.Safe(ctx), j.Repository.Owner, j.Repository.Name, d.Number, edit); err != nil {
		return fmt.Errorf("close pull request #%d: %w", d.Number, err)
	}
	return nil
}

func (j *job) note(text string) { j.out.Notes = append(j.out.Notes, text) }
