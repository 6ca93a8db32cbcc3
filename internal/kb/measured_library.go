package kb

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"strata/internal/version"
)

// MeasuredLibrary is a shared library in an [Artefact].
type MeasuredLibrary struct {
	Row
	File       string         `kb:"file,key"`    // the artefact
	Path       string         `kb:"library,key"` // within it
	Soname     string         `kb:"soname"`
	Needed     []string       `kb:"needed"` // CUDA libraries that it links
	Containers int            `kb:"containers"`
	Codes      []MeasuredCode `kb:"codes"`
}

// MeasuredCode is GPU code of one kind for one target in a library: sm_90a in three of its fat binaries, compressed with zstd.
type MeasuredCode struct {
	Target      version.ComputeCapability
	PTX         bool
	Containers  int
	Compression Compression
	ISA         version.PTX // of PTX; zero for cubins
}

// Compression is how GPU code is packed in a fat binary.
type Compression string

// The kinds that occur. Drivers before R550 cannot unpack zstd.
const (
	Uncompressed Compression = "none"
	LZ4          Compression = "lz4"
	Zstd         Compression = "zstd"
)

// UnmarshalText accepts the three and nothing else.
func (c *Compression) UnmarshalText(text []byte) error {
	return unmarshalWord(c, text, Uncompressed, LZ4, Zstd)
}

// UnmarshalText reads "sm_90a:3:zstd" and "compute_90:3:lz4:8.4".
func (c *MeasuredCode) UnmarshalText(text []byte) error {
	parts := strings.Split(string(text), ":")
	*c = MeasuredCode{PTX: strings.HasPrefix(parts[0], "compute_")}
	if c.PTX && len(parts) != 4 || !c.PTX && len(parts) != 3 {
		return fmt.Errorf("want sm_XY:COUNT:COMPRESSION or compute_XY:COUNT:COMPRESSION:ISA, not %q", text)
	}
	var err error
	if c.Target, err = version.ParseComputeCapability(parts[0]); err != nil {
		return err
	}
	if c.Containers, err = strconv.Atoi(parts[1]); err != nil || c.Containers < 1 {
		return fmt.Errorf("want a count of fat binaries, not %q", parts[1])
	}
	if c.PTX {
		if c.ISA, err = version.ParsePTX(parts[3]); err != nil {
			return err
		}
	}
	return c.Compression.UnmarshalText([]byte(parts[2]))
}

// holders returns in how many containers the target of c is, whatever the compression and the PTX ISA.
func (l MeasuredLibrary) holders(c MeasuredCode) (n int) {
	for _, o := range l.Codes {
		if o.Target == c.Target && o.PTX == c.PTX {
			n += o.Containers
		}
	}
	return n
}

var measuredLibraries = csvFile[MeasuredLibrary]("measured/libraries.csv", checkMeasuredLibraries)

// MeasuredLibraries returns the libraries of the artefact named file that have to do with CUDA.
func (b *Base) MeasuredLibraries(file string) []MeasuredLibrary {
	rows := measuredLibraries.in(b).Rows // ordered by file
	first, ok := slices.BinarySearchFunc(rows, file, func(r MeasuredLibrary, file string) int { return strings.Compare(r.File, file) })
	if !ok {
		return nil
	}
	end := first
	for end < len(rows) && rows[end].File == file {
		end++
	}
	return rows[first:end:end]
}

func checkMeasuredLibraries(b *Base, t *Table[MeasuredLibrary]) (problems []Problem) {
	known := map[string]bool{}
	for _, r := range artefacts.in(b).Rows {
		known[r.File] = true
	}
	for i, r := range t.Rows {
		switch {
		case !known[r.File]:
			problems = append(problems, Problem{t.Name, r.Line, fmt.Sprintf("%q is not in artefacts.csv", r.File)})
		case i > 0 && t.Rows[i-1].File > r.File:
			problems = append(problems, Problem{t.Name, r.Line, "rows are not in order of file, which is how they are searched"})
		case (r.Containers == 0) != (r.Codes == nil):
			problems = append(problems, Problem{t.Name, r.Line, "containers and codes do not fit"})
		}
	}
	return problems
}
