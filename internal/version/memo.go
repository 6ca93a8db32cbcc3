package version

import "sync"

// memo remembers parsed versions by their text. Versions are immutable, so
// sharing them is safe.
type memo[V any] struct {
	mu   sync.RWMutex
	seen map[string]V
}

// maxMemo bounds what a hostile input can make it hold: 4,096 texts of at most
// 256 bytes. When it is full it starts anew.
const maxMemo = 4096

var parsedPEP440 memo[PEP440]

func (m *memo[V]) get(text string) (V, bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	v, ok := m.seen[text]
	return v, ok
}

func (m *memo[V]) put(text string, v V) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.seen == nil || len(m.seen) >= maxMemo {
		m.seen = make(map[string]V, 64)
	}
	m.seen[text] = v
}
