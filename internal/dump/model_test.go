package dump

import "testing"

// TestWithoutSize holds what people write behind a card's name apart from what NVIDIA does.
func TestWithoutSize(t *testing.T) {
	for in, want := range map[string]string{
		"RTX 5060 8GB OC":             "RTX 5060",
		"RTX 3060 12 GB":              "RTX 3060",
		"RTX 4090 24GB VRAM":          "RTX 4090",
		"Tesla V100-PCIE-32GB":        "Tesla V100-PCIE-32GB",
		"NVIDIA A100 80GB PCIe":       "NVIDIA A100 80GB PCIe",
		"GeForce GTX 1060 3GB":        "GeForce GTX 1060 3GB",
		"GeForce RTX 2080 SUPER":      "GeForce RTX 2080 SUPER",
		"RTX 5070 Ti 16GB OC Edition": "RTX 5070 Ti",
	} {
		if got := withoutSize(in); got != want {
			t.Errorf("withoutSize(%q) = %q, want %q", in, got, want)
		}
	}
}
