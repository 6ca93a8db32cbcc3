package collect

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"strata/internal/machine"
)

// maxHomes bounds the home directories of a shared machine; each costs every
// collector that looks into homes some lookups.
const maxHomes = 512

// Homes lists the home directories whose owners may have installed something:
// /root, those in /home, and HOME. /home can be a network file system that is
// gone: where it does not answer within limit, nothing below it is listed. The
// error says that some are left out.
func Homes(ctx context.Context, m *machine.Machine, limit time.Duration) ([]string, error) {
	const dir = "/home"
	type answer struct {
		list []string
		err  error
		late bool
	}
	got := Each(ctx, []string{dir}, limit, func(_ context.Context, dir string) answer {
		list, err := Subdirectories(m, dir, maxHomes)
		return answer{list: list, err: err}
	}, func(dir string) answer {
		return answer{err: fmt.Errorf("listing %s: gave up after %s", dir, limit), late: true}
	})[0]
	list := append([]string{"/root"}, got.list...)
	if h, ok := m.Getenv("HOME"); ok && path.IsAbs(h) {
		h = path.Clean(h)
		if h != "/" && !slices.Contains(list, h) && !(got.late && strings.HasPrefix(h, dir+"/")) {
			list = append(list, h)
		}
	}
	return list, got.err
}

// Subdirectories lists the directories in one, and the links, which may lead
// to some; none where there is no such directory. Behind most the rest is left
// out, and the error says so.
func Subdirectories(m *machine.Machine, dir string, most int) ([]string, error) {
	entries, err := m.ReadDir(dir)
	if machine.IsMissing(err) {
		return nil, nil
	}
	var list []string
	for _, e := range entries {
		if !e.IsDir() && e.Type()&fs.ModeSymlink == 0 {
			continue
		}
		if len(list) == most {
			return list, errors.Join(err, fmt.Errorf("%q has more than %d directories; the rest was not looked at", dir, most))
		}
		list = append(list, path.Join(dir, e.Name()))
	}
	return list, err
}
