package llm_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/llm"
)

func getenv(pairs ...string) func(string) string {
	env := map[string]string{}
	for i := 0; i+1 < len(pairs); i += 2 {
		env[pairs[i]] = pairs[i+1]
	}
	return func(name string) string { return env[name] }
}

func TestConfigured(t *testing.T) {
	for _, test := range []struct {
		env       func(string) string
		overrides llm.Overrides
		provider  string
		by        string
	}{
		{getenv(), llm.Overrides{}, "", ""},
		{getenv("ANTHROPIC_API_KEY", "k"), llm.Overrides{}, "anthropic", "ANTHROPIC_API_KEY"},
		{getenv("ANTHROPIC_API_KEY", " \"\" "), llm.Overrides{}, "", ""},
		{getenv("ANTHROPIC_API_KEY", "k", "OPENAI_API_KEY", "k"), llm.Overrides{}, "openai", "OPENAI_API_KEY"},
		{getenv("NVIDIA_API_KEY", "k", "NEBIUS_API_KEY", "k"), llm.Overrides{}, "nebius", "NEBIUS_API_KEY"},
		{getenv("BEDROCK_AWS_ACCESS_KEY_ID", "k"), llm.Overrides{}, "bedrock", "BEDROCK_AWS_ACCESS_KEY_ID"},
		{getenv("GEMINI_API_KEY", "k", "COPILOT_API_KEY", "k", "BOB_API_KEY", "k"), llm.Overrides{}, "", ""}, // never inferred
		{getenv("OPENWIKI_PROVIDER", " Gemini "), llm.Overrides{}, "gemini", "OPENWIKI_PROVIDER"},
		{getenv("OPENWIKI_PROVIDER", "nonsense", "OPENAI_API_KEY", "k"), llm.Overrides{}, "openai", "OPENAI_API_KEY"},
		{getenv("OPENAI_API_KEY", "k"), llm.Overrides{Provider: "Ollama"}, "ollama", "asked for"},
		{getenv(), llm.Overrides{Key: "k"}, "openai", "the key that was given"},
	} {
		provider, by, ok := llm.Configured(test.env, test.overrides)
		if provider != test.provider || by != test.by || ok != (test.provider != "") {
			t.Errorf("Configured = %q, %q, %v, want %q, %q", provider, by, ok, test.provider, test.by)
		}
	}
}

// V21: keys as they are pasted.
func TestResolve_Keys(t *testing.T) {
	for _, pasted := range []string{"sk-x", "\"sk-x\"\n", " 'sk-x' ", "\r\nsk-x\r\n", "\"'sk-x'\""} {
		c, err := llm.Resolve(getenv("ANTHROPIC_API_KEY", pasted), llm.Overrides{})
		if err != nil || c.Key.Value() != "sk-x" || c.KeyName != "ANTHROPIC_API_KEY" {
			t.Errorf("%q: key %q, %v", pasted, c.Key.Value(), err)
		}
	}
	c, err := llm.Resolve(getenv("ANTHROPIC_API_KEY", "env"), llm.Overrides{Key: "\"given\"\n", KeyName: "model-key"})
	if err != nil || c.Key.Value() != "given" || c.KeyName != "model-key" {
		t.Errorf("key %q of %q, %v", c.Key.Value(), c.KeyName, err)
	}
}

// OpenAI's own variables for the account go to OpenAI, and nowhere else; OPENWIKI_HEADERS wins.
func TestResolve_Account(t *testing.T) {
	account := []string{"OPENAI_ORG_ID", "org-1", "OPENAI_PROJECT_ID", "proj-1"}
	for _, test := range []struct {
		env  []string
		want map[string]string
	}{
		{[]string{"OPENAI_API_KEY", "k"}, map[string]string{"OpenAI-Organization": "org-1", "OpenAI-Project": "proj-1"}},
		{[]string{"OPENAI_API_KEY", "k", "OPENWIKI_HEADERS", "openai-organization: org-2"}, map[string]string{"openai-organization": "org-2", "OpenAI-Project": "proj-1"}},
		{[]string{"ANTHROPIC_API_KEY", "k"}, nil},
	} {
		c, err := llm.Resolve(getenv(append(test.env, account...)...), llm.Overrides{})
		if diff := cmp.Diff(test.want, c.Headers); diff != "" || err != nil {
			t.Errorf("%v: error %v, %s", test.env, err, diff)
		}
	}
}

