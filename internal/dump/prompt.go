package dump

import (
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/transcript"
)

// prompt reads what Python answers to the expressions that people type to
// look up a version: at its prompt, in a notebook, and as python -c.
var prompt = reader{name: "Python's prompt", read: readPrompt, words: askedWords(), around: promptLines}

// asked are the ends of the expressions, of which the first one counts that fits.
var asked = []string{`platform`, `python_version`, `cuda_is_available`, `cuda_runtime_version`, `__version__`, `version(?:\.\w+)?`, `VERSION`, `get_version_string`, `is_available`,
	`get_device_name`, `get_device_capability`, `device_count`, `is_gpu_available`, `runtimeGetVersion`, `driverGetVersion`, `list_physical_devices`, `get_available_providers`,
	`get_device`, `devices`, `get_build_info`}

func askedWords() (out []string) {
	for _, a := range asked {
		name, _, _ := strings.Cut(a, "(")
		out = append(out, "."+name, "::"+name)
	}
	return out
}

var (
	promptLine = lazyregexp.New(`^\s*(?:>>> ?|In ?\[\d*\]: ?|\.\.\. |\(Pdb\) |!?(?:\S*[$#%>] ?)?(?:\S*/)?python[\d.]* -c |import \w+; ?|[A-Z]:\\\S*> ?python -c )(.*)$`)
	outLine    = lazyregexp.New(`^\s*(?:Out ?\[\d*\]: ?|\[1\] )`)
	expression = lazyregexp.New(`(?:[A-Za-z_]\w*(?:\.|::))+(?:` + strings.Join(asked, "|") + `)(?:\([^()]*\))?(?:\[[^\]]*\])?`)
)

// promptLines is how many lines behind an expression its answer may stand:
// warnings of an import come between.
const promptLines = 12

func readPrompt(t *transcript.Text, f *Facts) {
	r := newReading(f)
	var asked []string
	together := false // one print of all
	until := 0
	for _, l := range t.Lines {
		if m := promptOf(l.Text); m != nil {
			code := m[1]
			found := expression.FindAllString(code, -1)
			if strings.HasPrefix(strings.TrimSpace(code), "import") && len(found) == 0 {
				continue
			}
			asked, until, together = found, l.N+promptLines, strings.Count(code, "print(") <= 1
			continue
		}
		if len(asked) == 0 || l.N > until || l.Text == "" || len(l.Text) > 300 {
			continue
		}
		answer := strings.TrimSpace(outLine.ReplaceAllString(l.Text, ""))
		asked = r.answer(asked, answer, together, l)
	}
	r.d.give(f)
}

// promptOf is promptLine with a quick look before.
func promptOf(line string) []string {
	if len(line) >= maxLine {
		return nil
	}
	if strings.Contains(line, "torch::cuda_") { // R, whose prompt is taken for a mark of quotation
		return []string{line, line}
	}
	for _, w := range [...]string{">>>", "In [", "In[", "python", "import ", "... ", "(Pdb)"} {
		if strings.Contains(line, w) {
			return promptLine.FindStringSubmatch(line)
		}
	}
	return nil
}

// answer gives a line of output to the expressions that were asked for, in
// their order, and gives back those that still have none.
func (r *reading) answer(asked []string, line string, together bool, l transcript.Line) []string {
	if words := strings.Fields(line); together && len(asked) > 1 && len(words) == len(asked) {
		for i, e := range asked {
			r.expression(e, words[i], l)
		}
		return nil
	}
	if r.expression(asked[0], line, l) {
		return asked[1:]
	}
	return asked
}

func (r *reading) expression(e, value string, l transcript.Line) bool {
	value = strings.Trim(trimMarks(value), "‘’")
	p := pair{key: e, value: value, index: -1, line: l.N, text: l.Text}
	root, _, _ := strings.Cut(e, ".")
	if pkg, ok := importedAs[root]; ok {
		root = pkg
	}
	name := e[strings.LastIndexByte(strings.TrimRight(beforeCall(e), "."), '.')+1:]
	switch key := keyOf(beforeCall(e)); {
	case strings.HasSuffix(key, "list physical devices"), strings.HasSuffix(key, "jax devices"):
		if !strings.HasPrefix(value, "[") {
			return false
		}
		low := lowerASCII(value)
		return availability(r, strings.Contains(low, "gpu") || strings.Contains(low, "cuda"), &p, Stated)
	case strings.HasPrefix(name, "__version__"), strings.HasPrefix(name, "VERSION"), strings.HasPrefix(name, "version") && root != "sys" && strings.Count(e, ".") == 1,
		strings.HasPrefix(name, "get_version_string"):
		if !IsVersion(strings.Fields(value + " x")[0]) {
			return false
		}
		p.value = strings.Fields(value)[0]
		if plain[normalName(root)] || packageOf(root) != "" || frameworks[root] {
			if n := packageOf(root); n != "" {
				root = n
			}
			return r.pkg(root, &p, Stated)
		}
		return false
	default:
		p.key = beforeCall(e)
		return r.take(&p)
	}
}

func beforeCall(e string) string {
	if i := strings.IndexAny(e, "(["); i > 0 {
		return e[:i]
	}
	return e
}

// importedAs are the short names of import statements.
var importedAs = map[string]string{"tf": "tensorflow", "ort": "onnxruntime", "rt": "onnxruntime", "cp": "cupy", "np": "numpy", "pd": "pandas", "pl": "lightning", "trt": "tensorrt", "bnb": "bitsandbytes",
	"flash_attn": "flash-attn", "tv": "torchvision", "paddle": "paddlepaddle", "mx": "mxnet", "jnp": "jax", "cv2": "opencv", "sklearn": "scikit-learn"}
