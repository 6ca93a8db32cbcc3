package textscan

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// BenchmarkScan scans a log of ordinary words for a thousand literals made of
// words of the same kind, so that many begin to match and few do.
func BenchmarkScan(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("model layer epoch step loss rate batch sample second worker request latency token cache miss connection pool retry queue backend tensor shape checkpoint shard optimizer gradient norm library version driver device error failed load open file cannot init kernel memory runtime")
	var literals []string
	for i := range 1000 {
		literals = append(literals, fmt.Sprintf("%s %s%d %s", words[r.IntN(len(words))], words[r.IntN(len(words))], i, words[r.IntN(len(words))]))
	}
	s, err := Compile(literals)
	if err != nil {
		b.Fatal(err)
	}
	var text strings.Builder
	for text.Len() < 8<<20 {
		text.WriteString("2026-11-30 10:11:12,345 INFO ")
		for range 10 {
			text.WriteString(words[r.IntN(len(words))] + " ")
		}
		text.WriteByte('\n')
	}
	block := []byte(text.String())
	a, err := newAutomaton(s.literals)
	if err != nil {
		b.Fatal(err)
	}
	for name, scan := range map[string]func([]byte, []Hit) []Hit{"sieve": s.sieve.scan, "automaton": a.scan} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(block)))
			for b.Loop() {
				scan(block, nil)
			}
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	var literals []string
	for i := range 1000 {
		literals = append(literals, fmt.Sprintf("message number %d of the catalogue %d", i, i*i))
	}
	b.Run("sieve", func(b *testing.B) {
		for b.Loop() {
			if _, err := newSieve(literals); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("automaton", func(b *testing.B) {
		for b.Loop() {
			if _, err := newAutomaton(literals); err != nil {
				b.Fatal(err)
			}
		}
	})
}
