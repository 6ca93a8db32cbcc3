package python

import (
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"

	"strata/internal/machine"
)

// recorded is one line of RECORD: what an installer says it put there.
type recorded struct {
	hash string // "sha256=…" in unpadded URL-safe base64; empty for files it generated
	size int64  // -1 where not said
}

const (
	// maxRecord: TensorFlow's RECORD, the longest met, has some 3 MB.
	maxRecord     = 16 << 20
	maxRecordRows = 200_000
)

// readRecord reads the files a package claims, by path inside site-packages.
func readRecord(m *machine.Machine, name string) (map[string]recorded, error) {
	data, err := m.ReadFile(name, maxRecord)
	if err != nil {
		return nil, cause(err)
	}
	return parseRecord(string(data))
}

// parseRecord reads RECORD's CSV (PEP 376). Only rows that two packages may
// fight over are kept: not byte code, not the package's own metadata.
func parseRecord(text string) (map[string]recorded, error) {
	files := make(map[string]recorded, strings.Count(text, "\n"))
	rows := 0
	for line := range strings.Lines(text) {
		if rows++; rows > maxRecordRows {
			return files, fmt.Errorf("more than %d rows", maxRecordRows)
		}
		name, hash, size, err := splitRecord(strings.TrimRight(line, "\r\n"))
		if err != nil {
			return files, fmt.Errorf("row %d: %w", rows, err)
		}
		if name == "" || !relevant(name) {
			continue
		}
		r := recorded{hash: hash, size: -1}
		if n, err := strconv.ParseInt(size, 10, 64); err == nil && n >= 0 {
			r.size = n
		}
		files[path.Clean(name)] = r
	}
	return files, nil
}

func relevant(name string) bool {
	return !strings.HasSuffix(name, ".pyc") && !strings.Contains(name, ".dist-info/") &&
		!strings.HasPrefix(name, "../") && !path.IsAbs(name) // scripts and data files outside site-packages
}

// splitRecord splits "path,hash,size". The last two never hold commas, and a
// path that does is quoted.
func splitRecord(row string) (name, hash, size string, err error) {
	if row == "" {
		return "", "", "", nil
	}
	i := strings.LastIndexByte(row, ',')
	if i < 0 {
		return "", "", "", errors.New("no comma; want path,hash,size")
	}
	row, size = row[:i], row[i+1:]
	if i = strings.LastIndexByte(row, ','); i < 0 {
		return "", "", "", errors.New("one comma only; want path,hash,size")
	}
	name, hash = row[:i], row[i+1:]
	if len(name) > 1 && name[0] == '"' && name[len(name)-1] == '"' {
		name = strings.ReplaceAll(name[1:len(name)-1], `""`, `"`)
	}
	return strings.ToValidUTF8(name, "\uFFFD"), hash, size, nil
}
