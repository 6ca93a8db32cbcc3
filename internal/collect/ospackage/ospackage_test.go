package ospackage

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"strata/internal/collect/collecttest"
	"strata/internal/collect/ospackage/rpmdb/rpmdbtest"
	"strata/internal/stack"
)

var noSource = cmpopts.IgnoreTypes(stack.Source{})

func TestDpkg(t *testing.T) {
	s := &stack.Stack{}
	const gnu = "/usr/lib/x86_64-linux-gnu/"
	s.Driver.Libraries = stack.Know([]stack.Library{
		{Path: "/lib/x86_64-linux-gnu/libcuda.so.1", Real: gnu + "libcuda.so.535.183.01"},
		{Path: gnu + "libcuda.so.550.54.15", Real: gnu + "libcuda.so.550.54.15"},
	})
	s.CUDA.Toolkits = stack.Know([]stack.Toolkit{{Root: "/usr/local/cuda-12.4", NVCC: "/usr/local/cuda-12.4/bin/nvcc"}})
	collecttest.ReadInto(t, Collector, collecttest.Open(t, "dpkg.txtar"), s)
	want := []stack.OSPackage{
		{Name: "cuda-nvcc-12-4", Version: "12.4.131-1", Manager: "dpkg", Status: "install ok installed"},
		{Name: "libnvidia-compute-535", Version: "535.183.01-0ubuntu0.22.04.1", Manager: "dpkg", Status: "install ok installed"},
		{Name: "nvidia-dkms-535", Version: "535.183.01-0ubuntu0.22.04.1", Manager: "dpkg", Status: "install ok half-configured"},
		{Name: "nvidia-driver-470", Version: "470.256.02-0ubuntu0.22.04.1", Manager: "dpkg", Status: "deinstall ok config-files"},
	}
	if diff := cmp.Diff(want, s.Packages.Value, noSource); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if from := s.Packages.Value[1].From; from.String() != "/var/lib/dpkg/status:12" {
		t.Errorf("the second package is said to be at %s", from)
	}
	got := []string{s.Driver.Libraries.Value[0].Owner, s.Driver.Libraries.Value[1].Owner, s.CUDA.Toolkits.Value[0].Owner}
	if diff := cmp.Diff([]string{"libnvidia-compute-535 535.183.01-0ubuntu0.22.04.1", "", "cuda-nvcc-12-4 12.4.131-1"}, got); diff != "" {
		t.Errorf("owners (-want +got):\n%s", diff)
	}
}

func TestRPM(t *testing.T) {
	packages := []rpmdbtest.Package{
		{Name: "bash", Version: "5.1", Release: "1.el9", Arch: "x86_64", Files: []string{"/usr/lib/libbash.so.1"}},
		{Name: "nvidia-driver-cuda-libs", Version: "550.54.15", Release: "1.el9", Epoch: 3, Arch: "x86_64", Files: []string{"/usr/lib64/libcuda.so.550.54.15"}},
	}
	for name, data := range map[string][]byte{"Packages.db": rpmdbtest.NDB(packages...), "Packages": rpmdbtest.BDB(packages...)} {
		s := &stack.Stack{}
		s.CUDA.Libraries = stack.Know([]stack.Library{{Real: "/usr/lib64/libcuda.so.550.54.15"}, {Real: "/usr/lib/libbash.so.1"}})
		archive := append([]byte("-- rootfs/var/lib/rpm/"+name+" --\n"), data...)
		collecttest.ReadInto(t, Collector, collecttest.OpenText(t, string(archive)), s)
		want := []stack.OSPackage{{Name: "nvidia-driver-cuda-libs", Version: "3:550.54.15-1.el9", Manager: "rpm"}}
		if diff := cmp.Diff(want, s.Packages.Value, noSource); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if got := s.CUDA.Libraries.Value[0].Owner; got != "nvidia-driver-cuda-libs 3:550.54.15-1.el9" {
			t.Errorf("%s: owner %q", name, got)
		}
		if got := s.CUDA.Libraries.Value[1].Owner; got != "" {
			t.Errorf("%s: a library outside the stack is owned by %q", name, got)
		}
	}
}

