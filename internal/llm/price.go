package llm

import (
	"cmp"
	"strings"

	"charm.land/catwalk/pkg/catwalk"
	"charm.land/catwalk/pkg/embedded"
	"charm.land/fantasy"
	"charm.land/fantasy/providers/openrouter"
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

// usage reads what a response used. Providers differ in whether input counts what came from the cache.
func (m *Model) usage(r *fantasy.Response) Usage {
	u := Usage{
		Requests:          1,
		InputTokens:       r.Usage.InputTokens,
		CachedInputTokens: r.Usage.CacheReadTokens,
		CacheWriteTokens:  r.Usage.CacheCreationTokens,
		OutputTokens:      r.Usage.OutputTokens,
		ReasoningTokens:   r.Usage.ReasoningTokens,
	}
	// The library subtracts, or is given, input without what came from the cache.
	u.InputTokens += u.CachedInputTokens + u.CacheWriteTokens
	if reported, ok := r.ProviderMetadata[openrouter.Name].(*openrouter.ProviderMetadata); ok && reported.Usage.Cost > 0 {
		u.CostUSD, u.Priced = reported.Usage.Cost, true
		return u
	}
	if m.price != (price{}) {
		u.Priced = true
		plain := float64(u.InputTokens - u.CachedInputTokens - u.CacheWriteTokens)
		u.CostUSD = (plain*m.price.in + float64(u.CachedInputTokens)*m.price.cacheRead + float64(u.CacheWriteTokens)*m.price.cacheWrite +
			float64(u.OutputTokens)*m.price.out) / 1e6
	}
	return u
}
