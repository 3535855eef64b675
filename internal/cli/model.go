package cli

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/wikiwright/wikiwright/app"
	"github.com/wikiwright/wikiwright/internal/llm"
)

// keyVariable holds the key of whatever provider is chosen; the Action hands its input on in it.
const keyVariable = "OPENWIKI_MODEL_KEY"

// modelFlags choose a model and bound what it may use.
type modelFlags struct {
	provider, model, baseURL string
	limits                   app.Limits
}

func addModelFlags(cmd *cobra.Command, m *modelFlags) {
	flags, d := cmd.Flags(), app.DefaultLimits()
	flags.StringVar(&m.provider, "provider", "", "`provider` of the model, such as anthropic, openai, openrouter, openai-compatible (default: $OPENWIKI_PROVIDER, else by the key that is set)")
	flags.StringVar(&m.model, "model", "", "`id` of the model, as the provider writes it (default: $OPENWIKI_MODEL_ID)")
	flags.StringVar(&m.baseURL, "base-url", "", "`address` of the provider's API, in place of its usual one")
	flags.IntVar(&m.limits.Steps, "max-steps", d.Steps, "`replies` of the model for one page")
	flags.IntVar(&m.limits.Requests, "max-requests", d.Requests, "`requests` to the model in this run; -1: no limit")
	flags.Int64Var(&m.limits.InputTokens, "max-input-tokens", d.InputTokens, "`tokens` read by the model in this run; -1: no limit")
	flags.Int64Var(&m.limits.OutputTokens, "max-output-tokens", d.OutputTokens, "`tokens` written by the model in this run; -1: no limit")
	flags.Float64Var(&m.limits.CostUSD, "max-cost-usd", d.CostUSD, "estimated cost of this run in `USD`; -1: no limit")
	flags.DurationVar(&m.limits.Duration, "max-duration", d.Duration, "`time` after which the model is not asked again; -1s: no limit")
}

// setModel tells the job which model is configured, if any. No key is read before there is work.
func (e *environment) setModel(job *app.Job, m modelFlags) {
	job.Limits = m.limits
	if m.limits.Duration == 0 {
		job.Limits.Duration = -time.Second
	}
	job.Model = ModelFrom(e.getenv, llm.Overrides{Provider: m.provider, Model: m.model, BaseURL: m.baseURL, Concurrency: job.Concurrency})
}

// ModelFrom describes the model that the environment and the overrides choose; the zero Model when none is configured.
func ModelFrom(getenv func(string) string, o llm.Overrides) app.Model {
	if o.Key == "" {
		o.Key, o.KeyName = llm.Secret(getenv(keyVariable)), keyVariable
	}
	provider, by, ok := llm.Configured(getenv, o)
	if !ok {
		return app.Model{}
	}
	return app.Model{
		Provider: provider, Name: llm.ModelOf(getenv, provider, o.Model), Reason: by,
		Config: func() (llm.Config, error) { return llm.Resolve(getenv, o) },
	}
}
