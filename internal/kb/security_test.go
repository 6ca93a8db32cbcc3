package kb

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"strata/internal/version"
)

func TestDriverSecurity(t *testing.T) {
	tests := []struct {
		platform Platform
		driver   string
		classes  []GPUClass
		lacks    string // ids, oldest first
		fixed    string
		silent   string
	}{
		{Linux, "535.104.05", nil, "5491 5520 5551 5586 5614 5630 5670 5703 5747 5821", "535.309.01", "5861"},
		{Linux, "535.288.01", nil, "5821", "535.309.01", "5861"},
		{Linux, "535.309.01", nil, "", "", "5861"},
		{Linux, "580.95.05", nil, "5747 5821 5861", "580.178.04", ""},
		{Linux, "580.159.03", nil, "5861", "580.178.04", ""},
		{Linux, "580.178.04", nil, "", "", ""},
		{Linux, "580.178.04-grid", nil, "", "", ""},
		{Linux, "580.159.04", nil, "5861", "580.178.04", ""},
		{Linux, "550.163.01", nil, "", "", "5670 5703 5747 5821 5861"},
		// 570.86.15 was for data-center GPUs, 570.86.16 for all others.
		{Linux, "570.86.15", []GPUClass{DataCenter}, "5630 5670 5703 5747", "570.211.01", "5821 5861"},
		{Linux, "570.86.15", []GPUClass{GeForce}, "5614 5630 5670 5703 5747", "570.211.01", "5821 5861"},
		{Linux, "570.86.15", []GPUClass{DataCenter, GeForce}, "5614 5630 5670 5703 5747", "570.211.01", "5821 5861"},
		{Linux, "570.86.15", nil, "5630 5670 5703 5747", "570.211.01", "5821 5861"},
		{Linux, "560.35.05", nil, "", "", "5586 5614 5630 5670 5703 5747 5821 5861"}, // no bulletin ever named R560
		{Linux, "620.70.06", nil, "", "", ""},                                        // began after the newest bulletin
		{Linux, "615.71.09", nil, "", "", ""},
		{Windows, "553.24", nil, "5614", "553.62", "5670 5703 5747 5821 5861"},
		{Windows, "582.53", nil, "5861", "582.78", ""},
		{Windows, "616.56", []GPUClass{GeForce}, "", "", ""},
		{Windows, "616.56", []GPUClass{Workstation}, "5861", "616.92", ""},
	}
	ids := func(list []Bulletin) string {
		var out []string
		for _, b := range list {
			out = append(out, b.ID)
		}
		return strings.Join(out, " ")
	}
	for _, tt := range tests {
		d, err := version.ParseDriver(tt.driver)
		if err != nil {
			t.Fatal(err)
		}
		a := Default().DriverSecurity(tt.platform, d, tt.classes...)
		if s := a.Value; !a.Known || ids(s.Lacks) != tt.lacks || s.Fixed.String() != tt.fixed || ids(s.Silent) != tt.silent {
			t.Errorf("%s %s %v: lacks %q, fixed in %q, silent %q (%s); want %q, %q, %q",
				tt.platform, tt.driver, tt.classes, ids(s.Lacks), s.Fixed, ids(s.Silent), a.Why, tt.lacks, tt.fixed, tt.silent)
		}
	}
	if a := Default().DriverSecurity(Linux, version.Driver{}); a.Known || a.Why == "" {
		t.Errorf("no driver: %+v", a)
	}
	newer, _ := version.ParseDriver("690.12.04")
	if a := Default().DriverSecurity(Linux, newer); !a.Beyond {
		t.Errorf("driver 690: %+v", a)
	}
}

// TestFixesAreFixed: a release that a bulletin names has the fix of that bulletin, and the one before it has not.
func TestFixesAreFixed(t *testing.T) {
	for _, r := range Default().Bulletins(DisplayDriver) {
		d, err := version.ParseDriver(r.Fixed.String())
		if err != nil {
			t.Fatal(err)
		}
		if r.Platform == Linux && d.Branch() != r.Branch {
			t.Errorf("line %d: %s is not of branch %d", r.Line, d, r.Branch)
		}
		a := Default().DriverSecurity(r.Platform, d, r.GPUs...)
		if !a.Known {
			continue // a Windows number between two ranges of driver_cuda.csv
		}
		if slices.ContainsFunc(a.Value.Lacks, func(b Bulletin) bool { return b.ID == r.ID && b.Branch == r.Branch }) {
			t.Errorf("line %d: %s is said to lack bulletin %s, which names it", r.Line, d, r.ID)
		}
		if b := Default().Branch(r.Branch); r.Platform == Linux && b.Known && !b.Value.Latest.IsZero() && b.Value.Latest.Less(d) {
			t.Errorf("line %d: %s is newer than the latest known release of branch %d, %s", r.Line, d, r.Branch, b.Value.Latest)
		}
	}
}

