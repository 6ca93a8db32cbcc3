package loader

import (
	"strings"
	"sync"
	"sync/atomic"
)

// listing are the names in one directory, read once it was asked often: a search asks the same dozen directories for each of a hundred
// names, and nearly all of them in vain.
type listing struct {
	asked atomic.Int32
	read  sync.Once
	names map[string]bool // nil where the directory could not be listed
}

// patience is how many names a directory is asked for one by one. Listing costs about as much as four.
const patience = 4

// listed reports whether a file may be there: false only where its directory was read and does not have the name.
func (l *Linker) listed(name string) bool {
	at := strings.LastIndexByte(name, '/')
	if at <= 0 {
		return true
	}
	dir, base := name[:at], name[at+1:]
	if base == "" || base == "." || base == ".." {
		return true
	}
	v, ok := l.lists.Load(dir)
	if !ok {
		v, _ = l.lists.LoadOrStore(dir, &listing{})
	}
	list := v.(*listing)
	if list.asked.Add(1) <= patience {
		return true
	}
	list.read.Do(func() {
		entries, err := l.m.ReadDir(dir)
		if err != nil {
			return
		}
		list.names = make(map[string]bool, len(entries))
		for _, e := range entries {
			list.names[e.Name()] = true
		}
	})
	return list.names == nil || list.names[base]
}