func TestOtherDatabases(t *testing.T) {
	tests := map[string][]stack.OSPackage{
		"distroless.txtar": {{Name: "libcudart12", Version: "12.4.127-1", Manager: "dpkg"}},
		"pacman.txtar":     {{Name: "cuda", Version: "12.8.0-1", Manager: "pacman"}, {Name: "nvidia-utils", Version: "570.86.16-2", Manager: "pacman"}},
	}
	for name, want := range tests {
		s := &stack.Stack{}
		collecttest.ReadInto(t, Collector, collecttest.Open(t, name), s)
		if diff := cmp.Diff(want, s.Packages.Value, noSource); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestStates(t *testing.T) {
	tests := map[string]struct {
		archive string
		want    stack.State
		why     string
	}{
		"none":         {"-- rootfs/etc/x --\n", stack.Absent, ""},
		"nothing ours": {"-- rootfs/var/lib/dpkg/status --\nPackage: bash\nVersion: 5\n", stack.Known, ""},
		"denied":       {"-- rootfs/var/lib/dpkg/status --\n-- deny --\n/var/lib/dpkg\n", stack.Denied, "permission denied"},
		"fifo":         {"-- modes --\n0600 fifo /var/lib/rpm/Packages\n", stack.Failed, "not a regular file"},
		"text":         {"-- rootfs/var/lib/rpm/rpmdb.sqlite --\nno database\n", stack.Failed, "not an rpm database"},
		"empty rpm":    {"-- rootfs/var/lib/rpm/Packages --\n", stack.Absent, ""},
		"huge rpm":     {"-- sparse --\n4294967296 /var/lib/rpm/Packages\n", stack.Failed, "larger than the limit"},
		"rpm and dpkg": {"-- rootfs/var/lib/rpm/Packages --\nno database\n-- rootfs/var/lib/dpkg/status --\nPackage: cuda\nVersion: 1\n", stack.Known, "not an rpm database"},
	}
	for name, tt := range tests {
		s := &stack.Stack{}
		collecttest.ReadInto(t, Collector, collecttest.OpenText(t, tt.archive), s)
		if s.Packages.State != tt.want || !strings.Contains(s.Packages.Why, tt.why) {
			t.Errorf("%s: %s, why %q; want %s, %q", name, s.Packages.State, s.Packages.Why, tt.want, tt.why)
		}
	}
}

func TestInStack(t *testing.T) {
	tests := map[string]bool{
		"nvidia-driver-550": true, "libnvidia-ml1": true, "libcuda1": true, "cuda-compat-12-8": true, "libcudnn9-cuda-12": true,
		"libnccl2": true, "libnvinfer10": true, "containerd.io": true, "nvidia-container-toolkit": true, "docker-ce": true,
		"kmod-nvidia-latest-dkms": true, "xorg-x11-drv-nvidia-cuda": true, "dkms": true, "docker": true,
		"bash": false, "docker-clean": false, "libcurl4": false, "libnuma1": false, "linux-image-6.8.0-45-generic": false, "": false,
	}
	for name, want := range tests {
		if got := inStack(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}

// status is a file like that of a full desktop: 5 MB, every 100th package ours.
func status() []byte {
	var b bytes.Buffer
	for i := range 5000 {
		name := fmt.Sprintf("libfiller%d", i)
		if i%100 == 0 {
			name = fmt.Sprintf("cuda-part-%d", i)
		}
		fmt.Fprintf(&b, "Package: %s\nStatus: install ok installed\nArchitecture: amd64\nVersion: 1.%d\nDescription: filler\n%s\n",
			name, i, strings.Repeat(" Some more words about what the package is good for, and for whom.\n", 12))
	}
	return b.Bytes()
}

func BenchmarkStatus(b *testing.B) {
	data := status()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		p, err := parseStatus("status", bytes.NewReader(data))
		if err != nil || len(p) != 50 {
			b.Fatalf("%d packages, %v", len(p), err)
		}
	}
}

func FuzzStatus(f *testing.F) {
	f.Add([]byte("Package: cuda\nStatus: install ok installed\nVersion: 1\n\nPackage: nvidia\nPackage: dkms\n text\n"))
	f.Add([]byte("Package: cuda\n\n\n\r\nVersion: 2"))
	f.Fuzz(func(t *testing.T, data []byte) {
		packages, err := parseStatus("status", bytes.NewReader(data))
		if err != nil {
			t.Fatal(err) // memory cannot fail to be read
		}
		for _, p := range packages {
			if !inStack(p.Name) || p.From.Line < 1 {
				t.Errorf("%+v", p)
			}
		}
	})
}
