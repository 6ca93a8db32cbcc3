package corpus

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"strata/internal/kb"
	"strata/internal/version"
)

// measuredMachine is a host with one environment for each installation and nothing of NVIDIA's beside them.
func measuredMachine(list []installation) string {
	var files, elf, links strings.Builder
	for i, in := range list {
		_, tags, _ := strings.Cut(in.wheels[0].File, "-cp3")
		minor := tags[:strings.IndexAny(tags+"-", "-_")]
		if len(minor) != 2 || strings.Contains(in.wheels[0].File, "-abi3-") {
			minor = "12"
		}
		fmt.Fprintf(&files, "-- rootfs%s/pyvenv.cfg --\nhome = /usr/bin\nversion = 3.%s.1\n", place(i), minor)
		fmt.Fprintf(&links, "%s/bin/python -> /usr/bin/python3.%s\n", place(i), minor)
		site := fmt.Sprintf("%s/lib/python3.%s/site-packages", place(i), minor)
		needs := map[string]bool{}
		all := []*installation{&in}
		if in.on != nil {
			all = append(all, in.on)
		}
		for _, x := range all {
			x.write(&files, &elf, site, needs)
		}
		for _, soname := range slices.Sorted(maps.Keys(needs)) {
			fmt.Fprintf(&elf, "%s/nvidia/stack/lib/%s soname=%[2]s\n", site, soname)
		}
	}
	for minor := 8; minor < 15; minor++ {
		fmt.Fprintf(&elf, "/usr/bin/python3.%d type=exec needs=libc.so.6(GLIBC_2.34) interp=/lib64/ld-linux-x86-64.so.2\n", minor)
	}
	return fmt.Sprintf("generated\n-- include --\n@ubuntu-22.04\n%s-- elf --\n%s-- links --\n%s", &files, &elf, &links)
}

// write adds the files of an installation to a site directory, and what it needs of NVIDIA's libraries to needs.
func (in *installation) write(files, elf *strings.Builder, site string, needs map[string]bool) {
	list := slices.Clone(in.beside)
	for _, w := range in.wheels {
		list = append(list, distribution{w.Package, w.Version.String()})
	}
	for _, n := range in.names {
		list = append(list, distribution{n, in.wheels[0].Version.String()})
	}
	for _, d := range list {
		fmt.Fprintf(files, "-- rootfs%s/%s-%s.dist-info/METADATA --\nMetadata-Version: 2.1\nName: %s\nVersion: %[3]s\n", site, strings.ReplaceAll(d.name, "-", "_"), d.version, d.name)
		for _, r := range requires(kb.Default(), d.name, parse(d.version)) {
			if r.Package == "torch" && r.Extra == "" {
				fmt.Fprintf(files, "Requires-Dist: torch%s\n", r.Clauses)
			}
		}
	}
	if in.says != nil {
		name, text := in.says(in)
		fmt.Fprintf(files, "-- rootfs%s/%s --\n%s", site, name, text)
	}
	in.writeBeside(elf, site)
	brings := map[string]bool{}
	for _, l := range in.libraries {
		brings[path.Base(l.Path)] = true
	}
	for _, soname := range openedByName[in.linked] {
		needs[soname] = true
	}
	for _, l := range in.libraries {
		if strings.Contains(l.Path, "providers_tensorrt") {
			continue // opened where a program asks for TensorRT, which is not here
		}
		fmt.Fprintf(elf, "%s/%s rpath=$ORIGIN:%[1]s/nvidia/stack/lib:%[1]s/nvidia/cudnn/lib:%[1]s/nvidia/nccl/lib", site, l.Path)
		if l.Soname != "" {
			fmt.Fprintf(elf, " soname=%s", l.Soname)
		}
		if len(l.Needed) > 0 {
			fmt.Fprintf(elf, " needs=%s", strings.Join(l.Needed, ","))
		}
		if l.Containers > 0 {
			fmt.Fprintf(elf, " code=%s", spread(l))
		}
		elf.WriteByte('\n')
		for _, n := range l.Needed {
			if !brings[n] && !slices.ContainsFunc([]string{"libcuda.so", "libnvidia-", "libcudnn", "libnccl"}, func(p string) bool { return strings.HasPrefix(n, p) }) {
				needs[n] = true
			}
		}
	}
}

