package extractive

import (
	"context"
	"fmt"
	"path"

	"github.com/wikiwright/wikiwright/generate/extractive/survey"
	"github.com/wikiwright/wikiwright/internal/evidence"
	"github.com/wikiwright/wikiwright/internal/source"
)

// bareQuickstart is the page of a repository in which nothing else can be told, such as one of a few notes or pictures. Every wiki has a
// quickstart, and a first commit is no reason to fail. It is nil when there is no file that can be cited.
func (a *Author) bareQuickstart(ctx context.Context, src *source.Source) (*page, error) {
	files, err := src.Files(ctx)
	if err != nil {
		return nil, fmt.Errorf("list source files: %w", err)
	}
	p := newPage(newLineCache(src.Read), path.Join(a.root(), quickstartPage))
	p.kind, p.title = "Guide", "Quickstart"
	p.description = "What the repository holds so far."
	p.tags = []string{"quickstart", "overview"}
	p.purpose = "Introduce the repository."
	p.body = append(p.body, "# Quickstart\n\n"...)
	for _, f := range files {
		if f.Kind == source.Regular && f.Path != source.IgnoreFile && evidence.CanCite(f.Path, src.WikiDir()) &&
			p.say(compose("The repository holds {}.", label(f.Path)), survey.Ref{Path: f.Path}) {
			p.paragraph()
			return p, nil
		}
	}
	return nil, nil
}