func TestToolkitSecurity(t *testing.T) {
	tests := []struct {
		product Product
		version string
		mode    ToolkitMode
		lacks   string
		fixed   string
	}{
		{ContainerToolkit, "1.16.1", ModeNotCDI, "5582 5585 5599 5616 5850", "1.19.1"},
		{ContainerToolkit, "1.16.1", ModeCDI, "5585 5599 5659 5850", "1.19.1"},
		{ContainerToolkit, "1.16.1", "", "5585 5599 5850", "1.19.1"},
		{ContainerToolkit, "1.17.4", ModeNotCDI, "5850", "1.19.1"}, // the bulletin of July 2025 holds for CDI alone before 1.17.5
		{ContainerToolkit, "1.17.7", ModeNotCDI, "5659 5850", "1.19.1"},
		{ContainerToolkit, "1.17.7", ModeCDI, "5659 5850", "1.19.1"},
		{ContainerToolkit, "1.17.8", ModeNotCDI, "5850", "1.19.1"},
		{ContainerToolkit, "1.19.0", ModeCDI, "5850", "1.19.1"},
		{ContainerToolkit, "1.19.1", ModeCDI, "", ""},
		{GPUOperator, "24.9.1", ModeNotCDI, "5616 5850", "26.3.2"},
		{GPUOperator, "26.3.2", "", "", ""},
	}
	for _, tt := range tests {
		v, err := version.ParseLib(tt.version)
		if err != nil {
			t.Fatal(err)
		}
		a := Default().ToolkitSecurity(tt.product, v, tt.mode)
		var ids []string
		for _, b := range a.Value.Lacks {
			ids = append(ids, b.ID)
		}
		if got := strings.Join(ids, " "); !a.Known || got != tt.lacks || a.Value.Fixed.String() != tt.fixed {
			t.Errorf("%s %s %q: lacks %q, fixed in %q; want %q, %q", tt.product, tt.version, tt.mode, got, a.Value.Fixed, tt.lacks, tt.fixed)
		}
	}
}

func TestCVSS(t *testing.T) {
	for text, want := range map[string]string{"9.0": "9.0 critical", "8.8": "8.8 high", "4.0": "4.0 medium", "3.9": "3.9 low", "10": "10.0 critical"} {
		var c CVSS
		if err := c.UnmarshalText([]byte(text)); err != nil || c.String()+" "+c.Severity() != want {
			t.Errorf("%s is %s %s (%v), want %s", text, c, c.Severity(), err, want)
		}
	}
	for _, text := range []string{"", "10.1", "-1", "NaN", "high"} {
		var c CVSS
		if c.UnmarshalText([]byte(text)) == nil {
			t.Errorf("%q is taken for a score", text)
		}
	}
}

func TestBulletinsAreChecked(t *testing.T) {
	const head = "# as_of: 2026-01-01\n# horizon: date 2026-01-01\nproduct,platform,branch,bulletin,gpus,from,mode,fixed,date,cves,cvss,note,src,confidence\n"
	const good = "display-driver,linux,535,1,,,,535.2,2025-01-01,CVE-2025-0001,7.8,,s,high\n"
	for text, want := range map[string]string{
		good: "",
		good + strings.Replace(good, "535,1,", "535,2,", 1):                                                 "",
		good + strings.Replace(good, "535,1,,,,535.2,2025-01-01", "535,2,,,,535.1,2025-02-01", 1):           "older than that of the earlier",
		good + strings.Replace(good, "535,1,,,,535.2,2025-01-01", "550,1,,,,550.1,2025-02-01", 1):           "another date",
		good + strings.Replace(good, "535,1,,,,535.2", "535,1,geforce,,,535.3", 1):                          "for the same releases",
		strings.Replace(good, "535,1", ",1", 1):                                                             "branch is for",
		strings.Replace(good, "2025-01-01", "2025-01", 1):                                                   "want a day",
		strings.Replace(good, "CVE-2025-0001", "GHSA-1", 1):                                                 "want a CVE",
		strings.Replace(good, "display-driver,linux,535,1,,", "container-toolkit,linux,,1,,2", 1):           "",
		strings.Replace(good, "display-driver,linux,535,1,,,,535.2", "container-toolkit,linux,,1,,2,,1", 1): "from is not below",
		strings.Replace(good, "7.8", "17.8", 1):                                                             "want a score",
	} {
		table, problems := decode[Bulletin](fstest.MapFS{"a.csv": {Data: []byte(head + text)}}, "a.csv", nil)
		problems = append(problems, checkBulletins(nil, table)...)
		var msgs []string
		for _, p := range problems {
			msgs = append(msgs, p.Error())
		}
		if all := strings.Join(msgs, "\n"); want == "" && all != "" || !strings.Contains(all, want) {
			t.Errorf("problems of\n%s\nare %q, want %q", text, all, want)
		}
	}
}
