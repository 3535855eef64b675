package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/wikiwright/wikiwright/internal/llm/wire"
)

const (
	maxNudges     = 2 // for answers without a tool call, one after the other
	maxTruncated  = 2
	maxToolErrors = 5 // one after the other
	maxLastText   = 2000
)

// Run holds the conversation of a task and returns how it ended. The error is an *Error, what a tool returned as fatal, or the cause of ctx;
// the Report is never nil and tells what was used until then.
func (m *Model) Run(ctx context.Context, t Task) (*Report, error) {
	c, err := m.newConversation(t)
	if err != nil {
		return &Report{}, err
	}
	for c.report.Steps < c.maxSteps {
		done, err := c.step(ctx)
		if err != nil || done {
			return &c.report, err
		}
	}
	c.report.End = EndSteps
	return &c.report, nil
}

// conversation is the state of one task.
type conversation struct {
	model    *Model
	task     Task
	tools    map[string]*checkedTool
	declared []wire.Tool
	history  *history
	maxSteps int
	report   Report

	idle, truncated, refused int // one after the other
	squeezed                 int
}

func (m *Model) newConversation(t Task) (*conversation, error) {
	c := &conversation{model: m, task: t, tools: map[string]*checkedTool{}, maxSteps: t.MaxSteps, history: newHistory(m, t)}
	if c.maxSteps <= 0 {
		c.maxSteps = DefaultMaxSteps
	}
	for _, tool := range t.Tools {
		checked, err := newCheckedTool(tool)
		if err != nil {
			return nil, fmt.Errorf("tool %s: %w", tool.Name, err)
		}
		c.tools[tool.Name] = checked
		c.declared = append(c.declared, checked.declaration())
	}
	return c, nil
}

// step asks for one reply and acts on it. It returns true when the task has ended.
func (c *conversation) step(ctx context.Context) (done bool, err error) {
	r, err := c.ask(ctx)
	var e *Error
	if errors.As(err, &e) && e.Class == ClassContextTooLong && c.squeeze() {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	c.report.Steps++
	if text := strings.TrimSpace(r.text); text != "" {
		c.report.LastText = strings.ToValidUTF8(text[:min(len(text), maxLastText)], "")
	}
	c.tell(Event{Kind: EventStep, Usage: r.usage})
	switch {
	case r.finish == wire.Length:
		return c.cut(r), nil
	case r.finish == wire.Malformed:
		return c.garbled(), nil
	case len(r.calls) == 0:
		return c.prose(r), nil
	}
	c.idle, c.truncated = 0, 0
	return c.call(ctx, r)
}

func (c *conversation) ask(ctx context.Context) (*reply, error) {
	messages, pruned := c.history.prompt()
	if pruned > 0 {
		c.tell(Event{Kind: EventPruned})
	}
	return c.model.ask(ctx, question{
		system: c.task.System, messages: messages, tools: c.declared, mustCall: c.idle > 0, budget: c.task.Budget, spend: c.spend, tell: c.tell,
	})
}

// spend counts a request, whether it brought a reply or not.
func (c *conversation) spend(u Usage) {
	c.report.Usage = c.report.Usage.Add(u)
	c.task.Budget.settle(u)
}

// squeeze makes the conversation shorter after the provider has found it too long, which happens where the model's context is not known.
func (c *conversation) squeeze() bool {
	const most = 3
	c.squeezed++
	return c.squeezed <= most && c.history.squeeze()
}

// garbled answers a reply whose tool call could not be read by the provider itself.
func (c *conversation) garbled() (done bool) {
	if c.countRefusal(true) {
		c.report.End = EndToolErrors
		return true
	}
	c.history.user("Your tool call could not be read: its arguments were not a JSON object. Call the tool again.")
	return false
}

// cut answers a reply that ended at the output limit: nothing in it can be trusted to be whole, so no tool sees it.
func (c *conversation) cut(r *reply) (done bool) {
	c.truncated++
	if c.truncated > maxTruncated {
		c.report.End = EndTruncated
		return true
	}
	note := "Your reply reached the output limit and was cut off. Nothing in it was carried out. Go on in smaller steps: write a page with write_file in a " +
		"short first version, then extend it with several edit_file calls, one section each."
	if len(r.calls) == 0 {
		c.history.assistant(r.text)
	}
	c.history.user(note)
	return false
}

// prose answers a reply without a tool call.
func (c *conversation) prose(r *reply) (done bool) {
	c.idle++
	nudge := c.task.Nudge
	if nudge == nil {
		nudge = defaultNudge
	}
	text, again := nudge(r.text, c.idle)
	if !again {
		c.report.End = EndIdle
		return true
	}
	if name := leakedCall(r.text, c.tools); name != "" {
		text = fmt.Sprintf("Your reply spells a call of %s as text. Text is not carried out. Call the tool itself, through the tool interface.", name)
	}
	c.history.reply(r)
	c.history.user(text)
	return false
}

func defaultNudge(_ string, n int) (string, bool) {
	return "Go on with the work by calling a tool. The work is finished only when it is handed in through its tool; prose is not read by anybody.", n <= maxNudges
}

// call carries out the tool calls of a reply in their order.
func (c *conversation) call(ctx context.Context, r *reply) (done bool, err error) {
	doubled := c.history.reply(r)
	var results []wire.Part
	for i, call := range r.calls {
		if ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		result := c.callOne(ctx, call, doubled[i])
		if result.Fatal != nil {
			return false, result.Fatal
		}
		c.tell(Event{Kind: EventTool, Tool: call.Name, OK: !result.IsError})
		results = append(results, toolResult(call, result))
		if result.Done {
			c.report.End = EndDone
			return true, nil
		}
		if c.countRefusal(result.IsError) {
			c.report.End = EndToolErrors
			return true, nil
		}
	}
	c.history.results(results)
	return false, nil
}

// countRefusal reports that too many calls in a row were refused.
func (c *conversation) countRefusal(refused bool) bool {
	if !refused {
		c.refused = 0
		return false
	}
	c.refused++
	return c.refused >= maxToolErrors
}

func (c *conversation) callOne(ctx context.Context, call wire.Part, doubled bool) ToolResult {
	if doubled {
		return ToolResult{Text: "a call with the same id came before this one in the same reply; make it again if it is needed", IsError: true}
	}
	tool, ok := c.tools[call.Name]
	if !ok {
		return ToolResult{Text: fmt.Sprintf("there is no tool %q; the tools are %s", call.Name, c.toolNames()), IsError: true}
	}
	args := json.RawMessage(strings.TrimSpace(call.Args))
	if len(args) == 0 || string(args) == "null" { // a call without arguments
		args = json.RawMessage("{}")
	}
	if err := tool.check(args); err != nil {
		return ToolResult{Text: "the arguments do not fit: " + err.Error(), IsError: true}
	}
	return tool.Call(ctx, args)
}

func (c *conversation) toolNames() string {
	names := make([]string, len(c.task.Tools))
	for i, tool := range c.task.Tools {
		names[i] = tool.Name
	}
	return strings.Join(names, ", ")
}

func toolResult(call wire.Part, r ToolResult) wire.Part {
	return wire.Part{Kind: wire.Result, ID: call.ID, Name: call.Name, Text: r.Text, IsError: r.IsError}
}

func (c *conversation) tell(e Event) {
	if c.task.Observe != nil {
		e.Task, e.Step = c.task.Name, c.report.Steps
		c.task.Observe(e)
	}
}
