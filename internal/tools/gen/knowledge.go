package main

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"strata/internal/kb"
	"strata/internal/version"
)

// knowledge returns the pages about the knowledge base: how well each table is founded, and what was measured.
func knowledge(base *kb.Base) map[string][]byte {
	return map[string][]byte{"docs/kb-coverage.md": coveragePage(base), "docs/kb-measured.md": measuredPage(base)}
}

const generated = "<!-- Made by go generate ./internal/rules. Do not edit. -->\n\n"

func coveragePage(base *kb.Base) []byte {
	var b bytes.Buffer
	fmt.Fprint(&b, generated+"# Coverage of the knowledge base\n\n")
	fmt.Fprintf(&b, "Edition %s. A row is *measured* where one of its sources is the artefact itself: a wheel, a library, a header. The *horizon* is the newest thing a table knows; a question beyond it is answered so.\n\n", base.Version())
	fmt.Fprint(&b, "| table | rows | measured | high | low | sources | oldest source | horizon |\n| --- | ---: | ---: | ---: | ---: | ---: | --- | --- |\n")
	var sum kb.Coverage
	for _, c := range base.Coverage() {
		fmt.Fprintf(&b, "| %s | %d | %s | %s | %s | %d | %s | %s |\n", c.Name, c.Rows, share(c.Measured, c.Rows), share(c.High, c.Rows), share(c.Low, c.Rows), c.Sources, c.Oldest, c.Horizon)
		sum.Rows, sum.Measured, sum.High, sum.Low = sum.Rows+c.Rows, sum.Measured+c.Measured, sum.High+c.High, sum.Low+c.Low
		if sum.Oldest == "" || c.Oldest != "" && c.Oldest < sum.Oldest {
			sum.Oldest = c.Oldest
		}
	}
	fmt.Fprintf(&b, "| **all** | %d | %s | %s | %s | %d | %s | |\n", sum.Rows, share(sum.Measured, sum.Rows), share(sum.High, sum.Rows), share(sum.Low, sum.Rows), len(base.Sources()), sum.Oldest)
	return b.Bytes()
}

func share(n, of int) string {
	if of == 0 {
		return ""
	}
	return fmt.Sprintf("%d %%", (100*n+of/2)/of)
}

func measuredPage(base *kb.Base) []byte {
	var b bytes.Buffer
	fmt.Fprint(&b, generated+"# What was measured\n\n")
	files := 0
	var bytesRead int64
	for _, name := range base.MeasuredPackages() {
		for _, a := range base.Artefacts(name, version.PEP440{}) {
			files++
			bytesRead += int64(a.Size)
		}
	}
	fmt.Fprintf(&b, "%d published files, %d GB, each read from end to end with its hash checked (`go run ./internal/tools/kbgen`). ", files, bytesRead/1e9)
	fmt.Fprint(&b, "`strata kb show PACKAGE VERSION` has what is inside; the tables are `measured/artefacts.csv` and `measured/libraries.csv`.\n\n")
	compressions(&b, base)
	disagreements(&b, base)
	packages(&b, base)
	return b.Bytes()
}

