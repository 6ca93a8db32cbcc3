package coverage_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"strata/internal/codefile"
	"strata/internal/coverage"
	"strata/internal/derive"
	"strata/internal/elfx/elftest"
	"strata/internal/fatbin"
	"strata/internal/fatbin/fatbintest"
	"strata/internal/kb"
	"strata/internal/version"
)

type (
	container = fatbintest.Container
	code      = fatbintest.Code
)

// file is a fat binary file with these containers.
func file(t *testing.T, runtime string, containers ...container) codefile.File {
	t.Helper()
	return opened(t, runtime, fatbintest.Build(containers...))
}

func opened(t *testing.T, runtime string, data []byte) codefile.File {
	t.Helper()
	f, err := fatbin.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return codefile.File{Path: "lib.so", Code: f, Runtime: runtime}
}

func judge(t *testing.T, f codefile.File, sm, driver string) coverage.Verdict {
	t.Helper()
	cc, err := version.ParseComputeCapability(sm)
	if err != nil {
		t.Fatal(err)
	}
	var d version.Driver
	if driver != "" {
		if d, err = coverage.ResolveDriver(kb.Default(), driver); err != nil {
			t.Fatal(err)
		}
	}
	return coverage.Judge(kb.Default(), f, derive.GPU{Name: "GPU", Capability: cc}, d)
}

func TestJudge(t *testing.T) {
	ptx := func(arch, isa, packed string) code {
		return code{Kind: "ptx", Arch: arch, ISA: isa, Compression: packed}
	}
	library := file(t, "12", container{{Arch: "80"}, {Arch: "90a"}, ptx("90", "8.4", "lz4")})
	zstd := file(t, "12", container{{Arch: "80", Compression: "zstd"}, ptx("80", "8.4", "zstd")})
	for _, tc := range []struct {
		name        string
		file        codefile.File
		sm, driver  string
		want        coverage.Status
		says, needs string
	}{
		{"cubin", library, "sm_80", "535", coverage.Native, "native: sm_80", "525.60.13"},
		{"cubin of an older minor", library, "sm_86", "", coverage.Native, "native: sm_80", "525.60.13"},
		{"its own a", library, "sm_90", "", coverage.Native, "native: sm_90a", "525.60.13"},
		{"PTX", library, "sm_120", "570", coverage.JIT, "by JIT: compute_90, PTX ISA 8.4", "570"},
		{"driver before the GPU", library, "sm_120", "550", coverage.DriverLacksGPU, "R570 is the first branch", "570"},
		{"driver after the GPU", file(t, "12", container{{Arch: "70"}}), "sm_70", "590", coverage.DriverLacksGPU, "R580 was the last branch", "525.60.13"},
		{"older GPU", library, "sm_75", "535", coverage.NoCode, "nothing here runs on sm_75", ""},
		{"PTX newer than the driver", file(t, "12", container{ptx("80", "8.4", "")}), "sm_90", "535", coverage.PTXTooNew, "compiles up to 8.2", "550"},
		{"PTX, any driver", file(t, "12", container{ptx("80", "8.4", "")}), "sm_90", "", coverage.JIT, "ISA 8.4", "550"},
		{"zstd before R550", zstd, "sm_80", "535", coverage.Packed, "compressed with zstd", "550.54.14"},
		{"zstd from R550", zstd, "sm_80", "550.54.14", coverage.Native, "native", "550.54.14"},
		{"CUDA major by soname", file(t, "13", container{{Arch: "80"}}), "sm_80", "570", coverage.DriverTooOld, "too old for CUDA 13", "580.65.06"},
		{"CUDA major by PTX", file(t, "", container{{Arch: "80"}, ptx("80", "9.0", "")}), "sm_80", "570", coverage.DriverTooOld, "too old for CUDA 13", "580.65.06"},
		{"CUDA major by cubin", opened(t, "", fatbintest.Cubin("80", "13.0")), "sm_80", "570", coverage.DriverTooOld, "too old for CUDA 13", "580.65.06"},
		{"PTX text of a newer major", opened(t, "", fatbintest.PTX("compute_80", "9.0")), "sm_80", "570", coverage.PTXTooNew, "ISA 9.0", "580"},
		{"driver beyond what is known", library, "sm_80", "999", coverage.Unknown, "beyond the horizon of the knowledge base", ""},
		{"family", opened(t, "", fatbintest.Cubin("100f", "12.9")), "sm_103", "", coverage.Native, "sm_100f", "570"},
		{"another family", opened(t, "", fatbintest.Cubin("100f", "12.9")), "sm_120", "", coverage.NoCode, "", ""},
		{"what the device linker leaves", opened(t, "", elftest.Build(elftest.Spec{Fatbin: fatbintest.Build(container{{Arch: "75"}})})), "sm_80", "", coverage.Unknown, "nvcc's default target", ""},
		{"one real cubin", opened(t, "", elftest.Build(elftest.Spec{Fatbin: fatbintest.Build(container{{Arch: "70"}})})), "sm_80", "", coverage.NoCode, "", ""},
		{"nothing", file(t, "", container{}), "sm_80", "", coverage.Empty, "no GPU code", ""},
	} {
		v := judge(t, tc.file, tc.sm, tc.driver)
		if v.Status != tc.want || !strings.Contains(v.Summary, tc.says) || v.Needs.String() != tc.needs {
			t.Errorf("%s: %s, %q, from driver %q (%s); want %s, %q, %q", tc.name, v.Status, v.Summary, v.Needs, v.Why, tc.want, tc.says, tc.needs)
		}
		runs := tc.want == coverage.Native || tc.want == coverage.JIT || tc.want == coverage.Empty || tc.want == coverage.Unknown
		if v.Fails() == runs {
			t.Errorf("%s: fails %v", tc.name, v.Fails())
		}
	}
}

