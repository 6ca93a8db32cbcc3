package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// floors are the packages from the ground up. A package imports only from
// floors below its own; those on one floor do not know each other, except
// within one tree (a name that ends in /...).
var floors = [][]string{
	{"internal/lazyregexp"},
	{"internal/version", "internal/elfx/...", "internal/fatbin/...", "internal/redact", "internal/textscan", "internal/transcript", "internal/lddebug", "internal/nvlib", "internal/opentrace"},
	{"internal/stack", "internal/machine"},
	{"internal/kb", "internal/loader/...", "internal/procmaps", "internal/witness", "internal/probe/..."},
	{"internal/recipe"},
	{"internal/derive", "internal/collect/...", "internal/lookup", "internal/codefile", "internal/dump"},
	{"internal/rule"},
	{"internal/rules/...", "internal/signature"},
	{"internal/diagnose", "internal/signatures"},
	{"internal/plan"},
	{"internal/report"},
	{"internal/coverage", "internal/triage"},
	{"internal/outcome", "internal/proof"},
	{"internal/libs"},
	{"internal/render/..."},
	{"internal/explain"},
	{"internal/cli"},
	{"cmd/...", "internal/tools/...", "internal/arch"},
}

// bans are imports that the floors would allow and the design does not.
var bans = []struct{ from, to, why string }{
	{"internal/collect", "internal/kb", "collectors report what they read; what it means is for derive and the rules"},
	{"internal/rules", "internal/machine", "rules must run on a report from another machine"},
	{"internal/rules", "internal/collect", "rules must run on a report from another machine"},
	{"internal/lookup", "internal/stack", "a card is about what is known, not about a machine"},
	{"internal/lookup", "internal/machine", "a card is about what is known, not about a machine"},
	{"internal/plan", "internal/machine", "the planner works on a model only"},
	{"internal/render", "internal/rules", "a renderer that knows a rule has started to decide"},
	{"internal/render", "internal/diagnose", "renderers see the report and nothing else"},
	{"internal", "internal/nvlib", "only strata-probe, which is always a child, loads NVIDIA's libraries"},
	{"internal/probe", "internal/kb", "a probe reports what happened; what it means is for proof"},
}

func TestFloors(t *testing.T) {
	imports := parseImports(t)
	if len(imports) < 20 {
		t.Fatalf("only %d packages parsed; the walk is broken", len(imports))
	}
	for pkg, deps := range imports {
		own, tree, ok := floorOf(pkg)
		if !ok {
			t.Errorf("package %s stands on no floor: add it to floors", pkg)
			continue
		}
		for _, dep := range deps {
			below, depTree, ok := floorOf(dep)
			switch {
			case !ok:
				t.Errorf("%s imports %s, which stands on no floor", pkg, dep)
			case below > own:
				t.Errorf("%s (floor %d) imports %s (floor %d): that reaches upwards", pkg, own, dep, below)
			case below == own && tree != depTree:
				t.Errorf("%s and %s stand on one floor and must not know each other", pkg, dep)
			}
			for _, b := range bans {
				if within(pkg, b.from) && within(dep, b.to) {
					t.Errorf("%s imports %s: %s", pkg, dep, b.why)
				}
			}
		}
	}
}

func within(pkg, tree string) bool { return pkg == tree || strings.HasPrefix(pkg, tree+"/") }

func floorOf(pkg string) (floor int, tree string, ok bool) {
	for i, names := range floors {
		for _, n := range names {
			base, isTree := strings.CutSuffix(n, "/...")
			if pkg == base || isTree && within(pkg, base) {
				return i, base, true
			}
		}
	}
	return 0, "", false
}

