package llm_test

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/google/go-cmp/cmp"

	"github.com/wikiwright/wikiwright/internal/llm"
	"github.com/wikiwright/wikiwright/internal/llm/llmtest"
)

// detour sends the requests for every host to a server on loopback, and records where they were meant to go.
type detour struct {
	to   *url.URL
	urls []string
	last *http.Request
	body []byte
}

func (d *detour) RoundTrip(req *http.Request) (*http.Response, error) {
	d.urls = append(d.urls, req.URL.String())
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	d.last, d.body = req, body
	out := req.Clone(req.Context())
	out.URL.Scheme, out.URL.Host, out.Host = d.to.Scheme, d.to.Host, d.to.Host
	out.Body = io.NopCloser(strings.NewReader(string(body)))
	return http.DefaultTransport.RoundTrip(out)
}

// TestOpen_EveryProvider resolves the environment of each provider as its users have it, opens it, and looks at the request that leaves.
func TestOpen_EveryProvider(t *testing.T) {
	key := func(name string, more ...string) map[string]string {
		env := map[string]string{name: "sk-test-key"}
		for i := 0; i+1 < len(more); i += 2 {
			env[more[i]] = more[i+1]
		}
		return env
	}
	bearer := map[string]string{"Authorization": "Bearer sk-test-key"}
	for _, test := range []struct {
		provider, model string
		env             map[string]string
		url             string // whole; "" is that of the stream
		stream          string
		auth            map[string]string
		headers         map[string]string
		wantModel       string
	}{
		{provider: "openai", env: key("OPENAI_API_KEY"), url: "https://api.openai.com/v1/responses", auth: bearer, wantModel: "gpt-5.6-terra"},
		{provider: "openai", env: key("OPENAI_API_KEY", "OPENAI_BASE_URL", "https://eu.api.openai.com/v1/"), url: "https://eu.api.openai.com/v1/responses", auth: bearer, wantModel: "gpt-5.6-terra"},
		{provider: "openai-compatible", model: "a/b:free", env: key("OPENAI_COMPATIBLE_API_KEY", "OPENAI_COMPATIBLE_BASE_URL", "https://gw.example.com/proxy/v1"), url: "https://gw.example.com/proxy/v1/chat/completions", auth: bearer, wantModel: "a/b:free"},
		{provider: "openai-compatible", model: "m", env: key("OPENAI_COMPATIBLE_API_KEY", "OPENAI_COMPATIBLE_BASE_URL", "https://gw.example.com/v1", "OPENWIKI_OPENAI_COMPATIBLE_USE_RESPONSES_API", "true"), url: "https://gw.example.com/v1/responses", auth: bearer, wantModel: "m"},
		{provider: "openrouter", env: key("OPENROUTER_API_KEY"), url: "https://openrouter.ai/api/v1/chat/completions", auth: bearer, wantModel: "z-ai/glm-5.2"},
		{provider: "anthropic", env: key("ANTHROPIC_API_KEY"), url: "https://api.anthropic.com/v1/messages", auth: map[string]string{"X-Api-Key": "sk-test-key"}, headers: map[string]string{"Anthropic-Version": "2023-06-01"}, wantModel: "claude-haiku-4-5"},
		{provider: "anthropic", model: "claude-opus-5", env: key("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "https://proxy.example.com/anthropic"), url: "https://proxy.example.com/anthropic/v1/messages", auth: map[string]string{"X-Api-Key": "sk-test-key"}, wantModel: "claude-opus-5"},
		{provider: "baseten", env: key("BASETEN_API_KEY"), url: "https://inference.baseten.co/v1/chat/completions", auth: bearer, wantModel: "zai-org/GLM-5.2"},
		{provider: "fireworks", env: key("FIREWORKS_API_KEY"), url: "https://api.fireworks.ai/inference/v1/chat/completions", auth: bearer, wantModel: "accounts/fireworks/models/glm-5p2"},
		{provider: "nebius", env: key("NEBIUS_API_KEY"), url: "https://api.tokenfactory.nebius.com/v1/chat/completions", auth: bearer, wantModel: "moonshotai/Kimi-K2.6"},
		{provider: "nvidia", env: key("NVIDIA_API_KEY"), url: "https://integrate.api.nvidia.com/v1/chat/completions", auth: bearer, wantModel: "nvidia/nemotron-3-super-120b-a12b"},
		{provider: "bedrock", model: "eu.anthropic.claude-haiku-4-5-20251001-v1:0", env: key("AWS_BEARER_TOKEN_BEDROCK", "AWS_REGION", "eu-central-1"),
			url:    "https://bedrock-runtime.eu-central-1.amazonaws.com/model/eu.anthropic.claude-haiku-4-5-20251001-v1%3A0/invoke",
			stream: "https://bedrock-runtime.eu-central-1.amazonaws.com/model/eu.anthropic.claude-haiku-4-5-20251001-v1%3A0/invoke-with-response-stream",
			auth:   bearer, wantModel: "eu.anthropic.claude-haiku-4-5-20251001-v1:0"},
		{provider: "gemini", env: key("GEMINI_API_KEY"), url: "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.6-flash:generateContent",
			stream: "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.6-flash:streamGenerateContent?alt=sse", auth: map[string]string{"X-Goog-Api-Key": "sk-test-key"}, wantModel: "gemini-3.6-flash"},
		{provider: "copilot", env: key("COPILOT_API_KEY"), url: "https://api.githubcopilot.com/responses", auth: bearer,
			headers: map[string]string{"Editor-Version": "wikiwright/1.0", "Copilot-Integration-Id": "vscode-chat", "X-Initiator": "agent"}, wantModel: "gpt-5.6-terra"},
		{provider: "copilot", model: "claude-sonnet-5", env: key("COPILOT_API_KEY", "OPENWIKI_HEADERS", "Copilot-Integration-Id: our-own"), url: "https://api.githubcopilot.com/chat/completions", auth: bearer,
			headers: map[string]string{"Copilot-Integration-Id": "our-own"}, wantModel: "claude-sonnet-5"},
		{provider: "github-models", model: "openai/gpt-4.1", env: key("GITHUB_MODELS_TOKEN"), url: "https://models.github.ai/inference/chat/completions", auth: bearer, wantModel: "openai/gpt-4.1"},
		{provider: "azure", model: "our-deployment", env: key("AZURE_OPENAI_API_KEY", "AZURE_OPENAI_ENDPOINT", "https://res1.openai.azure.com"), url: "https://res1.openai.azure.com/openai/v1/responses", auth: map[string]string{"Api-Key": "sk-test-key"}, wantModel: "our-deployment"},
		{provider: "ollama", model: "qwen3:8b", env: map[string]string{}, url: "http://localhost:11434/v1/chat/completions", auth: map[string]string{}, wantModel: "qwen3:8b"},
		{provider: "ollama", model: "qwen3:8b", env: map[string]string{"OLLAMA_BASE_URL": "http://gpu.local:11434/v1"}, url: "http://gpu.local:11434/v1/chat/completions", auth: map[string]string{}, wantModel: "qwen3:8b"},
		{provider: "bob", model: "ignored", env: key("BOB_API_KEY"), url: "https://api.us-east.bob.ibm.com/inference/v1/chat/completions", auth: map[string]string{"Authorization": "Apikey sk-test-key"}, wantModel: "premium"},
	} {
		for _, stream := range []llm.StreamMode{llm.StreamOff, llm.StreamOn} {
			t.Run(test.provider+" "+test.wantModel+" stream "+string(stream), func(t *testing.T) {
				test.env["OPENWIKI_PROVIDER"] = strings.ToUpper(test.provider)
				c, err := llm.Resolve(func(name string) string { return test.env[name] }, llm.Overrides{Model: test.model})
				if err != nil {
					t.Fatal(err)
				}
				c.Stream = stream
				d := runThroughDetour(t, c, test.auth)
				want := test.url
				if stream == llm.StreamOn && test.stream != "" {
					want = test.stream
				}
				if diff := cmp.Diff([]string{want, want}, d.urls); diff != "" {
					t.Errorf("URLs: %s", diff)
				}
				for name, value := range test.headers {
					if got := d.last.Header.Get(name); got != value {
						t.Errorf("%s: %q, want %q", name, got, value)
					}
				}
				if d.model != test.wantModel {
					t.Errorf("model %q", d.model)
				}
			})
		}
	}
}

type finished struct {
	*detour
	model string
}

// runThroughDetour writes a page with a model whose requests are led to a scripted server.
func runThroughDetour(t *testing.T, c llm.Config, auth map[string]string) finished {
	t.Helper()
	settings := llmtest.Settings{Auth: auth, AnyAuth: auth == nil, Keys: []string{"usage"}}
	server := llmtest.ServeWith(t, llmtest.Steps(write(), submit()), settings)
	to, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	d := &detour{to: to}
	m, err := llm.Open(t.Context(), c, llm.Options{Transport: d, UserAgent: "wikiwright/test", Now: func() time.Time { return noon }})
	if err != nil {
		t.Fatal(err)
	}
	g := &rig{server: server, model: m}
	if report := g.run(t); report.End != llm.EndDone || len(g.wrote) != 1 || report.Usage.InputTokens != 200 || report.Usage.OutputTokens != 20 {
		t.Errorf("report %+v, wrote %d", report, len(g.wrote))
	}
	r := server.Requests()[0]
	if got := r.Header.Get("User-Agent"); got != "wikiwright/test" {
		t.Errorf("user agent %q", got)
	}
	return finished{d, r.Model}
}

// Static keys sign requests without a trace in the process environment.
func TestOpen_BedrockSignature(t *testing.T) {
	env := map[string]string{
		"OPENWIKI_PROVIDER": "bedrock", "OPENWIKI_MODEL_ID": "anthropic.claude-haiku-4-5-20251001-v1:0", "BEDROCK_AWS_REGION": "us-west-2",
		"BEDROCK_AWS_ACCESS_KEY_ID": "AKIATESTTESTTESTTEST", "BEDROCK_AWS_SECRET_ACCESS_KEY": "secret-canary", "BEDROCK_AWS_SESSION_TOKEN": "session-canary",
	}
	for _, stream := range []llm.StreamMode{llm.StreamOff, llm.StreamOn} {
		c, err := llm.Resolve(func(name string) string { return env[name] }, llm.Overrides{})
		if err != nil {
			t.Fatal(err)
		}
		c.Stream = stream
		before := os.Environ()
		d := runThroughDetour(t, c, nil)
		got := d.last.Header.Get("Authorization")
		if !strings.HasPrefix(got, "AWS4-HMAC-SHA256 Credential=AKIATESTTESTTESTTEST/20261201/us-west-2/bedrock/aws4_request, SignedHeaders=") {
			t.Errorf("Authorization %q", got)
		}
		// The signature is that of the request as it left.
		again, err := http.NewRequestWithContext(t.Context(), http.MethodPost, d.urls[1], strings.NewReader(string(d.body)))
		if err != nil {
			t.Fatal(err)
		}
		signed, _, _ := strings.Cut(strings.SplitAfter(got, "SignedHeaders=")[1], ",")
		for name := range strings.SplitSeq(signed, ";") {
			if value := d.last.Header.Get(name); value != "" {
				again.Header.Set(name, value)
			}
		}
		sum := sha256.Sum256(d.body)
		keys := aws.Credentials{AccessKeyID: "AKIATESTTESTTESTTEST", SecretAccessKey: "secret-canary", SessionToken: "session-canary"}
		if err := v4.NewSigner().SignHTTP(t.Context(), keys, again, hex.EncodeToString(sum[:]), "bedrock", "us-west-2", noon); err != nil {
			t.Fatal(err)
		}
		if want := again.Header.Get("Authorization"); got != want {
			t.Errorf("Authorization %q, want %q", got, want)
		}
		if d.last.Header.Get("X-Amz-Security-Token") != "session-canary" {
			t.Error("no session token")
		}
		if !slices.Equal(before, os.Environ()) {
			t.Error("the environment was changed")
		}
	}
}

// Without keys, Bedrock takes the standard chain.
func TestOpen_BedrockChain(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "AKIACHAINCHAINCHAINX")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "chain-canary")
	t.Setenv("AWS_CONFIG_FILE", filepath.Join(t.TempDir(), "none"))
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", filepath.Join(t.TempDir(), "none"))
	d := runThroughDetour(t, llm.Config{Provider: "bedrock", Model: "anthropic.claude-x", Region: "eu-west-1", Stream: llm.StreamOn}, nil)
	if got := d.last.Header.Get("Authorization"); !strings.Contains(got, "Credential=AKIACHAINCHAINCHAINX/20261201/eu-west-1/bedrock") {
		t.Errorf("Authorization %q", got)
	}
}

