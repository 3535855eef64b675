package action

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/wikiwright/wikiwright/app"
)

// writeBundle leaves the bundle, screened, for a job that may write to the repository.
func (j *job) writeBundle(ctx context.Context, dir string) error {
	err := j.screen(context.WithoutCancel(ctx))
	if err != nil {
		return err
	}
	if dir, err = j.makeDirectory("bundle-path", dir); err != nil {
		return err
	}
	digest, err := app.WriteBundle(dir, j.bundle)
	if err != nil {
		return err
	}
	j.report.Bundle = &BundleReport{Path: dir, Digest: digest}
	j.console.line("the bundle is in " + dir)
	return nil
}

// screen leaves out of the bundle what the gates do not let through, unless the publisher did.
func (j *job) screen(ctx context.Context) error {
	if j.screened {
		return nil
	}
	screened, blocked, err := j.publisher.Screen(ctx, j.bundle)
	j.report.Blocked = blocked
	if err != nil {
		return err
	}
	j.bundle, j.screened = screened, true
	return nil
}

func (j *job) inWorkspace(name string) string {
	if workspace := j.cfg.Getenv("GITHUB_WORKSPACE"); workspace != "" && !filepath.IsAbs(name) {
		return filepath.Join(workspace, name)
	}
	return name
}

// publishBundle publishes what another job made.
func (j *job) publishBundle(ctx context.Context) error {
	dir := j.settings.Text("bundle-path")
	if dir == "" {
		return &app.ConfigError{Name: "bundle-path", Err: errors.New("mode publish needs it"), Next: "name the directory of the bundle"}
	}
	bundle, notes, err := app.ReadBundle(ctx, j.dir, j.inWorkspace(dir), j.settings.Text("bundle-digest"), j.settings)
	if err != nil {
		return err
	}
	j.note(notes)
	j.bundle = bundle
	if j.bundle.BaseRef != j.base {
		return &app.ConfigError{Name: "bundle", Err: fmt.Errorf("it is for %s, this job for %s", j.bundle.BaseRef, j.base), Next: "publish it in the workflow run that made it"}
	}
	return j.deliver(ctx)
}

// keep saves the pages that could not be published where an upload step, or a person on the machine, finds them.
func (j *job) keep() {
	temp := j.cfg.Getenv("RUNNER_TEMP")
	if temp == "" || j.bundle == nil || j.bundle.Delta.Empty() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := j.screen(ctx); err != nil {
		j.console.warning("the pages could not be kept: " + err.Error())
		return
	}
	dir, err := os.MkdirTemp(temp, "wikiwright-pages-")
	if err != nil {
		j.console.warning("the pages could not be kept: " + err.Error())
		return
	}
	digest, err := app.WriteBundle(dir, j.bundle)
	if err != nil {
		j.console.warning("the pages could not be kept: " + err.Error())
		return
	}
	j.report.Bundle = &BundleReport{Path: dir, Digest: digest}
	j.console.warning("the finished pages are kept in " + dir + "; wikiwright publish --bundle publishes them")
}
