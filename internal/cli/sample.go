package cli

import (
	"fmt"
	"sync"
	"time"

	"strata/internal/outcome"
	"strata/internal/probe"
	"strata/internal/witness"
)

// sampleFlag is how often strata run and strata watch look at the GPUs.
func sampleFlag(f flags, to *time.Duration) {
	f.DurationVar(to, "sample", probe.DefaultEvery, "look at the GPUs' memory and utilisation this `often`; 0 leaves it out")
}

// leastSample keeps the looks below a hundredth of a processor.
const leastSample = 100 * time.Millisecond

func validSample(every time.Duration) error {
	if every < 0 || every > 0 && every < leastSample {
		return fmt.Errorf("--sample %s is too often; use 0 for not at all, or %s and more", every, leastSample)
	}
	return nil
}

// sampling has strata-probe look at the GPUs beside a command. It begins when
// the command itself has the driver: before, a look could load a kernel module for
// a command that wants no GPU.
type sampling struct {
	every time.Duration
	off   string // why nobody is to look
	watch *outcome.Watch

	mu      sync.Mutex
	root    int
	known   map[int]bool // processes of the command, also those that have left its tree
	ours    map[int]bool // those of them that were seen on a GPU
	sampler *probe.Sampler
	failed  error
	begun   bool
}

func newSampling(watch *outcome.Watch, every time.Duration, off string) *sampling {
	if every == 0 && off == "" {
		off = "--sample 0 leaves it out"
	}
	return &sampling{every: every, off: off, watch: watch, known: map[int]bool{}, ours: map[int]bool{}}
}

// started is told the command's process.
func (s *sampling) started(pid int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.root = pid
}

// saw is told what the command has mapped and opened.
func (s *sampling) saw(x witness.Seen) {
	if s.off != "" || !x.IsDriver() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.begun {
		return
	}
	s.begun = true
	s.sampler, s.failed = probe.StartSampler(s.every, s.look)
}

// look takes what strata-probe saw.
func (s *sampling) look(x probe.Sample) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !witness.Exists(s.root) {
		return // it has ended: what its GPU does now is no longer its doing
	}
	for _, pid := range witness.Tree(s.root) {
		s.known[pid] = true
	}
	contained := witness.Contained()
	s.watch.Sampled(x, s.every, func(pid int) (own, exists bool) {
		// One that ends right now is still the command's.
		own = s.known[pid] && (!contained || s.ours[pid] || witness.HasDriver(pid))
		if own {
			s.ours[pid] = true
		}
		return own, own || witness.Exists(pid)
	})
}

// stop ends it and says how it went.
func (s *sampling) stop() {
	s.mu.Lock()
	sampler, failed, begun := s.sampler, s.failed, s.begun
	s.mu.Unlock() // Stop waits for a look that may be under way
	switch {
	case s.off != "":
		s.watch.NotSampled(outcome.SamplingOff, s.off)
	case !begun:
		s.watch.NotSampled(outcome.SamplingNotNeeded, "the command was not seen to load the driver")
	case failed != nil:
		s.watch.NotSampled(outcome.SamplingFailed, failed.Error())
	default:
		if why := sampler.Stop(); why != "" {
			s.watch.NotSampled(outcome.SamplingFailed, why)
		}
	}
}
