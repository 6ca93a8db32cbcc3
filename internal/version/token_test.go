package version

import "testing"

func TestToken(t *testing.T) {
	for in, want := range map[string]string{
		"torch": "torch", "2.7.1+cu126": "2.7.1+cu126", "5:28.3.2-1~ubuntu.22.04~jammy": "5:28.3.2-1~ubuntu.22.04~jammy",
		"6.8.0-45-generic": "6.8.0-45-generic", "1;reboot": "1_reboot", "$(id)": "__id_", "a b\n": "a_b_", "'\"`|&<>*?": "_________", "é": "_",
	} {
		if got := Token(in); got != want {
			t.Errorf("Token(%q) = %q, want %q", in, got, want)
		}
	}
}
