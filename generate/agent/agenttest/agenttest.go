// Package agenttest has scripted models that do the work of the model author: they read its assignments and answer with calls of its tools.
//
// [View] reads a request as a model would decide by it, [Call] is a reply with one call, and a [Writer] is a model that plans, reads, writes
// and submits the pages it is given, for tests of everything around the author.
package agenttest

import (
	"encoding/json"
	"regexp"
	"slices"

	"github.com/wikiwright/wikiwright/internal/llm"
	"github.com/wikiwright/wikiwright/internal/llm/llmtest"
)

// A Request is what a scripted model decides by.
type Request struct {
	First string // the assignment
	Last  string // the last results of tools, or what the user said last
	Turns int    // replies before this one
	Tools []string
}

// View reads a request of any format.
func View(r *llmtest.Request) Request {
	v := Request{Tools: r.Tools}
	for _, m := range r.Messages {
		switch m.Role {
		case "assistant":
			v.Turns++
			continue
		case "user":
			v.Last = m.Text
		case "tool":
			v.Last = ""
			for _, result := range m.Results {
				v.Last += result.Text
			}
		}
		if v.First == "" {
			v.First = v.Last
		}
	}
	return v
}

// Has reports whether a tool is offered.
func (r Request) Has(tool string) bool { return slices.Contains(r.Tools, tool) }

var pageInAssignment = regexp.MustCompile("page: `([^`]+)`")

// Page is the page that the assignment is about, as /openwiki/x.md, or "" for a planner.
func (r Request) Page() string {
	if match := pageInAssignment.FindStringSubmatch(r.First); match != nil {
		return match[1]
	}
	return ""
}

var idInAssignment = regexp.MustCompile(`"id": "([^"]+)"`)

// Required are the ids of the Claims that need a decision.
func (r Request) Required() []string {
	var ids []string
	for _, match := range idInAssignment.FindAllStringSubmatch(r.First, -1) {
		ids = append(ids, match[1])
	}
	return ids
}

// Args are the arguments of a call.
type Args = map[string]any

// ToolCall is a call with arguments that are written as JSON.
func ToolCall(name string, args any) llmtest.Call {
	data, err := json.Marshal(args)
	if err != nil {
		panic(err) // a mistake of the test
	}
	return llmtest.Call{Name: name, Args: string(data)}
}

// Call is a reply with one call, which used 1,000 tokens of input, 600 of them cached, and 50 of output.
func Call(name string, args any) llmtest.Step {
	return llmtest.Step{Calls: []llmtest.Call{ToolCall(name, args)}, Usage: &llm.Usage{InputTokens: 1000, CachedInputTokens: 600, OutputTokens: 50}}
}

// A Page is one that a Writer plans and writes. Path is below the wiki directory.
type Page struct {
	Path, Title, Text string
	Seed              string // the file it reads first
	Claims            []Claim
}

// A Claim is a statement with the resource that proves it.
type Claim struct{ Statement, Resource string }

// A Writer is a model that does what it is told. It decides by the request alone, so that it can serve many workers.
type Writer struct {
	Pages []Page
	// Update is what it plans for an update: paths of Pages.
	Update []string
	// Fault is a reply in place of its own, when it returns one.
	Fault func(r Request) (llmtest.Step, bool)
}

// Script is the Writer as a script of a server.
func (w Writer) Script(r *llmtest.Request) llmtest.Step {
	v := View(r)
	if w.Fault != nil {
		if step, ok := w.Fault(v); ok {
			return step
		}
	}
	if v.Has("submit_plan") {
		return w.plan(v)
	}
	at := slices.IndexFunc(w.Pages, func(p Page) bool { return "/openwiki/"+p.Path == v.Page() })
	if at < 0 {
		return llmtest.Fail(llmtest.Unexpected)
	}
	page := w.Pages[at]
	switch v.Turns {
	case 0:
		return Call("read_file", Args{"file_path": "/" + page.Seed})
	case 1:
		return Call("write_file", Args{"file_path": v.Page(), "content": page.content()})
	}
	submission := Args{}
	if required := v.Required(); len(required) > 0 {
		submission["confirmedClaimIds"] = required
	} else {
		var claims []Args
		for _, c := range page.Claims {
			claims = append(claims, Args{"statement": c.Statement, "evidence": []Args{{"resource": c.Resource}}})
		}
		submission["claims"] = claims
	}
	return Call("submit_page", submission)
}

func (w Writer) plan(v Request) llmtest.Step {
	if v.Turns == 0 {
		return Call("read_file", Args{"file_path": "/README.md"})
	}
	update := regexp.MustCompile(`(?i)for an update`).MatchString(v.First)
	pages := []Args{}
	for _, p := range w.Pages {
		if !update || slices.Contains(w.Update, p.Path) {
			pages = append(pages, Args{"path": p.Path, "title": p.Title, "purpose": p.Title, "seedPaths": []string{p.Seed}})
		}
	}
	return Call("submit_plan", Args{"pages": pages})
}

func (p Page) content() string {
	return "---\ntype: Component\ntitle: " + p.Title + "\ndescription: What " + p.Title + " does.\ntags: [demo]\n---\n\n# " + p.Title + "\n\n" + p.Text
}