// All problems at once, each with the name and what to do.
func TestResolve_Problems(t *testing.T) {
	for _, test := range []struct {
		name string
		env  func(string) string
		o    llm.Overrides
		want []string
	}{
		{"nothing", getenv(), llm.Overrides{}, []string{"no model is configured"}},
		{"unknown provider", getenv(), llm.Overrides{Provider: "opnai"}, []string{`unknown provider "opnai"`}},
		{"no key", getenv("OPENWIKI_PROVIDER", "anthropic"), llm.Overrides{}, []string{"ANTHROPIC_API_KEY is not set"}},
		{"empty key", getenv("OPENWIKI_PROVIDER", "anthropic", "ANTHROPIC_API_KEY", " \"\"\n"), llm.Overrides{}, []string{"ANTHROPIC_API_KEY is empty: it holds only space or quotes"}},
		{"everything", getenv("OPENWIKI_PROVIDER", "openai-compatible", "OPENWIKI_MAX_OUTPUT_TOKENS", "-1", "OPENWIKI_PROVIDER_RETRY_ATTEMPTS", "x", "OPENWIKI_STREAM_IDLE_TIMEOUT", "soon"), llm.Overrides{}, []string{
			"an OpenAI-compatible endpoint needs its address", "OPENAI_COMPATIBLE_API_KEY is not set", "no model is named",
			`OPENWIKI_PROVIDER_RETRY_ATTEMPTS is "x", not a positive whole number`, `OPENWIKI_MAX_OUTPUT_TOKENS is "-1", not a positive whole number`,
			"OPENWIKI_STREAM_IDLE_TIMEOUT is not a number of milliseconds",
		}},
		{"whole request as address", getenv("OPENAI_API_KEY", "k", "OPENAI_BASE_URL", "https://x/v1/chat/completions/"), llm.Overrides{}, []string{"OPENAI_BASE_URL names the whole request"}},
		{"no scheme", getenv("OPENAI_API_KEY", "k", "OPENAI_BASE_URL", "host:80"), llm.Overrides{}, []string{"OPENAI_BASE_URL is not an http or https address"}},
		{"password in the address", getenv("OPENAI_API_KEY", "k"), llm.Overrides{BaseURL: "https://u:p@x/v1"}, []string{"the base URL holds a user or password"}},
		{"model of two words", getenv("OPENAI_API_KEY", "k", "OPENWIKI_MODEL_ID", "gpt 5"), llm.Overrides{}, []string{"the model id is not one word"}},
		{"half a pair", getenv("OPENWIKI_PROVIDER", "bedrock", "BEDROCK_AWS_ACCESS_KEY_ID", "k", "AWS_REGION", "x", "OPENWIKI_MODEL_ID", "m"), llm.Overrides{}, []string{"only one half of the pair BEDROCK_AWS_ACCESS_KEY_ID and BEDROCK_AWS_SECRET_ACCESS_KEY is set"}},
		{"no region", getenv("OPENWIKI_PROVIDER", "bedrock", "OPENWIKI_MODEL_ID", "m"), llm.Overrides{}, []string{"Bedrock needs a region"}},
		{"no project", getenv("OPENWIKI_PROVIDER", "gemini-enterprise"), llm.Overrides{}, []string{"Vertex AI needs a project"}},
		{"headers", getenv("OPENAI_API_KEY", "k", "OPENWIKI_HEADERS", "no header"), llm.Overrides{}, []string{"OPENWIKI_HEADERS has a line that is no header"}},
		{"headers of JSON", getenv("OPENAI_API_KEY", "k", "OPENWIKI_HEADERS", `{"a":1}`), llm.Overrides{}, []string{"OPENWIKI_HEADERS is not a JSON object of strings"}},
		{"token command", getenv("OPENAI_API_KEY", "k", "OPENWIKI_TOKEN_COMMAND", `sh -c "oops`), llm.Overrides{}, []string{"OPENWIKI_TOKEN_COMMAND is not a command"}},
		{"effort of a compatible endpoint", getenv("OPENWIKI_PROVIDER", "openai-compatible", "OPENAI_COMPATIBLE_API_KEY", "k", "OPENAI_COMPATIBLE_BASE_URL", "https://x/v1", "OPENWIKI_MODEL_ID", "m", "OPENWIKI_REASONING_EFFORT", "low"), llm.Overrides{},
			[]string{"OPENWIKI_REASONING_EFFORT is set, but not every compatible endpoint accepts it"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := llm.Resolve(test.env, test.o)
			if err == nil {
				t.Fatal("no error")
			}
			joined, ok := err.(interface{ Unwrap() []error })
			if !ok {
				t.Fatalf("the error is not a list: %v", err)
			}
			var got []string
			for _, problem := range joined.Unwrap() {
				var e *llm.Error
				if !errors.As(problem, &e) || e.Class != llm.ClassConfig || e.Hint == "" {
					t.Errorf("problem %#v", problem)
					continue
				}
				got = append(got, e.Err.Error())
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Reasoning effort is checked per provider and model before the first request.
func TestResolve_Effort(t *testing.T) {
	for _, test := range []struct {
		provider, model, effort string
		want                    string // of the error; "" is none
	}{
		{"openai", "gpt-5.6-terra", "max", ""},
		{"openai", "gpt-5.6-terra", "none", ""},
		{"openai", "gpt-5.5", "max", "use one of none, low, medium, high, xhigh"},
		{"openai", "gpt-4.1", "low", "gpt-4.1 does not reason"},
		{"openai", "gpt-of-tomorrow", "minimal", ""},
		{"openai", "gpt-5.6-terra", "extreme", `"extreme", which gpt-5.6-terra of OpenAI does not have`},
		{"anthropic", "claude-opus-5", "xhigh", ""},
		{"anthropic", "claude-opus-5", "minimal", "use one of none, low, medium, high, xhigh, max"},
		{"anthropic", "claude-opus-4-5", "max", "use one of none, low, medium, high"},
		{"gemini", "gemini-3.6-flash", "HIGH", ""},
		{"gemini", "gemini-3.6-flash", "max", "use one of minimal, low, medium, high"},
		{"gemini", "gemini-3.6-flash", "none", "use one of minimal, low, medium, high"},
		{"nvidia", "nvidia/nemotron-3-super-120b-a12b", "medium", "use one of none, low, high"},
		{"nvidia", "nvidia/nemotron-3-super-120b-a12b", "high", ""},
		{"openrouter", "some/model", "max", "use one of none, minimal, low, medium, high, xhigh"},
	} {
		known := strings.ToUpper(test.provider) + "_API_KEY"
		c, err := llm.Resolve(getenv("OPENWIKI_PROVIDER", test.provider, known, "k", "OPENWIKI_REASONING_EFFORT", test.effort), llm.Overrides{Model: test.model})
		switch {
		case test.want == "" && (err != nil || c.ReasoningEffort != strings.ToLower(test.effort)):
			t.Errorf("%v: effort %q, %v", test, c.ReasoningEffort, err)
		case test.want != "":
			var e *llm.Error
			if !errors.As(err, &e) || !strings.Contains(e.Err.Error()+"; "+e.Hint, test.want) {
				t.Errorf("%v: %v (%+v)", test, err, e)
			}
		}
	}
}

func TestResolve_Settings(t *testing.T) {
	c, err := llm.Resolve(getenv("OPENAI_COMPATIBLE_API_KEY", "k", "OPENAI_COMPATIBLE_BASE_URL", "https://x.example.com/v1", "OPENWIKI_MODEL_ID", "@cf/x/y",
		"OPENWIKI_MAX_OUTPUT_TOKENS", "5000", "OPENWIKI_PROVIDER_RETRY_ATTEMPTS", "2", "OPENWIKI_STREAM_IDLE_TIMEOUT", "90000", "OPENWIKI_OPENAI_COMPATIBLE_STREAMING", "TRUE",
		"OPENWIKI_HEADERS", "X-A: b: c\n\nX-D:e", "OPENWIKI_AUTH_HEADER", "api-key", "OPENWIKI_TOKEN_COMMAND", `sh -c 'printf "a b"'`), llm.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	if c.Model != "@cf/x/y" || c.MaxOutputTokens != 5000 || c.Attempts != 3 || c.IdleTimeout != 90*time.Second || c.Stream != llm.StreamOn || c.AuthHeader != "api-key" {
		t.Errorf("config %#v: %d %d %v %s %s", c, c.MaxOutputTokens, c.Attempts, c.IdleTimeout, c.Stream, c.AuthHeader)
	}
	if diff := cmp.Diff(map[string]string{"X-A": "b: c", "X-D": "e"}, c.Headers); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"sh", "-c", `printf "a b"`}, c.TokenCommand); diff != "" {
		t.Error(diff)
	}
	c, err = llm.Resolve(getenv("OPENAI_API_KEY", "k", "OPENWIKI_PROVIDER_RETRY_ATTEMPTS", "0", "OPENWIKI_HEADERS", `{"X-A":"b"}`), llm.Overrides{})
	if err != nil || c.Attempts != 1 || c.Headers["X-A"] != "b" {
		t.Errorf("attempts %d, headers %v, %v", c.Attempts, len(c.Headers), err)
	}
	// A credential can be in a header only.
	c, err = llm.Resolve(getenv("OPENWIKI_PROVIDER", "openai-compatible", "OPENAI_COMPATIBLE_BASE_URL", "https://x/v1", "OPENWIKI_MODEL_ID", "m", "OPENWIKI_HEADERS", "Ocp-Apim-Subscription-Key: s"), llm.Overrides{})
	if err != nil || c.Key != "" {
		t.Errorf("%v", err)
	}
	for _, model := range []string{"@cf/x/y", "a/b:free", "eu.x-v1:0", "ft:gpt:org::id"} {
		if c, err := llm.Resolve(getenv("OPENAI_API_KEY", "k"), llm.Overrides{Model: model}); err != nil || c.Model != model {
			t.Errorf("%s: %v", model, err)
		}
	}
	if got := fmt.Sprint(c); got != "m of openai-compatible" {
		t.Errorf("printed as %s", got)
	}
}
