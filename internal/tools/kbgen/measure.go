package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"strata/internal/derive"
	"strata/internal/version"
)

var artefactsHeader = []string{"file", "package", "version", "platform", "uploaded", "size", "sha256", "cuda", "cudnn", "glibc", "glibcxx", "needed", "src", "confidence"}

var artefactsComments = []string{
	"Files of the package index that were measured, whole and with their hash checked. cuda, cudnn: what the build says of itself.",
	"glibc, glibcxx: the newest symbol version that a library in it wants. needed: CUDA libraries that it does not bring itself.",
	"Made by internal/tools/kbgen; libraries.csv has what is inside.",
}

var librariesHeader = []string{"file", "library", "soname", "needed", "containers", "codes", "src", "confidence"}

var librariesComments = []string{
	"The libraries in the files of artefacts.csv that have GPU code, or belong to CUDA, or need a library of CUDA.",
	"codes: target:containers:compression, for PTX with its ISA version, of the fat binaries (see internal/fatbin). Made by internal/tools/kbgen.",
}

// tables of the measurements, written after each artefact so that an interrupted run loses nothing.
type measured struct{ artefacts, libraries *table }

func (g *generator) openMeasured() (m measured, err error) {
	dir := filepath.Join(g.data, "measured")
	m.artefacts, err = openTable(filepath.Join(dir, "artefacts.csv"), 1, "", artefactsHeader, artefactsComments, func(a, b []string) int {
		v, _ := version.ParsePEP440(a[2])
		w, _ := version.ParsePEP440(b[2])
		return cmp.Or(cmp.Compare(a[1], b[1]), v.Compare(w), slices.Compare(a, b))
	})
	if err != nil {
		return m, err
	}
	m.libraries, err = openTable(filepath.Join(dir, "libraries.csv"), 2, "", librariesHeader, librariesComments, slices.Compare[[]string])
	return m, err
}

func (m measured) write(today string) error {
	if err := m.artefacts.write(today); err != nil {
		return err
	}
	return m.libraries.write(today)
}

// measure downloads and measures what the plan names and the tables lack.
func (g *generator) measure(ctx context.Context) error {
	m, err := g.openMeasured()
	if err != nil {
		return err
	}
	jobs := make(chan wheel)
	var wg sync.WaitGroup
	for range g.jobs {
		wg.Go(func() {
			for w := range jobs {
				if err := g.measureWheel(ctx, m, w); err != nil {
					warn("%s: %v", w.Name, err)
					continue
				}
				if err := m.write(g.today); err != nil {
					warn("%v", err)
				}
			}
		})
	}
	queued := map[string]bool{} // several releases pin the same wheel
	queue := func(list []wheel) {
		for _, w := range list {
			if queued[w.Name] {
				continue
			}
			queued[w.Name] = true
			if ctx.Err() == nil && (g.again || !m.artefacts.has(w.Name)) {
				jobs <- w
			}
		}
	}
	for _, part := range []func(context.Context) ([]wheel, error){g.planned, g.ofToolkits, g.ofFrameworks} {
		list, err := part(ctx)
		if err != nil {
			warn("%v", err)
		}
		queue(list)
	}
	close(jobs)
	wg.Wait()
	return ctx.Err()
}

// wheel is a file to measure.
type wheel struct {
	file
	pkg     string
	version version.PEP440
}

// planned returns the wheels that the targets name.
func (g *generator) planned(ctx context.Context) (list []wheel, err error) {
	for _, t := range targets {
		if g.pkg != "" && g.pkg != t.name {
			continue
		}
		all, err := g.index.releases(ctx, t.name)
		if err != nil {
			warn("%v", err)
			continue
		}
		list = append(list, t.wheels(all)...)
	}
	return list, nil
}

// wheels returns the files of the releases that t asks for, the newest first.
func (t target) wheels(all []release) (list []wheel) {
	since, _ := version.ParsePEP440(cmp.Or(t.since, "0"))
	minors, newest := map[string]bool{}, t.newest
	for _, r := range slices.Backward(all) {
		minor := strings.Join(strings.SplitN(r.version.Public()+"..", ".", 3)[:2], ".")
		want := slices.Contains(t.versions, r.version.String())
		f, ok := choose(r.files, cmp.Or(t.processor, "x86_64"))
		if !ok {
			continue // a release for other platforms only
		}
		if newest > 0 {
			newest--
			want = true
		}
		if t.minors && !minors[minor] && !r.version.Less(since) {
			want = true
		}
		minors[minor] = true
		if want {
			list = append(list, wheel{f, t.name, r.version})
		}
	}
	return list
}