// distribution is a package of NVIDIA's beside a framework.
type distribution struct{ name, version string }

// besides are cuDNN and NCCL as the wheel pins them, else releases with code for every GPU of the CUDA major: what they support is
// no matter here.
func (in installation) besides(base *kb.Base) []distribution {
	cudnn := map[int]string{11: "8.7.0.84", 12: "9.10.2.21", 13: "9.20.0.48"}[in.linked]
	links8 := func(l kb.MeasuredLibrary) bool { return slices.Contains(l.Needed, "libcudnn.so.8") }
	if in.linked == 12 && (in.cudnn8 != "" && in.wheels[0].Version.Less(parse(in.cudnn8)) || slices.ContainsFunc(in.libraries, links8)) {
		cudnn = "8.9.7.29"
	}
	list := []distribution{
		{fmt.Sprintf("nvidia-cudnn-cu%d", in.linked), cudnn},
		{fmt.Sprintf("nvidia-nccl-cu%d", in.linked), map[int]string{11: "2.21.5", 12: "2.27.5", 13: "2.28.9"}[in.linked]},
	}
	for _, r := range requires(base, in.distribution, in.wheels[0].Version) {
		for i, d := range list {
			if exact, ok := strings.CutPrefix(r.Clauses, "=="); ok && r.Package == d.name && r.Extra == "" {
				list[i].version = exact
			}
		}
	}
	return list
}

// writeBeside adds the libraries of cuDNN's and NCCL's wheels, by the names that programs ask for.
func (in *installation) writeBeside(elf *strings.Builder, site string) {
	for _, d := range in.beside {
		sonames, dir := []string{"libnccl.so.2"}, "nccl"
		if strings.HasPrefix(d.name, "nvidia-cudnn") {
			v, err := version.ParseLib(d.version)
			if err != nil {
				panic(err)
			}
			parts := kb.Default().CUDNNLibraries(v).Value
			sonames, dir = append([]string{parts.Soname}, parts.Sublibraries...), "cudnn"
		}
		for _, s := range sonames {
			fmt.Fprintf(elf, "%s/nvidia/%s/lib/%s soname=%[3]s rpath=$ORIGIN\n", site, dir, s)
		}
	}
}

// spread deals the codes of a library out to its fat binaries, so that each is in as many as were counted and none is empty.
func spread(l kb.MeasuredLibrary) string {
	fat := make([][]string, l.Containers)
	next := 0
	for _, c := range l.Codes.List() {
		text := c.Target.SM()
		if c.PTX {
			text = strings.Replace(text, "sm_", "compute_", 1) + "@" + c.ISA.String()
		}
		if c.Compression != kb.Uncompressed {
			text += "/" + string(c.Compression)
		}
		for range c.Containers {
			fat[next%len(fat)] = append(fat[next%len(fat)], text)
			next++
		}
	}
	var list []string
	for _, f := range fat {
		list = append(list, strings.Join(f, ","))
	}
	return strings.Join(list, ";")
}

// openedByName are NVIDIA's libraries that a framework of a CUDA major may open by name, which no header tells: their sonames in the
// toolkits of that major.
var openedByName = map[int][]string{
	11: {"libcudart.so.11.0", "libcublas.so.11", "libcublasLt.so.11", "libcufft.so.10", "libcurand.so.10", "libcusolver.so.11", "libcusparse.so.11", "libnvrtc.so.11.2"},
	12: {"libcudart.so.12", "libcublas.so.12", "libcublasLt.so.12", "libcufft.so.11", "libcurand.so.10", "libcusolver.so.11", "libcusparse.so.12", "libnvrtc.so.12", "libcupti.so.12", "libnvJitLink.so.12"},
	13: {"libcudart.so.13", "libcublas.so.13", "libcublasLt.so.13", "libcufft.so.12", "libcurand.so.10", "libcusolver.so.12", "libcusparse.so.12", "libnvrtc.so.13", "libcupti.so.13", "libnvJitLink.so.13"},
}
