package app

import "slices"

// AllSettings returns the table of settings in the order in which they are shown. action.yml, docs/config.schema.json and
// docs/action.md say the same; tests hold them together.
func AllSettings() []Setting {
	return slices.Concat(jobSettings(), runSettings(), modelSettings(), pullRequestSettings(), agentsSettings(), ruleSettings(), reportSettings())
}

func findSetting(name string) (Setting, bool) {
	for _, s := range AllSettings() {
		if s.Name == name {
			return s, true
		}
	}
	return Setting{}, false
}

// jobSettings say what a workflow asks for.
func jobSettings() []Setting {
	return []Setting{
		{Name: "mode", Kind: KindChoice, Default: "update", Choices: []string{"update", "init", "plan", "check", "publish"}, InputOnly: true,
			Description: "What to do: update the wiki, write it anew (init), say what an update would do (plan), say what a change makes stale (check), or publish the bundle of another job (publish)."},
		{Name: "token", Kind: KindText, Secret: true, InputOnly: true,
			Description: "Token for branch and pull request."},
		{Name: "path", Kind: KindText, InputOnly: true,
			Description: "Directory of the checkout, relative to the workspace."},
		{Name: "bundle-path", Kind: KindText, InputOnly: true,
			Description: "Directory of a bundle: update and init write it there instead of publishing, publish reads it."},
		{Name: "bundle-digest", Kind: KindText, InputOnly: true,
			Description: "Digest the bundle must have, from the output of the job that wrote it."},
		{Name: "sarif-path", Kind: KindText, InputOnly: true,
			Description: "In mode check: file to write the findings to as SARIF 2.1.0, for code scanning."},
		{Name: "github-api-url", Kind: KindText, InputOnly: true,
			Description: "Address of the REST API; needed only where the runner does not set GITHUB_API_URL."},
		{Name: "run-on-forks", Kind: KindBool, Default: "false", InputOnly: true,
			Description: "Run on schedule in a fork too."},
		{Name: "dry-run", Kind: KindBool, Default: "false", InputOnly: true,
			Description: "Generate and decide, but write nothing to GitHub."},
	}
}

// runSettings concern the generation.
func runSettings() []Setting {
	return []Setting{
		{Name: "wiki-dir", Kind: KindText,
			Description: "Directory of the wiki; empty is wikiDirectory in .openwiki.json, else openwiki."},
		{Name: "author", Kind: KindChoice, Default: AuthorAuto, Choices: []string{AuthorAuto, AuthorAgent, AuthorExtractive},
			Description: "Who writes: a language model (agent), nobody but the source itself (extractive), or the model where one is configured (auto)."},
		{Name: "language", Kind: KindText,
			Description: "Language tag of the wiki, such as en or pt-BR; empty keeps its language."},
		{Name: "concurrency", Kind: KindNumber, Default: "1", Min: 1, Max: 8,
			Description: "Pages written at a time."},
		{Name: "force", Kind: KindBool, Default: "false", InputOnly: true,
			Description: "Plan an update even when nothing changed."},
		{Name: "max-duration", Kind: KindDuration, Default: "5h", Off: true,
			Description: "Time after which the generation ends and what is finished is published; keep it below the job's timeout-minutes."},
		{Name: "checkpoints", Kind: KindDuration, Default: "1m", Off: true,
			Description: "Shortest time between two pushes of finished pages to the branch during a run, or off."},
	}
}

// modelSettings choose a language model and bound it. The rest of what a model needs comes from the environment (docs/models.md). What would
// send the source or a key elsewhere is no matter of the repository's file.
func modelSettings() []Setting {
	return []Setting{
		{Name: "provider", Kind: KindText,
			Description: "Provider of the model, such as anthropic, openai, openrouter or openai-compatible; empty is OPENWIKI_PROVIDER, else the one whose key is set."},
		{Name: "model", Kind: KindText,
			Description: "Id of the model as the provider writes it; empty is OPENWIKI_MODEL_ID, else the provider's usual one."},
		{Name: "model-key", Kind: KindText, Secret: true, InputOnly: true,
			Description: "Key of the provider; empty is the provider's own variable, such as ANTHROPIC_API_KEY."},
		{Name: "model-base-url", Kind: KindText, InputOnly: true,
			Description: "Address of the provider's API in place of its usual one."},
		{Name: "message", Kind: KindText, InputOnly: true,
			Description: "What to do in this run, for the planner; named pages or files narrow it. It starts an update even when nothing changed."},
		{Name: "max-pages", Kind: KindNumber, Min: 1, Max: 100000,
			Description: "Pages written in one run at most; the next run goes on. Empty is all."},
		{Name: "max-cost-usd", Kind: KindAmount, Default: "25",
			Description: "Estimated cost of the model in one run, in US dollars, at which the run ends and finished pages are published; 0 is no limit."},
		{Name: "max-requests", Kind: KindNumber, Default: "3000", Min: 1, Max: 1000000,
			Description: "Requests to the model in one run at most."},
	}
}

