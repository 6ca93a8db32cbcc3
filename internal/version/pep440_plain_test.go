package version

import (
	"strings"
	"testing"

	pep440 "github.com/aquasecurity/go-pep440-version"
)

// TestPlainRelease holds that what is read without the grammar is what the grammar makes of it, and that nothing else is.
func TestPlainRelease(t *testing.T) {
	plain := []string{"0", "1", "2.7.1", "12.4.127", "2024.10.8", "0.0.0", "10.0", "1.0.0.0.1"}
	for _, s := range plain {
		if !isPlainRelease(s) {
			t.Errorf("%q is no plain release", s)
		}
	}
	for _, s := range []string{"", ".", "1.", ".1", "1..2", "01", "1.04", "1.0rc1", "1.0+cu126", "v1", "1!2", "1-1", strings.Repeat("9", maxPlainDigits+1)} {
		if isPlainRelease(s) {
			t.Errorf("%q is a plain release", s)
		}
	}
	for _, s := range plain {
		parsed, err := pep440.Parse(s)
		v, ourErr := parsePEP440(s)
		if err != nil || ourErr != nil || v.Public() != parsed.Public() || v.Local() != "" || v.IsPre() {
			t.Errorf("%q is %+v (%v), and by the grammar %s (%v)", s, v, ourErr, parsed.Public(), err)
		}
	}
}
