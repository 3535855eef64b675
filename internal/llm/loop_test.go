package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/llm"
	"github.com/wikiwright/wikiwright/internal/llm/llmtest"
)

// V08: a call that is wrong in any way comes back to the model as an error, no tool runs, and the next right call completes the page.
func TestRun_WrongCalls(t *testing.T) {
	twice := llmtest.Step{Calls: []llmtest.Call{{ID: "a", Name: "write_file", Args: page}, {ID: "a", Name: "write_file", Args: page}}}
	for _, test := range []struct {
		name  string
		step  llmtest.Step
		told  string // in the result that the model gets
		wrote int    // by the wrong reply
	}{
		{"bad JSON", llmtest.Do("write_file", `{`), "arguments", 0},
		{"no arguments", llmtest.Do("write_file", `{}`), "required", 0},
		{"wrong type", llmtest.Do("write_file", `{"path":"a.md","content":7}`), "content", 0},
		{"extra key", llmtest.Do("write_file", `{"path":"a.md","content":"x","mode":"w"}`), "mode", 0},
		{"not an object", llmtest.Do("write_file", `["a.md"]`), "object", 0},
		{"unknown tool", llmtest.Do("submit_pages", `{}`), `there is no tool "submit_pages"; the tools are write_file, submit_page`, 0},
		{"the same id twice", twice, "same id", 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			eachWay(t, func(t *testing.T, w way) {
				g := newRig(t, w, llmtest.Steps(test.step, write(), submit()))
				report := g.run(t)
				if report.End != llm.EndDone || report.Steps != 3 || len(g.wrote) != 1+test.wrote {
					t.Errorf("report %+v, wrote %d", report, len(g.wrote))
				}
				requests := g.server.Requests()
				told := fmt.Sprintf("%+v %s", requests[1].Results(), requests[1].LastText())
				if !strings.Contains(told, test.told) {
					t.Errorf("the model is told %s, want %q", told, test.told)
				}
				if w.format == llmtest.Messages {
					if results := requests[1].Results(); !results[len(results)-1].IsError {
						t.Error("the result is not marked as an error")
					}
				}
			})
		})
	}
}

// A call of a tool without parameters has arguments that are nothing, null or {}.
func TestRun_NoArguments(t *testing.T) {
	for _, args := range []string{"", "null", "{}"} {
		for _, stream := range []llm.StreamMode{llm.StreamOn, llm.StreamOff} {
			g := newRig(t, way{llmtest.Chat, stream}, llmtest.Steps(llmtest.Do("submit_page", args)))
			if report := g.run(t); report.End != llm.EndDone {
				t.Errorf("%q: %+v", args, report)
			}
		}
	}
	eachWay(t, func(t *testing.T, w way) {
		g := newRig(t, w, llmtest.Steps(submit()))
		if report := g.run(t); report.End != llm.EndDone || report.Steps != 1 {
			t.Errorf("report %+v", report)
		}
	})
}

// Five refusals one after the other end the task; a right call in between starts the count again.
func TestRun_FiveRefusals(t *testing.T) {
	wrong := llmtest.Do("write_file", `{}`)
	eachWay(t, func(t *testing.T, w way) {
		g := newRig(t, w, llmtest.Steps(wrong, wrong, wrong, wrong, write(), wrong, wrong, wrong, wrong, wrong))
		report := g.run(t)
		if report.End != llm.EndToolErrors || report.Steps != 10 || len(g.wrote) != 1 {
			t.Errorf("report %+v, wrote %d", report, len(g.wrote))
		}
	})
	// They need not be in replies of their own.
	many := llmtest.Step{Calls: []llmtest.Call{{Name: "a", Args: "{}"}, {Name: "b", Args: "{}"}, {Name: "c", Args: "{}"}, {Name: "d", Args: "{}"}, {Name: "e", Args: "{}"}, {Name: "submit_page", Args: "{}"}}}
	g := newRig(t, way{llmtest.Chat, llm.StreamOn}, llmtest.Steps(many))
	if report := g.run(t); report.End != llm.EndToolErrors {
		t.Errorf("report %+v", report)
	}
}

