// Package opentrace sees each file that a program and its children open, by its
// name, whether it is there or not: of static programs, of any C library, and of
// what is opened by its whole path. The kernel holds the call up (seccomp user
// notification), the name is read and looked up as that process sees the file
// system, and the call goes on as it was. Nothing here can change what a call does.
package opentrace

import (
	"fmt"
	"os"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// Options say what is of interest.
type Options struct {
	// Sort says what a path is to the caller. It is called for every open, from several threads.
	Sort func(path string) Kind
	// Reached is told each open of a Node that is there and may be opened, after
	// the call went on; at is when it was asked for. It must not take long. May be nil.
	Reached func(pid int, path string, at time.Time)
}

// Kind is what a file is to the caller.
type Kind uint8

// The kinds. A Plain library is kept where there is room; a library is known by
// its name without directories, what is no library by its whole path.
const (
	Ignored Kind = iota
	Plain
	Library
	Node
	File
	kinds
)

// Unavailable says why opens cannot be traced here. Nothing was started then.
type Unavailable struct {
	Why string
	Err error
}

func (u *Unavailable) Error() string {
	if u.Err == nil {
		return u.Why
	}
	return fmt.Sprintf("%s (%v)", u.Why, u.Err)
}

func (u *Unavailable) Unwrap() error { return u.Err }

// Start has start, which is to start one process, called so that the opens of
// that process and of all that come from it are seen; opens of this process are
// not. An error is *Unavailable, or what start gave.
//
// A filter belongs to a thread and is inherited by what the thread starts. So no
// program stands between: one thread of ours gets the filter, starts the process
// and ends.
func Start(o Options, start func() error) (*Trace, error) {
	if err := supported(); err != nil {
		return nil, err
	}
	got := make(chan installed)
	goOn := make(chan bool)
	result := make(chan error)
	onThread(func() {
		i := install()
		got <- i
		if i.err == nil && <-goOn {
			result <- start()
		}
	})
	i := <-got
	if i.err != nil {
		return nil, refused(i.err)
	}
	t, err := serve(os.NewFile(uintptr(i.fd), "seccomp listener"), i.noNewPrivs, o)
	if err != nil {
		goOn <- false
		return nil, err
	}
	goOn <- true
	if err := <-result; err != nil {
		t.Stop()
		return nil, err
	}
	return t, nil
}

// onThread runs a function on a thread that ends with it. It is never the first
// one, which cannot end: a filter on it would last as long as we do.
func onThread(f func()) {
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		if unix.Gettid() != unix.Getpid() {
			f()
			return
		}
		other := make(chan struct{})
		go func() {
			runtime.LockOSThread()
			close(other)
			f()
		}()
		<-other // as long as this one holds the first thread, the other got another
		runtime.UnlockOSThread()
	}()
}
