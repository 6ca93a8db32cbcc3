package lookup

import (
	"fmt"
	"slices"

	"strata/internal/kb"
	"strata/internal/version"
)

var cudnnSubject = Subject{
	Name: "cudnn", About: "cuDNN releases", Examples: []string{"9.1"}, find: findCUDNN, names: cudnnNames,
}

var ncclSubject = Subject{
	Name: "nccl", About: "NCCL releases and functions", Examples: []string{"2.21.5"}, find: findNCCL, names: ncclNames,
}

var tensorrtSubject = Subject{
	Name: "tensorrt", About: "TensorRT releases", Examples: []string{"10.3"}, aliases: []string{"trt"}, find: findTensorRT, names: tensorrtNames,
}

// librarySubject is a library of which only its releases are known.
func librarySubject(component, name string) Subject {
	names := func(base *kb.Base) []string { return libraryNames(base, component) }
	return Subject{
		Name: component, About: name + " releases", Examples: []string{map[string]string{"cusparselt": "0.6.3", "nvshmem": "3.3.20"}[component]}, names: names,
		find: func(b *builder, asked string) error {
			v, err := version.ParseLib(asked)
			if err != nil {
				return b.missing(names)
			}
			return b.library(component, name, v, false, names)
		},
	}
}

// libraryNames are the releases of a library, oldest first.
func libraryNames(base *kb.Base, component string) (names []string) {
	for _, r := range kb.Rows[kb.LibraryRelease](base) {
		if r.Component == component {
			names = append(names, r.Version.String())
		}
	}
	return sortVersions(names)
}

func cudnnNames(base *kb.Base) []string    { return libraryNames(base, "cudnn") }
func tensorrtNames(base *kb.Base) []string { return libraryNames(base, "tensorrt") }

// ncclNames are the releases, and the functions.
func ncclNames(base *kb.Base) []string {
	names := ncclReleases(base)
	for _, r := range kb.Rows[kb.NCCLSymbol](base) {
		names = append(names, r.Symbol)
	}
	return names
}

// ncclReleases are those that were published and those that brought a function.
func ncclReleases(base *kb.Base) []string {
	names := libraryNames(base, "nccl")
	for _, r := range kb.Rows[kb.NCCLSymbol](base) {
		names = append(names, r.Since.String())
	}
	return sortVersions(names)
}

func findCUDNN(b *builder, name string) error {
	v, err := version.ParseLib(name)
	if err != nil {
		return b.missing(cudnnNames)
	}
	a := b.CUDNNMajors(v)
	if libs := b.CUDNNLibraries(v); libs.Known {
		b.cite(libs.Ref)
		b.field("soname", "Programs link", libs.Value.Soname)
		b.field("sublibraries", "Which loads by name", libs.Value.Sublibraries)
	}
	t := b.table("cuda", "By CUDA", "cuda_major", "CUDA", "compute_capability_min", "GPUs from", "compute_capability_max", "Newest named", "pip", "Package")
	for _, r := range a.Value {
		t.row(r.CUDAMajor, r.CCMin, r.CCMax, r.Pip)
		b.cite(kb.RefTo(b.Base, r))
	}
	return b.library("cudnn", "cuDNN", v, a.Known, cudnnNames)
}

func findTensorRT(b *builder, name string) error {
	v, err := version.ParseLib(name)
	if err != nil {
		return b.missing(tensorrtNames)
	}
	a := b.TensorRTMajors(v)
	t := b.table("cuda", "By CUDA", "cuda_major", "CUDA", "compute_capability_min", "GPUs from", "compute_capability_max", "Newest named", "soname", "Programs link", "cudnn", "cuDNN", "pip", "Package")
	for _, r := range a.Value {
		t.row(r.CUDAMajor, r.CCMin, r.CCMax, r.Soname, r.CUDNN, r.Pip)
		b.cite(kb.RefTo(b.Base, r))
	}
	return b.library("tensorrt", "TensorRT", v, a.Known, tensorrtNames)
}

