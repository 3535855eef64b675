package app

import (
	"context"
	"errors"
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
	AuthorAgent      = "agent"
)

// An authorChoice is who writes, and why.
type authorChoice struct {
	name   string
	reason string
	actor  generate.Actor
	model  Model
}

// chooseAuthor resolves --author: the model where one is configured.
func chooseAuthor(requested string, model Model) (authorChoice, error) {
	choice := authorChoice{
		name:  AuthorExtractive,
		actor: generate.Actor{Producer: version.Producer(version.Extractive), Model: AuthorExtractive},
	}
	switch requested {
	case AuthorExtractive:
		choice.reason = "asked for"
		return choice, nil
	case AuthorAgent:
		if !model.configured() {
			return choice, &ConfigError{Name: "--author", Err: errors.New("no model is configured"),
				Next: "set OPENWIKI_PROVIDER and the key of the provider, for example ANTHROPIC_API_KEY, or use --author extractive"}
		}
		choice.reason = "asked for"
	case "", AuthorAuto:
		if !model.configured() {
			choice.reason = "writes from the source alone; no model is configured"
			return choice, nil
		}
		choice.reason = "a model is configured (" + model.Reason + ")"
	default:
		return choice, &ConfigError{Name: "--author", Err: fmt.Errorf("unknown author %q", requested), Next: "use auto, agent or extractive"}
	}
	choice.name, choice.model = AuthorAgent, model
	choice.actor = generate.Actor{Producer: version.Producer(version.Native), Model: model.Name}
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
