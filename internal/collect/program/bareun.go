package program

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"strata/internal/stack"
)

// bareun reads the Korean NLP server Bareun, which runs on ONNX Runtime and
// says in bareun.json which execution provider it wants.
// Sources: its GPU image and the configuration files users published
// (rubatoyd/bareun-pipeline, examples/docker_gpu).
func bareun(f *finding) {
	var roots []string
	for _, k := range f.named(func(name string) bool { return name == "bareun.json" || name == "bareun" }) {
		root := k.dir
		if b := path.Base(root); b == "config" || b == "bin" || b == "conf" || b == "etc" {
			root = path.Dir(root)
		}
		if root != "/usr" && root != "/usr/local" && root != "/" && !slices.Contains(roots, root) {
			roots = append(roots, root)
		}
	}
	for _, root := range roots {
		f.bareunIn(root)
	}
}

func (f *finding) bareunIn(root string) {
	p := stack.Program{Name: "bareun", Path: root, From: stack.From("directory", root, 0, "")}
	for _, k := range f.within(root, is("bareun")) {
		p.Path, p.From = k.path(), stack.File(k.path())
		break
	}
	p.Wants = stack.None[string](stack.File(path.Join(root, "config/bareun.json")))
	for _, k := range f.within(root, is("bareun.json")) {
		data, err := f.m.ReadFile(k.path(), maxConfig)
		if err != nil {
			p.Wants = stack.Miss[string](err, k.path())
			continue
		}
		provider, err := parseBareun(data)
		if err != nil {
			p.Wants = stack.Broken[string](fmt.Sprintf("reading %q: %v", k.path(), err), stack.File(k.path()))
			continue
		}
		want := map[string]string{"cuda": "gpu", "tensorrt": "gpu", "cpu": "cpu"}[strings.ToLower(provider)]
		if want == "" {
			want = "auto"
		}
		p.Wants = stack.Know(want, stack.Line(k.path(), lineOf(data, `"provider"`), `"provider": "`+provider+`"`))
		break
	}
	for _, k := range f.within(root, starts("libonnxruntime.so")) {
		if !slices.Contains(p.Directories, k.dir) {
			p.Directories = append(p.Directories, k.dir)
		}
	}
	if len(p.Directories) > 0 {
		p.Framework, _ = f.onnxruntimeIn(p.Directories[0])
	} else {
		p.Framework = stack.Framework{Name: "onnxruntime", Package: "libonnxruntime", From: p.From}
		p.Framework.Variant = stack.Broken[string]("no libonnxruntime.so below "+root, p.From)
		p.Directories = []string{path.Join(root, "lib")}
	}
	f.programs = append(f.programs, p)
	f.take(root)
}

// maxConfig: real files have some 3 KB.
const maxConfig = 1 << 20

// parseBareun reads executionProvider.provider; empty where the configuration
// leaves it to the server.
func parseBareun(data []byte) (string, error) {
	var c struct {
		ExecutionProvider struct {
			Provider string `json:"provider"`
		} `json:"executionProvider"`
	}
	if err := json.Unmarshal(data, &c); err != nil {
		return "", fmt.Errorf("not the JSON of a bareun.json: %w", err)
	}
	provider := c.ExecutionProvider.Provider
	if len(provider) > 64 {
		return "", fmt.Errorf("executionProvider.provider has %d bytes", len(provider))
	}
	return strings.ToValidUTF8(provider, "\uFFFD"), nil
}

// lineOf finds the line a text stands in, from 1; 0 where it does not.
func lineOf(data []byte, text string) int {
	before, _, ok := strings.Cut(string(data), text)
	if !ok {
		return 0
	}
	return strings.Count(before, "\n") + 1
}
