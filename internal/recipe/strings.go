package recipe

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"strata/internal/loader"
)

const (
	// maxStrings bounds how much of a library is searched for names. libctranslate2 has some 100 MB, most of it GPU code.
	maxStrings = 256 << 20
	window     = 1 << 20
	// maxName is longer than any library's name.
	maxName = 64
)

// namesIn finds the names of libraries in an object's file that begin with one of the prefixes, in its order, each once: what the
// object opens by name stands in it.
func (r *run) namesIn(o *loader.Object, prefixes ...string) (names []string) {
	f, err := r.m.Open(o.Path)
	if err != nil {
		return nil
	}
	defer f.Close()
	buf := make([]byte, window+maxName)
	for at := int64(0); at < maxStrings; at += window {
		n, err := f.ReadAt(buf, at)
		for _, p := range prefixes {
			for i := 0; ; {
				j := bytes.Index(buf[i:n], []byte(p))
				if j < 0 {
					break
				}
				i += j
				end := bytes.IndexByte(buf[i:min(n, i+maxName)], 0)
				whole := i == 0 && at == 0 || i > 0 && buf[i-1] == 0
				if name := string(buf[i:max(i, i+end)]); end > 0 && whole && !strings.ContainsAny(name, "%/ ") && !slices.Contains(names, name) {
					names = append(names, name)
				}
				i += len(p)
			}
		}
		if err == io.EOF || n < len(buf) {
			break
		}
	}
	return names
}
