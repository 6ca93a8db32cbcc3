package python

import (
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/internal/collect/collecttest"
	"strata/internal/stack"
	"strata/internal/version"
)

func TestParseEntry(t *testing.T) {
	for _, tt := range []struct{ give, name, version, manager string }{
		{"torch-2.6.0+cu124.dist-info", "torch", "2.6.0+cu124", "pip"},
		{"nvidia_cublas_cu12-12.4.5.8.dist-info", "nvidia-cublas-cu12", "12.4.5.8", "pip"},
		{"Foo-Bar-1.0.dist-info", "foo-bar", "1.0", "pip"},
		{"zope.interface-6.0.dist-info", "zope-interface", "6.0", "pip"},
		{"backports.zoneinfo-0.2.1-py3.8-linux-x86_64.egg", "backports-zoneinfo", "0.2.1", "egg"},
		{"PyYAML-6.0.egg-info", "pyyaml", "6.0", "egg"},
		{"six-1.16.0-py3.11.egg-info", "six", "1.16.0", "egg"},
		{"demo.egg-info", "demo", "", "egg"},
		{"a--b__c.dist-info", "a", "-b__c", "pip"},
		{"x-2024.1-1.dist-info", "x", "2024.1-1", "pip"},
	} {
		got, ok := parseEntry(tt.give)
		want := stack.Package{Name: tt.name, Version: tt.version, Manager: tt.manager}
		if diff := cmp.Diff(want, got); !ok || diff != "" {
			t.Errorf("parseEntry(%q) = %v, %v (-want +got):\n%s", tt.give, got, ok, diff)
		}
	}
	for _, give := range []string{"", "torch", "numpy.libs", ".dist-info", "-1.0.dist-info", "easy-install.pth"} {
		if got, ok := parseEntry(give); ok {
			t.Errorf("parseEntry(%q) = %v, want none", give, got)
		}
	}
}

func TestParseCondaRecord(t *testing.T) {
	for _, tt := range []struct {
		give, name, version, build string
		ok                         bool
	}{
		{"pytorch-cuda-12.1-ha16c6d3_5.json", "pytorch-cuda", "12.1", "ha16c6d3_5", true},
		{"python-3.11.5-h955ad1f_0.json", "python", "3.11.5", "h955ad1f_0", true},
		{"history", "", "", "", false},
		{"a-b.json", "", "", "", false},
		{"-1-0.json", "", "", "", false},
	} {
		name, version, build, ok := parseCondaRecord(tt.give)
		if ok != tt.ok || ok && (name != tt.name || version != tt.version || build != tt.build) {
			t.Errorf("parseCondaRecord(%q) = %q, %q, %q, %v", tt.give, name, version, build, ok)
		}
	}
}

func TestParseVenvConfig(t *testing.T) {
	for _, tt := range []struct {
		give, version, base string
		systemSite          bool
	}{
		{"home = /usr/bin\nversion = 3.11.2\ninclude-system-site-packages = True\n", "3.11.2", "/usr", true},
		{"HOME=/opt/py/bin\nversion_info = 3.12.0.final.0\n", "3.12.0", "/opt/py", false},
		{"base-prefix = /usr/local\nhome = /x/bin\nversion_info=3.13.0rc1\n", "3.13.0", "/usr/local", false},
		{"home = relative\nversion = three\n", "", "", false},
		{"", "", "", false},
	} {
		c := parseVenvConfig("/v/pyvenv.cfg", tt.give)
		if c.version != tt.version || c.base() != tt.base || c.systemSite != tt.systemSite {
			t.Errorf("parseVenvConfig(%q) = %+v, base %q", tt.give, c, c.base())
		}
	}
}

func TestParseMetadata(t *testing.T) {
	head, ended := headers([]byte("Name: torch\r\nVersion: 2.6.0\r\nRequires-Dist: a\r\n\tb: c\r\n\r\nVersion: 9\r\n"))
	if !ended {
		t.Fatal("the blank line was not found")
	}
	got := parseMetadata(head)
	if got.name != "torch" || got.version != "2.6.0" || len(got.requires) != 1 || got.requires[0] != "a" {
		t.Errorf("got %+v", got)
	}
	if _, ended := headers([]byte("Name: torch\nVersion: 2\n")); ended {
		t.Error("found an end where there is none")
	}
}

