package triage

import (
	"slices"
	"strings"
	"testing"

	"strata/internal/kb"
	"strata/internal/rules"
)

// TestTermsIn holds that a term is a word of its own, in capitals where it is written so.
func TestTermsIn(t *testing.T) {
	for line, want := range map[string][]string{
		"the initramfs lacks amdgpu, and BAR1 is small":      {"initramfs", "amdgpu", "BAR1"},
		"a bar of progress, a mig fighter, dramatic changes": nil,
		"secure boot is on; Secure Boot":                     {"secure boot", "Secure Boot"},
		"my_initramfs initramfs2":                            nil,
		"nvidia-drm.modeset=1":                               {"nvidia-drm"},
		"":                                                   nil,
	} {
		if got := terms().in(line); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

// TestSpeaksOf holds that a possible answer, and none, repeat what a text is about, each term once and few of them, and
// that a log's lines count for nothing.
func TestSpeaksOf(t *testing.T) {
	for _, c := range []struct {
		name, text, says, lacks string
	}{
		{
			"a possible answer", strings.Repeat("We have a box here that we like a lot, with some cards. ", 3) +
				"\nSince the update the NVIDIA GPU is not detected by the driver, dracut made an initramfs without it, and amdgpu is there too; dracut again.\n",
			"It speaks of dracut, initramfs, amdgpu.", "dracut, initramfs, amdgpu, dracut",
		},
		{"none", "We run Slurm with Enroot here.\n", "which tells of Slurm, Enroot; add", "nothing in this text"},
		{"a log", "2026-11-07 01:05:27 INFO Slurm with Enroot\n", "nothing in this text is known", "Slurm"},
	} {
		doc, err := Text("t", c.text, Options{Base: kb.Default(), Rules: rules.All()})
		if err != nil {
			t.Fatal(err)
		}
		said := doc.Verdict.Summary
		for _, f := range doc.Findings {
			said += "\n" + f.Cause
		}
		if !strings.Contains(said, c.says) || strings.Contains(said, c.lacks) {
			t.Errorf("%s: %q; want %q and not %q in it", c.name, said, c.says, c.lacks)
		}
	}
}