// pullRequestSettings say how the pull request looks.
func pullRequestSettings() []Setting {
	return []Setting{
		{Name: "base", Kind: KindText,
			Description: "Branch the pull request goes to; empty is the branch that is checked out."},
		{Name: "branch", Kind: KindText,
			Description: "Branch of the pull request; empty is openwiki/update, with the base in its name when that is not the default branch."},
		{Name: "commit-message", Kind: KindText, Default: "docs: update OpenWiki",
			Description: "Subject of the commit."},
		{Name: "title", Kind: KindText, Default: "docs: update OpenWiki",
			Description: "Title of the pull request."},
		{Name: "body-header", Kind: KindText,
			Description: "A line above the report in the pull request."},
		{Name: "labels", Kind: KindLines,
			Description: "Labels of the pull request, besides those that tell its state."},
		{Name: "assignees", Kind: KindLines, Description: "Logins of those the pull request is assigned to."},
		{Name: "reviewers", Kind: KindLines, Description: "Logins of those asked for a review when it is opened."},
		{Name: "team-reviewers", Kind: KindLines, Description: "Slugs of teams asked for a review when it is opened."},
		{Name: "milestone", Kind: KindNumber, Min: 1, Max: 1 << 30, Description: "Number of a milestone."},
		{Name: "draft", Kind: KindChoice, Default: "auto", Choices: []string{"auto", "true", "always-true", "false"},
			Description: "Draft: auto while the wiki is partial, true when it is opened, always-true after every update too, false never."},
		{Name: "maintainer-can-modify", Kind: KindBool, Default: "true",
			Description: "Let maintainers push to the branch of a pull request from a fork."},
	}
}

// agentsSettings concern what is published besides the wiki.
func agentsSettings() []Setting {
	return []Setting{
		{Name: "extra-paths", Kind: KindLines,
			Description: "Files in which agents are told of the wiki, AGENTS.md and CLAUDE.md: only a block of fixed text between two marks is written; empty leaves them alone."},
		{Name: "agents-file", Kind: KindChoice, Default: agentsUpdate, Choices: []string{agentsUpdate, agentsKeep, agentsNone},
			Description: "The block in extra-paths: update writes it where it is missing, keep only brings one up to date that is there, none does nothing."},
	}
}

// ruleSettings bind the publisher.
func ruleSettings() []Setting {
	return []Setting{
		{Name: "sign-commits", Kind: KindChoice, Default: "auto", Choices: []string{"auto", "true", "false"},
			Description: "Commit through the API, so that GitHub signs (true), or by a push (false); auto is the API where it can do it."},
		{Name: "delete-branch", Kind: KindBool, Default: "true",
			Description: "Delete the branch when nothing is left to propose."},
		{Name: "on-foreign-commits", Kind: KindChoice, Default: "stop", Choices: []string{"stop", "append", "overwrite"},
			Description: "When somebody else committed to the branch: stop and say so, append and keep their pages, or overwrite."},
		{Name: "on-closed", Kind: KindChoice, Default: "remember", Choices: []string{"remember", "recreate"},
			Description: "After a person closed the pull request: remember it and stay quiet about the same pages, or open a new one."},
		{Name: "min-new-pages", Kind: KindNumber, Default: "1", Min: 1, Max: 10000,
			Description: "Pages that must be new since a closed pull request before another one is opened."},
		{Name: "push-to-fork", Kind: KindText,
			Description: "Fork (owner/name) that holds the branch; empty is the repository itself."},
		{Name: "auto-merge", Kind: KindChoice, Choices: []string{"merge", "squash", "rebase"},
			Description: "Arm auto-merge of a complete wiki with this method; empty leaves merging to people."},
		{Name: "allow-mass-delete", Kind: KindBool, Default: "false",
			Description: "Publish even when a large part of the pages would vanish."},
	}
}

// reportSettings say how the job ends.
func reportSettings() []Setting {
	return []Setting{
		{Name: "fail-on", Kind: KindChoice, Default: "error", Choices: []string{"error", "partial", "never"},
			Description: "What fails the job, after everything was published: an error, a partial wiki too, or nothing but wrong use."},
		{Name: "report-path", Kind: KindText, InputOnly: true,
			Description: "File for the JSON report; empty is a file in the runner's temporary directory."},
	}
}
