package llm

import "github.com/wikiwright/wikiwright/internal/llm/wire"

// provider is what is known of an endpoint before it is asked.
type provider struct {
	id   string
	name string
	// format is that of most models; see formatOf.
	format wire.Format
	// keys are the variables that hold its credential, the first is the one to name in messages. None: it needs no key, or a cloud identity.
	keys []string
	// baseURL is "" where it depends on the configuration; urls are variables that replace it.
	baseURL  string
	urls     []string
	needsURL bool
	// catalogue is the id of the provider in the catalogue of prices; "" when it is not there.
	catalogue string
	model     string // when none is given; "" means that one must be given
	fixed     bool   // model is the only one
	stream    bool   // replies are streamed unless configured otherwise
	// authHeader replaces "Authorization: Bearer"; authScheme replaces "Bearer".
	authHeader, authScheme string
	// headers are sent with every request; configured ones of the same name win.
	headers  map[string]string
	inferred bool // chosen when its key is the first one present
}

// providers are OpenWiki's, in the order in which they are chosen by their keys, and some more. The ids and names of variables are the
// interface that its users know.
func providers() []provider {
	return []provider{
		{id: "openai", name: "OpenAI", format: wire.Responses, keys: []string{"OPENAI_API_KEY"}, baseURL: "https://api.openai.com/v1", urls: []string{"OPENAI_BASE_URL"}, catalogue: "openai", model: "gpt-5.6-terra", stream: true, inferred: true},
		{id: "openai-compatible", name: "an OpenAI-compatible endpoint", format: wire.Chat, keys: []string{"OPENAI_COMPATIBLE_API_KEY"}, urls: []string{"OPENAI_COMPATIBLE_BASE_URL"}, needsURL: true, inferred: true},
		{id: "openrouter", name: "OpenRouter", format: wire.OpenRouter, keys: []string{"OPENROUTER_API_KEY"}, baseURL: "https://openrouter.ai/api/v1", catalogue: "openrouter", model: "z-ai/glm-5.2", stream: true, inferred: true},
		{id: "anthropic", name: "Anthropic", format: wire.Messages, keys: []string{"ANTHROPIC_API_KEY"}, baseURL: "https://api.anthropic.com", urls: []string{"ANTHROPIC_BASE_URL"}, catalogue: "anthropic", model: "claude-haiku-4-5", authHeader: "X-Api-Key", stream: true, inferred: true},
		{id: "baseten", name: "Baseten", format: wire.Chat, keys: []string{"BASETEN_API_KEY"}, urls: []string{"BASETEN_BASE_URL"}, baseURL: "https://inference.baseten.co/v1", catalogue: "baseten", model: "zai-org/GLM-5.2", inferred: true},
		{id: "fireworks", name: "Fireworks", format: wire.Chat, keys: []string{"FIREWORKS_API_KEY"}, urls: []string{"FIREWORKS_BASE_URL"}, baseURL: "https://api.fireworks.ai/inference/v1", catalogue: "fireworks", model: "accounts/fireworks/models/glm-5p2", inferred: true},
		{id: "nebius", name: "Nebius", format: wire.Chat, keys: []string{"NEBIUS_API_KEY"}, baseURL: "https://api.tokenfactory.nebius.com/v1", catalogue: "nebius", model: "moonshotai/Kimi-K2.6", inferred: true},
		{id: "nvidia", name: "NVIDIA", format: wire.Chat, keys: []string{"NVIDIA_API_KEY"}, urls: []string{"NVIDIA_BASE_URL"}, baseURL: "https://integrate.api.nvidia.com/v1", model: "nvidia/nemotron-3-super-120b-a12b", inferred: true},
		{id: "bedrock", name: "Amazon Bedrock", format: wire.Messages, catalogue: "bedrock", inferred: true},
		{id: "gemini", name: "Gemini", format: wire.Gemini, keys: []string{"GEMINI_API_KEY"}, baseURL: "https://generativelanguage.googleapis.com", catalogue: "gemini", model: "gemini-3.6-flash", authHeader: "X-Goog-Api-Key"},
		{id: "gemini-enterprise", name: "Gemini Enterprise (Vertex AI)", format: wire.Gemini, catalogue: "vertexai", model: "gemini-3.6-flash"},
		{id: "copilot", name: "GitHub Copilot", format: wire.Chat, keys: []string{"COPILOT_API_KEY"}, urls: []string{"COPILOT_BASE_URL"}, baseURL: "https://api.githubcopilot.com", catalogue: "copilot", model: "gpt-5.6-terra", stream: true, headers: copilotHeaders()},
		{id: "github-models", name: "GitHub Models", format: wire.Chat, keys: []string{"GITHUB_MODELS_TOKEN"}, baseURL: "https://models.github.ai/inference"},
		{id: "azure", name: "Azure OpenAI", format: wire.Responses, keys: []string{"AZURE_OPENAI_API_KEY"}, urls: []string{"AZURE_OPENAI_ENDPOINT"}, needsURL: true, catalogue: "azure", authHeader: "Api-Key", stream: true},
		{id: "ollama", name: "Ollama", format: wire.Chat, urls: []string{"OLLAMA_BASE_URL"}, baseURL: "http://localhost:11434/v1"},
		{id: "bob", name: "IBM Bob", format: wire.Chat, keys: []string{"BOB_API_KEY"}, urls: []string{"BOB_BASE_URL"}, baseURL: "https://api.us-east.bob.ibm.com/inference/v1", model: "premium", fixed: true, stream: true, authScheme: "Apikey"},
	}
}

// copilotHeaders are what GitHub Copilot refuses requests without, in the values that it takes from other programs than its own editors.
func copilotHeaders() map[string]string {
	return map[string]string{"Editor-Version": "wikiwright/1.0", "Copilot-Integration-Id": "vscode-chat", "X-Initiator": "agent"}
}

func providerByID(id string) (provider, bool) {
	for _, p := range providers() {
		if p.id == id {
			return p, true
		}
	}
	return provider{}, false
}

// Providers returns the ids of the providers, in the order in which they are chosen.
func Providers() []string {
	list := providers()
	ids := make([]string, len(list))
	for i, p := range list {
		ids[i] = p.id
	}
	return ids
}