// parseImports reads the import clauses of every package's own code; tests may
// look where they like.
func parseImports(t *testing.T) map[string][]string {
	t.Helper()
	root := filepath.Join("..", "..")
	out := map[string][]string{}
	for _, top := range []string{"internal", "cmd"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(p string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && d.Name() == "testdata" {
				return fs.SkipDir
			}
			if d.IsDir() || !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
				return nil
			}
			f, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.ImportsOnly)
			if err != nil {
				return err
			}
			dir, err := filepath.Rel(root, filepath.Dir(p))
			if err != nil {
				return err
			}
			pkg := filepath.ToSlash(dir)
			if _, ok := out[pkg]; !ok {
				out[pkg] = nil
			}
			for _, spec := range f.Imports {
				path, err := strconv.Unquote(spec.Path.Value)
				if err != nil {
					return err
				}
				if dep, ours := strings.CutPrefix(path, "strata/"); ours && !slices.Contains(out[pkg], dep) {
					out[pkg] = append(out[pkg], dep)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// stdOnly are packages whose own code may import nothing but the standard
// library and Strata: they are what an auditor reads.
var stdOnly = []string{"internal/elfx", "internal/fatbin", "internal/stack", "internal/derive", "internal/rule", "internal/rules", "internal/diagnose", "internal/plan", "internal/report", "internal/redact"}

func TestStandardLibraryOnly(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "*"))
	if err != nil || len(files) == 0 {
		t.Fatal("nothing found", err)
	}
	for _, pkg := range stdOnly {
		err := filepath.WalkDir(filepath.Join("..", "..", pkg), func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
				return err
			}
			f, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.ImportsOnly)
			if err != nil {
				return err
			}
			for _, spec := range f.Imports {
				if path, _ := strconv.Unquote(spec.Path.Value); strings.Contains(strings.Split(path, "/")[0], ".") {
					t.Errorf("%s imports %s; this package keeps to the standard library", p, path)
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// banned may not be linked into the main binary.
var banned = map[string]string{
	"net/http":                     "Strata works offline; nothing may be able to call out",
	"runtime/cgo":                  "the binary is static",
	"github.com/ebitengine/purego": "it makes the binary need glibc's loader; only the probe may",
	"testing":                      "test code does not ship",
}

// starters are the packages that may start a process. No verdict needs one: a command is run because its user asked for just that.
var starters = []string{"internal/witness", "internal/opentrace", "internal/probe", "internal/tools", "internal/loader/loadertest"}

func TestSubprocesses(t *testing.T) {
	seen := 0
	for _, top := range []string{"internal", "cmd"} {
		err := filepath.WalkDir(filepath.Join("..", "..", top), func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
				return err
			}
			f, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.ImportsOnly)
			if err != nil {
				return err
			}
			if !slices.ContainsFunc(f.Imports, func(s *ast.ImportSpec) bool { return s.Path.Value == `"os/exec"` }) {
				return nil
			}
			seen++
			pkg := filepath.ToSlash(strings.TrimPrefix(filepath.Dir(p), filepath.Join("..", "..")+string(filepath.Separator)))
			if !slices.ContainsFunc(starters, func(s string) bool { return within(pkg, s) }) {
				t.Errorf("%s imports os/exec: only a command whose purpose it is may start a process", p)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if seen == 0 {
		t.Fatal("no package imports os/exec; the walk is broken")
	}
}

// maxModules is the number of modules linked into the binary; raising it wants a reason in the commit.
const maxModules = 22

func TestLinked(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", "-f", "{{.ImportPath}} {{with .Module}}{{.Path}}{{end}}", "strata/cmd/strata")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, out)
	}
	modules := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		pkg, mod, _ := strings.Cut(strings.TrimSpace(line), " ")
		if why, bad := banned[pkg]; bad {
			t.Errorf("the binary links %s: %s", pkg, why)
		}
		if mod != "" {
			modules[mod] = true
		}
	}
	if len(modules) > maxModules {
		t.Errorf("the binary links %d modules, more than %d", len(modules), maxModules)
	}
}

// maxFile is our bar for a hand-written file, in bytes.
const maxFile = 25 << 10

func TestSizes(t *testing.T) {
	var sizes []int64
	for _, top := range []string{"internal", "cmd"} {
		err := filepath.WalkDir(filepath.Join("..", "..", top), func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(p, ".go") {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			if info.Size() > maxFile {
				t.Errorf("%s has %d bytes, more than %d: split it", p, info.Size(), maxFile)
			}
			if !strings.HasSuffix(p, "_test.go") {
				sizes = append(sizes, info.Size())
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(sizes)
	if len(sizes) == 0 {
		t.Fatal("no files found")
	}
	if median := sizes[len(sizes)/2]; median > 4<<10 {
		t.Errorf("the median file has %d bytes, more than 4 KiB", median)
	}
}

// TestDirectDependenciesSayWhy reads go.mod: each direct dependency carries a comment.
func TestDirectDependenciesSayWhy(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		fields := strings.Fields(line)
		if len(fields) < 2 || !strings.Contains(fields[0], ".") || strings.Contains(line, "// indirect") || strings.HasPrefix(line, "//") {
			continue
		}
		n++
		if _, why, ok := strings.Cut(line, "// "); !ok || len(why) < 10 {
			t.Errorf("go.mod: %s does not say what it is for", fields[0])
		}
	}
	if n == 0 {
		t.Fatal("no direct dependency found in go.mod")
	}
}
