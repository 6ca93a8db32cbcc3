package dump

import (
	"strings"

	"strata/internal/lazyregexp"
)

// framework notes the version of a framework under a key of its own.
func framework(pkg string) take {
	return func(r *reading, p *pair, rank Rank) bool { return r.pkg(pkg, p, rank) }
}

// pkg notes a version of a package where the value begins with one.
func (r *reading) pkg(pkg string, p *pair, rank Rank) bool {
	v := packageVersion(p.value)
	if v == "" {
		return false
	}
	from := r.f.At(p.line, p.text)
	r.f.Package(Package{Name: pkg, Version: v, From: from}, rank)
	if m := trueTail.FindStringSubmatch(p.value); m != nil && gpuFrameworks[pkg] { // 2.2.1+cu121 (True)
		availability(r, strings.EqualFold(m[1], "true"), p, rank)
	}
	if m := builtTail.FindStringSubmatch(p.value); m != nil && gpuFrameworks[pkg] { // 2.1.0 (CUDA 12.1)
		if release, _ := cudaOf(m[1]); release != "" {
			r.f.FrameworkCUDA(pkg, release, rank, from)
		}
	}
	if m := besideTail.FindStringSubmatch(p.value); m != nil { // 1.8.0 (torchvision: 0.9.0)
		if other := packageKey(keyOf(m[1])); frameworks[other] && other != pkg {
			r.f.Package(Package{Name: other, Version: m[2], From: from}, rank)
		}
	}
	return true
}

var (
	besideTail    = lazyregexp.New(`\(([A-Za-z][\w-]*)(?:: ?| |==?)v?(\d+\.\d[\w.+]*)\)$`)
	trueTail      = lazyregexp.New(`(?i)\((true|false)\)\s*$`)
	builtTail     = lazyregexp.New(`(?i)\bcuda[ :=-]{0,3}(?:version )?v?(\d{1,2}\.\d)`)
	versionHead   = lazyregexp.New(`^(?:[Vv]ersion[ :=]*|[Rr]elease |==?)?[vbr]?(\d+(?:\.\d+)+[0-9A-Za-z.+_-]*)`)
	described     = lazyregexp.New(`^v?\d\S*-\d+-g[0-9a-f]{7,}\s+(\d\S*)|^v?(\d\S*)-0-g[0-9a-f]{7,}$`)
	versionInside = lazyregexp.New(`^(?:YES|/\S+|[A-Z]:\S+) \(ver (\d+(?:\.\d+)+)`)
	gpuFrameworks = wordSet("torch tensorflow tensorflow-gpu jax jaxlib cupy paddlepaddle paddlepaddle-gpu mxnet flax")
)

// packageVersion is the version at the start of a value; "" where there is none.
func packageVersion(s string) string {
	if m := described.FindStringSubmatch(s); m != nil { // v2.16.1-0-g5bc9d26649c 2.16.1 of TensorFlow
		s = m[1] + m[2]
	}
	m := versionHead.FindStringSubmatch(strings.TrimLeft(s, "'\"`( "))
	if m == nil && strings.Contains(s, "(ver ") { // a path or a word before it
		m = versionInside.FindStringSubmatch(s)
	}
	if m == nil {
		return ""
	}
	v := strings.TrimRight(m[1], ".-_+")
	if !IsVersion(v) || !strings.Contains(v, ".") || strings.Contains(v, "..") {
		return ""
	}
	return v
}

func builtWith(pkg string) take {
	return func(r *reading, p *pair, rank Rank) bool {
		release, _ := cudaOf(p.value)
		if release == "" {
			return false
		}
		r.f.FrameworkCUDA(pkg, release, rank, r.f.At(p.line, p.text))
		return true
	}
}

func builtTorch(r *reading, p *pair, rank Rank) bool { return builtWith("torch")(r, p, rank) }
