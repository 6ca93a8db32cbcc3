package dump

import (
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/transcript"
)

var (
	xmlLeaf  = lazyregexp.New(`<([A-Za-z_][\w.-]*)(?:\s[^<>]*)?>\s*([^<>]*?)\s*</([A-Za-z_][\w.-]*)>`)
	xmlOpen  = lazyregexp.New(`^<([A-Za-z_][\w.-]*)(?:\s[^<>]*)?>$`)
	xmlClose = lazyregexp.New(`^</([A-Za-z_][\w.-]*)>$`)
)

// readXML reads elements that hold text, as nvidia-smi -q -x prints them, one to a line or all on one.
func readXML(t *transcript.Text, r *reading) {
	var path []string
	for _, l := range t.Lines {
		if strings.IndexByte(l.Text, '<') < 0 || len(l.Text) > 64<<10 {
			continue
		}
		body := strings.TrimSpace(l.Message)
		if m := xmlOpen.FindStringSubmatch(body); m != nil && len(path) < maxDepth {
			path = append(path, m[1])
			r.bus = r.bus || m[1] == "gpu"
			continue
		}
		if m := xmlClose.FindStringSubmatch(body); m != nil {
			if n := len(path); n > 0 && path[n-1] == m[1] {
				path = path[:n-1]
			}
			continue
		}
		var cell string
		for _, m := range xmlLeaf.FindAllStringSubmatch(body, -1) {
			if m[1] == "td" || m[1] == "th" { // a row of HTML: a key and its value
				if cell != "" {
					r.take(&pair{path: path, key: cell, value: m[2], index: -1, line: l.N, text: l.Text})
				}
				cell = m[2]
				continue
			}
			if m[1] == m[3] {
				r.take(&pair{path: path, key: m[1], value: m[2], index: -1, line: l.N, text: l.Text})
			}
		}
	}
}
