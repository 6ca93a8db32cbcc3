package kb

import (
	"io/fs"
	"testing"

	"strata/internal/version"
)

// A command asks a handful of questions, so what counts is the first answer of a fresh Base, decoding included. Decoding gpus.csv, the
// largest table, must stay below 5 ms.

func fresh() *Base { return &Base{fsys: Default().fsys} }

func BenchmarkDecodeGPUs(b *testing.B) {
	for b.Loop() {
		if table, problems := decode[GPU](Default().fsys, gpus.name, nil); len(table.Rows) == 0 || problems != nil {
			b.Fatal(problems)
		}
	}
}

func BenchmarkFirstGPUByPCI(b *testing.B) {
	for b.Loop() {
		if !fresh().GPUByPCI("20b2", "10de:1463").Known {
			b.Fatal("not found")
		}
	}
}

func BenchmarkFirstGPUsByName(b *testing.B) {
	for b.Loop() {
		if !fresh().GPUsByName("RTX 4090").Known {
			b.Fatal("not found")
		}
	}
}

func BenchmarkFirstDriverCUDA(b *testing.B) {
	d, err := version.ParseDriver("535.129.03")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if !fresh().DriverCUDA(d).Known {
			b.Fatal("not found")
		}
	}
}

func BenchmarkFirstSoname(b *testing.B) {
	for b.Loop() {
		if !fresh().Soname("libcublas.so.12", 12).Known {
			b.Fatal("not found")
		}
	}
}

func BenchmarkFirstCUDAErrorByName(b *testing.B) {
	for b.Loop() {
		if !fresh().CUDAErrorByName("cudaErrorNoDevice").Known {
			b.Fatal("not found")
		}
	}
}

func BenchmarkNextDriverCUDA(b *testing.B) {
	d, err := version.ParseDriver("535.129.03")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if !Default().DriverCUDA(d).Known {
			b.Fatal("not found")
		}
	}
}

// BenchmarkLoad decodes every table and source of the embedded base, which no command but `strata kb` does. The budget is 15 ms.
func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		base := fresh()
		if len(base.Tables()) < 20 || len(base.Sources()) < 100 {
			b.Fatal("tables are missing")
		}
	}
	size := 0
	err := fs.WalkDir(Default().fsys, ".", func(_ string, d fs.DirEntry, err error) error {
		if info, infoErr := d.Info(); infoErr == nil && !d.IsDir() {
			size += int(info.Size())
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(size)/1e6, "MB") // what the base adds to the binary; at most 6
}
