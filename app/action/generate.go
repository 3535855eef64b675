package action

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/wikiwright/wikiwright/app"
	"github.com/wikiwright/wikiwright/generate"
)

func (j *job) generateMode() generate.Mode {
	if j.settings.Text("mode") == "init" {
		return generate.ModeInit
	}
	return generate.ModeUpdate
}

// generate runs the generation, with a checkpoint after a page now and then.
func (j *job) generate(ctx context.Context) (*app.Result, error) {
	defer j.console.group("wikiwright " + string(j.generateMode()))()
	limited := ctx
	if d, ok := j.settings.Duration("max-duration"); ok {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, d)
		defer cancel()
	}
	j.startCheckpoints()
	g := &generator{
		program: j.cfg.Program, args: j.generateArgs(), environ: j.childEnviron(), dir: j.dir,
		onLine:  j.console.line,
		onEvent: j.progress,
		onPage: func(app.PageResult) {
			if j.checkpoints != nil {
				j.checkpoints.page(limited)
			}
		},
	}
	result, err := g.run(limited)
	if j.checkpoints != nil {
		j.report.Checkpoints = j.checkpoints.stop()
	}
	return result, err
}

func (j *job) generateArgs() []string {
	args := []string{string(j.generateMode()), "--events", "--repo", j.dir, "--author", j.settings.Text("author"), "--concurrency", j.settings.Text("concurrency")}
	if dir := j.settings.Text("wiki-dir"); dir != "" {
		args = append(args, "--wiki-dir", dir)
	}
	if tag := j.settings.Text("language"); tag != "" {
		args = append(args, "--language", tag)
	}
	args = append(args, j.modelArgs()...)
	if j.settings.Bool("force") && j.generateMode() == generate.ModeUpdate {
		args = append(args, "--force")
	}
	return args
}

// modelArgs are the settings of the model but for the key, which goes by the environment.
func (j *job) modelArgs() []string {
	var args []string
	for setting, flag := range map[string]string{"provider": "--provider", "model": "--model", "model-base-url": "--base-url", "message": "--message", "max-pages": "--max-pages", "max-requests": "--max-requests"} {
		if value := j.settings.Text(setting); value != "" {
			args = append(args, flag+"="+value)
		}
	}
	slices.Sort(args)
	cost := j.settings.Text("max-cost-usd")
	if j.settings.Amount("max-cost-usd") == 0 {
		cost = "-1"
	}
	return append(args, "--max-cost-usd="+cost)
}

// childEnviron is the environment of the generation: no token of GitHub, but the key of the model.
func (j *job) childEnviron() []string {
	environ := childEnviron(j.cfg.Environ, []string{j.token})
	if key := j.settings.Text("model-key"); key != "" {
		environ = append(environ, "OPENWIKI_MODEL_KEY="+key)
	}
	return environ
}

// progress shows an event in the log.
func (j *job) progress(e app.StreamEvent) {
	switch e.Stage {
	case generate.StagePlanning:
		j.console.line("planning: reading the source")
	case generate.StageGenerating:
		j.console.line(fmt.Sprintf("page %d of %d: %s", e.PageIndex, e.PageCount, e.Page))
	case generate.StageFinalizing:
		j.console.line("finishing: indexes, links, provenance")
	case generate.StageNoop:
		j.console.line("nothing to do: the wiki is true to its source")
	case generate.StageText:
		j.console.line(strings.ReplaceAll(e.Text, "\n", " "))
	}
}

// startCheckpoints prepares the pushes of finished pages, unless nothing is to be written.
func (j *job) startCheckpoints() {
	every, on := j.settings.Duration("checkpoints")
	mode := j.settings.Text("mode")
	if !on || mode == "plan" || j.settings.Bool("dry-run") || j.settings.Text("bundle-path") != "" {
		return
	}
	j.checkpoints = &checkpointer{every: every, push: j.checkpoint, fail: func(err error) {
		j.console.warning("checkpoint: " + err.Error())
	}}
}

// checkpoint pushes what is finished.
func (j *job) checkpoint(ctx context.Context) error {
	options := j.stageOptions(nil)
	options.Running = true
	bundle, err := app.Stage(ctx, options)
	if err != nil {
		return err
	}
	outcome, err := j.publisher.Checkpoint(ctx, bundle)
	if err == nil && outcome.Operation == "branch-only" {
		j.console.line("checkpoint: finished pages are on branch " + outcome.Branch)
	}
	return err
}

func (j *job) stageOptions(result *app.Result) app.StageOptions {
	return app.StageOptions{Dir: j.dir, WikiDir: j.settings.Text("wiki-dir"), BaseRef: j.base, BaseSHA: j.place.Head.Commit, Result: result, LogURL: j.logURL()}
}

// stage makes the bundle. It does not end with a signal: it takes a moment, and what is finished shall not be lost.
func (j *job) stage(result *app.Result) (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	options := j.stageOptions(result)
	extra, notes, err := app.ManagedFiles(ctx, j.place, options.BaseSHA, j.settings)
	if err != nil {
		return err
	}
	j.note(notes)
	options.Extra = extra
	j.bundle, err = app.Stage(ctx, options)
	return err
}

// logURL is where the run can be read.
func (j *job) logURL() string {
	server, repository, run := j.cfg.Getenv("GITHUB_SERVER_URL"), j.cfg.Getenv("GITHUB_REPOSITORY"), j.cfg.Getenv("GITHUB_RUN_ID")
	if server == "" || run == "" {
		return ""
	}
	return server + "/" + repository + "/actions/runs/" + run
}
