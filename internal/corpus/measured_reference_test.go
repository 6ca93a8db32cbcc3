package corpus

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"strata/internal/kb"
)

// What follows is an account of NVIDIA's documents that shares nothing with the rules, derive and the knowledge base but the measured
// wheels. Its numbers were typed by hand and are those of these pages:
//
//   - CUDA Toolkit, Driver, and Architecture Matrix, https://docs.nvidia.com/datacenter/tesla/drivers/cuda-toolkit-driver-and-architecture-matrix.html
//   - CUDA Toolkit release notes, tables 2 and 3, https://docs.nvidia.com/cuda/cuda-toolkit-release-notes/index.html
//   - CUDA Compatibility, https://docs.nvidia.com/deploy/cuda-compatibility/minor-version-compatibility.html
//   - PTX ISA, release history, https://docs.nvidia.com/cuda/parallel-thread-execution/index.html#release-notes-ptx-release-history
//   - CUDA Programming Guide, binary and PTX compatibility, https://docs.nvidia.com/cuda/cuda-programming-guide/01-introduction/cuda-platform.html

// chip is a GPU architecture: its compute capability and the first and the last driver branch that knows it. 0: all that matter here,
// and until today. The matrix prints the last ones; the first is the branch of the first toolkit that compiles for it. For 10.3 and
// 12.1 no page says it: there the knowledge base is followed.
type chip struct{ major, minor, first, last int }

// chips are the compute capabilities of desktop and data-centre GPUs from 3.5 to 12.1. Tegra's are not among them, since these wheels
// are for x86-64, nor is 10.7, which the matrix does not have yet.
var chips = []chip{
	{3, 5, 0, 470}, {3, 7, 0, 470},
	{5, 0, 0, 580}, {5, 2, 0, 580},
	{6, 0, 0, 580}, {6, 1, 0, 580},
	{7, 0, 0, 580},
	{7, 5, 410, 0},
	{8, 0, 450, 0}, {8, 6, 455, 0}, {8, 9, 520, 0},
	{9, 0, 520, 0},
	{10, 0, 570, 0}, {10, 3, 570, 0},
	{12, 0, 570, 0}, {12, 1, 580, 0},
}

func (c chip) String() string { return fmt.Sprintf("%d.%d", c.major, c.minor) }

// driver is a version of the Linux driver.
type driver struct {
	number      [3]int
	text        string
	unpublished bool // a number between two branches that no driver has
}

func (d driver) String() string { return d.text }

type branch struct {
	first, last string
	isa         [2]int
}

// number is the branch's own, 535.
func (b branch) number() (n int) {
	fmt.Sscanf(b.first, "%d", &n)
	return n
}

// branches are the driver branches since CUDA 11: the release in the toolkit's table, one of the last, and the PTX ISA that it compiles.
var branches = []branch{
	{"440.33.01", "440.118.02", [2]int{6, 5}},
	{"450.36.06", "450.248.02", [2]int{7, 0}},
	{"455.23.04", "455.45.01", [2]int{7, 1}},
	{"460.27.03", "460.106.00", [2]int{7, 2}},
	{"465.19.01", "465.31", [2]int{7, 3}},
	{"470.42.01", "470.256.02", [2]int{7, 4}},
	{"495.29.05", "495.46", [2]int{7, 5}},
	{"510.39.01", "510.108.03", [2]int{7, 6}},
	{"515.43.04", "515.105.01", [2]int{7, 7}},
	{"520.61.05", "520.61.07", [2]int{7, 8}},
	{"525.60.13", "525.147.05", [2]int{8, 0}},
	{"530.30.02", "530.41.03", [2]int{8, 1}},
	{"535.54.03", "535.309.01", [2]int{8, 2}},
	{"545.23.06", "545.29.06", [2]int{8, 3}},
	{"550.54.14", "550.163.01", [2]int{8, 4}},
	{"555.42.02", "555.58.02", [2]int{8, 5}},
	{"560.28.03", "560.35.05", [2]int{8, 5}},
	{"565.57.01", "565.77", [2]int{8, 6}},
	{"570.86.10", "570.211.01", [2]int{8, 7}},
	{"575.51.03", "575.64.05", [2]int{8, 8}},
	{"580.65.06", "580.178.04", [2]int{9, 0}},
	{"590.44.01", "590.48.01", [2]int{9, 1}},
	{"595.45.04", "595.91.07", [2]int{9, 2}},
	{"610.43.02", "610.57.04", [2]int{9, 3}},
	{"615.71.09", "615.71.09", [2]int{9, 4}},
	{"620.70.06", "620.70.06", [2]int{9, 5}},
}

// floors are the oldest drivers of minor-version compatibility by CUDA major, and the first that unpacks zstd in fat binaries
// (https://docs.rapids.ai/api/rapids-cmake/stable/command/rapids_cuda_enable_fatbin_compression).
var (
	floors  = map[int][3]int{11: {450, 80, 2}, 12: {525, 60, 13}, 13: {580, 65, 6}}
	floor11 = [3]int{450, 36, 6} // of CUDA 11.0 itself
	unzstd  = [3]int{550, 54, 14}
)