// googleCredentials writes a service account whose tokens come from the detour.
func googleCredentials(t *testing.T) {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	block := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
	data, err := json.Marshal(map[string]string{
		"type": "service_account", "client_email": "x@example.com", "private_key": string(block), "private_key_id": "1", "token_uri": "https://oauth2.example.com/token",
	})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "adc.json")
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOOGLE_APPLICATION_CREDENTIALS", name)
}

// tokens answers requests for a token itself and passes the others on.
type tokens struct {
	http.RoundTripper
	asked int
}

func (s *tokens) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.URL.Host != "oauth2.example.com" {
		return s.RoundTripper.RoundTrip(req)
	}
	s.asked++
	body := `{"access_token":"ya29.canary","token_type":"Bearer","expires_in":3600}`
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)), Request: req}, nil
}

func TestOpen_Vertex(t *testing.T) {
	googleCredentials(t)
	for _, test := range []struct {
		model, location, url, stream string
	}{
		{"gemini-3.6-flash", "", "https://aiplatform.googleapis.com/v1beta1/projects/proj/locations/global/publishers/google/models/gemini-3.6-flash:generateContent",
			"https://aiplatform.googleapis.com/v1beta1/projects/proj/locations/global/publishers/google/models/gemini-3.6-flash:streamGenerateContent?alt=sse"},
		{"gemini-3.6-flash", "europe-west4", "https://europe-west4-aiplatform.googleapis.com/v1beta1/projects/proj/locations/europe-west4/publishers/google/models/gemini-3.6-flash:generateContent",
			"https://europe-west4-aiplatform.googleapis.com/v1beta1/projects/proj/locations/europe-west4/publishers/google/models/gemini-3.6-flash:streamGenerateContent?alt=sse"},
		{"claude-haiku-4-5", "us-east5", "https://us-east5-aiplatform.googleapis.com/v1/projects/proj/locations/us-east5/publishers/anthropic/models/claude-haiku-4-5:rawPredict",
			"https://us-east5-aiplatform.googleapis.com/v1/projects/proj/locations/us-east5/publishers/anthropic/models/claude-haiku-4-5:streamRawPredict"},
		{"meta/llama-4", "us-east5", "https://us-east5-aiplatform.googleapis.com/v1/projects/proj/locations/us-east5/endpoints/openapi/chat/completions",
			"https://us-east5-aiplatform.googleapis.com/v1/projects/proj/locations/us-east5/endpoints/openapi/chat/completions"},
	} {
		for _, stream := range []llm.StreamMode{llm.StreamOff, llm.StreamOn} {
			t.Run(test.model+test.location+string(stream), func(t *testing.T) {
				env := map[string]string{"OPENWIKI_PROVIDER": "gemini-enterprise", "OPENWIKI_MODEL_ID": test.model, "GOOGLE_CLOUD_PROJECT": "proj", "GOOGLE_CLOUD_LOCATION": test.location}
				c, err := llm.Resolve(func(name string) string { return env[name] }, llm.Overrides{})
				if err != nil {
					t.Fatal(err)
				}
				c.Stream = stream
				server := llmtest.ServeWith(t, llmtest.Steps(write(), submit()), llmtest.Settings{Auth: map[string]string{"Authorization": "Bearer ya29.canary"}})
				to, err := url.Parse(server.URL)
				if err != nil {
					t.Fatal(err)
				}
				d := &detour{to: to}
				s := &tokens{RoundTripper: d}
				m, err := llm.Open(t.Context(), c, llm.Options{Transport: s})
				if err != nil {
					t.Fatal(err)
				}
				g := &rig{server: server, model: m}
				if report := g.run(t); report.End != llm.EndDone || len(g.wrote) != 1 {
					t.Errorf("report %+v", report)
				}
				want := test.url
				if stream == llm.StreamOn {
					want = test.stream
				}
				if diff := cmp.Diff([]string{want, want}, d.urls); diff != "" || s.asked != 1 {
					t.Errorf("asked for %d tokens; URLs: %s", s.asked, diff)
				}
			})
		}
	}
}

