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
	File       string        `kb:"file,key"`    // the artefact
	Path       string        `kb:"library,key"` // within it
	Soname     string        `kb:"soname"`
	Needed     []string      `kb:"needed"` // CUDA libraries that it links
	Containers int           `kb:"containers"`
	Codes      MeasuredCodes `kb:"codes"`
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

// MeasuredCodes are the codes of a library as the table writes them, "sm_90a:3:zstd;compute_90:3:lz4:8.4". There are some ten
// thousand in it, of which a question is about a few, so that they are taken apart when they are asked for.
type MeasuredCodes string

// List returns the codes. The table was checked when it was built or opened; what cannot be read is left out.
func (c MeasuredCodes) List() []MeasuredCode {
	list, _ := c.parse()
	return list
}

func (c MeasuredCodes) parse() (list []MeasuredCode, err error) {
	if c == "" {
		return nil, nil
	}
	for item := range strings.SplitSeq(string(c), ";") {
		code, itemErr := parseMeasuredCode(item)
		if itemErr != nil {
			err = itemErr
			continue
		}
		list = append(list, code)
	}
	return list, err
}

func parseMeasuredCode(item string) (c MeasuredCode, err error) {
	target, rest, _ := strings.Cut(item, ":")
	count, rest, _ := strings.Cut(rest, ":")
	compression, isa, hasISA := strings.Cut(rest, ":")
	if c.PTX = strings.HasPrefix(target, "compute_"); c.PTX != hasISA {
		return c, fmt.Errorf("want sm_XY:COUNT:COMPRESSION or compute_XY:COUNT:COMPRESSION:ISA, not %q", item)
	}
	if c.Target, err = version.ParseComputeCapability(target); err != nil {
		return c, err
	}
	if c.Containers, err = strconv.Atoi(count); err != nil || c.Containers < 1 {
		return c, fmt.Errorf("want a count of fat binaries, not %q", count)
	}
	if c.PTX {
		if c.ISA, err = version.ParsePTX(isa); err != nil {
			return c, err
		}
	}
	switch compression { // constants, so that ten thousand rows share three strings
	case string(Uncompressed):
		c.Compression = Uncompressed
	case string(LZ4):
		c.Compression = LZ4
	case string(Zstd):
		c.Compression = Zstd
	default:
		return c, fmt.Errorf("want none, lz4 or zstd, not %q", compression)
	}
	return c, nil
}

// holders returns in how many containers the target of c is, whatever the compression and the PTX ISA.
func (l MeasuredLibrary) holders(c MeasuredCode) (n int) {
	for _, o := range l.Codes.List() {
		if o.Target == c.Target && o.PTX == c.PTX {
			n += o.Containers
		}
	}
	return n
}

var measuredLibraries = csvFile[MeasuredLibrary]("measured/libraries.csv", checkMeasuredLibraries)

// MeasuredLibraries returns the libraries of the artefact named file that have to do with CUDA.
func (b *Base) MeasuredLibraries(file string) []MeasuredLibrary {
	rows := measuredLibraries.beginning(b, file).Rows // ordered by file
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
		if _, err := r.Codes.parse(); err != nil {
			problems = append(problems, Problem{t.Name, r.Line, err.Error()})
		}
		switch {
		case !known[r.File]:
			problems = append(problems, Problem{t.Name, r.Line, fmt.Sprintf("%q is not in artefacts.csv", r.File)})
		case i > 0 && t.Rows[i-1].File > r.File:
			problems = append(problems, Problem{t.Name, r.Line, "rows are not in order of file, which is how they are searched"})
		case (r.Containers == 0) != (r.Codes == ""):
			problems = append(problems, Problem{t.Name, r.Line, "containers and codes do not fit"})
		}
	}
	return problems
}
