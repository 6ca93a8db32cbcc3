package dump

import (
	"testing"

	"strata/internal/transcript"
)

// TestNumberAlone reads GPUs that a text names by their number, where the name says more than the text.
func TestNumberAlone(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"**NVIDIA GPU**: 3090\n", "RTX 3090"},
		{"GPU: 1660 Super\n", "GTX 1660 Super"},
		{"My 4070 Ti is not found by the program.\n", "RTX 4070 Ti"},
		{"硬件：笔记本电脑，显卡3080Ti\n", "RTX 3080Ti"},
		{"GPU: 3095\n", ""},
		{"GPU memory: 2080\n", ""},
		{"端口3080，系统正常\n", ""},
	} {
		got := ""
		if list := Read(transcript.Of(c.text, c.text)).GPUs; len(list) > 0 {
			got = list[0].Name
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}
