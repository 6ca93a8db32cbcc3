package kb

import (
	"sync"
	"testing"
)

// TestConcurrentFirstUse asks a fresh Base from several goroutines; go test -race watches the lazy decoding.
func TestConcurrentFirstUse(t *testing.T) {
	b := fresh()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if !b.GPUByPCI("2684", "").Known || !b.Soname("libcublas.so.12", 12).Known || !b.DriverCUDA(driver("580.65.06")).Known {
				t.Error("an answer is missing")
			}
		})
	}
	wg.Wait()
}
