package kb

import (
	"cmp"
	"io/fs"
	"reflect"
	"runtime"
	"slices"
	"sync"
)

// TableInfo describes one table.
type TableInfo struct {
	Name    string `json:"name"`    // path below data, "nvidia/driver_cuda.csv"
	AsOf    string `json:"as_of"`   // the day it describes, YYYY-MM-DD
	Horizon string `json:"horizon"` // the newest thing it knows
	Rows    int    `json:"rows"`
}

// Tables returns all tables of b, ordered by name. Files of sources are none; see [Base.Sources].
func (b *Base) Tables() []TableInfo {
	list := make([]TableInfo, len(files))
	var wg sync.WaitGroup
	next := make(chan int, len(files))
	for _, i := range b.bySize() {
		next <- i
	}
	close(next)
	for range runtime.GOMAXPROCS(0) { // tables know nothing of one another while they are decoded
		wg.Go(func() {
			for i := range next {
				list[i] = files[i].info(b)
			}
		})
	}
	wg.Wait()
	slices.SortFunc(list, func(x, y TableInfo) int { return cmp.Compare(x.Name, y.Name) })
	return list
}

// bySize are the numbers of the files, the largest first, so that the last one to be decoded is a short one.
func (b *Base) bySize() []int {
	sizes, order := make([]int64, len(files)), make([]int, len(files))
	for i, f := range files {
		order[i] = i
		if info, err := fs.Stat(b.fsys, f.path()); err == nil {
			sizes[i] = info.Size()
		}
	}
	slices.SortFunc(order, func(x, y int) int { return cmp.Compare(sizes[y], sizes[x]) })
	return order
}

// Sources returns all sources of b, ordered by id.
func (b *Base) Sources() []Source {
	byID := sourcesIndex.in(b).byID
	list := make([]Source, 0, len(byID))
	for _, s := range byID {
		list = append(list, s)
	}
	slices.SortFunc(list, func(x, y Source) int { return cmp.Compare(x.ID, y.ID) })
	return list
}

// Rows returns all rows of the table whose row type is R, in the order of its file, and nil where there is no such table. It serves
// who lists a table; a question has its own method on [Base], which knows the horizon.
func Rows[R any](b *Base) []R {
	if f := fileOf[R](); f != nil {
		return f.in(b).Rows
	}
	return nil
}

// RefTo cites a row that [Rows] or a query returned.
func RefTo[R any](b *Base, row R) Ref {
	if f := fileOf[R](); f != nil {
		return refTo(b, f.in(b), rowOf(&row))
	}
	return Ref{}
}

func fileOf[R any]() *file[R] {
	for _, l := range files {
		if f, ok := l.(*file[R]); ok {
			return f
		}
	}
	return nil
}

func (f *file[T]) info(b *Base) TableInfo {
	t := f.in(b)
	return TableInfo{f.name, t.AsOf, t.Horizon, len(t.Rows)}
}

func (f *file[T]) rowType() reflect.Type { return reflect.TypeFor[T]() }
