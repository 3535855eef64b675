package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/wikiwright/wikiwright/generate"
	"github.com/wikiwright/wikiwright/internal/claims"
	"github.com/wikiwright/wikiwright/internal/llm"
	"github.com/wikiwright/wikiwright/internal/source"
	"github.com/wikiwright/wikiwright/internal/wiki"
	"github.com/wikiwright/wikiwright/internal/workspace/filetools"
)

// Plan has the model research the repository and submit a plan.
func (a *Author) Plan(ctx context.Context, p *generate.Planning) error {
	tree, err := a.glance(ctx, p.Source)
	if err != nil {
		return err
	}
	system, prompt, err := planPrompts(p, tree)
	if err != nil {
		return err
	}
	tools := append(a.fileTools(p.Workspace, filetools.Options{ReadOnly: true}), submitPlanTool(p))
	report, err := a.run(ctx, llm.Task{Name: PlanTask, System: system, Prompt: prompt, Tools: tools})
	switch {
	case err != nil:
		return stops(err)
	case report.End != llm.EndDone:
		return a.ended("a plan", report)
	}
	return nil
}

type planTask struct {
	Update          bool
	WikiDir         wiki.Dir
	Language        string
	LanguageChanged bool
	Context, Goal   string
	Tree            string
	Pages           string
	Windows, Issues string
}

func planPrompts(p *generate.Planning, tree string) (system, prompt string, err error) {
	task := planTask{
		Update: p.Mode == generate.ModeUpdate && len(p.Existing) > 0, WikiDir: p.WikiDir, Language: p.Language, LanguageChanged: p.LanguageChanged,
		Context: data("request", p.Context), Goal: data("brief", p.WikiGoal), Tree: data("tree", tree),
		Pages: data("pages", pagesText(p.Existing)), Windows: data("windows", windowsText(p.Windows)), Issues: data("claims", issuesText(p.Issues)),
	}
	if system, err = fill("planner.md", task); err != nil {
		return "", "", err
	}
	prompt, err = fill("plan_task.md", task)
	return system, prompt, err
}

func pagesText(existing []generate.ExistingPage) string {
	var b strings.Builder
	for _, e := range existing {
		doc := wiki.Parse(e.Text)
		fmt.Fprintf(&b, "%s · %s · %s", e.Path, oneLine(doc.String("title")), oneLine(doc.String("description")))
		if e.HandEdited {
			b.WriteString(" · edited by a person")
		}
		b.WriteByte('\n')
	}
	return cmp.Or(b.String(), "(none)")
}

// maxChanged bounds the changed paths that are told of one window.
const maxChanged = 400

func windowsText(windows []generate.Window) string {
	var b strings.Builder
	for _, w := range windows {
		baseline := cmp.Or(w.BaseGitHead, "unknown")
		if w.FullReview {
			baseline += " (full review required)"
		}
		pages := make([]string, len(w.Pages))
		for i, page := range w.Pages {
			pages[i] = string(page)
		}
		changed := w.ChangedPaths
		more := ""
		if len(changed) > maxChanged {
			more = fmt.Sprintf(" and %d more", len(changed)-maxChanged)
			changed = changed[:maxChanged]
		}
		fmt.Fprintf(&b, "baseline: %s\npages: %s\nchanged: %s%s\n\n", baseline, cmp.Or(strings.Join(pages, ", "), "(none)"), cmp.Or(strings.Join(changed, ", "), "(none)"), more)
	}
	return cmp.Or(strings.TrimSpace(b.String()), "(none)")
}

func issuesText(issues []claims.Issue) string {
	var b strings.Builder
	for _, i := range issues {
		fmt.Fprintf(&b, "%s · %s · %s · %s\n", i.Page, i.ClaimID, i.Kind, strings.Join(i.Resources, ", "))
	}
	return cmp.Or(strings.TrimSpace(b.String()), "(none)")
}

// submitPlanSchema is the wire form of generate.Proposal, as OpenWiki's planner has it.
const submitPlanSchema = `{"type":"object","additionalProperties":false,"required":["pages"],"properties":{
"pages":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["path","title","purpose"],"properties":{
"path":{"type":"string","minLength":1},"title":{"type":"string","minLength":1},"purpose":{"type":"string","minLength":1},
"seedPaths":{"type":"array","items":{"type":"string","minLength":1}},
"relatedPages":{"type":"array","items":{"type":"string","minLength":1}},
"instructions":{"type":"array","items":{"type":"string","minLength":1}}}}},
"deletePages":{"type":"array","items":{"type":"string","minLength":1}}}}`

func submitPlanTool(p *generate.Planning) llm.Tool {
	return llm.Tool{Name: "submit_plan", Description: doc("submit_plan.md"), Schema: json.RawMessage(submitPlanSchema),
		Call: func(ctx context.Context, args json.RawMessage) llm.ToolResult {
			var proposal generate.Proposal
			if err := json.Unmarshal(args, &proposal); err != nil {
				return rejected(err, "correct the arguments and call submit_plan again")
			}
			if err := p.Submit(ctx, proposal); err != nil {
				return answer(err, "correct the plan and call submit_plan again")
			}
			return llm.ToolResult{Text: `{"status":"accepted"}`, Done: true}
		}}
}

// glanceEntries bounds what is shown of the tree.
const glanceEntries = 120

// glance lists the directories of the first two levels with how many files they hold, and the files at the top: what every planner asks for
// first.
func (a *Author) glance(ctx context.Context, src *source.Source) (string, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.tree != "" {
		return a.tree, nil
	}
	files, err := src.Files(ctx)
	if err != nil {
		return "", fmt.Errorf("list the source: %w", err)
	}
	counts := map[string]int{}
	var top []string
	for _, f := range files {
		parts := strings.Split(f.Path, "/")
		if len(parts) == 1 {
			top = append(top, "/"+f.Path)
			continue
		}
		counts["/"+parts[0]+"/"]++
		if len(parts) > 2 {
			counts["/"+parts[0]+"/"+parts[1]+"/"]++
		}
	}
	a.tree = glanceText(top, counts)
	return a.tree, nil
}

func glanceText(top []string, counts map[string]int) string {
	dirs := make([]string, 0, len(counts))
	for dir := range counts {
		dirs = append(dirs, dir)
	}
	slices.Sort(dirs)
	if len(dirs) > glanceEntries { // the largest say most
		slices.SortStableFunc(dirs, func(x, y string) int { return counts[y] - counts[x] })
		dirs = dirs[:glanceEntries]
		slices.Sort(dirs)
	}
	var b strings.Builder
	for _, dir := range dirs {
		fmt.Fprintf(&b, "%s %d files\n", oneLine(dir), counts[dir])
	}
	slices.Sort(top)
	for i, name := range top {
		if i == glanceEntries {
			fmt.Fprintf(&b, "and %d more files\n", len(top)-i)
			break
		}
		b.WriteString(oneLine(name) + "\n")
	}
	return b.String()
}
