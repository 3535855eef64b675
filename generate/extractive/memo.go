package extractive

import "sync"

// A memo keeps what a function found for a key. It is safe for concurrent use; the function is pure, so that two goroutines that ask for
// the same key at the same time find the same. It may ask the memo for other keys.
type memo[K comparable, V any] struct {
	mu    sync.RWMutex
	known map[K]V
}

// get returns what find finds for the key, looking for it only when it is not known.
func (m *memo[K, V]) get(key K, find func(K) V) V {
	m.mu.RLock()
	v, ok := m.known[key]
	m.mu.RUnlock()
	if ok {
		return v
	}
	v = find(key)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil {
		m.known = make(map[K]V)
	}
	m.known[key] = v
	return v
}
