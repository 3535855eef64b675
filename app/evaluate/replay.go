package evaluate

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"
)

// A Reply is one answer of the model in a script: a line of JSON.
type Reply struct {
	// Page is the page that is written, below the wiki directory, or "plan".
	Page  string `json:"page"`
	Text  string `json:"text,omitempty"`
	Calls []Call `json:"calls,omitempty"`
	// Input, Cached and Output are tokens.
	Input  int64 `json:"input,omitempty"`
	Cached int64 `json:"cached,omitempty"`
	Output int64 `json:"output,omitempty"`
}

// A Call is a call of a tool, as the model makes it. "$required" in its arguments stands for the ids of the Claims that need a decision, which
// no script can know.
type Call struct {
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"`
}

// maxReply bounds a line of a script, in bytes.
const maxReply = 4 << 20

// readScript reads a script; one that is not there is empty.
func readScript(root *os.Root, name string) ([]Reply, error) {
	data, err := root.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the script: %w", err)
	}
	var script []Reply
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, maxReply)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var r Reply
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", name, n, err)
		}
		if r.Page == "" {
			return nil, fmt.Errorf("%s: line %d: no page is named", name, n)
		}
		script = append(script, r)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read the script: %w", err)
	}
	return script, nil
}

// A replay answers the requests of the author with the replies of a script, those of each page in their order, as an endpoint that speaks
// chat completions. Nothing leaves the process.
type replay struct {
	wikiDir string

	mu    sync.Mutex
	left  map[string][]Reply // by page
	calls int
	bytes int64 // of the requests
}

func (r *replay) sent() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.bytes
}

func newReplay(wikiDir string, script []Reply) *replay {
	r := &replay{wikiDir: wikiDir, left: map[string][]Reply{}}
	for _, reply := range script {
		r.left[reply.Page] = append(r.left[reply.Page], reply)
	}
	return r
}

// assigned finds the page in the assignment of a worker; a planner has none.
var assigned = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("(?m)^- page: `([^`]+)`") })

var claimID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"id": ("[^"]+")`) })

// requiredIn returns the quoted ids of the Claims in an assignment, as the inside of a list of JSON.
func requiredIn(assignment string) string {
	var ids []string
	for _, match := range claimID().FindAllStringSubmatch(assignment, -1) {
		ids = append(ids, match[1])
	}
	return strings.Join(ids, ", ")
}

// RoundTrip implements http.RoundTripper.
func (r *replay) RoundTrip(req *http.Request) (*http.Response, error) {
	defer req.Body.Close()
	var body struct {
		Messages []struct {
			Role    string `json:"role"`
			Content any    `json:"content"`
		} `json:"messages"`
	}
	data, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, fmt.Errorf("read the request: %w", err)
	}
	r.count(len(data))
	if err := json.Unmarshal(data, &body); err != nil {
		return nil, fmt.Errorf("read the request: %w", err)
	}
	page, required := "plan", `"$required"`
	for _, m := range body.Messages {
		text, _ := m.Content.(string)
		if match := assigned().FindStringSubmatch(text); m.Role == "user" && match != nil {
			page = strings.TrimPrefix(match[1], "/"+r.wikiDir+"/")
			required = requiredIn(text)
			break
		}
	}
	status, answer := r.next(page, required)
	if status != http.StatusOK && len(body.Messages) > 0 {
		last, _ := body.Messages[len(body.Messages)-1].Content.(string)
		answer = object{"error": object{"message": fmt.Sprintf("the script has no further reply for %s, which was told: %.200s", page, last)}}
	}
	if data, err = json.Marshal(answer); err != nil {
		return nil, fmt.Errorf("write the reply: %w", err)
	}
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(data)), Request: req,
	}, nil
}

func (r *replay) count(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.bytes += int64(n)
}

type object = map[string]any

func (r *replay) next(page, required string) (status int, answer object) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.left[page]) == 0 {
		return http.StatusBadRequest, nil
	}
	reply := r.left[page][0]
	r.left[page] = r.left[page][1:]
	var calls []object
	for _, call := range reply.Calls {
		r.calls++
		calls = append(calls, object{"id": fmt.Sprintf("call_%d", r.calls), "type": "function", "function": object{"name": call.Name, "arguments": strings.ReplaceAll(string(call.Args), `"$required"`, required)}})
	}
	message := object{"role": "assistant", "content": reply.Text}
	reason := "stop"
	if calls != nil {
		message["tool_calls"], reason = calls, "tool_calls"
	}
	return http.StatusOK, object{
		"choices": []object{{"index": 0, "message": message, "finish_reason": reason}},
		"usage": object{
			"prompt_tokens": reply.Input, "completion_tokens": reply.Output, "total_tokens": reply.Input + reply.Output,
			"prompt_tokens_details": object{"cached_tokens": reply.Cached},
		},
	}
}
