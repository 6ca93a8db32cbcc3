package machine

import (
	"fmt"
	"strings"
)

// ldCache makes /etc/ld.so.cache out of lines "NAME PATH".
func ldCache(text string) ([]byte, error) {
	var lines []cacheLine
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, path, ok := strings.Cut(line, " ")
		if !ok {
			return nil, fmt.Errorf("%q: want NAME PATH", line)
		}
		lines = append(lines, cacheLine{name, strings.TrimSpace(path), cacheFlags["x86_64"]})
	}
	return cacheOf(lines), nil
}
