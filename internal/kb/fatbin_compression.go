package kb

import "strata/internal/version"

// FatbinCompression is one way to pack device code in fat binaries. A driver that cannot unpack it reports error 200.
type FatbinCompression struct {
	Row
	Kind        string         `kb:"kind,key"`     // as package fatbin names it: "zstd"
	FirstCUDA   version.CUDA   `kb:"first_cuda"`   // first toolkit that can write it; zero: every one
	DefaultCUDA version.CUDA   `kb:"default_cuda"` // first toolkit that writes it unasked; zero: none
	MinDriver   version.Driver `kb:"min_driver"`   // first driver that unpacks it; zero: every one
	Note        string         `kb:"note"`
}

var fatbinCompressions = csvFile("nvidia/fatbin_compression.csv", reaches[FatbinCompression]("cuda", "driver"), checkFatbinCompression)

// FatbinCompression returns what is known about compression kind. Of one that the table does not have nothing follows: it may be newer.
func (b *Base) FatbinCompression(kind string) Answer[FatbinCompression] {
	t := fatbinCompressions.in(b)
	for _, r := range t.Rows {
		if r.Kind == kind {
			return found(b, t, r.Row, r)
		}
	}
	return notFound[FatbinCompression](t, "the compression %q is not known", kind)
}

// checkFatbinCompression reports kinds whose driver does not belong to the CUDA that introduced them.
func checkFatbinCompression(b *Base, t *Table[FatbinCompression]) (problems []Problem) {
	for _, r := range t.Rows {
		if !r.DefaultCUDA.IsZero() && r.DefaultCUDA.Less(r.FirstCUDA) {
			problems = append(problems, Problem{t.Name, r.Line, "is the default before it can be written"})
		}
		if reports := b.DriverCUDA(r.MinDriver); !r.MinDriver.IsZero() && !sameMinor(reports.Value, r.FirstCUDA) {
			problems = append(problems, Problem{t.Name, r.Line, "min_driver is not of the branch that brought first_cuda"})
		}
	}
	return problems
}
