package llm

import "strings"

// ModelOf returns the id of the model that Resolve would choose for a provider, "" where it would ask for one. It needs no key.
func ModelOf(getenv func(string) string, provider, model string) string {
	known, ok := providerByID(provider)
	switch {
	case ok && known.fixed:
		return known.model
	case strings.TrimSpace(model) != "":
		return strings.TrimSpace(model)
	case strings.TrimSpace(getenv("OPENWIKI_MODEL_ID")) != "":
		return strings.TrimSpace(getenv("OPENWIKI_MODEL_ID"))
	}
	return known.model
}
