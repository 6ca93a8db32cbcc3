package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"time"

	"strata/internal/version"
)

// index is a client of the Python package index, by its simple repository API in JSON (PEP 691).
type index struct {
	base   string
	client *http.Client
}

func newIndex(base string) *index {
	return &index{strings.TrimSuffix(base, "/") + "/", &http.Client{}}
}

// pipIndex asks pip which package index it uses, so that no address stands here.
func pipIndex() (string, error) {
	if out, err := exec.Command("python3", "-m", "pip", "config", "get", "global.index-url").Output(); err == nil {
		return strings.TrimSpace(string(out)), nil
	}
	out, err := exec.Command("python3", "-c", "from pip._internal.models.index import PyPI; print(PyPI.simple_url)").Output()
	if err != nil {
		return "", fmt.Errorf("asking pip for its package index: %w; give it with -index", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// release is one version of a package with its files.
type release struct {
	version  version.PEP440
	files    []file
	uploaded string // day of the first file, YYYY-MM-DD
}

// file is one file of a release.
type file struct {
	Name     string            `json:"filename"`
	URL      string            `json:"url"`
	Hashes   map[string]string `json:"hashes"`
	Size     int64             `json:"size"`
	Uploaded string            `json:"upload-time"`
	Python   string            `json:"requires-python"`
	Yanked   any               `json:"yanked"` // false, or true or a reason
}

func (f file) yanked() bool { return f.Yanked != nil && f.Yanked != false }

// releases returns the final releases of a package that were not withdrawn, oldest first.
func (ix *index) releases(ctx context.Context, name string) ([]release, error) {
	body, err := ix.get(ctx, ix.base+name+"/", "")
	if err != nil {
		return nil, fmt.Errorf("reading the index of %s: %w", name, err)
	}
	var project struct {
		Files []file `json:"files"`
	}
	if err := json.Unmarshal(body, &project); err != nil {
		return nil, fmt.Errorf("reading the index of %s: %w", name, err)
	}
	byVersion := map[string]*release{}
	for _, f := range project.Files {
		v, ok := versionOf(f.Name)
		if !ok || f.yanked() || v.IsPre() {
			continue
		}
		r := byVersion[v.String()]
		if r == nil {
			r = &release{version: v}
			byVersion[v.String()] = r
		}
		r.files = append(r.files, f)
		if day, _, _ := strings.Cut(f.Uploaded, "T"); r.uploaded == "" || day < r.uploaded {
			r.uploaded = day
		}
	}
	var list []release
	for _, r := range byVersion {
		list = append(list, *r)
	}
	slices.SortFunc(list, func(a, b release) int { return a.version.Compare(b.version) })
	return list, nil
}

// versionOf reads the version in the name of a wheel or source archive.
func versionOf(name string) (version.PEP440, bool) {
	var text string
	switch {
	case strings.HasSuffix(name, ".whl"):
		parts := strings.Split(name, "-")
		if len(parts) < 5 {
			return version.PEP440{}, false
		}
		text = parts[1]
	case strings.HasSuffix(name, ".tar.gz"):
		stem := strings.TrimSuffix(name, ".tar.gz")
		text = stem[strings.LastIndex(stem, "-")+1:]
	default:
		return version.PEP440{}, false
	}
	v, err := version.ParsePEP440(strings.ReplaceAll(text, "_", "+"))
	return v, err == nil
}

// tries is how often a request is made: the index sometimes closes a connection in the middle.
const tries = 4

// get returns a body of at most 64 MB; span is "" or a Range header's value.
func (ix *index) get(ctx context.Context, url, span string) ([]byte, error) {
	var last error
	for n := range tries {
		if n > 0 {
			time.Sleep(time.Duration(n) * time.Second)
		}
		resp, err := ix.request(ctx, url, span)
		if err != nil {
			last = err
			continue
		}
		body, err := io.ReadAll(io.LimitReader(resp.Body, 64<<20))
		resp.Body.Close()
		if err == nil {
			return body, nil
		}
		last = err
	}
	return nil, last
}

func (ix *index) request(ctx context.Context, url, span string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	want := http.StatusOK
	if span != "" {
		req.Header.Set("Range", span)
		want = http.StatusPartialContent
	} else {
		req.Header.Set("Accept", "application/vnd.pypi.simple.v1+json, */*;q=0.1")
	}
	resp, err := ix.client.Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != want {
		resp.Body.Close()
		return nil, fmt.Errorf("the server answered %s", resp.Status)
	}
	return resp, nil
}
