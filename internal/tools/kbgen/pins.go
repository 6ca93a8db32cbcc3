package main

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"strata/internal/derive"
	"strata/internal/version"
)

var pinsHeader = []string{"package", "version", "uploaded", "python", "requires", "sha256", "src", "confidence"}

var pinsComments = []string{
	"What each release asks for, from the METADATA of its wheel for Linux x86_64 (or the PKG-INFO of a source archive).",
	"sha256: of the file that says it. requires: only what belongs to the GPU stack; a requirement of an extra starts with it in brackets. Made by internal/tools/kbgen.",
}

// pins reads the requirements of every final release of the plan's packages.
func (g *generator) pins(ctx context.Context) error {
	t, err := openTable(filepath.Join(g.data, "measured", "pins.csv"), 2, "", pinsHeader, pinsComments, byPackageVersion)
	if err != nil {
		return err
	}
	type job struct {
		name string
		release
	}
	jobs := make(chan job)
	var wg sync.WaitGroup
	for range 8 { // requests wait for the network, not for a processor
		wg.Go(func() {
			for j := range jobs {
				rec, err := g.pin(ctx, j.name, j.release)
				if err != nil {
					warn("%s %s: %v", j.name, j.version, err)
					continue
				}
				t.put(rec)
			}
		})
	}
	for _, name := range pinned {
		if g.pkg != "" && g.pkg != name {
			continue
		}
		list, err := g.index.releases(ctx, name)
		if err != nil {
			warn("%v", err)
			continue
		}
		for _, r := range list {
			if r.uploaded >= pinsSince && !t.has(name, r.version.String()) {
				jobs <- job{name, r}
			}
		}
	}
	close(jobs)
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	return t.write(g.today)
}

// pin reads one release.
func (g *generator) pin(ctx context.Context, name string, r release) ([]string, error) {
	f, ok := choose(r.files, "x86_64")
	if !ok {
		i := slices.IndexFunc(r.files, func(f file) bool { return strings.HasSuffix(f.Name, ".tar.gz") })
		if i < 0 {
			return nil, errors.New("no wheel for Linux x86_64 and no source archive")
		}
		f = r.files[i]
	}
	text, err := g.metadata(ctx, f)
	if err != nil {
		return nil, fmt.Errorf("reading the metadata of %s: %w", f.Name, err)
	}
	// Only the fields before the description are wanted, and those are one to a line.
	fields, err := textproto.NewReader(bufio.NewReader(bytes.NewReader(text))).ReadMIMEHeader()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("reading the metadata of %s: %w", f.Name, err)
	}
	var requires []string
	for _, field := range fields.Values("Requires-Dist") {
		if req := gpuRequirement(field); req != "" && !slices.Contains(requires, req) {
			requires = append(requires, req)
		}
	}
	return []string{
		name, r.version.String(), r.uploaded, fields.Get("Requires-Python"), strings.Join(requires, ";"),
		f.Hashes["sha256"], indexSource, "high",
	}, nil
}

var extra = regexp.MustCompile(`extra\s*==\s*["']([^"']+)["']`)

// gpuRequirement returns a Requires-Dist field as the table has it, "" where it is not about the GPU stack of Linux x86_64.
func gpuRequirement(field string) string {
	name, spec := derive.Requirement(field)
	if !slices.ContainsFunc(stackPackages, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
		return ""
	}
	_, marker, _ := strings.Cut(field, ";")
	for _, other := range []struct{ is, not string }{{"darwin", "linux"}, {"win32", "linux"}, {"Windows", "Linux"}, {"aarch64", "x86_64"}, {"arm64", "x86_64"}} {
		if regexp.MustCompile(`==\s*["']`+other.is).MatchString(marker) && !strings.Contains(marker, other.not) {
			return ""
		}
	}
	if m := extra.FindStringSubmatch(marker); m != nil {
		return "[" + m[1] + "] " + name + spec
	}
	return name + spec
}

// metadata returns METADATA of a wheel or PKG-INFO of a source archive.
func (g *generator) metadata(ctx context.Context, f file) ([]byte, error) {
	if strings.HasSuffix(f.Name, ".tar.gz") {
		return g.packageInfo(ctx, f)
	}
	z, err := zip.NewReader(&remote{ctx: ctx, ix: g.index, file: f}, f.Size)
	if err != nil {
		return nil, err
	}
	for _, m := range z.File {
		if strings.HasSuffix(m.Name, ".dist-info/METADATA") && strings.Count(m.Name, "/") == 1 {
			return readMember(m)
		}
	}
	return nil, errors.New("no METADATA in the wheel")
}

func readMember(m *zip.File) ([]byte, error) {
	r, err := m.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, 4<<20)) // METADATA carries the README
}

func (g *generator) packageInfo(ctx context.Context, f file) ([]byte, error) {
	body, err := g.index.get(ctx, f.URL, "")
	if err != nil {
		return nil, err
	}
	gz, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	for tr := tar.NewReader(gz); ; {
		h, err := tr.Next()
		if err != nil {
			return nil, fmt.Errorf("looking for PKG-INFO: %w", err)
		}
		if strings.HasSuffix(h.Name, "/PKG-INFO") && strings.Count(h.Name, "/") == 1 {
			return io.ReadAll(io.LimitReader(tr, 4<<20))
		}
	}
}

// choose returns the wheel for Linux on a processor: the newest interpreter up to CPython 3.13 that is not free-threaded, since all
// wheels of a release hold the same CUDA code.
func choose(files []file, processor string) (file, bool) {
	rank := func(f file) int {
		parts := strings.Split(strings.TrimSuffix(f.Name, ".whl"), "-")
		if !strings.HasSuffix(f.Name, ".whl") || len(parts) < 5 {
			return 0
		}
		python, abi, platform := parts[len(parts)-3], parts[len(parts)-2], parts[len(parts)-1]
		linux := strings.Contains(platform, "linux") && !strings.Contains(platform, "musl") && strings.HasSuffix(platform, processor)
		switch {
		case platform != "any" && !linux, strings.HasSuffix(abi, "t") && abi != "none":
			return 0
		case !strings.HasPrefix(python, "cp3") || abi == "abi3":
			return 50
		}
		var minor int
		if _, err := fmt.Sscanf(python, "cp3%d", &minor); err != nil || minor > 13 {
			return 1
		}
		return minor + 2
	}
	if len(files) == 0 {
		return file{}, false
	}
	best := slices.MaxFunc(files, func(a, b file) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(b.Name, a.Name))
	})
	return best, rank(best) > 0
}

// byPackageVersion orders records whose first columns are a package and a version.
func byPackageVersion(a, b []string) int {
	v, _ := version.ParsePEP440(a[1])
	w, _ := version.ParsePEP440(b[1])
	return cmp.Or(cmp.Compare(a[0], b[0]), v.Compare(w), slices.Compare(a, b))
}