// aroundEveryLimit are the drivers at, just below and just above every floor, and where the branches of a GPU or of a PTX ISA that
// occurs begin and end: the last release before and the first of it.
func aroundEveryLimit(list []installation) []driver {
	var drivers []driver
	add := func(text string, unpublished bool) {
		d := driver{text: text, unpublished: unpublished}
		fmt.Sscanf(text, "%d.%d.%d", &d.number[0], &d.number[1], &d.number[2])
		if !slices.ContainsFunc(drivers, func(o driver) bool { return o.number == d.number }) {
			drivers = append(drivers, d)
		}
	}
	for i, b := range branches {
		for _, c := range chips {
			if b.number() == c.first || i > 0 && branches[i-1].number() == c.last {
				add(branches[i-1].last, false)
				add(b.first, false)
				add(b.last, false)
			}
		}
		for _, in := range list {
			for _, c := range in.codes {
				if c.PTX && c.ISA.String() == fmt.Sprintf("%d.%d", b.isa[0], b.isa[1]) {
					add(branches[i-1].last, false)
					add(b.first, false)
				}
			}
		}
	}
	add(branches[0].first, false)
	add(branches[len(branches)-1].last, false)
	for _, f := range [][3]int{floor11, floors[11], floors[12], floors[13], unzstd} {
		for _, patch := range []int{f[2] - 1, f[2], f[2] + 1} {
			// Branches 450 and 580 start with the floor.
			add(fmt.Sprintf("%d.%02d.%02d", f[0], f[1], patch), patch < f[2] && (f == floor11 || f == floors[13]))
		}
	}
	slices.SortFunc(drivers, func(a, b driver) int { return slices.Compare(a.number[:], b.number[:]) })
	return drivers
}

// judgement is what the documents say of one installation.
type judgement struct {
	expected
	why string
}

// verdict weighs an installation on a GPU with a driver, from the ground up. What an extension stands on is broken for it, too.
func (in *installation) verdict(c chip, d driver) judgement {
	own := in.alone(c, d)
	if in.on == nil {
		return own
	}
	below := in.on.verdict(c, d)
	if below.status == "ok" || own.status != "ok" && slices.Index(heights, own.layer) < slices.Index(heights, below.layer) {
		return own
	}
	return below
}

var heights = []string{"driver", "cuda_runtime", "gpu_arch"}

func broken(layer, format string, args ...any) judgement {
	return judgement{expected{status: "broken", layer: layer}, fmt.Sprintf(format, args...)}
}

func (in *installation) alone(c chip, d driver) judgement {
	number := d.number[0]
	if number < c.first {
		return broken("driver", "the first branch for the GPU is %d", c.first)
	}
	if c.last > 0 && number > c.last {
		return broken("driver", "the last branch for the GPU is %d", c.last)
	}
	floor := floors[in.linked]
	if cuda := in.wheels[0].CUDA.String(); cuda == "11.0" || strings.HasPrefix(cuda, "11.0.") {
		floor = floor11
	}
	if slices.Compare(d.number[:], floor[:]) < 0 {
		return broken("driver", "CUDA %d starts on %d", in.linked, floor)
	}
	if in.containers == 0 {
		return judgement{expected{status: "ok"}, "it has no code of its own"}
	}
	fit, usable := 0, 0
	for _, code := range in.codes {
		if !fits(code, c) {
			continue
		}
		fit += code.Containers
		if opens(code, d) {
			usable += code.Containers
		}
	}
	// Code for a GPU in fewer than a third of the fat binaries is none: most kernels have nothing to run (see ARC001). An extension is
	// not counted so, since some of its kernels are for some GPUs alone.
	few := func(n int) bool { return n == 0 || in.on == nil && 3*n < in.containers }
	switch {
	case few(fit):
		return broken("gpu_arch", "code for it is in %d of %d fat binaries", fit, in.containers)
	case few(usable):
		return broken("cuda_runtime", "of code in %d of %d fat binaries the driver takes that in %d", fit, in.containers, usable)
	}
	return judgement{expected{status: "ok"}, fmt.Sprintf("%d of %d fat binaries have code that it runs", usable, in.containers)}
}

// fits tells whether code is for a GPU: a cubin for the same major and the same or a lower minor, PTX for the same or a lower compute
// capability; with the suffix "a" exactly this one, with "f" the same major and the same or a higher minor.
func fits(code kb.MeasuredCode, c chip) bool {
	t := code.Target
	same, older := t.Major == c.major, t.Major < c.major
	switch t.Suffix {
	case "a":
		return same && t.Minor == c.minor
	case "f":
		return same && t.Minor <= c.minor
	}
	return same && t.Minor <= c.minor || code.PTX && older
}

// opens tells whether a driver can take code that fits: unpack it, and compile it where it is PTX.
func opens(code kb.MeasuredCode, d driver) bool {
	if code.Compression == kb.Zstd && slices.Compare(d.number[:], unzstd[:]) < 0 {
		return false
	}
	if !code.PTX {
		return true
	}
	var isa [2]int
	if n, err := fmt.Sscanf(code.ISA.String(), "%d.%d", &isa[0], &isa[1]); n != 2 {
		panic(err)
	}
	for _, b := range slices.Backward(branches) {
		if b.number() <= d.number[0] {
			return cmp.Or(cmp.Compare(isa[0], b.isa[0]), cmp.Compare(isa[1], b.isa[1])) <= 0
		}
	}
	return false
}

// majorOf is the CUDA major of linked libraries, by the sonames that have it or, as cuFFT's, are of one major alone.
func majorOf(needed []string) int {
	for _, n := range needed {
		for major, names := range map[int][]string{
			11: {"libcudart.so.11.0", "libcublas.so.11", "libcufft.so.10", "libcusparse.so.11", "libnvrtc.so.11.2"},
			12: {"libcudart.so.12", "libcublas.so.12", "libcufft.so.11", "libnvrtc.so.12"},
			13: {"libcudart.so.13", "libcublas.so.13", "libcufft.so.12", "libnvrtc.so.13"},
		} {
			if slices.Contains(names, n) {
				return major
			}
		}
	}
	return 0
}