// TestEndlessHeaders: a METADATA whose headers do not end is refused, not read whole.
func TestEndlessHeaders(t *testing.T) {
	a := collecttest.OpenText(t, "-- rootfs/m --\n"+strings.Repeat("License: x\n", maxHead/11+1)+"\n")
	if _, err := readMetadata(a, "/m"); err == nil || !strings.Contains(err.Error(), "do not end") {
		t.Errorf("error %v, want one that says so", err)
	}
}

func TestSplitRecord(t *testing.T) {
	for _, tt := range []struct{ give, name, hash, size string }{
		{"a/b.py,sha256=x,12", "a/b.py", "sha256=x", "12"},
		{`"a,""b"".py",sha256=x,12`, `a,"b".py`, "sha256=x", "12"},
		{"a/RECORD,,", "a/RECORD", "", ""},
	} {
		name, hash, size, err := splitRecord(tt.give)
		if err != nil || name != tt.name || hash != tt.hash || size != tt.size {
			t.Errorf("splitRecord(%q) = %q, %q, %q, %v", tt.give, name, hash, size, err)
		}
	}
	for _, give := range []string{"a", "a,b"} {
		if _, _, _, err := splitRecord(give); err == nil {
			t.Errorf("splitRecord(%q) has no error", give)
		}
	}
}

func TestFamily(t *testing.T) {
	for give, want := range map[string]string{
		"nvidia-nccl-cu12": "nvidia-nccl", "nvidia-nccl-cu13": "nvidia-nccl", "nvidia-nccl": "nvidia-nccl", "onnxruntime-gpu": "onnxruntime",
		"onnxruntime-extensions": "", "cupy-cuda12x": "cupy", "torch": "", "nvidia-cuda-runtime-cu12": "nvidia-cuda-runtime",
	} {
		if got := family(give); got != want {
			t.Errorf("family(%q) = %q, want %q", give, got, want)
		}
	}
}

func FuzzParseEntry(f *testing.F) {
	f.Add("torch-2.6.0+cu124.dist-info")
	f.Add("six-1.16.0-py3.11.egg-info")
	f.Add(" .dist-info") // a name of nothing that a name may hold
	f.Fuzz(func(t *testing.T, s string) {
		if p, ok := parseEntry(s); ok && (p.Name == "" || version.NormalName(p.Name) != p.Name) {
			t.Errorf("parseEntry(%q) has the name %q", s, p.Name)
		}
	})
}

func FuzzParseMetadata(f *testing.F) {
	f.Add([]byte("Name: torch\nRequires-Dist: a\n\nbody"))
	f.Add([]byte(":\n \n::"))
	f.Fuzz(func(t *testing.T, data []byte) {
		head, _ := headers(data)
		md := parseMetadata(head)
		if len(md.requires) > maxRequires || len(md.name) > maxField {
			t.Error("beyond the limits")
		}
	})
}

func FuzzParseRecord(f *testing.F) {
	f.Add("a/b.py,sha256=x,12\n\"a,b\",,\n")
	f.Fuzz(func(t *testing.T, s string) {
		files, err := parseRecord(s)
		if err == nil && len(files) > strings.Count(s, "\n")+1 {
			t.Error("more files than rows")
		}
	})
}

func FuzzSmall(f *testing.F) {
	f.Add("version_info = 3.12.0.final.0", "python-3.11.5-h955ad1f_0.json", []byte(`{"url": "file:///a%20b", "dir_info": {"editable": true}}`))
	f.Fuzz(func(t *testing.T, cfg, record string, url []byte) {
		c := parseVenvConfig("/v/pyvenv.cfg", cfg)
		if c.version != "" && minorOf(c.version) == "" {
			t.Errorf("version %q of %q", c.version, cfg)
		}
		parsePatchlevel(cfg)
		parseWheelTags(cfg)
		if _, tree := parseDirectURL(url); tree != "" && !path.IsAbs(tree) {
			t.Errorf("source tree %q of %q", tree, url)
		}
		if dir := eggLinkDir("/site", cfg); dir != "" && !path.IsAbs(dir) {
			t.Errorf("directory %q of egg-link %q", dir, cfg)
		}
		if name, _, _, ok := parseCondaRecord(record); ok && name == "" {
			t.Errorf("no name in %q", record)
		}
	})
}
