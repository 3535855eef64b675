package llm

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"time"

	"charm.land/fantasy"
	"charm.land/fantasy/providers/anthropic"
	"charm.land/fantasy/providers/bedrock"
	"charm.land/fantasy/providers/google"
	"charm.land/fantasy/providers/openai"
	"charm.land/fantasy/providers/openaicompat"
	"charm.land/fantasy/providers/openrouter"
)

// Open prepares a model. It sends no request. Errors are *Error of ClassConfig.
func Open(ctx context.Context, c Config, o Options) (*Model, error) {
	known, ok := providerByID(c.Provider)
	if !ok {
		return nil, &Error{Class: ClassConfig, Err: fmt.Errorf("unknown provider %q", c.Provider), Hint: "use one of " + strings.Join(Providers(), ", ")}
	}
	c = c.withDefaults()
	m := &Model{
		config: c, log: o.Log, now: o.Now, sleep: o.Sleep, random: o.Random,
		dialect: newDialect(c, known), mode: newTransportMode(c.Stream, known.stream), reasoning: &reasoningPolicy{},
	}
	m.setDefaults()
	m.price, m.window, m.config.MaxOutputTokens = lookUp(c, known)
	wires := newRecorder(c, known, o)
	m.auth = wires.auth
	client := &http.Client{
		Transport: wires,
		// Credentials and source never follow a redirect.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	opened, err := openProvider(c, known, client, cmp.Or(o.UserAgent, "wikiwright"))
	if err == nil {
		m.wire, err = opened.LanguageModel(ctx, c.Model)
	}
	if err != nil {
		return nil, &Error{Class: ClassConfig, Provider: c.Provider, Model: c.Model, Err: c.clean(err, err.Error(), ""), Hint: c.hint(ClassConfig, 0)}
	}
	return m, nil
}

func (c Config) withDefaults() Config {
	c.Attempts = cmp.Or(c.Attempts, DefaultAttempts)
	c.RetryBudget = cmp.Or(c.RetryBudget, DefaultRetryBudget)
	c.ConnectTimeout = cmp.Or(c.ConnectTimeout, DefaultConnectTimeout)
	c.FirstByteTimeout = cmp.Or(c.FirstByteTimeout, DefaultFirstByteTimeout)
	c.IdleTimeout = cmp.Or(c.IdleTimeout, DefaultIdleTimeout)
	c.Stream = cmp.Or(c.Stream, StreamAuto)
	return c
}

func (m *Model) setDefaults() {
	if m.log == nil {
		m.log = slog.New(slog.DiscardHandler)
	}
	if m.now == nil {
		m.now = time.Now
	}
	if m.random == nil {
		m.random = rand.Float64
	}
	if m.sleep == nil {
		m.sleep = pause
	}
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// openProvider makes the client of the library. Credentials are added below it, by the recorder; where a library insists on one, it gets a
// placeholder.
func openProvider(c Config, known provider, client *http.Client, agent string) (fantasy.Provider, error) {
	const placeholder = "-"
	address := cmp.Or(c.BaseURL, known.baseURL)
	switch {
	case known.id == "bedrock":
		return bedrock.New(bedrock.WithRegion(c.Region), bedrock.WithSkipAuth(true), bedrock.WithHTTPClient(client), bedrock.WithUserAgent(agent))
	case known.id == "gemini-enterprise" && c.openModelOnVertex():
		return openaicompat.New(openaicompat.WithAPIKey(placeholder), openaicompat.WithBaseURL(c.vertexURL()), openaicompat.WithHTTPClient(client),
			openaicompat.WithUserAgent(agent), openaicompat.WithName(known.id))
	case known.id == "gemini-enterprise":
		return google.New(google.WithVertex(c.Project, c.Location), google.WithSkipAuth(true), google.WithHTTPClient(client), google.WithUserAgent(agent))
	case known.wire == wireGemini:
		return google.New(google.WithGeminiAPIKey(placeholder), google.WithBaseURL(address), google.WithHTTPClient(client), google.WithUserAgent(agent))
	case known.wire == wireAnthropic:
		return anthropic.New(anthropic.WithAPIKey(placeholder), anthropic.WithBaseURL(address), anthropic.WithHTTPClient(client), anthropic.WithUserAgent(agent))
	case known.wire == wireOpenRouter:
		return openrouter.New(openrouter.WithAPIKey(placeholder), openrouter.WithHTTPClient(client), openrouter.WithUserAgent(agent))
	case known.wire == wireResponses:
		return openai.New(openai.WithAPIKey(placeholder), openai.WithBaseURL(azureURL(address)), openai.WithHTTPClient(client), openai.WithUserAgent(agent),
			openai.WithUseResponsesAPI(), openai.WithResponsesAPIFunc(func(string) bool { return true }))
	}
	options := []openaicompat.Option{
		openaicompat.WithAPIKey(placeholder), openaicompat.WithBaseURL(address), openaicompat.WithHTTPClient(client), openaicompat.WithUserAgent(agent),
		openaicompat.WithName(known.id),
	}
	if c.Responses || known.id == "copilot" && strings.HasPrefix(c.Model, "gpt-5") {
		options = append(options, openaicompat.WithUseResponsesAPI(), openaicompat.WithResponsesAPIFunc(func(string) bool { return true }))
	}
	return openaicompat.New(options...)
}

// openModelOnVertex reports that a model is one of those that Vertex AI serves through its compatible endpoint.
func (c Config) openModelOnVertex() bool {
	for _, family := range []string{"ai21", "codellama", "codestral", "deepseek", "grok", "jamba", "llama", "meta", "mistral", "qwen", "xai"} {
		if strings.HasPrefix(strings.ToLower(c.Model), family) {
			return c.Provider == "gemini-enterprise"
		}
	}
	return false
}

// vertexURL is Vertex AI's endpoint that is compatible with OpenAI.
func (c Config) vertexURL() string {
	host := "aiplatform.googleapis.com"
	if c.Location != "global" {
		host = c.Location + "-" + host
	}
	return fmt.Sprintf("https://%s/v1/projects/%s/locations/%s/endpoints/openapi", host, c.Project, c.Location)
}

// azureURL completes the address of a resource of Azure, in any of its domains, with the path of the API. Other addresses stay.
func azureURL(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	for _, domain := range []string{".openai.azure.com", ".cognitiveservices.azure.com", ".services.ai.azure.com"} {
		if resource, ok := strings.CutSuffix(u.Hostname(), domain); ok {
			return "https://" + resource + ".openai.azure.com/openai/v1"
		}
	}
	return address
}
