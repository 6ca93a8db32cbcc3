package loader

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/internal/collect/collecttest"
	"strata/internal/machine"
	"strata/internal/stack"
)

func TestCollector(t *testing.T) {
	s := collecttest.Read(t, Collector, collecttest.Open(t, "full.txtar"))
	var dirs []string
	for _, c := range s.Loader.Conf.Value {
		dirs = append(dirs, c.Dir+" "+c.From.String())
	}
	want := []string{
		"/usr/local/cuda/targets/x86_64-linux/lib /etc/ld.so.conf.d/cuda.conf:1",
		"/lib/x86_64-linux-gnu /etc/ld.so.conf.d/x86_64-linux-gnu.conf:1",
		"/usr/lib/x86_64-linux-gnu /etc/ld.so.conf.d/x86_64-linux-gnu.conf:2",
		"/opt/extra/lib /etc/ld.so.conf:5",
	}
	if diff := cmp.Diff(want, dirs); diff != "" {
		t.Errorf("conf (-want +got):\n%s", diff)
	}
	if !strings.Contains(s.Loader.Conf.Why, "nest deeper") {
		t.Errorf("the include loop is not reported: %q", s.Loader.Conf.Why)
	}
	if diff := cmp.Diff([]string{"/lib/libfake.so", "/lib/libother.so", "/lib/third.so"}, s.Loader.Preload.Value); diff != "" {
		t.Errorf("preload (-want +got):\n%s", diff)
	}
	if got := s.Loader.Cache.State; got != stack.Absent {
		t.Errorf("missing cache: %v", got)
	}
	d := s.Loader.Defaults
	if !d.Known() || d.Sources[0].Kind != "derived" || !slices.Equal(d.Value, []string{"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib", "/usr/lib"}) {
		t.Errorf("defaults: %+v", d)
	}
}

func TestScratch(t *testing.T) {
	s := collecttest.Read(t, Collector, collecttest.Open(t, "scratch.txtar"))
	if s.Loader.Defaults.State != stack.Absent || s.Loader.Conf.State != stack.Absent || s.Loader.Preload.State != stack.Absent {
		t.Errorf("an image without a loader: %+v", s.Loader)
	}
}

func TestDirectories(t *testing.T) {
	var got []string
	for _, d := range Directories(context.Background(), collecttest.Open(t, "full.txtar")) {
		got = append(got, d.Path+" "+d.Place+" "+d.From.Kind)
	}
	want := []string{
		"/opt/mine/lib ldpath env",
		"/usr/local/cuda/lib64/stubs stubs env",
		"/closed/lib ldpath env",
		"/usr/local/cuda/targets/x86_64-linux/lib toolkit file",
		"/lib/x86_64-linux-gnu system file",
		"/opt/extra/lib system file",
		"/lib system derived",
		"/usr/lib/wsl/lib wsl derived",
		"/usr/local/cuda/compat compat derived",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Directories (-want +got):\n%s", diff)
	}
}

func TestPlace(t *testing.T) {
	for dir, want := range map[string]string{
		"/usr/local/cuda-12.4/compat":                           "compat",
		"/usr/local/cuda/lib64":                                 "toolkit",
		"/usr/local/cuda-12.4/targets/x86_64-linux/lib/stubs":   "stubs",
		"/opt/conda/lib":                                        "conda",
		"/home/u/miniconda3/envs/x/lib":                         "conda",
		"/v/lib/python3.11/site-packages/nvidia/cublas/lib":     "wheel",
		"/opt/nvidia/hpc_sdk/Linux_x86_64/24.5/cuda/12.4/lib64": "hpc",
		"/usr/lib/wsl/lib":                                      "wsl",
		"/usr/lib64":                                            "",
		"/opt/compat/lib":                                       "",
	} {
		if got := Place(dir); got != want {
			t.Errorf("Place(%q) = %q, want %q", dir, got, want)
		}
	}
}

func FuzzConf(f *testing.F) {
	f.Add("include *.conf\n/lib\n", "/usr/lib=libc6\ninclude ../ld.so.conf\n")
	f.Fuzz(func(t *testing.T, main, sub string) {
		dir := t.TempDir()
		if err := os.MkdirAll(dir+"/etc/ld.so.conf.d", 0o755); err != nil {
			t.Fatal(err)
		}
		os.WriteFile(dir+"/etc/ld.so.conf", []byte(main), 0o644)
		os.WriteFile(dir+"/etc/ld.so.conf.d/a.conf", []byte(sub), 0o644)
		m, c, err := machine.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		dirs, _ := Conf(context.Background(), m)
		for _, d := range dirs {
			if !strings.HasPrefix(d.Dir, "/") {
				t.Errorf("directory %q", d.Dir)
			}
		}
	})
}
