package opentrace

import (
	"errors"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Trace is a program whose opens are seen.
type Trace struct {
	o        Options
	listener *os.File
	fd       int
	keeper   *keeper
	names    names
	mu       sync.Mutex
	workers  []*worker
	stopping atomic.Bool
	stuck    atomic.Int32 // workers whose call was answered without them, and that have not come back
	ended    atomic.Bool  // the last process is gone
	over     chan struct{}
	once     sync.Once
	result   Result
}

const (
	// firstWorkers answer beside each other: one that waits for a slow disk does not hold up other processes.
	firstWorkers = 4
	// maxWorkers bounds them, with those that replace one that hangs.
	maxWorkers = 16
	// maxStuck is how many may hang, in a file system that does not answer or in memory that a program withholds, until names are read no more.
	maxStuck = 8
	// patience is how long a look may take; then the call goes on without.
	patience = 250 * time.Millisecond
	// tick is the time between two looks of the one that watches the workers.
	tick = 50 * time.Millisecond
)

// serve begins to answer.
func serve(listener *os.File, noNewPrivs bool, o Options) (*Trace, error) {
	t := &Trace{o: o, listener: listener, fd: int(listener.Fd()), over: make(chan struct{}), names: names{noNewPrivs: noNewPrivs}}
	var err error
	if t.keeper, err = startKeeper(listener); err != nil {
		listener.Close()
		return nil, &Unavailable{"the process that answers when this one is gone could not be started", err}
	}
	for range min(firstWorkers, 2*runtime.NumCPU()) {
		t.hire()
	}
	go t.supervise()
	return t, nil
}

// worker answers one call after the other, on a thread of its own.
type worker struct {
	tid   atomic.Int64
	since atomic.Int64  // when the call in hand was taken
	id    atomic.Uint64 // of the call in hand; who sets it to 0 answers the call
	gone  chan struct{}
}

// blind tells whether names are not read for now.
func (t *Trace) blind() bool { return t.stuck.Load() >= maxStuck }

// hire starts one more worker; false where there are enough.
func (t *Trace) hire() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.workers) == maxWorkers {
		return false
	}
	w := &worker{gone: make(chan struct{})}
	place := t.keeper.place(len(t.workers))
	t.workers = append(t.workers, w)
	go t.work(w, place)
	return true
}

func (t *Trace) work(w *worker, n *notification) {
	runtime.LockOSThread() // to be woken by a signal, see Stop
	defer runtime.UnlockOSThread()
	defer close(w.gone)
	w.tid.Store(int64(unix.Gettid()))
	for !t.stopping.Load() {
		switch err := receive(t.fd, n); {
		case err == nil:
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.ENOENT): // the process was killed before we had its call, or it was the last one
			if hungUp(t.fd, 0) {
				return
			}
			continue
		default:
			return
		}
		now := time.Now()
		w.since.Store(now.UnixNano())
		w.id.Store(n.ID)
		var reached *target
		if t.blind() {
			t.names.pass()
		} else {
			reached = t.names.see(t, n)
		}
		if !w.id.CompareAndSwap(n.ID, 0) {
			t.stuck.Add(-1) // it took too long, and the call was answered
			continue
		}
		letGo(t.fd, n.ID)
		if reached != nil && t.o.Reached != nil {
			t.o.Reached(reached.process(), reached.path, now)
		}
	}
}

// supervise answers for workers that hang, and notices the end of the last process.
func (t *Trace) supervise() {
	defer close(t.over)
	for !t.stopping.Load() {
		if hungUp(t.fd, int(tick.Milliseconds())) {
			t.ended.Store(true)
			return
		}
		t.mu.Lock()
		workers := t.workers
		t.mu.Unlock()
		for _, w := range workers {
			id := w.id.Load() // before the time, which a worker sets before the number
			if id == 0 || time.Now().UnixNano()-w.since.Load() < int64(patience) || !w.id.CompareAndSwap(id, 0) {
				continue
			}
			t.stuck.Add(1)
			t.names.late()
			letGo(t.fd, id)
			if len(workers)-int(t.stuck.Load()) < firstWorkers {
				t.hire()
			}
		}
	}
}

// Stop ends the watching and says what was seen. Processes that live on are answered by a process of ours that ends with the last of them.
func (t *Trace) Stop() Result {
	if t == nil {
		return Result{}
	}
	t.once.Do(func() {
		t.stopping.Store(true)
		t.mu.Lock()
		workers := t.workers
		t.mu.Unlock()
		all := true
		for _, w := range workers {
			all = t.dismiss(w) && all
		}
		<-t.over
		t.result = t.names.list()
		t.result.Alive = !t.ended.Load() && !hungUp(t.fd, 0)
		t.listener.Close()
		t.keeper.handOver(all, t.result.Alive)
	})
	return t.result
}

// dismiss wakes a worker out of its waiting until it is gone. One that hangs is left behind.
func (t *Trace) dismiss(w *worker) bool {
	for range 500 {
		if tid := w.tid.Load(); tid != 0 && w.id.Load() == 0 {
			_ = unix.Tgkill(unix.Getpid(), int(tid), unix.SIGURG) // the Go runtime takes it and does nothing
		}
		select {
		case <-w.gone:
			return true
		case <-time.After(time.Millisecond):
		}
	}
	if id := w.id.Load(); id != 0 && w.id.CompareAndSwap(id, 0) {
		letGo(t.fd, id)
	}
	return false
}

// place is where a worker's calls arrive: in memory that the keeper has, too.
func (k *keeper) place(i int) *notification {
	return (*notification)(unsafe.Pointer(&k.shared[i*placeSize]))
}
