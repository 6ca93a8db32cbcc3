package outcome

import (
	"strings"
	"testing"
)

func TestFirstDifference(t *testing.T) {
	cpu := []string{"2026-01-01 10:00:00,001 INFO started pid 12", "model loaded in 1.2 s", "ready on port 8000"}
	same := []string{"2026-01-01 10:05:09,771 INFO started pid 99", "ready on port 8000", "model loaded in 0.9 s"}
	if d := firstDifference(cpu, same); d != nil {
		t.Errorf("the same lines in another order, with other numbers, differ: %+v", d)
	}
	other := []string{"2026-01-01 10:05:09,771 INFO started pid 99", "CUDA error: no kernel image is available", "ready on port 8000"}
	d := firstDifference(cpu, other)
	if d == nil || d.Line != 2 || !strings.Contains(d.GPU, "no kernel image") || !strings.Contains(d.CPU, "model loaded") {
		t.Errorf("%+v", d)
	}
}

func TestCompareSays(t *testing.T) {
	for _, c := range []struct {
		cpu, gpu Document
		want     string
	}{
		{Document{}, Document{Exit: 1}, "works without the GPU and fails with it"},
		{Document{Exit: 2}, Document{Exit: 2}, "fails without the GPU, too"},
		{Document{Exit: 143, Limited: true}, Document{Exit: 143, Limited: true, FellBack: true}, "works both times, and with the GPU it fell back"},
		{Document{Exit: 143, Limited: true}, Document{Exit: 1}, "works without the GPU and fails with it"},
		{Document{Exit: 2}, Document{}, "needs the GPU"},
		{Document{}, Document{FellBack: true}, "fell back"},
		{Document{}, Document{Devices: []string{"/dev/nvidia0"}}, "used the GPU"},
		{Document{}, Document{Devices: []string{"/dev/nvidiactl"}}, "not seen to use"},
	} {
		if got := Compare(&c.cpu, &c.gpu, nil, nil).Summary; !strings.Contains(got, c.want) {
			t.Errorf("%+v and %+v: %q, want %q", c.cpu, c.gpu, got, c.want)
		}
	}
}
