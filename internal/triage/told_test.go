package triage

import "testing"

// TestTold holds that what a person tells is heard where no program's message speaks, and only there.
func TestTold(t *testing.T) {
	for _, c := range []struct{ name, text, finding string }{
		{"a driver below the image's CUDA", "Since the image is built with CUDA 13.0 the service does not start. Our nodes have driver 550.90.07.", "told-built-for-cuda"},
		{"the same behind a message", "The image is built with CUDA 13.0, the nodes have driver 550.90.07, and it fails:\nRuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB", "cuda-out-of-memory"},
		{"two releases that are in use", "We upgraded torch to 2.4.1 and left torchvision at 0.17.2; now the import crashes.", "PKG007"},
		{"a release that was left", "After upgrading from torch 2.5.1+cu124 to torch 2.9.0+cu128 my Tesla P40 fails on the first kernel.", "ARC001"},
		{"a GPU by its number", "Training stops on my 5070 Ti with torch 2.6.0+cu124, the first operation fails.", "ARC001"},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc, err := Text(c.name, c.text, options())
			if err != nil {
				t.Fatal(err)
			}
			if doc.Verdict.Finding != c.finding {
				t.Errorf("the verdict names %q, not %s: %s", doc.Verdict.Finding, c.finding, doc.Verdict.Summary)
			}
		})
	}
}
