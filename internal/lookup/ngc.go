package lookup

import (
	"slices"
	"strings"

	"strata/internal/kb"
)

var ngcSubject = Subject{
	Name: "ngc", About: "NVIDIA's container images", Examples: []string{"pytorch:25.03"},
	aliases: []string{"image", "container"}, find: findNGC, names: ngcNames,
}

func ngcNames(base *kb.Base) (names []string) {
	for _, r := range base.NGCContainers() {
		names = append(names, r.Container+":"+r.Tag)
	}
	slices.Sort(names)
	return names
}

// findNGC takes "pytorch:25.03", with or without the registry and the variant behind the month, "pytorch 25.03", or "pytorch" for all.
func findNGC(b *builder, name string) error {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "nvcr.io/"), "nvidia/")
	container, tag, ok := strings.Cut(name, ":")
	if !ok {
		container, tag, _ = strings.Cut(name, " ")
	}
	var rows []kb.NGC
	for _, r := range b.NGCContainers() {
		if r.Container == container && (tag == "" || r.Tag == tag || strings.HasPrefix(r.Tag, tag+"-")) {
			rows = append(rows, r)
		}
	}
	if len(rows) == 0 && tag != "" {
		a := b.NGC(container, tag)
		switch {
		case a.Beyond:
			return b.beyond("nvcr.io/nvidia/"+container+":"+tag, a.Why, a.Ref, func(base *kb.Base) []string {
				return slices.DeleteFunc(ngcNames(base), func(s string) bool { return !strings.HasPrefix(s, container+":") })
			})
		case a.Known: // an image of a whole month, or one of CUDA, whose tag says it
			b.cite(a.Ref)
			b.image(a.Value)
			return nil
		}
	}
	if len(rows) == 0 {
		b.Name = container + ":" + tag
		return b.missing(ngcNames)
	}
	if len(rows) == 1 {
		b.cite(kb.RefTo(b.Base, rows[0]))
		b.image(rows[0])
		return nil
	}
	b.Title = "nvcr.io/nvidia/" + container
	t := b.table("images", "Images", "tag", "Tag", "cuda", "CUDA", "cudnn", "cuDNN", "nccl", "NCCL", "python", "Python", "driver", "Driver from", "framework", "With")
	for _, r := range rows {
		t.row(r.Tag, r.CUDA, r.CUDNN, r.NCCL, r.Python, r.Driver, short(distributions(r)))
		b.cite(kb.RefTo(b.Base, r))
	}
	t.crop()
	return nil
}

func (b *builder) image(r kb.NGC) {
	b.Title = "nvcr.io/nvidia/" + r.Container + ":" + r.Tag
	b.field("framework", "With", distributions(r))
	b.field("python", "Python", r.Python)
	b.field("cuda", "CUDA", r.CUDA)
	b.field("cudnn", "cuDNN", r.CUDNN)
	b.field("nccl", "NCCL", r.NCCL)
	b.field("tensorrt", "TensorRT", r.TensorRT)
	b.field("driver", "Driver for any GPU", r.Driver)
	b.field("toolkit_driver", "Driver of its toolkit", r.ToolkitDriver)
	b.field("data_center_drivers", "On data center GPUs", r.DataCenter)
	b.field("not_forward_compatible", "Not forward-compatible", r.NotForward)
	b.field("min_driver", "By minor versions from", b.floor(r.CUDA))
	b.field("compute_capability_min", "GPUs from", r.CCMin)
	b.note("%s", sentence(r.Note))
}

func distributions(r kb.NGC) (list []string) {
	for _, d := range r.Framework {
		list = append(list, d.Package+d.Specifier.String())
	}
	return list
}

// short is the first of distributions without the commit that NVIDIA built it from, for a list.
func short(list []string) any {
	if len(list) == 0 {
		return nil
	}
	first, _, _ := strings.Cut(list[0], "+")
	return first
}