// V09: what is in a reply that was cut at the output limit is never carried out, not even when it looks complete.
func TestRun_Truncated(t *testing.T) {
	for _, args := range []string{`{"path":"core.md","content":"# Co`, page} {
		cut := llmtest.Step{Text: "I begin.", Calls: []llmtest.Call{{Name: "write_file", Args: args}}, Finish: llmtest.Length}
		eachWay(t, func(t *testing.T, w way) {
			g := newRig(t, w, llmtest.Steps(cut, cut, write(), submit()))
			report := g.run(t)
			if report.End != llm.EndDone || len(g.wrote) != 1 || report.Steps != 4 {
				t.Errorf("report %+v, wrote %d", report, len(g.wrote))
			}
			if text := g.server.Requests()[1].LastText(); !strings.Contains(text, "smaller") {
				t.Errorf("the model is told %q", text)
			}

			g = newRig(t, w, llmtest.Steps(cut, cut, cut))
			report = g.run(t)
			if report.End != llm.EndTruncated || len(g.wrote) != 0 {
				t.Errorf("three times: report %+v, wrote %d", report, len(g.wrote))
			}
		})
	}
	// Prose, and nothing at all, can be cut, too.
	for _, cut := range []llmtest.Step{{Text: "So I", Finish: llmtest.Length}, {Finish: llmtest.Length}, {Reasoning: "hm", Finish: llmtest.Length}} {
		eachWay(t, func(t *testing.T, w way) {
			g := newRig(t, w, llmtest.Steps(cut, write(), submit()))
			if report := g.run(t); report.End != llm.EndDone {
				t.Errorf("%+v: report %+v", cut, report)
			}
		})
	}
}

// V11: prose instead of calls is answered twice, a call spelled as text with the words that help.
func TestRun_Prose(t *testing.T) {
	eachWay(t, func(t *testing.T, w way) {
		g := newRig(t, w, llmtest.Steps(llmtest.Say("I understand the task"), llmtest.Say("I understand the task"), llmtest.Say("Done.")))
		report := g.run(t)
		if report.End != llm.EndIdle || report.Steps != 3 || report.LastText != "Done." {
			t.Errorf("report %+v", report)
		}

		g = newRig(t, w, llmtest.Steps(llmtest.Say("<tool_call>{\"name\": \"write_file\", \"arguments\": {}}</tool_call>"), write(), llmtest.Say("ok?"), submit()))
		report = g.run(t)
		if report.End != llm.EndDone {
			t.Errorf("report %+v", report)
		}
		requests := g.server.Requests()
		if text := requests[1].LastText(); !strings.Contains(text, "spells a call of write_file as text") {
			t.Errorf("the model is told %q", text)
		}
		if text := requests[3].LastText(); !strings.Contains(text, "by calling a tool") {
			t.Errorf("the model is told %q", text)
		}
		_, choice := requests[1].Keys()["tool_choice"]
		_, config := requests[1].Keys()["toolConfig"]
		if demanded := w.format == llmtest.Responses || w.format == llmtest.Gemini; demanded && !choice && !config || !demanded && (choice || config) {
			t.Errorf("a call is demanded where every model takes that, and only there: %s", requests[1].Body)
		}
	})
}

func TestRun_Nudge(t *testing.T) {
	g := newRig(t, way{llmtest.Chat, llm.StreamOn}, llmtest.Steps(llmtest.Say("a"), llmtest.Say("b"), llmtest.Say("c")))
	task := g.task()
	var asked []string
	task.Nudge = func(text string, n int) (string, bool) {
		asked = append(asked, fmt.Sprint(text, n))
		return "go on " + text, n < 3
	}
	report, err := g.model.Run(t.Context(), task)
	if err != nil || report.End != llm.EndIdle {
		t.Errorf("report %+v, error %v", report, err)
	}
	if diff := cmp.Diff([]string{"a1", "b2", "c3"}, asked); diff != "" {
		t.Error(diff)
	}
	if text := g.server.Requests()[2].LastText(); text != "go on b" {
		t.Errorf("told %q", text)
	}
}

