package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"

	"github.com/wikiwright/wikiwright/generate"
	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/llm"
	"github.com/wikiwright/wikiwright/internal/wiki"
	"github.com/wikiwright/wikiwright/internal/workspace/filetools"
)

// WritePage has the model research, write and submit one page.
func (a *Author) WritePage(ctx context.Context, p *generate.Page) error {
	system, prompt, err := pagePrompts(p)
	if err != nil {
		return err
	}
	tools := a.fileTools(p.Workspace, filetools.Options{AfterWrite: frontMatterProblems})
	tools = append(tools, inspectClaimsTool(p), submitPageTool(p, newReview(p)))
	report, err := a.run(ctx, llm.Task{Name: string(p.Job.Path), System: system, Prompt: prompt, Tools: tools})
	switch {
	case err != nil:
		return stops(err)
	case report.End != llm.EndDone:
		return a.ended("the page", report)
	}
	return nil
}

// pageRules is what the standing instructions of a worker depend on: the run, never the page.
type pageRules struct {
	Update          bool
	Language        string
	LanguageChanged bool
}

type pageTask struct {
	Path           wiki.PagePath
	Existing       bool
	HandEdited     bool
	Title, Purpose string
	Seeds, Related string
	Instructions   []string
	ClaimCount     int
	Required       string
	PageMap        string
}

func pagePrompts(p *generate.Page) (system, prompt string, err error) {
	rules := pageRules{Update: p.Mode == generate.ModeUpdate, Language: p.Language, LanguageChanged: p.LanguageChanged}
	if system, err = fill("page.md", rules); err != nil {
		return "", "", err
	}
	task := pageTask{
		Path: p.Job.Path, Existing: p.Existing, HandEdited: p.HandEdited, Title: oneLine(p.Job.Title), Purpose: oneLine(p.Job.Purpose),
		Seeds: list(p.Job.SeedPaths), Related: list(p.Job.RelatedPages), ClaimCount: len(p.Claims),
	}
	for _, text := range p.Job.Instructions {
		task.Instructions = append(task.Instructions, oneLine(text))
	}
	if len(p.Required) > 0 {
		text, err := json.MarshalIndent(p.Required, "", " ")
		if err != nil {
			return "", "", err
		}
		task.Required = data("claims", string(text))
	}
	if len(p.PageMap) > 0 {
		task.PageMap = data("pages", pageMapText(p.PageMap))
	}
	prompt, err = fill("page_task.md", task)
	return system, prompt, err
}

func pageMapText(pages []generate.PageRef) string {
	var b strings.Builder
	for _, ref := range pages {
		b.WriteString(string(ref.Path) + " · " + oneLine(ref.Title) + " · " + oneLine(ref.Purpose) + "\n")
	}
	return b.String()
}

func list(items []string) string {
	quoted := make([]string, len(items))
	for i, item := range items {
		quoted[i] = "`" + oneLine(item) + "`"
	}
	return cmp.Or(strings.Join(quoted, ", "), "(none)")
}

// frontMatterProblems tells a worker right after a write what the submission would be rejected for.
func frontMatterProblems(_ wiki.PagePath, text []byte) []string {
	var problems []string
	for _, issue := range wiki.Parse(text).Issues() {
		problems = append(problems, "front matter: "+issue.Message)
	}
	return problems
}

func inspectClaimsTool(p *generate.Page) llm.Tool {
	return llm.Tool{Name: "inspect_claims", Description: doc("inspect_claims.md"), Schema: json.RawMessage(`{"type":"object","additionalProperties":false,"properties":{}}`),
		Call: func(ctx context.Context, _ json.RawMessage) llm.ToolResult {
			all, err := p.InspectClaims(ctx)
			if err != nil {
				return answer(err, "submit the page")
			}
			text, err := json.MarshalIndent(append([]claims.Inspected{}, all...), "", " ")
			if err != nil {
				return llm.ToolResult{Fatal: err}
			}
			return llm.ToolResult{Text: string(text)}
		}}
}

// submitPageSchema is the wire form of claims.Reconciliation, as OpenWiki's page worker has it.
const submitPageSchema = `{"type":"object","additionalProperties":false,"properties":{
"confirmedClaimIds":{"type":"array","items":{"type":"string","minLength":1}},
"claims":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["statement","evidence"],"properties":{
"id":{"type":"string","minLength":1},"statement":{"type":"string","minLength":1},
"evidence":{"type":"array","minItems":1,"items":{"type":"object","additionalProperties":false,"required":["resource"],
"properties":{"resource":{"type":"string","minLength":1}}}}}}},
"retractedClaimIds":{"type":"array","items":{"type":"string","minLength":1}}}}`

const againPage = "correct the page or the call and call submit_page again"

func submitPageTool(p *generate.Page, r *review) llm.Tool {
	return llm.Tool{Name: "submit_page", Description: doc("submit_page.md"), Schema: json.RawMessage(submitPageSchema),
		Call: func(ctx context.Context, args json.RawMessage) llm.ToolResult {
			var decisions claims.Reconciliation
			if err := json.Unmarshal(args, &decisions); err != nil {
				return rejected(err, againPage)
			}
			problems, err := r.check(decisions)
			if err != nil {
				return rejected(err, againPage)
			}
			if len(problems) > 0 {
				return rejectedFor(problems, againPage)
			}
			if err := p.Submit(ctx, decisions); err != nil {
				return answer(err, againPage)
			}
			return llm.ToolResult{Text: `{"status":"accepted"}`, Done: true}
		}}
}
