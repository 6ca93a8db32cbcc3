package plan

import (
	"testing"

	"strata/internal/kb"
	"strata/internal/stack"
	"strata/internal/version"
)

func driverVersion(t *testing.T, s string) version.Driver {
	t.Helper()
	v, err := version.ParseDriver(s)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestReboot holds a restart to starting the newest kernel, which may have no module.
func TestReboot(t *testing.T) {
	v := driverVersion(t, "535.129.03")
	s := &stack.Stack{}
	s.Kernel.Release = stack.Know("6.5.0-44-generic")
	s.Kernel.Installed = stack.Know([]string{"6.5.0-44-generic", "6.8.0-52-generic"})
	s.Kernel.Version = stack.Know(v)
	s.Kernel.Loaded = stack.Know([]stack.LoadedModule{{Name: "nvidia", Version: v}})
	s.Kernel.Files = stack.Know([]stack.ModuleFile{{Path: "/lib/modules/6.5.0-44-generic/updates/dkms/nvidia.ko", Release: "6.5.0-44-generic", Version: v}})

	lost := Apply(s, []stack.Change{stack.Reboot{}}, kb.Default())
	if lost.Kernel.Release.Value != "6.8.0-52-generic" || len(lost.Kernel.Loaded.Value) != 0 || lost.Kernel.Version.State != stack.Absent {
		t.Errorf("restarting into a kernel without module: %+v", lost.Kernel)
	}
	kept := Apply(s, []stack.Change{stack.BuildModule{Release: "6.8.0-52-generic", Version: v}, stack.Reboot{}}, kb.Default())
	if len(kept.Kernel.Loaded.Value) == 0 || kept.Kernel.Version.Value.Compare(v) != 0 {
		t.Errorf("restarting after the module was built: %+v", kept.Kernel)
	}
	if len(s.Kernel.Files.Value) != 1 || s.Kernel.Release.Value != "6.5.0-44-generic" {
		t.Error("trying a remedy changed the original")
	}
}

// TestInstallCompat holds the libraries of a compat package to coming before
// the driver's, with the variable that leads to them.
func TestInstallCompat(t *testing.T) {
	cuda, err := version.ParseCUDA("13.0")
	if err != nil {
		t.Fatal(err)
	}
	s := &stack.Stack{}
	s.Environment = stack.Know([]stack.Variable{{Name: "LD_LIBRARY_PATH", Value: "/opt/lib"}})
	got := Apply(s, []stack.Change{stack.InstallCompat{CUDA: cuda, Driver: driverVersion(t, "580.95.05"), Branches: []int{535}}}, kb.Default())
	if v, _ := got.Getenv("LD_LIBRARY_PATH"); v.Value != "/usr/local/cuda-13.0/compat:/opt/lib" {
		t.Errorf("LD_LIBRARY_PATH is %q", v.Value)
	}
	if len(got.Driver.Libraries.Value) != 2 || got.Driver.Libraries.Value[0].Compat == nil {
		t.Errorf("libraries: %+v", got.Driver.Libraries.Value)
	}
}
