package kernel

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"strata/internal/collect/collecttest"
	"strata/internal/stack"
	"strata/internal/version"
)

func collected(t *testing.T, name string) stack.Kernel {
	t.Helper()
	return collecttest.Read(t, Collector, collecttest.Open(t, name)).Kernel
}

func driver(t *testing.T, s string) version.Driver {
	t.Helper()
	v, err := version.ParseDriver(s)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

var (
	noSource = cmpopts.IgnoreTypes(stack.Source{})
	versions = cmp.Comparer(func(a, b version.Driver) bool { return a == b })
)

func TestHalfUpgradedServer(t *testing.T) {
	k := collected(t, "dkms.txtar")
	check := func(what string, want, got any) {
		t.Helper()
		if diff := cmp.Diff(want, got, noSource, versions); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	check("release", stack.Know("6.8.0-45-generic", stack.Source{}).Value, k.Release.Value)
	check("installed", []string{"6.8.0-9-generic", "6.8.0-45-generic", "6.8.0-48-generic"}, k.Installed.Value)
	check("version", driver(t, "535.129.03"), k.Version.Value)
	check("flavor", "proprietary", k.Flavor.Value)
	if k.Version.Why != "/sys/module/nvidia/version says 535.183.01" || len(k.Version.Sources) != 2 {
		t.Errorf("two sources disagree, but the fact is %+v", k.Version)
	}
	check("loaded", []stack.LoadedModule{
		{Name: "nvidia_uvm", Taints: "POE"},
		{Name: "nvidia", Version: driver(t, "535.183.01"), Taints: "POE"},
		{Name: "nouveau"},
	}, k.Loaded.Value)
	check("dkms", []stack.DKMSBuild{
		{Version: driver(t, "535.183.01"), Release: "6.8.0-45-generic", State: "installed"},
		{Version: driver(t, "535.183.01"), Release: "6.8.0-9-generic", State: "built"},
		{Version: driver(t, "535.183.01"), Release: "6.8.0-48-generic", State: "failed"},
		{Version: driver(t, "550.54.15"), State: "added"},
	}, k.DKMS.Value)
	if got := k.DKMS.Value[2].From; got.Line != 3 || !strings.Contains(got.Text, "implicit declaration") {
		t.Errorf("the failed build quotes %+v", got)
	}
	check("files", []stack.ModuleFile{
		{Path: "/lib/modules/6.8.0-45-generic/updates/dkms/nvidia.ko.zst", Release: "6.8.0-45-generic", Version: driver(t, "535.183.01"), Compression: "zst"},
	}, k.Files.Value)
	check("secure boot", stack.Fact[bool]{State: stack.Known, Value: true}, stack.Fact[bool]{State: k.SecureBoot.State, Value: k.SecureBoot.Value})
	check("blacklist", []stack.Blacklisted{{Module: "nouveau"}, {Module: "nvidia_drm"}, {Module: "nova_core"}, {Module: "nouveau"}}, k.Blacklist.Value)
	if got := k.Blacklist.Value[1].From; got.Line != 3 || got.Locator != "/etc/modprobe.d/nvidia.conf" {
		t.Errorf("the continued directive is at %v", got)
	}
	check("fabric manager", stack.FabricManager{Path: "/usr/bin/nv-fabricmanager", Running: stack.Know(true, stack.Source{})}, k.FabricManager.Value)
	var xids []int
	for _, l := range k.Log.Value {
		xids = append(xids, l.Xid)
	}
	check("log", []int{0, 79, 13}, xids)
	if got := k.Log.Value[1].From.Line; got != 3 {
		t.Errorf("Xid 79 is said to be on line %d", got)
	}
}

func TestStates(t *testing.T) {
	type states struct{ Release, Installed, Loaded, Version, Flavor, SecureBoot, Files, DKMS, Log, Fabric stack.State }
	tests := map[string]states{
		"image.txtar": {Installed: stack.Absent, Files: stack.Absent, DKMS: stack.Absent, Log: stack.Absent, Fabric: stack.Absent},
		"partial.txtar": {Version: stack.Known, Flavor: stack.Known, Installed: stack.Absent, Files: stack.Absent, DKMS: stack.Absent,
			Log: stack.Absent, Fabric: stack.Absent},
		"nodriver.txtar": {Release: stack.Known, Installed: stack.Known, Loaded: stack.Known, Version: stack.Absent, Flavor: stack.Absent,
			SecureBoot: stack.Absent, Files: stack.Known, DKMS: stack.Known, Log: stack.Denied, Fabric: stack.Absent},
		"container.txtar": {Release: stack.Known, Installed: stack.Absent, Loaded: stack.Known, Version: stack.Denied, Flavor: stack.Known,
			SecureBoot: stack.Denied, Files: stack.Absent, DKMS: stack.Absent, Log: stack.Denied, Fabric: stack.Absent},
		"damaged.txtar": {Release: stack.Failed, Installed: stack.Denied, Loaded: stack.Denied, Version: stack.Failed, Flavor: stack.Failed,
			SecureBoot: stack.Failed, Files: stack.Denied, DKMS: stack.Denied, Log: stack.Denied, Fabric: stack.Denied},
	}
	for name, want := range tests {
		t.Run(name, func(t *testing.T) {
			k := collected(t, name)
			got := states{k.Release.State, k.Installed.State, k.Loaded.State, k.Version.State, k.Flavor.State,
				k.SecureBoot.State, k.Files.State, k.DKMS.State, k.Log.State, k.FabricManager.State}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if k.Log.State == stack.Denied && k.Log.Allow == "" {
				t.Error("the log is denied without saying how to allow it")
			}
		})
	}
}

func TestModuleFile(t *testing.T) {
	const dir = "rootfs/lib/modules/6.1.0-22-amd64/"
	open := object("version=535.183.01\x00license=Dual MIT/GPL\x00vermagic=6.1.0-22-amd64 SMP\x00")
	closed := object("license=NVIDIA\x00version=470.256.02\x00") + "signature" + signatureMark
	archive := "-- " + dir + "modules.dep --\n" +
		"-- " + dir + "updates/dkms/nvidia-current.ko --\n" + open + "\n" +
		"-- " + dir + "kernel/nvidia-470/bits/nvidia.ko --\n" + closed +
		"-- " + dir + "kernel/drivers/video/fbdev/nvidia/nvidiafb.ko --\n" + open + "\n" +
		"-- " + dir + "extra/nvidia-drm.ko --\nnot a module, although it is long enough for the header of an ELF file\n"
	k := collecttest.Read(t, Collector, collecttest.OpenText(t, archive)).Kernel
	at := "/lib/modules/6.1.0-22-amd64/"
	want := []stack.ModuleFile{
		{Path: at + "updates/dkms/nvidia-current.ko", Release: "6.1.0-22-amd64", Version: driver(t, "535.183.01"), Flavor: "open"},
		{Path: at + "extra/nvidia-drm.ko", Release: "6.1.0-22-amd64", Fault: `reading "` + at + `extra/nvidia-drm.ko": not an ELF file`},
		{Path: at + "kernel/nvidia-470/bits/nvidia.ko", Release: "6.1.0-22-amd64", Version: driver(t, "470.256.02"), Flavor: "proprietary", Signed: true},
	}
	if diff := cmp.Diff(want, k.Files.Value, noSource, versions); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// object makes a relocatable ELF file with a .modinfo section, as a kernel
// module is one.
func object(modinfo string) string {
	const names = "\x00.modinfo\x00.shstrtab\x00"
	le := binary.LittleEndian
	modAt := 64
	namesAt := modAt + len(modinfo)
	shoff := (namesAt + len(names) + 7) &^ 7
	b := make([]byte, shoff+3*64)
	copy(b, "\x7fELF\x02\x01\x01")
	le.PutUint16(b[16:], 1)  // ET_REL
	le.PutUint16(b[18:], 62) // EM_X86_64
	le.PutUint32(b[20:], 1)
	le.PutUint64(b[40:], uint64(shoff))
	le.PutUint16(b[52:], 64)
	le.PutUint16(b[58:], 64)
	le.PutUint16(b[60:], 3)
	le.PutUint16(b[62:], 2)
	copy(b[modAt:], modinfo)
	copy(b[namesAt:], names)
	section := func(i int, name, typ uint32, off, size int) {
		h := b[shoff+i*64:]
		le.PutUint32(h, name)
		le.PutUint32(h[4:], typ)
		le.PutUint64(h[24:], uint64(off))
		le.PutUint64(h[32:], uint64(size))
	}
	section(1, 1, 1, modAt, len(modinfo))
	section(2, 10, 3, namesAt, len(names))
	return string(b)
}

func TestNixOS(t *testing.T) {
	k := collected(t, "nixos.txtar")
	if diff := cmp.Diff([]string{"6.12.30"}, k.Installed.Value); diff != "" {
		t.Errorf("installed kernels (-want +got):\n%s", diff)
	}
	if len(k.Files.Value) != 1 || k.Files.Value[0].Release != "6.12.30" {
		t.Errorf("module files: %+v", k.Files)
	}
}
