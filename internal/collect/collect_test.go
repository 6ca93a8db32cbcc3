package collect

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"strata/internal/machine"
	"strata/internal/stack"
)

func empty(t *testing.T) *machine.Machine {
	t.Helper()
	a, err := machine.OpenArchive(fstest.MapFS{"m.txtar": {Data: []byte("-- rootfs/etc/hostname --\nbox\n")}}, "m.txtar")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a.Machine
}

// TestRun: whatever one collector does, the others' facts arrive and its own record says what happened.
func TestRun(t *testing.T) {
	block := make(chan struct{})
	defer close(block)
	s := Run(context.Background(), empty(t), []Collector{
		{Name: "panics", Read: func(context.Context, *machine.Machine) (Put, error) { panic("boom") }},
		{Name: "panics in Each", Read: func(ctx context.Context, _ *machine.Machine) (Put, error) {
			Each(ctx, []int{1, 2}, time.Second, func(_ context.Context, n int) int { return 1 / (n - 1) }, func(int) int { return 0 })
			return nil, nil
		}},
		{Name: "hangs", Deadline: time.Millisecond, Read: func(context.Context, *machine.Machine) (Put, error) { <-block; return nil, nil }},
		{Name: "reads", Read: func(context.Context, *machine.Machine) (Put, error) {
			return func(s *stack.Stack) { s.OS.ID = stack.Know("linux") }, nil
		}},
	})
	if !s.OS.ID.Known() {
		t.Error("the fact of the sound collector is lost")
	}
	for i, want := range []string{"boom", "divide by zero", "gave up after 1ms", ""} {
		c := s.Collection[i]
		if !strings.Contains(c.Why, want) || (want == "") != (c.State == stack.Known) {
			t.Errorf("%s: %s %q, want %q", c.Name, c.State, c.Why, want)
		}
	}
}

func TestEach(t *testing.T) {
	block := make(chan struct{})
	defer close(block)
	got := Each(context.Background(), []int{0, 1, 2}, 20*time.Millisecond, func(_ context.Context, n int) int {
		if n == 1 {
			<-block
		}
		return 10 * n
	}, func(n int) int { return -n })
	if len(got) != 3 || got[0] != 0 || got[1] != -1 || got[2] != 20 {
		t.Errorf("Each = %v, want [0 -1 20]", got)
	}
}

func TestHomes(t *testing.T) {
	for text, want := range map[string]string{
		"-- rootfs/home/ann/x --\n-- rootfs/home/file --\n-- env --\nHOME=/home/ann\n": "/root /home/ann",
		"-- rootfs/home/ann/x --\n-- env --\nHOME=/srv/zoe/\n":                         "/root /home/ann /srv/zoe",
		"-- rootfs/etc/x --\n-- env --\nHOME=/\n":                                      "/root",
		"-- rootfs/home/ann/x --\n-- hang --\n/home\n-- env --\nHOME=/home/ann\n":      "/root late",
		"-- rootfs/home/ann/x --\n-- deny --\n/home\n-- env --\nHOME=/home/ann\n":      "/root /home/ann denied",
	} {
		a, err := machine.OpenArchive(fstest.MapFS{"m.txtar": {Data: []byte(text)}}, "m.txtar")
		if err != nil {
			t.Fatal(err)
		}
		list, err := Homes(t.Context(), a.Machine, 50*time.Millisecond)
		got := strings.Join(list, " ")
		switch {
		case errors.Is(err, fs.ErrPermission):
			got += " denied"
		case err != nil:
			got += " late"
		}
		if got != want {
			t.Errorf("%q: %s, want %s (%v)", text, got, want, err)
		}
		a.Close()
	}
}
