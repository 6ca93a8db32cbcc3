package witness

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// Seen is something that a watched process has since the last look.
type Seen struct {
	Kind string `json:"kind"` // mapped or opened
	Path string `json:"path"`
}

// Attach looks at a running process and its children until it ends or ctx does,
// without stopping or tracing it, and tells each new thing once. It gives what
// was seen in all, and whether the process has ended.
func Attach(ctx context.Context, pid int, every time.Duration, tell func(Seen)) (p Processes, ended bool, err error) {
	if every == 0 {
		every = DefaultInterval
	}
	if err := reachable(pid); err != nil {
		return p, false, err
	}
	w := newWatcher(pid, time.Now(), tell)
	for {
		w.look()
		p = w.result()
		select {
		case <-ctx.Done():
			return p, false, nil
		case <-after(every):
		}
		if _, err := os.Stat(fmt.Sprintf("/proc/%d", pid)); errors.Is(err, fs.ErrNotExist) {
			return p, true, nil
		}
	}
}

// reachable reports why a process cannot be looked at.
func reachable(pid int) error {
	_, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("looking at process %d: there is no such process", pid)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("looking at process %d: not allowed; run as its user or as root", pid)
	case err != nil:
		return fmt.Errorf("looking at process %d: %w", pid, err)
	}
	return nil
}
