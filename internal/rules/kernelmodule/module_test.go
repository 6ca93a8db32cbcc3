package kernelmodule

import "testing"

func TestKernelFlavor(t *testing.T) {
	for release, want := range map[string]string{
		"6.5.0-44-generic": "generic", "6.8.0-1010-aws": "aws", "6.1.0-22-amd64": "amd64",
		"5.14.0-427.13.1.el9_4.x86_64": "", "5.14.0-427.13.1.el9_4.x86_64+debug": "+debug", "6.9.7": "", "6.9.7-arch1-1": "", "": "",
	} {
		if got := kernelFlavor(release); got != want {
			t.Errorf("kernelFlavor(%q) = %q, want %q", release, got, want)
		}
	}
}
