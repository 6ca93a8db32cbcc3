package derive

import (
	"testing"

	"strata/internal/stack"
	"strata/internal/version"
)

// TestCover holds the rules of the CUDA C++ Programming Guide for cubins, PTX
// and targets that end in "a" or "f".
func TestCover(t *testing.T) {
	cubin := func(arch string) stack.DeviceCode { return stack.DeviceCode{Kind: "cubin", Arch: arch} }
	ptx := func(arch, isa string) stack.DeviceCode { return stack.DeviceCode{Kind: "ptx", Arch: arch, ISA: isa} }
	tests := []struct {
		name   string
		code   []stack.DeviceCode
		gpu    string
		newest string // PTX ISA of the driver
		want   Coverage
	}{
		{"lower minor of the same major", []stack.DeviceCode{cubin("sm_86")}, "8.9", "", Native},
		{"a list that ends below the GPU's minor", []stack.DeviceCode{cubin("sm_80"), cubin("sm_86"), cubin("sm_90")}, "8.9", "", Native},
		{"sm_120 on GB10", []stack.DeviceCode{cubin("sm_120")}, "12.1", "", Native},
		{"higher minor", []stack.DeviceCode{cubin("sm_89")}, "8.6", "", NoCode},
		{"next major", []stack.DeviceCode{cubin("sm_90")}, "10.0", "", NoCode},
		{"10.x is not 12.x", []stack.DeviceCode{cubin("sm_100")}, "12.0", "", NoCode},
		{"PTX of an older GPU", []stack.DeviceCode{ptx("compute_90", "8.4")}, "12.0", "8.7", JIT},
		{"PTX of the GPU itself", []stack.DeviceCode{ptx("compute_90", "8.4")}, "9.0", "8.4", JIT},
		{"PTX of a newer GPU", []stack.DeviceCode{ptx("compute_90", "8.4")}, "8.9", "8.7", NoCode},
		{"PTX newer than the driver", []stack.DeviceCode{ptx("compute_80", "8.8")}, "9.0", "8.4", JITImpossible},
		{"ISA 8.10 is newer than 8.9", []stack.DeviceCode{ptx("compute_80", "8.10")}, "9.0", "8.9", JITImpossible},
		{"PTX of a driver that is not known", []stack.DeviceCode{ptx("compute_80", "8.8")}, "9.0", "", JIT},
		{"a cubin beside PTX that is too new", []stack.DeviceCode{ptx("compute_90", "9.0"), cubin("sm_90")}, "9.0", "8.4", Native},
		{"one PTX of two can be compiled", []stack.DeviceCode{ptx("compute_90", "9.0"), ptx("compute_80", "8.0")}, "9.0", "8.4", JIT},
		{"sm_90a on its own chip", []stack.DeviceCode{cubin("sm_90a")}, "9.0", "", Native},
		{"sm_100a on a later minor", []stack.DeviceCode{cubin("sm_100a")}, "10.3", "", NoCode},
		{"PTX 90a is for no later GPU", []stack.DeviceCode{ptx("compute_90a", "8.4")}, "12.0", "8.8", NoCode},
		{"sm_100f in its family", []stack.DeviceCode{cubin("sm_100f")}, "10.3", "", Native},
		{"sm_103f before its minor", []stack.DeviceCode{cubin("sm_103f")}, "10.0", "", NoCode},
		{"PTX 100f outside its family", []stack.DeviceCode{ptx("compute_100f", "8.8")}, "12.0", "9.0", NoCode},
		{"PTX 120f in its family", []stack.DeviceCode{ptx("compute_120f", "8.8")}, "12.1", "9.0", JIT},
		{"what does not parse is nothing", []stack.DeviceCode{cubin("sm_"), ptx("lto_90", "")}, "9.0", "", NoCode},
		{"no code", nil, "8.0", "", NoCode},
	}
	for _, tt := range tests {
		gpu, err := version.ParseComputeCapability(tt.gpu)
		if err != nil {
			t.Fatal(err)
		}
		var newest version.PTX
		if tt.newest != "" {
			if newest, err = version.ParsePTX(tt.newest); err != nil {
				t.Fatal(err)
			}
		}
		if got := Cover(tt.code, gpu, newest); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