func TestRun_Steps(t *testing.T) {
	g := newRig(t, way{llmtest.Chat, llm.StreamOn}, func(*llmtest.Request) llmtest.Step { return write() })
	task := g.task()
	task.MaxSteps = 4
	report, err := g.model.Run(t.Context(), task)
	if err != nil || report.End != llm.EndSteps || report.Steps != 4 || len(g.wrote) != 4 {
		t.Errorf("report %+v, error %v, wrote %d", report, err, len(g.wrote))
	}
}

// A fatal result ends the task with its own error; later calls of the reply do not run.
func TestRun_Fatal(t *testing.T) {
	eachWay(t, func(t *testing.T, w way) {
		both := llmtest.Step{Calls: []llmtest.Call{{Name: "submit_page", Args: "{}"}, {Name: "write_file", Args: page}}}
		g := newRig(t, w, llmtest.Steps(both))
		task := g.task()
		fatal := errors.New("the disk is full")
		task.Tools[1].Call = func(context.Context, json.RawMessage) llm.ToolResult { return llm.ToolResult{Fatal: fatal} }
		_, err := g.model.Run(t.Context(), task)
		if !errors.Is(err, fatal) || len(g.wrote) != 0 {
			t.Errorf("error %v, wrote %d", err, len(g.wrote))
		}
	})
}

// An error result lets the run go on.
func TestRun_ToolError(t *testing.T) {
	eachWay(t, func(t *testing.T, w way) {
		g := newRig(t, w, llmtest.Steps(submit(), submit()))
		task := g.task()
		n := 0
		task.Tools[1].Call = func(context.Context, json.RawMessage) llm.ToolResult {
			n++
			return llm.ToolResult{Text: "line 3: no such file", IsError: n == 1, Done: n == 2}
		}
		report, err := g.model.Run(t.Context(), task)
		if err != nil || report.End != llm.EndDone || report.Steps != 2 {
			t.Errorf("report %+v, error %v", report, err)
		}
		if results := g.server.Requests()[1].Results(); len(results) != 1 || results[0].Text != "line 3: no such file" {
			t.Errorf("results %+v", results)
		}
	})
}

// Ids that come again in later replies, as some gateways count them, are made unique, so that every format takes the conversation.
func TestRun_RepeatedIDs(t *testing.T) {
	step := write()
	step.Calls = []llmtest.Call{{ID: "tool-0", Name: "write_file", Args: page}}
	eachWay(t, func(t *testing.T, w way) {
		g := newRig(t, w, llmtest.Steps(step, step, submit()))
		g.run(t)
		seen := map[string]bool{}
		for _, m := range g.server.Requests()[2].Messages {
			for _, call := range m.Calls {
				if seen[call.ID] {
					t.Errorf("the id %s comes twice", call.ID)
				}
				seen[call.ID] = true
			}
		}
		if len(seen) != 2 || len(g.wrote) != 2 {
			t.Errorf("%d calls, wrote %d", len(seen), len(g.wrote))
		}
	})
}

// V12: one endpoint refuses reasoning in the history, the other its absence. Both finish.
func TestRun_ReasoningHistory(t *testing.T) {
	think := write()
	think.Reasoning = "The page is about the core."
	count := func(r *llmtest.Request) (with, without int) {
		for _, m := range r.Messages {
			if m.Role != "assistant" {
				continue
			}
			if m.Reasoning != nil {
				with++
			} else {
				without++
			}
		}
		return with, without
	}
	refuseWith := llmtest.Refuse(400, `{"error":{"message":"messages[2]: unknown variant reasoning_content"}}`)
	refuseWithout := llmtest.Refuse(400, `{"error":{"message":"Missing reasoning_content field in the assistant message at index 2"}}`)
	for _, test := range []struct {
		name   string
		first  llmtest.Step
		refuse func(with, without int) (llmtest.Step, bool)
		with   int // assistant messages with the field in the last request
	}{
		{"kept as given", think, func(int, int) (llmtest.Step, bool) { return llmtest.Step{}, false }, 1},
		{"refused", think, func(with, _ int) (llmtest.Step, bool) { return refuseWith, with > 0 }, 0},
		{"demanded", write(), func(_, without int) (llmtest.Step, bool) { return refuseWithout, without > 0 }, 2},
	} {
		for _, stream := range []llm.StreamMode{llm.StreamOn, llm.StreamOff} {
			t.Run(test.name+" stream "+string(stream), func(t *testing.T) {
				refused, n := 0, 0
				g := newRig(t, way{llmtest.Chat, stream}, func(r *llmtest.Request) llmtest.Step {
					if step, no := test.refuse(count(r)); no {
						refused++
						return step
					}
					n++
					return []llmtest.Step{test.first, write(), submit()}[n-1]
				})
				report := g.run(t)
				requests := g.server.Requests()
				with, _ := count(requests[len(requests)-1])
				if report.End != llm.EndDone || refused > 1 || with != test.with || len(g.slept) != 0 {
					t.Errorf("report %+v, refused %d, with %d, slept %v", report, refused, with, g.slept)
				}
			})
		}
	}
}

