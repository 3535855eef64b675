package llm

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"

	"github.com/wikiwright/wikiwright/internal/llm/wire"
)

// endpoint is where requests go, and in which format.
type endpoint struct {
	format        wire.Format
	whole, stream string // addresses by the form of answer that is asked for
	headers       map[string]string
	accept        string // of a stream that is no text/event-stream
	cloud         string // see wire.Request
}

// formatOf returns the format for a model: some providers serve models in more than one.
func formatOf(c Config, known provider) wire.Format {
	switch {
	case known.id == "gemini-enterprise" && (strings.Contains(c.Model, "claude") || strings.Contains(c.Model, "anthropic")):
		return wire.Messages
	case known.id == "gemini-enterprise" && c.openModelOnVertex():
		return wire.Chat
	case known.format == wire.Chat && (c.Responses || known.id == "copilot" && strings.HasPrefix(c.Model, "gpt-5")):
		return wire.Responses
	}
	return known.format
}

func newEndpoint(c Config, known provider) endpoint {
	e := endpoint{format: formatOf(c, known)}
	base := strings.TrimRight(cmp.Or(c.BaseURL, known.baseURL), "/")
	switch {
	case known.id == "bedrock":
		e.cloud, e.accept = "bedrock-2023-05-31", "application/vnd.amazon.eventstream"
		path := fmt.Sprintf("https://bedrock-runtime.%s.amazonaws.com/model/%s/", c.Region, strings.ReplaceAll(url.PathEscape(c.Model), ":", "%3A"))
		e.whole, e.stream = path+"invoke", path+"invoke-with-response-stream"
		return e
	case known.id == "gemini-enterprise":
		return e.onVertex(c)
	}
	switch e.format {
	case wire.Gemini:
		path := base + "/v1beta/models/" + strings.ReplaceAll(url.PathEscape(strings.TrimPrefix(c.Model, "models/")), "%2F", "/")
		e.whole, e.stream = path+":generateContent", path+":streamGenerateContent?alt=sse"
	case wire.Messages:
		e.headers = map[string]string{"Anthropic-Version": "2023-06-01"}
		e.whole = strings.TrimSuffix(base, "/v1") + "/v1/messages"
	case wire.Responses:
		e.whole = azureURL(base) + "/responses"
	default:
		e.whole = base + "/chat/completions"
	}
	e.stream = cmp.Or(e.stream, e.whole)
	return e
}

// onVertex is the endpoint of Google's cloud, which serves Gemini, Claude, and others through its compatible endpoint.
func (e endpoint) onVertex(c Config) endpoint {
	host := "aiplatform.googleapis.com"
	switch c.Location {
	case "global":
	case "us", "eu": // several regions together
		host = "aiplatform." + c.Location + ".rep.googleapis.com"
	default:
		host = c.Location + "-" + host
	}
	place := fmt.Sprintf("/projects/%s/locations/%s/", url.PathEscape(c.Project), url.PathEscape(c.Location))
	switch e.format {
	case wire.Messages:
		e.cloud = "vertex-2023-10-16"
		path := "https://" + host + "/v1" + place + "publishers/anthropic/models/" + url.PathEscape(c.Model)
		e.whole, e.stream = path+":rawPredict", path+":streamRawPredict"
	case wire.Gemini:
		path := "https://" + host + "/v1beta1" + place + "publishers/google/models/" + url.PathEscape(c.Model)
		e.whole, e.stream = path+":generateContent", path+":streamGenerateContent?alt=sse"
	default:
		e.whole = "https://" + host + "/v1" + place + "endpoints/openapi/chat/completions"
		e.stream = e.whole
	}
	return e
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
