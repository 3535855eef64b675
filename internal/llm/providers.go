package llm

// wireFormat is how an endpoint is spoken to.
type wireFormat int

const (
	wireChat       wireFormat = iota // OpenAI chat completions, and what is compatible
	wireResponses                    // OpenAI Responses
	wireAnthropic                    // Anthropic Messages
	wireGemini                       // Google generateContent
	wireOpenRouter                   // chat completions with OpenRouter's routing and costs
)

// provider is what is known of an endpoint before it is asked.
type provider struct {
	id   string
	name string
	wire wireFormat
	// keys are the variables that hold its credential, the first is the one to name in messages. None: it needs no key, or a cloud identity.
	keys []string
	// baseURL is "" where the library knows it; urls are variables that replace it.
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
		{id: "openai", name: "OpenAI", wire: wireResponses, keys: []string{"OPENAI_API_KEY"}, urls: []string{"OPENAI_BASE_URL"}, catalogue: "openai", model: "gpt-5.6-terra", stream: true, inferred: true},
		{id: "openai-compatible", name: "an OpenAI-compatible endpoint", wire: wireChat, keys: []string{"OPENAI_COMPATIBLE_API_KEY"}, urls: []string{"OPENAI_COMPATIBLE_BASE_URL"}, needsURL: true, inferred: true},
		{id: "openrouter", name: "OpenRouter", wire: wireOpenRouter, keys: []string{"OPENROUTER_API_KEY"}, catalogue: "openrouter", model: "z-ai/glm-5.2", stream: true, inferred: true},
		{id: "anthropic", name: "Anthropic", wire: wireAnthropic, keys: []string{"ANTHROPIC_API_KEY"}, urls: []string{"ANTHROPIC_BASE_URL"}, catalogue: "anthropic", model: "claude-haiku-4-5", authHeader: "X-Api-Key", stream: true, inferred: true},
		{id: "baseten", name: "Baseten", wire: wireChat, keys: []string{"BASETEN_API_KEY"}, urls: []string{"BASETEN_BASE_URL"}, baseURL: "https://inference.baseten.co/v1", catalogue: "baseten", model: "zai-org/GLM-5.2", inferred: true},
		{id: "fireworks", name: "Fireworks", wire: wireChat, keys: []string{"FIREWORKS_API_KEY"}, urls: []string{"FIREWORKS_BASE_URL"}, baseURL: "https://api.fireworks.ai/inference/v1", catalogue: "fireworks", model: "accounts/fireworks/models/glm-5p2", inferred: true},
		{id: "nebius", name: "Nebius", wire: wireChat, keys: []string{"NEBIUS_API_KEY"}, baseURL: "https://api.tokenfactory.nebius.com/v1", catalogue: "nebius", model: "moonshotai/Kimi-K2.6", inferred: true},
		{id: "nvidia", name: "NVIDIA", wire: wireChat, keys: []string{"NVIDIA_API_KEY"}, urls: []string{"NVIDIA_BASE_URL"}, baseURL: "https://integrate.api.nvidia.com/v1", model: "nvidia/nemotron-3-super-120b-a12b", inferred: true},
		{id: "bedrock", name: "Amazon Bedrock", wire: wireAnthropic, catalogue: "bedrock", inferred: true},
		{id: "gemini", name: "Gemini", wire: wireGemini, keys: []string{"GEMINI_API_KEY"}, catalogue: "gemini", model: "gemini-3.6-flash", authHeader: "X-Goog-Api-Key"},
		{id: "gemini-enterprise", name: "Gemini Enterprise (Vertex AI)", wire: wireGemini, catalogue: "vertexai", model: "gemini-3.6-flash"},
		{id: "copilot", name: "GitHub Copilot", wire: wireChat, keys: []string{"COPILOT_API_KEY"}, urls: []string{"COPILOT_BASE_URL"}, baseURL: "https://api.githubcopilot.com", catalogue: "copilot", model: "gpt-5.6-terra", stream: true, headers: copilotHeaders()},
		{id: "github-models", name: "GitHub Models", wire: wireChat, keys: []string{"GITHUB_MODELS_TOKEN"}, baseURL: "https://models.github.ai/inference"},
		{id: "azure", name: "Azure OpenAI", wire: wireResponses, keys: []string{"AZURE_OPENAI_API_KEY"}, urls: []string{"AZURE_OPENAI_ENDPOINT"}, needsURL: true, catalogue: "azure", authHeader: "Api-Key", stream: true},
		{id: "ollama", name: "Ollama", wire: wireChat, urls: []string{"OLLAMA_BASE_URL"}, baseURL: "http://localhost:11434/v1"},
		{id: "bob", name: "IBM Bob", wire: wireChat, keys: []string{"BOB_API_KEY"}, urls: []string{"BOB_BASE_URL"}, baseURL: "https://api.us-east.bob.ibm.com/inference/v1", model: "premium", fixed: true, stream: true, authScheme: "Apikey"},
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
