// Package collect runs collectors over a machine and puts what they read into
// one stack. A collector reports what it read, raw; it never judges and never
// sees the knowledge base or a rule.
package collect

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"strata/internal/machine"
	"strata/internal/stack"
)

// Collector reads one source of facts.
type Collector struct {
	// Name is stable and shown in reports: hardware, kernel, python, …
	Name string
	// Deadline is when the rest of the report stops waiting; 0 means DefaultDeadline.
	Deadline time.Duration
	// Read reads from the machine and returns what to put into the stack. It must
	// not touch a stack itself: after the deadline its result is dropped.
	// The error says what could not be read although the rest could; both are used.
	Read func(ctx context.Context, m *machine.Machine) (Put, error)
}

// Put stores what one collector read. It runs alone, after the collector ended.
type Put func(*stack.Stack)

// DefaultDeadline is far above what any collector takes on a slow disk
// (cold, a few hundred milliseconds) and still short for a person who waits.
const DefaultDeadline = 10 * time.Second

// Run runs collectors beside each other and returns the stack they filled. A
// collector that fails, panics or misses its deadline is recorded in
// stack.Collection and does not stop the rest.
func Run(ctx context.Context, m *machine.Machine, collectors []Collector) *stack.Stack {
	s := &stack.Stack{Subject: stack.Subject{Kind: string(m.Kind), Name: m.Name}}
	s.Subject.Live = m.Live()
	Add(ctx, m, s, collectors)
	return s
}

// Add runs further collectors, beside each other, and adds what they read to a
// stack that others have filled.
func Add(ctx context.Context, m *machine.Machine, s *stack.Stack, collectors []Collector) {
	type result struct {
		put    Put
		record stack.Collection
	}
	results := make([]result, len(collectors))
	// More readers than processors pays on a cold disk and costs nothing warm.
	slots := make(chan struct{}, max(4, 2*runtime.GOMAXPROCS(0)))
	var wg sync.WaitGroup
	for i, c := range collectors {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			start := time.Now()
			put, err := attempt(ctx, m, c)
			rec := stack.Collection{Name: c.Name, State: stack.Known, Micros: time.Since(start).Microseconds()}
			if err != nil {
				rec.State, rec.Why = stack.Failed, err.Error()
			}
			results[i] = result{put, rec}
		})
	}
	wg.Wait()
	for _, r := range results {
		if r.put != nil {
			r.put(s)
		}
		s.Collection = append(s.Collection, r.record)
	}
}

// attempt runs one collector in a goroutine of its own, so that one that hangs
// in the kernel can be left behind.
func attempt(ctx context.Context, m *machine.Machine, c Collector) (Put, error) {
	limit := c.Deadline
	if limit == 0 {
		limit = DefaultDeadline
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	type answer struct {
		put Put
		err error
	}
	done := make(chan answer, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				done <- answer{nil, fmt.Errorf("collector %s panicked: %v\n%s", c.Name, r, debug.Stack())}
			}
		}()
		put, err := c.Read(ctx, m)
		done <- answer{put, err}
	}()
	select {
	case a := <-done:
		return a.put, a.err
	case <-ctx.Done():
		// A collector that watches the context returns in a moment with what it
		// has; one that hangs in a read does not.
		select {
		case a := <-done:
			return a.put, errors.Join(a.err, fmt.Errorf("gave up after %s", limit))
		case <-time.After(200 * time.Millisecond):
			return nil, fmt.Errorf("gave up after %s: a read did not return", limit)
		}
	}
}

// Each runs do for every item on a few goroutines and returns the results in
// order. An item whose do has not returned when each has passed is given up:
// its result is what late makes of it. One directory that hangs so costs one
// result, not all.
//
// A panic of do becomes one of Each, so that Run can say which collector it was.
func Each[T, R any](ctx context.Context, items []T, each time.Duration, do func(context.Context, T) R, late func(T) R) []R {
	results := make([]R, len(items))
	panics := make([]any, len(items))
	slots := make(chan struct{}, max(2, runtime.GOMAXPROCS(0)))
	var wg sync.WaitGroup
	for i, item := range items {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			ctx, cancel := context.WithTimeout(ctx, each)
			defer cancel()
			type answer struct {
				result R
				panic  any
			}
			done := make(chan answer, 1)
			go func() {
				var a answer
				defer func() {
					if r := recover(); r != nil {
						a.panic = fmt.Sprintf("%v\n%s", r, debug.Stack())
					}
					done <- a
				}()
				a.result = do(ctx, item)
			}()
			select {
			case a := <-done:
				results[i], panics[i] = a.result, a.panic
			case <-ctx.Done():
				results[i] = late(item)
			}
		})
	}
	wg.Wait()
	for _, p := range panics {
		if p != nil {
			panic(p)
		}
	}
	return results
}
