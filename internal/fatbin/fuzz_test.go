package fatbin_test

import (
	"bytes"
	"testing"

	"strata/internal/elfx/elftest"
	"strata/internal/fatbin"
	"strata/internal/fatbin/fatbintest"
)

func FuzzOpen(f *testing.F) {
	f.Add(elftest.Build(elftest.Spec{Fatbin: fatbintest.Build(sample...)}))
	f.Add(fatbintest.Build(sample...))
	fuzzFiles(f, func(b []byte) []byte { return b })
}

func FuzzArchive(f *testing.F) {
	object := elftest.Build(elftest.Spec{RelFatbin: fatbintest.Build(container{{Arch: "80"}})})
	f.Add(fatbintest.Archive(member("a.o", object), member("a name beyond sixteen.o", fatbintest.Cubin("90a", "12.4"))))
	f.Add(fatbintest.Archive(member("a.obj", fatbintest.COFF(fatbintest.Build(sample...)))))
	fuzzFiles(f, func(b []byte) []byte { return append([]byte("!<arch>\n"), b[min(8, len(b)):]...) })
}

func FuzzPE(f *testing.F) {
	f.Add(fatbintest.PE(fatbintest.Build(sample...)))
	fuzzFiles(f, func(b []byte) []byte { return append([]byte("MZ"), b[min(2, len(b)):]...) })
}

func FuzzCubin(f *testing.F) {
	f.Add(fatbintest.Cubin("90a", "12.4"))
	f.Add(fatbintest.Cubin("120f", "12.9"))
	fuzzFiles(f, func(b []byte) []byte {
		if len(b) >= 20 {
			copy(b, "\x7fELF\x02\x01")
			b[18], b[19] = 190, 0
		}
		return b
	})
}

func FuzzPTX(f *testing.F) {
	f.Add(fatbintest.PTX("compute_90a", "8.4"))
	f.Add([]byte("/* */ // \n.version 8.8\n.target sm_120f, texmode_independent"))
	fuzzFiles(f, func(b []byte) []byte { return b })
}

// fuzzFiles opens what shape makes of the input and holds the result to what any
// file can hold.
func fuzzFiles(f *testing.F, shape func([]byte) []byte) {
	f.Fuzz(func(t *testing.T, b []byte) {
		b = shape(b)
		got, err := fatbin.Open(bytes.NewReader(b), int64(len(b)))
		if (got == nil) == (err == nil) {
			t.Fatalf("%v, %v", got, err)
		}
		if err != nil {
			return
		}
		inMixes := 0
		for _, m := range got.Mixes {
			inMixes += m.Containers
			for _, i := range m.Codes {
				if i < 0 || i >= len(got.Codes) {
					t.Fatalf("mix %v of %d codes", m.Codes, len(got.Codes))
				}
			}
		}
		if got.Entries > len(b)+1 || inMixes > got.Containers || len(got.Problems) > 16 {
			t.Fatalf("%d entries, %d of %d containers in mixes, %d problems from %d bytes", got.Entries, inMixes, got.Containers, len(got.Problems), len(b))
		}
	})
}
