package machine

import (
	"io/fs"
	"sync"
	"syscall"
)

// FileID tells files apart whatever their names: environments made by uv or by
// hard links share most of their files.
type FileID struct{ Device, Inode uint64 }

// ID identifies an open file; false where the machine has no such numbers.
func ID(info fs.FileInfo) (FileID, bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok || st.Ino == 0 {
		return FileID{}, false
	}
	return FileID{uint64(st.Dev), st.Ino}, true
}

// Once makes a value for one file the first time it is asked for, and returns
// the same one for every other name of that file. purpose keeps different
// questions about one file apart.
func Once[T any](m *Machine, purpose string, id FileID, make func() T) T {
	type key struct {
		purpose string
		id      FileID
	}
	f, _ := m.memo.LoadOrStore(key{purpose, id}, sync.OnceValue(make))
	return f.(func() T)()
}
