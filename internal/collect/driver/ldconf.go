package driver

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"strata/internal/machine"
)

const (
	maxConf      = 1 << 20 // bytes of one file of ld.so.conf
	maxConfDepth = 8       // includes within includes
	maxConfFiles = 200
)

// confDirs lists the directories of /etc/ld.so.conf and its includes, in
// order. It only widens the search for the driver; the loader's own view of
// the configuration, with sources, is stack.Loader.Conf.
func confDirs(m *machine.Machine) ([]string, error) {
	r := confReader{m: m, left: maxConfFiles}
	r.read("/etc/ld.so.conf", 0)
	return r.dirs, r.err
}

type confReader struct {
	m    *machine.Machine
	left int
	dirs []string
	err  error
}

func (r *confReader) read(name string, depth int) {
	if r.left--; r.left < 0 || depth > maxConfDepth {
		r.err = errors.New("ld.so.conf includes too many files")
		return
	}
	data, err := r.m.ReadFile(name, maxConf)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			r.err = err
		}
		return
	}
	dirs, includes := parseConf(string(data))
	r.dirs = append(r.dirs, dirs...)
	for _, pattern := range includes {
		if !path.IsAbs(pattern) {
			pattern = path.Join(path.Dir(name), pattern)
		}
		files, err := r.m.Glob(pattern)
		if err != nil {
			r.err = err
		}
		for _, f := range files {
			r.read(f, depth+1)
		}
	}
}

// parseConf reads ldconfig(8)'s syntax: directories separated by white space,
// comma or colon, "include PATTERN…", "hwcap …", comments after "#".
func parseConf(text string) (dirs, includes []string) {
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		f := strings.Fields(line)
		switch {
		case len(f) == 0 || f[0] == "hwcap":
		case f[0] == "include":
			includes = append(includes, f[1:]...)
		default:
			for d := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune(" \t\r\n,:", r) }) {
				d, _, _ = strings.Cut(d, "=") // "DIR=TYPE" of libc5's time
				if path.IsAbs(d) {
					dirs = append(dirs, path.Clean(d))
				}
			}
		}
	}
	return dirs, includes
}