// Thoughts of Anthropic and Gemini go back with their signatures, those of OpenAI encrypted: the server refuses them otherwise.
func TestRun_SignedReasoning(t *testing.T) {
	think := write()
	think.Reasoning = "The page is about the core."
	for _, format := range []llmtest.Format{llmtest.Messages, llmtest.Gemini, llmtest.Responses} {
		for _, stream := range []llm.StreamMode{llm.StreamOn, llm.StreamOff} {
			g := newRig(t, way{format, stream}, llmtest.Steps(think, think, submit()))
			g.run(t)
			body := string(g.server.Requests()[2].Body)
			if n := strings.Count(body, "c2lnbmF0dXJl"); n != 2 {
				t.Errorf("%s stream %s: %d signatures in %s", format, stream, n, body)
			}
		}
	}
}

// A model that has no encrypted reasoning refuses the question for it, once; then it is not asked for it again.
func TestRun_NoEncryptedReasoning(t *testing.T) {
	for _, stream := range []llm.StreamMode{llm.StreamOn, llm.StreamOff} {
		refused := 0
		g := newRig(t, way{llmtest.Responses, stream}, func(r *llmtest.Request) llmtest.Step {
			if _, asked := r.Keys()["include"]; asked {
				refused++
				return llmtest.Refuse(400, `{"error":{"message":"Encrypted content is not supported with this model.","type":"invalid_request_error","param":"include"}}`)
			}
			if r.N == 1 {
				return write()
			}
			return submit()
		})
		if report := g.run(t); report.End != llm.EndDone || refused != 1 || len(g.slept) != 0 {
			t.Errorf("report %+v, refused %d, slept %v", report, refused, g.slept)
		}
	}
}

// V14: no sampling parameter is sent unless it is configured; the server refuses keys that it does not know. V17: any id is a model.
func TestRun_RequestKeys(t *testing.T) {
	for _, model := range []string{"@cf/x/y", "a/b:free", "eu.x-v1:0", "ft:gpt:org::id"} {
		eachWay(t, func(t *testing.T, w way) {
			g := newRig(t, w, llmtest.Steps(submit()), func(c *llm.Config) { c.Model = model })
			g.run(t)
			r := g.server.Requests()[0]
			if w.format != llmtest.Gemini && r.Model != model {
				t.Errorf("model %q", r.Model)
			}
			if strings.Contains(string(r.Body), "temperature") || strings.Contains(string(r.Body), "top_p") {
				t.Errorf("body %s", r.Body)
			}
		})
	}
	half := 0.5
	g := newRigWith(t, way{llmtest.Chat, llm.StreamOff}, llmtest.Steps(submit()), llmtest.Settings{Keys: []string{"temperature"}}, func(c *llm.Config) { c.Temperature = &half })
	g.run(t)
	if got := string(g.server.Requests()[0].Keys()["temperature"]); got != "0.5" {
		t.Errorf("temperature %s", got)
	}
}

func TestRun_BadTool(t *testing.T) {
	g := newRig(t, way{llmtest.Chat, llm.StreamOff}, llmtest.Steps())
	task := g.task()
	task.Tools[0].Schema = json.RawMessage(`{"type":`)
	if _, err := g.model.Run(t.Context(), task); err == nil || !strings.Contains(err.Error(), "tool write_file: read its schema") {
		t.Errorf("error %v", err)
	}
}