func TestOpen_VertexWithoutCredentials(t *testing.T) {
	t.Setenv("GOOGLE_APPLICATION_CREDENTIALS", filepath.Join(t.TempDir(), "none.json"))
	m, err := llm.Open(t.Context(), llm.Config{Provider: "gemini-enterprise", Model: "gemini-3.6-flash", Project: "p", Location: "global"}, llm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = m.Run(t.Context(), llm.Task{Prompt: "hi"})
	var e *llm.Error
	if !errors.As(err, &e) || e.Class != llm.ClassConfig || !strings.Contains(e.Hint, "gcloud auth application-default login") {
		t.Errorf("error %v", err)
	}
}

func TestProviders(t *testing.T) {
	want := []string{"openai", "openai-compatible", "openrouter", "anthropic", "baseten", "fireworks", "nebius", "nvidia", "bedrock", "gemini", "gemini-enterprise", "copilot", "github-models", "azure", "ollama", "bob"}
	if diff := cmp.Diff(want, llm.Providers()); diff != "" {
		t.Error(diff)
	}
	_, err := llm.Open(context.Background(), llm.Config{Provider: "opnai"}, llm.Options{})
	var e *llm.Error
	if !errors.As(err, &e) || e.Class != llm.ClassConfig || !strings.Contains(e.Hint, "openai, openai-compatible") {
		t.Errorf("error %v", err)
	}
}

// OpenRouter is told which providers it may route to, and its own figure is the cost.
func TestOpen_OpenRouter(t *testing.T) {
	for _, stream := range []llm.StreamMode{llm.StreamOff, llm.StreamOn} {
		step := submit()
		step.Usage = &llm.Usage{InputTokens: 1000, CachedInputTokens: 400, OutputTokens: 100, CostUSD: 0.0123}
		server := llmtest.ServeWith(t, llmtest.Steps(step), llmtest.Settings{Keys: []string{"usage", "provider", "reasoning"}})
		to, err := url.Parse(server.URL)
		if err != nil {
			t.Fatal(err)
		}
		m, err := llm.Open(t.Context(), llm.Config{Provider: "openrouter", Model: "z-ai/glm-5.2", Key: "sk-test-key", Stream: stream, Upstreams: []string{"alpha", "beta"}, ReasoningEffort: "low"}, llm.Options{Transport: &detour{to: to}})
		if err != nil {
			t.Fatal(err)
		}
		g := &rig{server: server, model: m}
		report := g.run(t)
		if diff := cmp.Diff(llm.Usage{Requests: 1, InputTokens: 1000, CachedInputTokens: 400, OutputTokens: 100, CostUSD: 0.0123, Priced: true}, report.Usage); diff != "" {
			t.Error(diff)
		}
		keys := server.Requests()[0].Keys()
		if string(keys["provider"]) != `{"only":["alpha","beta"]}` || string(keys["reasoning"]) != `{"effort":"low"}` {
			t.Errorf("provider %s, reasoning %s of %v", keys["provider"], keys["reasoning"], slices.Sorted(maps.Keys(keys)))
		}
	}
}
