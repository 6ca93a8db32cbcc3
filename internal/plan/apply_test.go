package plan

import (
	"slices"
	"testing"

	"strata/internal/kb"
	"strata/internal/stack"
	"strata/internal/version"
)

const site = "/opt/venv/lib/python3.11/site-packages"

// machine is a host with one environment, on which the cases below are tried.
func machine(t *testing.T) *stack.Stack {
	t.Helper()
	v := driverVersion(t, "535.129.03")
	s := &stack.Stack{}
	s.Kernel.Version = stack.Know(v)
	s.Kernel.Loaded = stack.Know([]stack.LoadedModule{{Name: "nvidia", Version: v}, {Name: "nouveau"}})
	s.Driver.Libraries = stack.Know([]stack.Library{
		{Path: "/usr/lib/x86_64-linux-gnu/libcuda.so.1", Soname: "libcuda.so.1", Version: "535.129.03", Place: "system", Owner: "libnvidia-compute-535 535.129.03"},
		{Path: "/usr/local/cuda/compat/libcuda.so.1", Soname: "libcuda.so.1", Version: "580.95.05", Place: "compat"},
		{Path: "/usr/local/cuda/lib64/stubs/libcuda.so", Soname: "libcuda.so.1", Place: "stubs"},
	})
	s.Environment = stack.Know([]stack.Variable{{Name: "LD_LIBRARY_PATH", Value: "/a:/b/:/c"}, {Name: "CUDA_VISIBLE_DEVICES", Value: "-1"}})
	s.Devices.Nodes = stack.Know([]stack.DeviceNode{{Path: "/dev/nvidia0", Mode: 0o600}})
	e := stack.Environment{Prefix: "/opt/venv", Site: []string{site}}
	e.Packages = stack.Know([]stack.Package{{Name: "torch", Version: "2.6.0+cu124"}, {Name: "nvidia-cudnn-cu12", Version: "8.9.2.26"}})
	e.Libraries = stack.Know([]stack.Library{{Path: site + "/nvidia/cudnn/lib/libcudnn.so.8", Real: site + "/nvidia/cudnn/lib/libcudnn.so.8",
		Soname: "libcudnn.so.8", Place: "wheel", Owner: "nvidia-cudnn-cu12 8.9.2.26"}})
	e.Frameworks = []stack.Framework{{Name: "pytorch", Package: "torch", Version: "2.6.0+cu124", Libraries: []stack.Library{{Path: site + "/torch/lib/libtorch_cuda.so"}}}}
	e.Overlaps = stack.Know([]stack.Overlap{{Path: "nvidia/nccl/lib/libnccl.so.2", Packages: []string{"nvidia-nccl-cu12", "nvidia-nccl-cu13"}, Winner: "nvidia-nccl-cu13"}})
	s.Python = stack.Know([]stack.Environment{e})
	return s
}

func sonames(libs []stack.Library) []string {
	var out []string
	for _, l := range libs {
		out = append(out, l.Soname)
	}
	return out
}