// ofToolkits returns the library wheels of the newest patch of each CUDA minor release.
func (g *generator) ofToolkits(ctx context.Context) ([]wheel, error) {
	list, err := g.index.releases(ctx, "cuda-toolkit")
	if err != nil {
		return nil, err
	}
	var wheels []wheel
	minors := map[string]bool{}
	for _, r := range slices.Backward(list) {
		minor := strings.Join(strings.Split(r.version.Public(), ".")[:2], ".")
		if minors[minor] {
			continue
		}
		minors[minor] = true
		pins, err := g.toolkit(ctx, r)
		if err != nil {
			return nil, err
		}
		for _, component := range libraries {
			for _, name := range []string{"nvidia-" + component, "nvidia-" + component + "-cu" + minor[:2]} {
				if pins[name] != "" {
					wheels = append(wheels, g.exact(ctx, name, pins[name])...)
				}
			}
		}
	}
	return wheels, nil
}

// ofFrameworks returns the NVIDIA wheels that the newest releases of the frameworks pin to one version.
func (g *generator) ofFrameworks(ctx context.Context) (wheels []wheel, err error) {
	for _, t := range targets {
		if !slices.Contains([]string{"torch", "tensorflow"}, t.name) {
			continue
		}
		all, err := g.index.releases(ctx, t.name)
		if err != nil {
			return wheels, err
		}
		for _, w := range t.wheels(all) {
			text, err := g.metadata(ctx, w.file)
			if err != nil {
				return wheels, err
			}
			for line := range strings.Lines(string(text)) {
				if field, ok := strings.CutPrefix(line, "Requires-Dist:"); ok {
					name, spec := derive.Requirement(field)
					if v, ok := strings.CutPrefix(spec, "=="); ok && strings.HasPrefix(name, "nvidia-") {
						wheels = append(wheels, g.exact(ctx, name, strings.TrimSuffix(v, ".*"))...)
					}
				}
			}
		}
	}
	return wheels, nil
}

// exact returns the wheel of one version, none if the index does not have it.
func (g *generator) exact(ctx context.Context, name, v string) []wheel {
	if g.pkg != "" && g.pkg != name {
		return nil
	}
	all, err := g.index.releases(ctx, name)
	if err != nil {
		warn("%v", err)
		return nil
	}
	for _, r := range all {
		if r.version.String() == v {
			if f, ok := choose(r.files, "x86_64"); ok {
				return []wheel{{f, name, r.version}}
			}
		}
	}
	warn("%s %s: no wheel for Linux x86_64", name, v)
	return nil
}

// measureWheel downloads one wheel, checks its hash, and adds what it holds to the tables.
func (g *generator) measureWheel(ctx context.Context, m measured, w wheel) error {
	path := filepath.Join(g.tmp, w.Name)
	defer os.Remove(path)
	var err error
	for range tries { // a broken connection starts over: hashes are of whole files
		if err = g.download(ctx, w.file, path); err == nil || ctx.Err() != nil {
			break
		}
	}
	if err != nil {
		return err
	}
	return g.record(m, w, path)
}

func (g *generator) download(ctx context.Context, f file, path string) error {
	resp, err := g.index.request(ctx, f.URL, "")
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	defer out.Close()
	sum := sha256.New()
	if _, err := io.Copy(io.MultiWriter(out, sum), resp.Body); err != nil {
		return fmt.Errorf("downloading: %w", err)
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != f.Hashes["sha256"] {
		return fmt.Errorf("downloading: the hash is %s, the index says %s", got, f.Hashes["sha256"])
	}
	return out.Close()
}

// measureFiles measures wheels on disk.
func (g *generator) measureFiles(paths []string) error {
	m, err := g.openMeasured()
	if err != nil {
		return err
	}
	for _, path := range paths {
		sum, size, err := hashOf(path)
		if err != nil {
			return err
		}
		name := filepath.Base(path)
		v, ok := versionOf(name)
		if !ok {
			return fmt.Errorf("measuring %s: it is not named like a wheel", path)
		}
		pkg, _, _ := strings.Cut(name, "-")
		w := wheel{file{Name: name, Size: size, Hashes: map[string]string{"sha256": sum}}, version.NormalName(pkg), v}
		if err := g.record(m, w, path); err != nil {
			return fmt.Errorf("measuring %s: %w", path, err)
		}
	}
	return m.write(g.today)
}

func hashOf(path string) (sum string, size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	h := sha256.New()
	size, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), size, err
}
