package corpus

import (
	"maps"
	"path"
	"slices"
	"strings"

	"strata/internal/kb"
	"strata/internal/version"
)

// installation is one environment: a measured wheel of a framework and the measured wheels that it goes with.
type installation struct {
	framework
	wheels []kb.Artefact // the framework's first
	on     *installation // PyTorch under an extension
	// libraries are those of the wheels; codes and containers, how many fat binaries there are, are of the libraries in code.
	libraries  []kb.MeasuredLibrary
	codes      []kb.MeasuredCode
	containers int
	linked     int // CUDA major
	beside     []distribution
	// repacked tells that its code is packed with zstd in place of what was measured: no wheel for CUDA 12 was, and the limit counts.
	repacked bool
}

// installations are all measured wheels of frameworks for x86-64, each with what it goes with; skipped are those of which that was not
// measured.
func installations(base *kb.Base) (list []installation, skipped []string) {
	newest := map[string]installation{}
	for _, f := range frameworks {
		for _, a := range base.Artefacts(f.distribution, version.PEP440{}) {
			if a.Platform != "linux-x86_64" {
				continue
			}
			in := installation{framework: f, wheels: []kb.Artefact{a}}
			if f.partner != "" {
				other := base.Artefacts(f.partner, a.Version)
				if len(other) == 0 {
					skipped = append(skipped, a.File)
					continue
				}
				in.wheels = append(in.wheels, other[0])
			}
			if !f.extends {
				in = in.measured(base)
				list = append(list, in)
				if in.linked < 13 {
					newest[f.distribution] = in
				}
				continue
			}
			all := in.onTorch(base)
			if len(all) == 0 {
				skipped = append(skipped, a.File)
			}
			list = append(list, all...)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(newest)) {
		list = append(list, newest[name].repack())
	}
	return list, skipped
}

// repack is the installation as if nvcc had packed its code with zstd.
func (in installation) repack() installation {
	in.repacked = true
	packed := func(list []kb.MeasuredCode) []kb.MeasuredCode {
		list = slices.Clone(list)
		for i := range list {
			list[i].Compression = kb.Zstd
		}
		return list
	}
	in.codes, in.libraries = packed(in.codes), slices.Clone(in.libraries)
	for i := range in.libraries {
		in.libraries[i].Codes = kb.MeasuredCodes(strings.NewReplacer(":none", ":zstd", ":lz4", ":zstd").Replace(string(in.libraries[i].Codes)))
	}
	return in
}

// measured fills in what the libraries hold and what the documents need of it.
func (in installation) measured(base *kb.Base) installation {
	for _, w := range in.wheels {
		in.libraries = append(in.libraries, base.MeasuredLibraries(w.File)...)
	}
	for _, l := range in.libraries {
		for _, pattern := range in.code {
			if ok, _ := path.Match(pattern, l.Path); ok {
				in.containers += l.Containers
				in.codes = append(in.codes, l.Codes.List()...)
			}
		}
	}
	for _, l := range in.libraries {
		in.linked = max(in.linked, majorOf(l.Needed))
	}
	if in.linked == 0 {
		in.linked = in.wheels[0].CUDA.Major()
	}
	if in.linked == 0 && in.cuda != nil {
		in.linked = in.cuda(in.wheels[0].Version)
	}
	in.beside = in.besides(base)
	return in
}

// requires are the requirements of exactly this release, a post-release or not.
func requires(base *kb.Base, name string, v version.PEP440) []kb.Pin {
	for _, r := range base.Releases(name) {
		if r.Version.Compare(v) == 0 {
			return r.Requires.List()
		}
	}
	return nil
}

// onTorch sets an extension on the newest measured PyTorch that its metadata allows; the newest release of one that brings a library
// for each CUDA on the newest PyTorch of each.
func (in installation) onTorch(base *kb.Base) (list []installation) {
	own := in.measured(base)
	asks := version.Specifier{}
	for _, r := range requires(base, in.distribution, in.wheels[0].Version) {
		if r.Package == "torch" && r.Extra == "" {
			asks = r.Specifier()
		}
	}
	seen := map[string]bool{}
	torches := base.Artefacts("torch", version.PEP440{})
	for _, t := range slices.Backward(torches) {
		if t.Platform != "linux-x86_64" || !asks.Contains(t.Version) || !paired(base, in, t) || !in.choosesLibrary && own.linked != t.CUDA.Major() {
			continue
		}
		x := in
		tag := ""
		if in.choosesLibrary {
			tag = cudaDigits(t.CUDA)
			x.code = []string{"bitsandbytes/libbitsandbytes_cuda" + tag + ".so"}
		}
		if seen[tag] {
			continue
		}
		x = x.measured(base)
		if in.choosesLibrary && !slices.ContainsFunc(x.libraries, func(l kb.MeasuredLibrary) bool { return l.Path == x.code[0] }) {
			continue // FRM007 says so
		}
		seen[tag] = true
		on := installation{framework: frameworks[0], wheels: []kb.Artefact{t}}.measured(base)
		x.on, x.linked, x.beside = &on, on.linked, on.beside
		list = append(list, x)
		if all := base.Artefacts(in.distribution, version.PEP440{}); !in.choosesLibrary || all[len(all)-1].File != in.wheels[0].File {
			break
		}
	}
	return list
}

// paired tells whether a companion goes with a release of PyTorch, where that is written.
func paired(base *kb.Base, in installation, torch kb.Artefact) bool {
	pair := base.TorchCompanion(torch.Version, in.distribution)
	return !pair.Known || slices.ContainsFunc(pair.Value.Versions, func(v version.PEP440) bool { return v.Compare(in.wheels[0].Version) == 0 })
}