// TestApply holds each change to what it does in practice.
func TestApply(t *testing.T) {
	env := func(s *stack.Stack) *stack.Environment { return &s.Python.Value[0] }
	tests := []struct {
		name   string
		change stack.Change
		holds  func(*stack.Stack) bool
	}{
		{"a driver replaces its own libraries and no others", stack.SetDriver{Version: driverVersion(t, "580.95.05"), Flavor: "open"}, func(s *stack.Stack) bool {
			l := s.Driver.Libraries.Value
			return l[0].Version == "580.95.05" && l[1].Version == "580.95.05" && l[2].Version == "" && s.Kernel.Flavor.Value == "open"
		}},
		{"a blocked module gives the GPU up", stack.BlockModule{Name: "nouveau"}, func(s *stack.Stack) bool {
			return !slices.ContainsFunc(s.Kernel.Loaded.Value, func(m stack.LoadedModule) bool { return m.Name == "nouveau" })
		}},
		{"granting opens the nodes", stack.Grant{}, func(s *stack.Stack) bool { return s.Devices.Nodes.Value[0].Mode&0o666 == 0o666 }},
		{"a directory goes, however it is written", stack.DropLibraryPath{Dir: "/b"}, func(s *stack.Stack) bool {
			v, _ := s.Getenv("LD_LIBRARY_PATH")
			return v.Value == "/a:/c"
		}},
		{"unset is not empty", stack.UnsetEnv{Name: "CUDA_VISIBLE_DEVICES"}, func(s *stack.Stack) bool {
			_, ok := s.Getenv("CUDA_VISIBLE_DEVICES")
			return !ok
		}},
		{"a package takes its libraries along", stack.RemoveOSPackage{Names: []string{"libnvidia-compute-535"}}, func(s *stack.Stack) bool {
			return len(s.Driver.Libraries.Value) == 2 && s.Driver.Libraries.Value[0].Place == "compat"
		}},
		{"another major release of cuDNN replaces the first", stack.Install{Prefix: "/opt/venv", Package: "nvidia-cudnn-cu12", Version: "9.10.2.21"}, func(s *stack.Stack) bool {
			names := sonames(env(s).Libraries.Value)
			return slices.Contains(names, "libcudnn.so.9") && !slices.Contains(names, "libcudnn.so.8")
		}},
		{"another torch is known by the tables, not by the files of the old one", stack.Install{Prefix: "/opt/venv", Package: "torch", Version: "2.7.1+cu128"}, func(s *stack.Stack) bool {
			f, ok := env(s).Framework("pytorch")
			return ok && f.CUDA.Value.String() == "12.8" && f.Code.Known() && len(f.Libraries) == 0
		}},
		{"the CPU build has no CUDA", stack.Install{Prefix: "/opt/venv", Package: "torch", Version: "2.7.1+cpu"}, func(s *stack.Stack) bool {
			f, _ := env(s).Framework("pytorch")
			return f.Variant.Value == "cpu" && !f.CUDA.Known()
		}},
		{"what is uninstalled leaves no framework", stack.Uninstall{Prefix: "/opt/venv", Package: "torch"}, func(s *stack.Stack) bool {
			_, framework := env(s).Framework("pytorch")
			_, pkg := env(s).Find("torch")
			return !framework && !pkg
		}},
		{"one of two that overlap ends the overlap", stack.Uninstall{Prefix: "/opt/venv", Package: "nvidia-nccl-cu13"}, func(s *stack.Stack) bool { return len(env(s).Overlaps.Value) == 0 }},
		{"the last one installed owns the file", stack.Install{Prefix: "/opt/venv", Package: "nvidia-nccl-cu12", Version: "2.21.5"}, func(s *stack.Stack) bool {
			return env(s).Overlaps.Value[0].Winner == "nvidia-nccl-cu12"
		}},
		{"another environment is not touched", stack.Install{Prefix: "/opt/other", Package: "torch", Version: "2.7.1+cpu"}, func(s *stack.Stack) bool {
			f, _ := env(s).Framework("pytorch")
			return f.Version == "2.6.0+cu124"
		}},
	}
	for _, tt := range tests {
		s := machine(t)
		got := Apply(s, []stack.Change{tt.change}, kb.Default())
		if !tt.holds(got) {
			t.Errorf("%s: not so", tt.name)
		}
		if tt.holds(s) && tt.name != "another environment is not touched" {
			t.Errorf("%s: on the machine itself, or already before", tt.name)
		}
	}
}

// TestApplyWithoutFacts: a change to a stack of which nothing is known does not
// panic and makes nothing up but what it brings.
func TestApplyWithoutFacts(t *testing.T) {
	cuda, err := version.ParseCUDA("12.8")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []stack.Change{
		stack.SetDriver{}, stack.Reboot{}, stack.LoadModule{Name: "nvidia"}, stack.BuildModule{}, stack.BlockModule{Name: "nouveau"}, stack.MakeNodes{},
		stack.Grant{}, stack.SetEnv{Name: "A"}, stack.UnsetEnv{Name: "A"}, stack.DropLibraryPath{Dir: "/a"}, stack.Install{Package: "torch"},
		stack.Uninstall{Package: "torch"}, stack.RemoveLibrary{Path: "/a"}, stack.GiveGPU{}, stack.Configure{Engine: "docker"},
		stack.InstallCompat{CUDA: cuda}, stack.RenewCDI{}, stack.InstallFirmware{}, stack.SetFabricManager{}, stack.InstallToolkit{Version: cuda},
		stack.LinkNodes{}, stack.SetHostCompiler{}, stack.InstallOSPackage{Names: []string{"a"}, Brings: []string{"libcudart.so.12"}},
		stack.SetWants{Program: "/a"}, stack.RemoveOSPackage{Names: []string{"a"}},
	} {
		got := Apply(&stack.Stack{}, []stack.Change{c}, kb.Default())
		if got.Hardware.PCI.Known() || got.Python.Known() {
			t.Errorf("%T makes up a GPU or an environment", c)
		}
	}
}
