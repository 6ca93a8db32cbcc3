package python

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"path"
	"slices"
	"strings"

	"strata/internal/machine"
	"strata/internal/stack"
)

const (
	// maxHashed is up to which size a file is read to see whose it is; for a
	// larger one its size decides, which differs between builds of a library.
	maxHashed = 1 << 20
	// maxOverlaps bounds what is reported for an environment; libraries come first.
	maxOverlaps = 100
)

// findOverlaps compares the RECORDs of packages that are known to claim the
// same files. Absent says that it looked and no two do.
func findOverlaps(ctx context.Context, m *machine.Machine, e *stack.Environment) stack.Fact[[]stack.Overlap] {
	groups := map[string][]stack.Package{}
	for _, p := range e.Packages.Value {
		dir := distInfo(p)
		if f := family(p.Name); f != "" && dir != "" {
			// Only packages of one directory can overwrite each other.
			key := path.Dir(dir) + "\x00" + f
			groups[key] = append(groups[key], p)
		}
	}
	var keys []string
	for key, g := range groups {
		if len(g) > 1 {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	var all []stack.Overlap
	var reasons []string
	claims := map[string][]claim{} // by path
	for _, key := range keys {
		site, _, _ := strings.Cut(key, "\x00")
		found, err := overlaps(ctx, m, site, groups[key], claims)
		all = append(all, found...)
		if err != nil {
			reasons = append(reasons, err.Error())
		}
	}
	why := strings.Join(reasons, "; ")
	if len(all) == 0 {
		if why != "" {
			return stack.Broken[[]stack.Overlap](why)
		}
		return stack.None[[]stack.Overlap](e.Packages.Sources...)
	}
	slices.SortStableFunc(all, func(a, b stack.Overlap) int {
		if d := rank(a.Path) - rank(b.Path); d != 0 {
			return d
		}
		return strings.Compare(a.Path, b.Path)
	})
	if len(all) > maxOverlaps {
		why = strings.TrimPrefix(why+fmt.Sprintf("; %d further files overlap", len(all)-maxOverlaps), "; ")
		all = all[:maxOverlaps]
	}
	for i := range all {
		if ctx.Err() != nil {
			why = strings.TrimPrefix(why+fmt.Sprintf("; stopped before %q: %v", all[i].Path, ctx.Err()), "; ")
			break
		}
		all[i].Winner = winner(m, all[i].Path, claims[all[i].Path])
	}
	fact := stack.Know(all)
	fact.Why = why
	return fact
}

func rank(name string) int {
	if strings.Contains(path.Base(name), ".so") {
		return 0
	}
	return 1
}

// distInfo is a package's .dist-info directory; empty for one that has none.
func distInfo(p stack.Package) string {
	dir := strings.TrimSuffix(p.From.Locator, "/METADATA")
	if !strings.HasSuffix(dir, ".dist-info") {
		return ""
	}
	return dir
}

// claim is what one package's RECORD says about a file.
type claim struct {
	pkg stack.Package
	recorded
}

// overlaps returns the files on which packages of one directory disagree, still
// without winners, and adds who claims each of them to claims.
func overlaps(ctx context.Context, m *machine.Machine, site string, group []stack.Package, claims map[string][]claim) ([]stack.Overlap, error) {
	listed := map[string][]claim{}
	var firstErr error
	for _, p := range group {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("comparing RECORD files in %q: %w", site, ctx.Err())
		}
		name := path.Join(distInfo(p), "RECORD")
		files, err := readRecord(m, name)
		if err != nil && firstErr == nil {
			firstErr = fmt.Errorf("reading %q: %w", name, err)
		}
		for file, r := range files {
			listed[file] = append(listed[file], claim{p, r})
		}
	}
	var all []stack.Overlap
	for file, list := range listed {
		if len(list) < 2 || !slices.ContainsFunc(list[1:], func(c claim) bool { return c.recorded != list[0].recorded }) {
			continue // the same file twice: whoever wrote last, it is right for both
		}
		if !slices.ContainsFunc(list[1:], func(c claim) bool { return c.pkg.Name != list[0].pkg.Name }) {
			continue // one package registered twice, which Packages shows
		}
		full := path.Join(site, file)
		o := stack.Overlap{Path: full, From: stack.File(path.Join(distInfo(list[0].pkg), "RECORD"))}
		for _, c := range list {
			o.Packages = append(o.Packages, c.pkg.Name)
		}
		claims[full] = list
		all = append(all, o)
	}
	return all, firstErr
}

// winner is the package whose record the file on disk fits; empty where none
// or several do.
func winner(m *machine.Machine, name string, list []claim) string {
	has, fits, who := measure(m, name), 0, ""
	for _, c := range list {
		if has.fits(c.recorded) {
			fits++
			who = c.pkg.Name
		}
	}
	if fits != 1 {
		return ""
	}
	return who
}

// measured is what a file on disk is.
type measured struct {
	size int64 // -1 where it cannot be read
	hash string
}

func measure(m *machine.Machine, name string) measured {
	info, err := m.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return measured{size: -1}
	}
	has := measured{size: info.Size()}
	if has.size <= maxHashed {
		if data, err := m.ReadFile(name, maxHashed); err == nil {
			sum := sha256.Sum256(data)
			has.hash = "sha256=" + base64.RawURLEncoding.EncodeToString(sum[:])
		}
	}
	return has
}

func (h measured) fits(r recorded) bool {
	switch {
	case h.size < 0 || r.size >= 0 && r.size != h.size:
		return false
	case h.hash != "" && strings.HasPrefix(r.hash, "sha256="):
		return h.hash == r.hash
	}
	return r.size >= 0
}

// family names a set of distributions that install into one directory; empty
// for those that do not. Sources: the wheels' own RECORD files.
func family(name string) string {
	for _, f := range families {
		if slices.Contains(f, name) {
			return f[0]
		}
	}
	switch {
	case strings.HasPrefix(name, "cupy-cuda"), strings.HasPrefix(name, "cupy-rocm"):
		return "cupy"
	case strings.HasPrefix(name, "nvidia-"), strings.HasPrefix(name, "tensorrt"):
		return cutCUDA(name)
	}
	return ""
}

var families = [][]string{
	{"onnxruntime", "onnxruntime-gpu", "onnxruntime-directml", "onnxruntime-openvino", "onnxruntime-rocm", "onnxruntime-migraphx",
		"onnxruntime-training", "onnxruntime-qnn", "onnxruntime-vitisai", "onnxruntime-cann", "ort-nightly", "ort-nightly-gpu"},
	{"tensorflow", "tensorflow-cpu", "tensorflow-gpu", "tensorflow-intel", "tensorflow-rocm", "tensorflow-aarch64", "tf-nightly",
		"tf-nightly-cpu", "tf-nightly-gpu", "intel-tensorflow"},
	{"triton", "pytorch-triton", "pytorch-triton-rocm", "pytorch-triton-xpu", "triton-nightly"},
	{"paddlepaddle", "paddlepaddle-gpu"},
	{"cupy"},
	{"numba-cuda", "numba-cuda-cu12"},
}

// cutCUDA takes the major off nvidia-nccl-cu12.
func cutCUDA(name string) string {
	i := strings.LastIndex(name, "-cu")
	if i > 0 && strings.Trim(name[i+3:], "0123456789") == "" {
		return name[:i]
	}
	return name
}
