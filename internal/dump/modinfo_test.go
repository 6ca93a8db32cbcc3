package dump

import (
	"testing"

	"strata/internal/transcript"
)

// TestKernelOfDKMS takes the one kernel that DKMS has built for as the running one, but not where the text says which one runs.
func TestKernelOfDKMS(t *testing.T) {
	const status = "$ dkms status\nnvidia/550.120, 6.8.0-50-generic, x86_64: installed\n"
	for text, want := range map[string]string{
		status: "6.8.0-50-generic",
		"It is broken since I updated the box to kernel 6.8.0-51-generic.\n" + status: "6.8.0-51-generic",
		status + "$ uname -r\n6.8.0-51-generic\n":                                     "6.8.0-51-generic",
		status + "nvidia/550.120, 6.8.0-51-generic, x86_64: installed\n":              "",
	} {
		if got := Read(transcript.Of("report", text)).Kernel.Text; got != want {
			t.Errorf("%q: kernel %q, want %q", text, got, want)
		}
	}
}
