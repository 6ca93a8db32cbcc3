package kb

import (
	"fmt"
	"slices"
	"strings"

	"strata/internal/version"
)

// NGC is one image of a container that NVIDIA publishes, with what is in it.
type NGC struct {
	Row
	Container string         `kb:"container,key"` // nvcr.io/nvidia/NAME
	Tag       string         `kb:"tag,key"`       // 25.12-py3
	Framework []Dependency   `kb:"framework"`     // distributions in it, in NVIDIA's own versions: torch==2.10.0a0+b4e4ee81d3
	Python    version.PEP440 `kb:"python"`
	CUDA      version.CUDA   `kb:"cuda,required"`
	CUDNN     version.Lib    `kb:"cudnn"`
	NCCL      version.Lib    `kb:"nccl"`
	TensorRT  version.Lib    `kb:"tensorrt"`
	// Driver is what the release notes ask of any GPU, often a branch alone; ToolkitDriver the one that the toolkit came with, where
	// that is what NVIDIA names. Older drivers run the image by minor-version compatibility, or, on data centre GPUs, by forward
	// compatibility.
	Driver        version.Driver `kb:"driver"`
	ToolkitDriver version.Driver `kb:"toolkit_driver"`
	// DataCenter are the older drivers that the release notes allow on data centre GPUs, NotForward the branches that they call not
	// forward-compatible.
	DataCenter []version.Driver          `kb:"data_center"`
	NotForward []version.Driver          `kb:"not_forward"`
	CCMin      version.ComputeCapability `kb:"cc_min"`
	Note       string                    `kb:"note"`
}

var ngcs = csvFile("frameworks/ngc_containers.csv", reaches[NGC]("ngc"), checkNGC)

// NGC returns what is in an image, by the container's name ("pytorch", or with nvcr.io/nvidia/ before it) and tag ("25.12-py3"). A tag of
// the CUDA images says by itself which toolkit it holds.
func (b *Base) NGC(container, tag string) Answer[NGC] {
	container = strings.TrimPrefix(strings.TrimPrefix(container, "nvcr.io/"), "nvidia/")
	if container == "cuda" {
		return b.cudaImage(tag)
	}
	t := ngcs.in(b)
	known, later := false, true
	month, dated := tagMonth(tag)
	bare, _, _ := strings.Cut(tag, "-") // a row may stand for all variants of a month
	for _, r := range t.Rows {
		if r.Container != container {
			continue
		}
		if r.Tag == tag || r.Tag == bare {
			return found(b, t, r.Row, r)
		}
		known = true
		newest, _ := tagMonth(r.Tag)
		later = later && dated && newest.Less(month)
	}
	limit, err := version.ParseLib(t.limit("ngc"))
	switch {
	case !known:
		return notFound[NGC](t, "container %q is not in the table", container)
	case later || err == nil && dated && limit.Less(month):
		return beyond[NGC](t, container+":"+tag)
	}
	return notFound[NGC](t, "what is in %s:%s is not known", container, tag)
}

// NGCContainers returns the images of the table in its order.
func (b *Base) NGCContainers() []NGC { return slices.Clone(ngcs.in(b).Rows) }

// cudaImage reads a tag such as 12.4.1-cudnn-devel-ubuntu22.04.
func (b *Base) cudaImage(tag string) Answer[NGC] {
	t := ngcs.in(b)
	text, _, _ := strings.Cut(tag, "-")
	cuda, err := version.ParseCUDA(text)
	if err != nil || !strings.Contains(text, ".") {
		return notFound[NGC](t, "tag %q of the CUDA image does not begin with a CUDA release", tag)
	}
	release := b.CUDARelease(cuda)
	if !release.Known {
		return Answer[NGC]{Beyond: release.Beyond, Why: release.Why, Ref: release.Ref}
	}
	return Answer[NGC]{Known: true, Value: NGC{Row: release.Value.Row, Container: "cuda", Tag: tag, CUDA: cuda}, Ref: release.Ref}
}

// tagMonth is the year and month that a tag begins with: 25.12.
func tagMonth(tag string) (version.Lib, bool) {
	text, _, _ := strings.Cut(tag, "-")
	parts := strings.Split(text, ".")
	if len(parts) < 2 || len(parts[0]) != 2 || len(parts[1]) != 2 {
		return version.Lib{}, false
	}
	v, err := version.ParseLib(parts[0] + "." + parts[1])
	return v, err == nil
}

func checkNGC(b *Base, t *Table[NGC]) (problems []Problem) {
	report := func(r NGC, format string, args ...any) {
		problems = append(problems, Problem{t.Name, r.Line, fmt.Sprintf(format, args...)})
	}
	limit, _ := version.ParseLib(t.limit("ngc"))
	for _, r := range t.Rows {
		month, ok := tagMonth(r.Tag)
		if !ok {
			report(r, "tag %q does not begin with a year and a month", r.Tag)
		}
		if limit.Less(month) {
			report(r, "tag %q is beyond the horizon", r.Tag)
		}
		floor := b.MinDriverFor(r.CUDA)
		for _, driver := range []version.Driver{r.Driver, r.ToolkitDriver} {
			if floor.Known && !driver.IsZero() && driver.Branch() < floor.Value.Linux.Branch() {
				report(r, "driver %s does not start CUDA %s, which needs %s", driver, r.CUDA, floor.Value.Linux)
			}
		}
		for _, d := range r.DataCenter {
			if slices.ContainsFunc(r.NotForward, func(n version.Driver) bool { return n.Branch() == d.Branch() }) {
				report(r, "branch %d is both allowed on data centre GPUs and not forward-compatible", d.Branch())
			}
			if !r.Driver.IsZero() && d.Branch() > r.Driver.Branch() {
				report(r, "driver %s for data centre GPUs is newer than %s for all", d, r.Driver)
			}
		}
	}
	return problems
}
