package probe

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// sampled starts a script in strata-probe's place and gives why it ended, how many looks it gave, and how long Stop took.
func sampled(t *testing.T, script string, patient, wait time.Duration) (why string, looks int, stop time.Duration) {
	t.Helper()
	path := filepath.Join(t.TempDir(), ProgramName)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	s := &Sampler{program: &Program{Path: path, Found: path}, patient: patient, heard: make(chan struct{}), saw: func(Sample) { looks++ }}
	if err := s.start([]string{ProgramName, "sample"}); err != nil {
		t.Fatal(err)
	}
	select {
	case <-s.heard:
	case <-time.After(wait):
	}
	begin := time.Now()
	why = s.Stop()
	stop = time.Since(begin)
	if err := s.cmd.Process.Signal(os.Kill); err == nil {
		t.Error("it was not reaped")
	}
	return why, looks, stop
}

func TestSampler(t *testing.T) {
	const look = `echo '{"gpus":[{"index":0,"processes":[]}]}'`
	for _, c := range []struct {
		name, script string
		patient      time.Duration
		why          string
		looks        int
	}{
		{name: "goes on", script: look + `; ` + look + `; sleep 100`, patient: time.Minute, looks: 2},
		{name: "hangs at once", script: `echo '{"doing":"nvmlInit_v2"}'; sleep 100`, patient: 200 * time.Millisecond, why: "NVML did not answer for 200ms in nvmlInit_v2"},
		{name: "hangs later", script: look + `; sleep 100`, patient: 200 * time.Millisecond, why: "NVML did not answer for 200ms in a look at the GPUs", looks: 1},
		{name: "crashes", script: look + `; echo 'SIGSEGV: segmentation violation' >&2; exit 2`, patient: time.Minute, why: "strata-probe ended by SIGSEGV in a look at the GPUs", looks: 1},
		{name: "is killed", script: look + `; kill -KILL $$`, patient: time.Minute, why: "strata-probe ended by SIGKILL in a look at the GPUs", looks: 1},
		{name: "gives a reason", script: `echo '{"failed":"no driver"}'; exit 0`, patient: time.Minute, why: "no driver"},
		{name: "is older", script: `echo 'no part' >&2; exit 3`, patient: time.Minute, why: "is of another version than strata"},
		{name: "talks", script: `i=0; while [ $i -lt 20000 ]; do echo "line $i"; i=$((i+1)); done; ` + look + `; sleep 100`, patient: time.Minute, looks: 1},
		{name: "never ends a line", script: `head -c 3000000 /dev/zero | tr '\0' x; sleep 100`, patient: time.Minute, why: "what strata-probe printed is no sample"},
		{name: "leaves somebody behind", script: look + `; sleep 2 & exit 0`, patient: time.Minute, why: "strata-probe ended with status 0", looks: 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			why, looks, stop := sampled(t, c.script, c.patient, time.Second)
			if looks != c.looks || c.why == "" && why != "" || !strings.Contains(why, c.why) || stop > time.Second {
				t.Errorf("%q after %d looks, want %q after %d; Stop took %s", why, looks, c.why, c.looks, stop)
			}
		})
	}
}

func TestParseSample(t *testing.T) {
	for line, ok := range map[string]bool{
		`{"gpus":[]}`: true, `{"doing":"x"}`: true, `{"failed":"x"}`: true, `{}`: false, `{"gpus":`: false, `words`: false, `{"gpus":[{"index":"0"}]}`: false,
		fmt.Sprintf(`{"gpus":[{"index":0,"used":%d}]}`, uint64(1)<<63): true,
	} {
		if _, err := ParseSample([]byte(line)); (err == nil) != ok {
			t.Errorf("%s: %v", line, err)
		}
	}
}
