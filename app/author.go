package app

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"

	"github.com/wikiwright/wikiwright/generate"
	"github.com/wikiwright/wikiwright/generate/extractive"
	"github.com/wikiwright/wikiwright/internal/gitrepo"
	"github.com/wikiwright/wikiwright/internal/version"
)

// The names of the authors, as --author takes them.
const (
	AuthorAuto       = "auto"
	AuthorExtractive = "extractive"
)

// An authorChoice is who writes, and why.
type authorChoice struct {
	name   string
	reason string
	actor  generate.Actor
}

// chooseAuthor resolves --author.
func chooseAuthor(requested string) (authorChoice, error) {
	choice := authorChoice{
		name:  AuthorExtractive,
		actor: generate.Actor{Producer: version.Producer(version.Extractive), Model: AuthorExtractive},
	}
	switch requested {
	case AuthorExtractive:
		choice.reason = "asked for"
	case "", AuthorAuto:
		choice.reason = "writes from the source alone; this version has no model author"
	default:
		return choice, &ConfigError{Name: "--author", Err: fmt.Errorf("unknown author %q", requested), Next: "use auto or extractive"}
	}
	return choice, nil
}

// historyLimit is how many commits are asked for what changes often: a year of all but the busiest repositories, cheap in any.
const historyLimit = 1000

func (c authorChoice) newAuthor(o *checkout, log *slog.Logger) func(context.Context) (generate.Author, error) {
	return func(context.Context) (generate.Author, error) {
		return extractive.New(extractive.Options{
			WikiDir: o.wikiDir,
			History: func(ctx context.Context) ([]gitrepo.CommitFiles, error) {
				return o.repo.History(ctx, historyLimit, string(o.wikiDir))
			},
			Concurrency: runtime.GOMAXPROCS(0),
			Log:         log,
		}), nil
	}
}
