package version

import (
	"bufio"
	"os"
	"strings"
	"testing"
)

// TestOrder lists versions of the schemes that no tool orders for us, oldest
// first; those on one line are equal.
func TestOrder(t *testing.T) {
	t.Run("driver", func(t *testing.T) {
		ascending(t, ParseDriver, `
			71.86.15
			304.137
			340.108 340.108.00
			390.157
			450.248.02
			470.256.02
			535 535.0
			535.54.03
			535.129.03 535.129.3
			535.161.05 535.161.05-grid
			535.161.07
			537.13
			545.23.08 545.23.8
			550.54.14
			550.54.15 550.54.15-open
			550.127.05
			570
			570.86.10
			570.124.06`)
	})
	t.Run("cuda", func(t *testing.T) {
		ascending(t, ParseCUDA, `
			9.2
			10.0
			10.2.89
			11 11.0
			11.8 11.8.0
			12 12.0
			12.1.1
			12.4
			12.4.1
			12.9
			12.10
			13.0.2`)
	})
	t.Run("library", func(t *testing.T) {
		ascending(t, ParseLib, `
			2.18.5
			2.21.5
			8.9.7.29
			9.1.0 9.1
			9.1.0.70
			9.10.2.21
			12 12.0.0
			12.4.5.8
			12.4.127
			12.10`)
	})
	t.Run("glibc", func(t *testing.T) {
		ascending(t, ParseGlibc, `
			2.2.5
			2.4
			2.17
			2.28
			2.35
			2.36 2.36.0
			2.36.9000`)
	})
	t.Run("kernel", func(t *testing.T) {
		ascending(t, ParseKernel, `
			3.10.0-957.el7.x86_64
			3.10.0-1160.el7.x86_64
			4.18.0-553.el8_10.x86_64
			5.4.0 5.4.0+
			5.10.216-225.855.amzn2.x86_64
			5.14.0-427.13.1.el9_4.x86_64
			5.14.0-427.16.1.el9_4.x86_64
			5.14.0-503.11.1.el9_5.x86_64
			5.15.0-91-generic
			5.15.0-122-generic
			5.15.0-1053-aws 5.15.0-1053-azure
			6.1.21-v8+
			6.6.87.1-microsoft-standard-WSL2
			6.6.87.2-microsoft-standard-WSL2
			6.8.0 6.8
			6.8.0-45-generic 6.8.0-45-lowlatency
			6.8.0-48-generic
			6.8.12-4-pve
			6.12.0-rc2
			6.12.0-rc3
			6.12.0-rc10-amd64
			6.12.0`)
	})
	t.Run("ptx", func(t *testing.T) {
		ascending(t, ParsePTX, `
			6.4
			7.8
			8.0
			8.4
			8.10
			9.0`)
	})
	t.Run("compute capability", func(t *testing.T) {
		ascending(t, ParseComputeCapability, `
			5.2 sm_52 compute_52
			8.0 80 sm_80 compute_80
			8.9
			9.0 9.0a sm_90a
			10.0 sm_100f
			10.3
			12.0 120 sm_120f
			12.1`)
	})
}

// TestUpstreamOrder compares with the answers of dpkg and rpm.
func TestUpstreamOrder(t *testing.T) {
	t.Run("deb", func(t *testing.T) { pairs(t, "testdata/deb.txt", ParseDeb) })
	t.Run("rpm", func(t *testing.T) { pairs(t, "testdata/rpm.txt", ParseRPM) })
}

func pairs[V Ordered[V]](t *testing.T, file string, parse func(string) (V, error)) {
	for _, line := range lines(t, file) {
		f := strings.Fields(line)
		want, ok := map[string]int{"<": -1, "=": 0}[f[1]]
		if len(f) != 3 || !ok {
			t.Fatalf("%s: bad line %q", file, line)
		}
		a, b := must(t, parse, f[0]), must(t, parse, f[2])
		if got := a.Compare(b); got != want {
			t.Errorf("%q.Compare(%q) = %d, want %d", f[0], f[2], got, want)
		}
		if got := b.Compare(a); got != -want {
			t.Errorf("%q.Compare(%q) = %d, want %d", f[2], f[0], got, -want)
		}
	}
}

// ascending checks every pair of a list whose lines are in ascending order.
func ascending[V Ordered[V]](t *testing.T, parse func(string) (V, error), list string) {
	t.Helper()
	type item struct {
		text string
		rank int
		v    V
	}
	var items []item
	for rank, line := range strings.Split(strings.TrimSpace(list), "\n") {
		for _, text := range strings.Fields(line) {
			items = append(items, item{text, rank, must(t, parse, text)})
		}
	}
	for _, a := range items {
		for _, b := range items {
			want := min(max(a.rank-b.rank, -1), 1)
			if got := a.v.Compare(b.v); got != want {
				t.Errorf("%q.Compare(%q) = %d, want %d", a.text, b.text, got, want)
			}
		}
	}
}

func must[V any](t testing.TB, parse func(string) (V, error), text string) V {
	t.Helper()
	v, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// lines returns the lines of a file without comments.
func lines(t testing.TB, file string) []string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []string
	for sc := bufio.NewScanner(f); sc.Scan(); {
		if line := sc.Text(); !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	if len(out) < 150 {
		t.Fatalf("%s: only %d lines", file, len(out))
	}
	return out
}
