package app

import (
	"context"
	"errors"
	"fmt"

	"github.com/wikiwright/wikiwright/internal/agentsfile"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/publish"
)

// The values of the setting agents-file.
const (
	agentsUpdate = "update" // write the block, and keep it up to date
	agentsKeep   = "keep"   // only keep a block up to date that is there
	agentsNone   = "none"
)

// extraPaths are the files outside the wiki that the settings ask for.
func extraPaths(s *Settings) []string {
	if s.Text("agents-file") == agentsNone {
		return nil
	}
	return s.Lines("extra-paths")
}

// ManagedFiles returns AGENTS.md and CLAUDE.md, if the settings name them and our block in them is not as it should be at the commit. What
// cannot be brought up to date is a note and never a reason not to publish the wiki.
func ManagedFiles(ctx context.Context, place *Place, commit string, s *Settings) (files []publish.File, notes []string, err error) {
	wanted := extraPaths(s)
	if len(wanted) == 0 {
		return nil, nil, nil
	}
	there := map[string]agentsfile.File{}
	entries, err := place.Repo.TreeOf(ctx, commit, agentsfile.Agents, agentsfile.Claude)
	if err != nil {
		return nil, nil, fmt.Errorf("read %s: %w", agentsfile.Agents, err)
	}
	for _, e := range entries {
		file := agentsfile.File{Exists: true, Link: e.Mode != gitrepo.ModeRegular && e.Mode != gitrepo.ModeExecutable}
		if !file.Link {
			if file.Data, err = place.Repo.Blob(ctx, commit, e.Path); err != nil {
				return nil, nil, fmt.Errorf("read %s: %w", e.Path, err)
			}
		}
		there[e.Path] = file
	}
	changed, err := agentsfile.Update(there[agentsfile.Agents], there[agentsfile.Claude], agentsfile.Options{
		Wanted: wanted, WikiDir: string(place.WikiDir), Add: s.Text("agents-file") == agentsUpdate,
	})
	var marks *agentsfile.MarksError
	if errors.As(err, &marks) {
		return nil, []string{marks.Error() + ", so it is left alone: " + marks.Hint()}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	return sortedFiles(changed), nil, nil
}
