package llm

import (
	"cmp"
	"strings"

	"charm.land/catwalk/pkg/catwalk"
	"charm.land/catwalk/pkg/embedded"
	"charm.land/fantasy"
)

// price is what a model costs, in USD for a million tokens. The zero price is unknown.
type price struct {
	in, out, cacheRead, cacheWrite float64
}

// lookUp finds a model in the catalogue that the library carries: its price, its context in tokens, and how much it may write in one reply
// unless that is configured. Unknown models get no price and no context.
func lookUp(catalogue, model string, configured int64) (price, int64, int64) {
	found, ok := inCatalogue(catalogue, model)
	if !ok {
		return price{}, 0, cmp.Or(configured, DefaultMaxOutputTokens)
	}
	most := configured
	if most == 0 {
		most = DefaultMaxOutputTokens
		if found.DefaultMaxTokens > 0 {
			most = min(max(most, found.DefaultMaxTokens), 64_000)
		}
	}
	return priceOf(found), found.ContextWindow, most
}

func inCatalogue(catalogue, model string) (catwalk.Model, bool) {
	if catalogue == "" {
		return catwalk.Model{}, false
	}
	for _, provider := range embedded.GetAll() {
		if string(provider.ID) != catalogue {
			continue
		}
		for _, m := range provider.Models {
			if strings.EqualFold(m.ID, model) {
				return m, true
			}
		}
	}
	return catwalk.Model{}, false
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

// usage is what a reply used: as the wire said it, or, where the wire is not readable, as the library says it: without what came from the cache.
func (m *Model) usage(r *fantasy.Response, wire *wireUsage) Usage {
	if wire == nil {
		wire = &wireUsage{
			input:  r.Usage.InputTokens + r.Usage.CacheReadTokens + r.Usage.CacheCreationTokens,
			cached: r.Usage.CacheReadTokens, written: r.Usage.CacheCreationTokens, output: r.Usage.OutputTokens, reasoning: r.Usage.ReasoningTokens,
		}
	}
	return m.usageOf(wire)
}

// usageOf counts and prices a request; nil is one that has used nothing that is known.
func (m *Model) usageOf(w *wireUsage) Usage {
	if w == nil {
		return Usage{Requests: 1, Priced: true}
	}
	u := Usage{
		Requests: 1, InputTokens: w.input, CachedInputTokens: w.cached, CacheWriteTokens: w.written, OutputTokens: w.output, ReasoningTokens: w.reasoning,
	}
	switch plain := float64(max(0, w.input-w.cached-w.written)); {
	case w.cost > 0:
		u.CostUSD, u.Priced = w.cost, true // the provider's own figure
	case m.price != price{}:
		u.Priced = true
		u.CostUSD = (plain*m.price.in + float64(w.cached)*m.price.cacheRead + float64(w.written)*m.price.cacheWrite + float64(w.output)*m.price.out) / 1e6
	}
	return u
}