// TestJudgeShare: of a library with kernels for each GPU in fat binaries of their
// own, what the others have is not missing; where PTX remains in a few of many
// common ones, it is.
func TestJudgeShare(t *testing.T) {
	each := file(t, "12", container{{Arch: "80"}}, container{{Arch: "90"}}, container{{Arch: "90"}}, container{{Arch: "90"}}, container{{Arch: "90"}})
	if v := judge(t, each, "sm_80", ""); v.Native != 1 || v.Of != 5 || v.Sparse || !strings.Contains(v.Summary, "in 1 of 5 fat binaries, the rest is for other GPUs") {
		t.Errorf("%+v", v)
	}
	common := container{{Arch: "80"}, {Arch: "90"}}
	few := file(t, "12", common, common, common, container{{Arch: "80"}, {Arch: "90"}, {Kind: "ptx", Arch: "90", ISA: "8.4"}})
	if v := judge(t, few, "sm_120", ""); v.Status != coverage.JIT || !v.Sparse || !strings.Contains(v.Summary, "in only 1 of 4") || !strings.Contains(v.Why, "error 209") {
		t.Errorf("%+v", v)
	}
	mixed := file(t, "12", container{{Arch: "80"}}, container{{Kind: "ptx", Arch: "80", ISA: "8.4"}}, container{{Kind: "ptx", Arch: "80", ISA: "8.7"}})
	if v := judge(t, mixed, "sm_80", "550"); v.Status != coverage.Native || v.Native != 1 || v.JIT != 1 || v.Blocked != 1 || !strings.Contains(v.Why, "ISA 8.7") {
		t.Errorf("%+v", v)
	}
}

// TestJudgeTegra: cubins of discrete GPUs and of Tegra are not exchanged where there is a choice.
func TestJudgeTegra(t *testing.T) {
	f := file(t, "12", container{{Arch: "80"}, {Arch: "87"}})
	for sm, want := range map[string]string{"sm_87": "sm_87", "sm_89": "sm_80"} {
		if v := judge(t, f, sm, ""); !slices.Equal(v.Via, []string{want}) || v.Unpromised {
			t.Errorf("%s: %+v, want via %s", sm, v, want)
		}
	}
	if v := judge(t, file(t, "12", container{{Arch: "80"}}), "sm_87", ""); !v.Unpromised || !strings.Contains(v.Why, "Tegra") {
		t.Errorf("%+v", v)
	}
}

func TestBuiltWith(t *testing.T) {
	for _, tc := range []struct {
		file codefile.File
		want string
	}{
		{opened(t, "", fatbintest.Cubin("80", "12.4")), "CUDA 12.4 its cubins"},
		{opened(t, "", fatbintest.PTX("compute_80", "8.5")), "CUDA 12.5 PTX ISA 8.5"},
		{file(t, "12", container{{Arch: "80"}}), "CUDA 12.x libcudart.so.12"},
	} {
		b := coverage.BuiltWith(kb.Default(), tc.file)
		if got := b.String() + " " + b.From; got != tc.want {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
	if b := coverage.BuiltWith(kb.Default(), file(t, "", container{{Arch: "80"}})); !b.CUDA.IsZero() {
		t.Errorf("%+v from nothing", b)
	}
}

func TestResolveDriver(t *testing.T) {
	d, err := coverage.ResolveDriver(kb.Default(), "R570")
	if err != nil || d.Branch() != 570 || !strings.Contains(d.String(), ".") {
		t.Errorf("R570: %v, %v", d, err)
	}
	if d, err := coverage.ResolveDriver(kb.Default(), "570.86.10"); err != nil || d.String() != "570.86.10" {
		t.Errorf("%v, %v", d, err)
	}
	if _, err := coverage.ResolveDriver(kb.Default(), "new"); err == nil {
		t.Error("no error")
	}
}

// TestCurrent: every GPU that can be bought is among the architectures.
func TestCurrent(t *testing.T) {
	var sms []string
	for _, g := range coverage.Current(kb.Default()) {
		sms = append(sms, g.Capability.SM())
	}
	for _, want := range []string{"sm_50", "sm_80", "sm_90", "sm_120"} {
		if !slices.Contains(sms, want) {
			t.Errorf("%s is not among %v", want, sms)
		}
	}
	if slices.Contains(sms, "sm_35") || slices.Contains(sms, "sm_88") {
		t.Errorf("%v", sms)
	}
}
