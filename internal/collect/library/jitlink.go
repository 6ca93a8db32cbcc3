package library

import (
	"io"
	"regexp"
	"slices"
	"strings"

	"strata/internal/elfx"
	"strata/internal/version"
)

// jitLink is the newest release of nvJitLink whose functions a library calls:
// 12.4 for __nvJitLinkComplete_12_4. It is empty for a library that does not
// need nvJitLink, and for one whose symbols cannot be read.
func jitLink(r io.ReaderAt, size int64, needed []string) string {
	if !slices.ContainsFunc(needed, func(n string) bool { return strings.HasPrefix(n, "libnvJitLink.so") }) {
		return ""
	}
	symbols, err := elfx.UndefinedSymbols(r, size)
	if err != nil {
		return ""
	}
	var newest version.CUDA
	for _, s := range symbols {
		g := jitLinkFunction.FindStringSubmatch(s.Name)
		if g == nil || s.Weak {
			continue
		}
		if v, err := version.ParseCUDA(g[1] + "." + g[2]); err == nil && newest.Less(v) {
			newest = v
		}
	}
	if newest.IsZero() {
		return ""
	}
	return newest.String()
}

var jitLinkFunction = regexp.MustCompile(`^__nvJitLink[A-Za-z0-9]+_(\d{1,3})_(\d{1,3})$`)
