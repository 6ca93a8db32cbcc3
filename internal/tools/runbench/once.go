package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

//go:embed testdata/work.py
var work string

// interpreter is where realroots/build puts that of a root.
const interpreter = "/opt/venv/bin/python3"

type bench struct{ root string }

// usage is what one run took: seconds, and KiB of strata's own process.
type usage struct {
	wall, cpu, own float64
	peak           int
}

// calibrate finds how many products a second the machine computes, from what the program itself measures.
func (b *bench) calibrate() (float64, error) {
	for n := 16; ; n *= 4 {
		cmd := b.command([]string{interpreter, "-c", work, strconv.Itoa(n)})
		out, err := cmd.Output()
		if err != nil {
			return 0, fmt.Errorf("running the program alone: %w\n%s", err, out)
		}
		_, text, _ := strings.Cut(string(out), "worked ")
		seconds, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil {
			return 0, fmt.Errorf("the program does not say how long it worked: %q", out)
		}
		// Less than a second measures the start of the threads.
		if seconds > 1 {
			return float64(n) / seconds, nil
		}
	}
}

func (b *bench) command(argv []string) *exec.Cmd {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = "/", []string{"PATH=/usr/bin:/bin", "HOME=/tmp", "LC_ALL=C.UTF-8", "PYTHONDONTWRITEBYTECODE=1"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: b.root, Pdeathsig: syscall.SIGKILL}
	return cmd
}

// once runs the work, alone or under strata run.
func (b *bench) once(products int, watched bool) (u usage, err error) {
	argv := []string{interpreter, "-c", work, strconv.Itoa(products)}
	if watched {
		argv = append([]string{"/tmp/strata", "run", "--record", "/tmp/record.json", "--"}, argv...)
	}
	cmd := b.command(argv)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return u, err
	}
	ended := make(chan struct{})
	peak := make(chan int)
	go func() { peak <- highest(cmd.Process.Pid, ended) }()
	// It is looked at once more between its end and its burial: the kernel then knows its own time, without that of its children.
	for {
		err = unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			break
		}
	}
	u.wall = time.Since(start).Seconds()
	close(ended)
	u.peak = <-peak
	if err == nil {
		u.own, err = ownTime(cmd.Process.Pid)
	}
	if waited := cmd.Wait(); waited != nil {
		return u, fmt.Errorf("%v: %w\n%s", argv[:1], waited, out.String())
	}
	if err != nil {
		return u, fmt.Errorf("reading what the process took: %w", err)
	}
	u.cpu = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	if !watched {
		u.own, u.peak = 0, 0
	} else if _, err := os.Stat(b.root + "/tmp/record.json"); err != nil {
		return u, fmt.Errorf("strata run left no record: %w", err)
	}
	return u, nil
}

// ownTime is what a process used of the processors by itself, in seconds.
func ownTime(pid int) (float64, error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	// Behind the name, which may hold anything, come 11 fields and then utime and stime (proc(5)).
	fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
	if len(fields) < 13 {
		return 0, fmt.Errorf("/proc/%d/stat has %d fields", pid, len(fields))
	}
	ticks := 0
	for _, f := range fields[11:13] {
		n, err := strconv.Atoi(f)
		if err != nil {
			return 0, err
		}
		ticks += n
	}
	return float64(ticks) / hertz, nil
}

// hertz is the unit of /proc/PID/stat, which is 100 on every architecture that Linux has CUDA for.
const hertz = 100

var highWater = regexp.MustCompile(`(?m)^VmHWM:\s+(\d+) kB$`)

// highest is the most memory that a process took, in KiB. The kernel keeps it, but not beyond the end: the last look is at most 20 ms older.
func highest(pid int, ended <-chan struct{}) (peak int) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if m := highWater.FindSubmatch(data); err == nil && m != nil {
			if n, err := strconv.Atoi(string(m[1])); err == nil {
				peak = max(peak, n)
			}
		}
		select {
		case <-ended:
			return peak
		case <-tick.C:
		}
	}
}
