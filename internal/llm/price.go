package llm

import (
	"cmp"
	"regexp"
	"strings"
	"sync"

	"charm.land/catwalk/pkg/catwalk"
	"charm.land/catwalk/pkg/embedded"

	"github.com/wikiwright/wikiwright/internal/llm/wire"
)

// price is what a model costs, in USD for a million tokens. The zero price is unknown.
type price struct {
	in, out, cacheRead, cacheWrite float64
}

// maxOutput bounds the output limit that is taken from the catalogue: a page, with the thoughts before it, needs no more, and some providers
// reserve credit for all that is asked for.
const maxOutput = 32_000

// lookUp finds a model in the catalogue that the program carries: its price, its context in tokens, and how much it may write in one reply
// unless that is configured. Unknown models get no price and no context.
func lookUp(c Config, known provider) (price, int64, int64) {
	found, ok := inCatalogue(catalogueOf(c, known), c.Model)
	if !ok {
		return price{}, 0, cmp.Or(c.MaxOutputTokens, DefaultMaxOutputTokens)
	}
	most := c.MaxOutputTokens
	if most == 0 {
		most = DefaultMaxOutputTokens
		if known.format != wire.OpenRouter && found.DefaultMaxTokens > 0 {
			most = min(found.DefaultMaxTokens, maxOutput)
		}
	}
	return priceOf(found), found.ContextWindow, most
}

// catalogueOf returns the id of the provider in the catalogue. A compatible endpoint is known by its address.
func catalogueOf(c Config, known provider) string {
	if known.id != "openai-compatible" || c.BaseURL == "" {
		return known.catalogue
	}
	address := strings.TrimRight(c.BaseURL, "/") + "/"
	best, length := "", 0
	for _, provider := range embedded.GetAll() {
		endpoint := strings.TrimRight(provider.APIEndpoint, "/") + "/"
		if strings.HasPrefix(endpoint, "https://") && strings.HasPrefix(address, endpoint) && len(endpoint) > length {
			best, length = string(provider.ID), len(endpoint)
		}
	}
	return best
}

func inCatalogue(catalogue, model string) (catwalk.Model, bool) {
	if catalogue == "" {
		return catwalk.Model{}, false
	}
	var alike *catwalk.Model
	for _, provider := range embedded.GetAll() {
		if string(provider.ID) != catalogue {
			continue
		}
		for i, m := range provider.Models {
			if strings.EqualFold(m.ID, model) {
				return m, true
			}
			if alike == nil && bareModel(m.ID) == bareModel(model) {
				alike = &provider.Models[i]
			}
		}
	}
	if alike != nil {
		return *alike, true
	}
	return catwalk.Model{}, false
}

// versions of a model: a date, and Bedrock's and Vertex's ways of naming one.
var modelVersion = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:[-@]\d{8}|[-@]latest)?(?:-v\d+(?::\d+)?)?$`) })

// bareModel is a model id without its version and Bedrock's region, so that an alias is found by what it stands for.
func bareModel(id string) string {
	id = modelVersion().ReplaceAllString(strings.ToLower(id), "")
	if region, rest, ok := strings.Cut(id, ".anthropic."); ok && len(region) <= 6 {
		return "anthropic." + rest
	}
	return id
}

// priceOf reads the catalogue's two cache prices, whose meaning differs by provider: what is cheaper than plain input is for reading, what
// is dearer for writing.
func priceOf(m catwalk.Model) price {
	p := price{in: m.CostPer1MIn, out: m.CostPer1MOut, cacheRead: m.CostPer1MIn, cacheWrite: m.CostPer1MIn}
	for _, cost := range []float64{m.CostPer1MInCached, m.CostPer1MOutCached} {
		if cost > 0 && cost < p.cacheRead {
			p.cacheRead = cost
		}
	}
	if m.CostPer1MInCached > m.CostPer1MIn {
		p.cacheWrite = m.CostPer1MInCached
	}
	return p
}

// usageOf counts and prices a request; nil is one that has used nothing that is known.
func (m *Model) usageOf(w *wire.Usage) Usage {
	if w == nil {
		return Usage{Requests: 1, Priced: true}
	}
	u := Usage{
		Requests: 1, InputTokens: w.Input, CachedInputTokens: w.Cached, CacheWriteTokens: w.Written, OutputTokens: w.Output, ReasoningTokens: w.Reasoning,
	}
	switch plain := float64(max(0, w.Input-w.Cached-w.Written)); {
	case w.CostUSD > 0:
		u.CostUSD, u.Priced = w.CostUSD, true // the provider's own figure
	case m.price != price{}:
		u.Priced = true
		u.CostUSD = (plain*m.price.in + float64(w.Cached)*m.price.cacheRead + float64(w.Written)*m.price.cacheWrite + float64(w.Output)*m.price.out) / 1e6
	}
	return u
}
