// Package evaluate measures wikis: how far one keeps to its source, and what a run of a scripted model makes of a case.
//
// [Measure] scores the wiki of a work tree as it is, by its Claims alone, whoever wrote it. [Run] plays a case: a directory with the source of a
// repository, a change of it, and the replies of a model. The whole lifecycle runs, in a place of its own: an init, and an update after the
// change. What comes out is a [Row] of figures that can be compared between versions of prompts, limits and reviews. docs/eval.md describes the
// files of a case.
//
// It judges no prose, asks no model, and needs no network.
package evaluate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/wikiwright/wikiwright/app"
	"github.com/wikiwright/wikiwright/generate"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/llm"
	"github.com/wikiwright/wikiwright/internal/wiki"
	"github.com/wikiwright/wikiwright/internal/wikidiff"
)

// A Row is what one case came to.
type Row struct {
	Case   string `json:"case"`
	Score  *Score `json:"score" jsonschema:"of the wiki at the end"`
	Init   Phase  `json:"init"`
	Update *Phase `json:"update,omitempty" jsonschema:"absent where the case has no change"`
}

// A Phase is what one run came to.
type Phase struct {
	Outcome  string `json:"outcome"`
	Complete int    `json:"complete" jsonschema:"pages written"`
	Failed   int    `json:"failed" jsonschema:"pages that were planned and not written"`
	// Churn counts lines added and removed on pages but for indexes; Stray those of pages that no run had planned.
	Churn int       `json:"churn"`
	Stray int       `json:"stray"`
	Usage app.Usage `json:"usage"`
	Sent  int64     `json:"sent" jsonschema:"bytes of all requests"`
	Error string    `json:"error,omitempty"`
	// Reasons are why pages failed.
	Reasons []string `json:"reasons,omitempty"`
}

// The files of a case.
const (
	sourceDir    = "source"
	changeDir    = "change"
	initScript   = "init.jsonl"
	updateScript = "update.jsonl"
)

// Run plays the case in a directory. A run that fails is a row that says so; errors are those of the case itself, or of the machine.
func Run(ctx context.Context, dir, model string) (row *Row, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the case: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	work, err := os.MkdirTemp("", "wikiwright-eval-")
	if err != nil {
		return nil, fmt.Errorf("make a place for the case: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	t := &trial{root: root, dir: work, model: model}
	row = &Row{Case: filepath.Base(dir)}
	if err := t.begin(ctx); err != nil {
		return nil, fmt.Errorf("case %s: %w", row.Case, err)
	}
	if row.Init, err = t.phase(ctx, generate.ModeInit, initScript); err != nil {
		return nil, fmt.Errorf("case %s: %w", row.Case, err)
	}
	if _, err := root.Stat(changeDir); err == nil {
		if err := t.change(ctx); err != nil {
			return nil, fmt.Errorf("case %s: %w", row.Case, err)
		}
		phase, err := t.phase(ctx, generate.ModeUpdate, updateScript)
		if err != nil {
			return nil, fmt.Errorf("case %s: %w", row.Case, err)
		}
		row.Update = &phase
	}
	row.Score, err = Measure(ctx, work, wiki.DefaultDir)
	return row, err
}

// A trial is a case that is being played.
type trial struct {
	root  *os.Root
	dir   string // the checkout
	repo  *gitrepo.Repo
	model string
}

func (t *trial) begin(ctx context.Context) (err error) {
	if err := t.copyFrom(sourceDir); err != nil {
		return err
	}
	t.repo, err = gitrepo.Create(ctx, t.dir)
	return err
}

func (t *trial) change(ctx context.Context) error {
	if err := t.copyFrom(changeDir); err != nil {
		return err
	}
	return t.repo.CommitAll(ctx, "change")
}

// copyFrom copies the regular files of a directory of the case into the checkout.
func (t *trial) copyFrom(from string) error {
	files, err := fs.Sub(t.root.FS(), from)
	if err != nil {
		return fmt.Errorf("read %s: %w", from, err)
	}
	return fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("read %s: %w", from, err)
		}
		target := filepath.Join(t.dir, filepath.FromSlash(name))
		switch {
		case entry.IsDir():
			return os.MkdirAll(target, 0o755)
		case !entry.Type().IsRegular():
			return nil
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return fmt.Errorf("read %s: %w", from, err)
		}
		return os.WriteFile(target, data, 0o644)
	})
}

// phase runs the lifecycle once and commits what it made.
func (t *trial) phase(ctx context.Context, mode generate.Mode, scriptName string) (Phase, error) {
	script, err := readScript(t.root, scriptName)
	if err != nil {
		return Phase{}, err
	}
	before, err := wikiFiles(t.dir)
	if err != nil {
		return Phase{}, err
	}
	var runner app.Runner
	answers := newReplay(wiki.DefaultDir, script)
	result, runErr := runner.Run(ctx, app.Job{Dir: t.dir, Mode: mode, Author: app.AuthorAgent, Model: t.replaying(answers)})
	if ctx.Err() != nil {
		return Phase{}, context.Cause(ctx)
	}
	p := Phase{Outcome: result.Outcome, Complete: result.Totals.Complete, Failed: result.Totals.Skipped + result.Totals.Pending, Usage: result.Usage, Sent: answers.sent()}
	if runErr != nil {
		p.Error = runErr.Error()
	}
	for _, page := range result.Pages {
		if page.Reason != "" {
			p.Reasons = append(p.Reasons, page.Path+": "+page.Reason)
		}
	}
	after, err := wikiFiles(t.dir)
	if err != nil {
		return Phase{}, err
	}
	if p.Churn, p.Stray, err = churn(before, after, result.Pages); err != nil {
		return Phase{}, err
	}
	return p, t.repo.CommitAll(ctx, string(mode))
}

// provider has models of all makers in the catalogue of prices. Its endpoint is never asked.
const provider = "openrouter"

// replaying is a model whose replies are those of a script. All of them come at once, so that the time of a run is ours.
func (t *trial) replaying(answers *replay) app.Model {
	return app.Model{
		Provider: provider, Name: t.model, Reason: "a script is replayed",
		Config: func() (llm.Config, error) {
			return llm.Config{Provider: provider, Model: t.model, Key: "replay", Stream: llm.StreamOff}, nil
		},
		Open: func(ctx context.Context, c llm.Config, o llm.Options) (*llm.Model, error) {
			o.Transport = answers
			return llm.Open(ctx, c, o)
		},
	}
}

// wikiFiles returns the files of the wiki in a checkout.
func wikiFiles(dir string) (wikidiff.State, error) {
	state := wikidiff.State{Dir: wiki.DefaultDir, Files: map[string][]byte{}}
	top := os.DirFS(dir)
	err := fs.WalkDir(top, wiki.DefaultDir, func(name string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		state.Files[name], err = fs.ReadFile(top, name)
		return err
	})
	if err != nil {
		return state, fmt.Errorf("read the wiki: %w", err)
	}
	return state, nil
}

// churn counts the lines that differ, and those of them on pages that the run had not planned.
func churn(before, after wikidiff.State, planned []app.PageResult) (all, stray int, err error) {
	delta, err := wikidiff.Compare(before, after)
	if err != nil {
		return 0, 0, fmt.Errorf("compare the wikis: %w", err)
	}
	for _, page := range delta.Pages {
		if page.Index() {
			continue // it follows from the others
		}
		lines := page.Added + page.Removed
		all += lines
		if !slices.ContainsFunc(planned, func(p app.PageResult) bool { return p.Path == string(page.Path) && p.Attempts > 0 }) {
			stray += lines
		}
	}
	return all, stray, nil
}