func findNCCL(b *builder, name string) error {
	if a := b.NCCLSymbol(name); a.Known {
		b.cite(a.Ref)
		b.Title = name
		b.field("since", "Since NCCL", a.Value.Since)
		return nil
	}
	v, err := version.ParseLib(name)
	if err != nil {
		return b.missing(ncclNames)
	}
	t := b.table("functions", "Functions that came with it", "symbol", "Function")
	for _, r := range kb.Rows[kb.NCCLSymbol](b.Base) {
		if r.Since.HasPrefix(v) {
			t.row(r.Symbol)
			b.cite(kb.RefTo(b.Base, r))
		}
	}
	return b.library("nccl", "NCCL", v, len(t.Rows) > 0, ncclReleases)
}

// library adds the published releases of a library, the PyTorch builds that come with it and its known problems. known says that something
// else is on the card already.
func (b *builder) library(component, name string, v version.Lib, known bool, names func(*kb.Base) []string) error {
	b.Title = name + " " + v.String()
	t := b.table("releases", "Published for", "cuda_major", "CUDA", "version", "Version", "date", "Date", "tested_cuda", "Tested with", "compute_capability_min", "GPUs from",
		"compute_capability_max", "To", "glibc", "glibc from", "pip", "Package")
	for _, r := range kb.Rows[kb.LibraryRelease](b.Base) {
		if r.Component == component && r.Version.HasPrefix(v) {
			t.row(number(r.CUDAMajor), r.Version, r.Date, r.Tested, r.CCMin, r.CCMax, r.Glibc, r.Pip)
			b.note("%s", sentence(r.Note))
			b.cite(kb.RefTo(b.Base, r))
		}
	}
	known = known || len(t.Rows) > 0
	known = b.torchWith(name, v, component) || known
	if !known {
		info := b.tableInfo("nvidia/library_releases.csv")
		list := libraryNames(b.Base, component)
		if n := len(list); n > 0 {
			if newest, err := version.ParseLib(list[n-1]); err == nil && newest.Less(v) {
				why := fmt.Sprintf("%s is newer than what is known: %s as of %s", b.Title, newest, info.AsOf)
				return b.beyond(b.Title, why, kb.Ref{AsOf: info.AsOf}, func(*kb.Base) []string { return list })
			}
		}
		return b.missing(names)
	}
	if p, err := version.ParsePEP440(v.String()); err == nil { // advisories write versions of libraries as PEP 440 does
		b.advisoriesOf(p, component)
	}
	return nil
}

// torchWith adds the official builds of PyTorch that come with a release of a library; it reports whether there is one.
func (b *builder) torchWith(name string, v version.Lib, component string) bool {
	of := func(r kb.TorchBuild) version.Lib {
		switch component {
		case "cudnn":
			return r.CUDNN
		case "nccl":
			return r.NCCL
		case "cusparselt":
			return r.CUSparseLt
		case "nvshmem":
			return r.NVSHMEM
		}
		return version.Lib{}
	}
	t := b.table("torch", "PyTorch builds that come with it", "torch", "torch", "variants", "Builds", "version", name)
	for _, release := range b.TorchReleases() {
		variants := map[string][]string{}
		var order []string
		for _, r := range b.TorchBuilds(release).Value {
			have := of(r)
			if !have.HasPrefix(v) {
				continue
			}
			if !slices.Contains(order, have.String()) {
				order = append(order, have.String())
			}
			variants[have.String()] = append(variants[have.String()], r.Variant)
			b.cite(kb.RefTo(b.Base, r))
		}
		for _, have := range order {
			t.row(release, variants[have], have)
		}
	}
	return len(t.Rows) > 0
}

func (b *builder) tableInfo(name string) kb.TableInfo {
	for _, t := range b.Base.Tables() {
		if t.Name == name {
			return t
		}
	}
	return kb.TableInfo{}
}