// compressions answers which files need a driver that unpacks zstd.
func compressions(b *bytes.Buffer, base *kb.Base) {
	fmt.Fprint(b, "## Which libraries need a driver of R550 or newer\n\nDrivers before R550 cannot unpack GPU code that is compressed with zstd. Libraries with GPU code by the CUDA release that they are built for:\n\n")
	fmt.Fprint(b, "| CUDA | libraries | without zstd | zstd for some of the code | zstd for all | packages with zstd |\n| --- | ---: | ---: | ---: | ---: | --- |\n")
	type tally struct {
		files, none, some, all int
		names                  map[string]bool
	}
	byMajor := map[int]*tally{}
	for _, name := range base.MeasuredPackages() {
		for _, a := range base.Artefacts(name, version.PEP440{}) {
			for _, l := range base.MeasuredLibraries(a.File) {
				if l.Containers == 0 {
					continue
				}
				major := base.CUDAMajorOfLibrary(a, l)
				t := byMajor[major]
				if t == nil {
					t = &tally{names: map[string]bool{}}
					byMajor[major] = t
				}
				packed, open := targets(l)
				t.files++
				switch {
				case len(packed) == 0:
					t.none++
				case len(open) == 0:
					t.all++
				default:
					t.some++
				}
				if len(packed) > 0 {
					t.names[name] = true
				}
			}
		}
	}
	majors := make([]int, 0, len(byMajor))
	for m := range byMajor {
		majors = append(majors, m)
	}
	slices.Sort(majors)
	for _, m := range majors {
		t := byMajor[m]
		label := fmt.Sprint(m)
		if m == 0 {
			label = "not told"
		}
		fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %s |\n", label, t.files, t.none, t.some, t.all, few(t.names))
	}
	fmt.Fprint(b, "\nSo zstd comes with CUDA 13, whose drivers (R580) read it anyway. Of the builds for CUDA 12 only those named above have it, for Blackwell targets, which need R570. Rule CUD004 looks at the headers of the installed files, since anybody can build with it from CUDA 12.4 on.\n\n")
}

// few writes at most eight names.
func few(set map[string]bool) string {
	var names []string
	for n := range set {
		names = append(names, n)
	}
	slices.Sort(names)
	if len(names) > 8 {
		return strings.Join(names[:8], ", ") + fmt.Sprintf(" and %d more", len(names)-8)
	}
	return strings.Join(names, ", ")
}

// targets are those that a library has code for, packed with zstd and in any other form.
func targets(l kb.MeasuredLibrary) (packed, open map[string]bool) {
	packed, open = map[string]bool{}, map[string]bool{}
	for _, c := range l.Codes.List() {
		if c.Compression == kb.Zstd {
			packed[c.Target.SM()] = true
		} else {
			open[c.Target.SM()] = true
		}
	}
	return packed, open
}

func disagreements(b *bytes.Buffer, base *kb.Base) {
	fmt.Fprint(b, "## Where texts and files differ\n\nThe tables follow the file.\n\n| package | releases | | the text says | the file has | text |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, d := range base.Disagreements() {
		got, _ := base.Measured(d)
		var texts []string
		for _, s := range kb.RefTo(base, d).Sources {
			texts = append(texts, fmt.Sprintf("[%s](%s)", s.Title, s.URL))
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s |\n", d.Package, d.Releases, d.What, spaced(d.Read), spaced(got), strings.Join(texts, ", "))
	}
	fmt.Fprintln(b)
}

func spaced(s string) string { return strings.ReplaceAll(s, ";", " ") }

func packages(b *bytes.Buffer, base *kb.Base) {
	fmt.Fprint(b, "## Packages\n\nTargets are those of the newest file; *a* and *f* ones are specific to an architecture or family.\n\n| package | files | newest | targets | PTX | compression | glibc |\n| --- | ---: | --- | --- | --- | --- | --- |\n")
	for _, name := range base.MeasuredPackages() {
		list := base.Artefacts(name, version.PEP440{})
		newest := slices.MaxFunc(list, func(x, y kb.Artefact) int {
			return cmp.Or(x.Version.Compare(y.Version), strings.Compare(x.Platform, y.Platform))
		})
		code, ok := base.MeasuredCode(newest)
		archs, ptx := "no GPU code", ""
		if ok {
			archs, ptx = spaced(code.Archs.String()), spaced(strings.ReplaceAll(code.PTX.String(), "sm_", "compute_"))
		}
		kinds := map[string]bool{}
		for _, l := range base.MeasuredLibraries(newest.File) {
			for _, c := range l.Codes.List() {
				kinds[string(c.Compression)] = true
			}
		}
		fmt.Fprintf(b, "| %s | %d | %s | %s | %s | %s | %s |\n", path.Base(name), len(list), newest.Version, archs, ptx, few(kinds), newest.Glibc)
	}
}
