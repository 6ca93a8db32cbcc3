package kb

import "testing"

func TestDefaultLint(t *testing.T) {
	for _, p := range Default().Lint() {
		t.Error(p)
	}
}
