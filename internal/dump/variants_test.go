package dump

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"strata/internal/transcript"
)

// eachLine is a text with every line changed.
func eachLine(s string, change func(string) string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		b.WriteString(change(strings.TrimSuffix(line, "\n")))
		b.WriteByte('\n')
	}
	return b.String()
}

// dressings are what mails, issues, terminals and loggers put around a text.
var dressings = []struct {
	name  string
	dress func(string) string
}{
	{"quoted", func(s string) string { return eachLine(s, func(l string) string { return "> " + l }) }},
	{"quoted twice", func(s string) string { return eachLine(s, func(l string) string { return "> > " + l }) }},
	{"indented", func(s string) string { return eachLine(s, func(l string) string { return "    " + l }) }},
	{"CRLF", func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }},
	{"coloured", func(s string) string {
		return eachLine(s, func(l string) string {
			if i := strings.IndexByte(l, ':'); i > 0 {
				return "\x1b[1;32m" + l[:i] + "\x1b[0m" + l[i:]
			}
			return "\x1b[0m" + l
		})
	}},
	{"fenced", func(s string) string { return "Here it is:\n\n```text\n" + s + "```\n\nThanks!\n" }},
	{"syslog", func(s string) string {
		return eachLine(s, func(l string) string { return "Mar 04 10:11:12 box app[77]: " + l })
	}},
	{"docker compose", func(s string) string { return eachLine(s, func(l string) string { return "worker-1  | " + l }) }},
	{"logger", func(s string) string {
		return eachLine(s, func(l string) string { return "2024-05-06 07:08:09,010 - worker - INFO - " + l })
	}},
	{"timestamps", func(s string) string {
		return eachLine(s, func(l string) string { return "2024-05-06T07:08:09.0101234Z " + l })
	}},
}

// unloggable are files, lists and prompts, which no logger prints line by line.
var unloggable = regexp.MustCompile(`^(?:cluster|desktop|distribution|kernel|prose)\.|/(?:python-prompt|python-c|notebook|uv|broken-by-mail|tensorflow-form|onnxruntime-form|gpustat|pip-list|conda-list|pip-json|.*\.json|tf-env-collect|colab|target|describe|r|platform)$`)

// TestDressed reads every text in every dressing: the record must not change.
func TestDressed(t *testing.T) {
	for _, s := range samples(t) {
		want := print(Read(transcript.Of(s.name, s.text)))
		for i, d := range dressings {
			if i >= 6 && unloggable.MatchString(s.name) {
				continue
			}
			got := print(Read(transcript.Of(s.name, d.dress(s.text))))
			if i >= 6 { // a variable is set by a line of its own, not by what a logger says
				got, want = withoutVariables(got), withoutVariables(want)
			}
			if got != want {
				t.Errorf("%s, %s:\n%s", s.name, d.name, difference(want, got))
			}
		}
	}
}

func withoutVariables(s string) string {
	return eachLine(s, func(l string) string {
		if strings.HasPrefix(l, "variable ") {
			return ""
		}
		return l
	})
}

func difference(want, got string) string {
	has := func(s, line string) bool { return strings.Contains("\n"+s, "\n"+line) }
	var b strings.Builder
	for line := range strings.Lines(want) {
		if !has(got, line) {
			b.WriteString("\tlost    " + line)
		}
	}
	for line := range strings.Lines(got) {
		if !has(want, line) {
			b.WriteString("\tinvents " + line)
		}
	}
	return b.String() + "(or another order)"
}

// TestCut cuts every text behind each line and inside each line: nothing may be
// read that does not stand in what is left.
func TestCut(t *testing.T) {
	for _, s := range samples(t) {
		at := 0
		for line := range strings.Lines(s.text) {
			for _, cut := range []int{at + len(line), at + len(line)/2, at + len(line)*4/5} {
				text := s.text[:cut]
				if bad := invented(Read(transcript.Of(s.name, text)), text); bad != "" {
					t.Errorf("%s cut at byte %d invents %s", s.name, cut, bad)
				}
			}
			at += len(line)
		}
	}
}

// invented is a fact that does not stand in the text; "" where all do.
func invented(r *Record, text string) string {
	for _, f := range fields(r) {
		switch f.name {
		case "flavor", "available", "wsl", "windows", "container", "kubernetes", "virtual", "conda", "jetson", "image", "provider":
			continue // words for what the text says otherwise
		}
		if f.v.Known() && !stands(f.v.Text, text) {
			return fmt.Sprintf("%s = %q", f.name, f.v.Text)
		}
	}
	for _, m := range []map[string]Value{r.Frameworks, r.FrameworkCUDA} {
		for k, v := range m {
			if !stands(v.Text, text) {
				return fmt.Sprintf("%s = %q", k, v.Text)
			}
		}
	}
	for _, g := range r.GPUs {
		if !strings.Contains(text, g.Name) || !stands(g.ComputeCapability, text) {
			return fmt.Sprintf("GPU %q %s", g.Name, g.ComputeCapability)
		}
	}
	for _, p := range r.Packages {
		if !stands(p.Version, text) {
			return fmt.Sprintf("package %s = %q", p.Name, p.Version)
		}
	}
	return ""
}

var (
	nonDigits = regexp.MustCompile(`\D+`)
	labelled  = strings.NewReplacer("%2B", "+", "('", "", "', '", " ", "macOS-", "macOS ", "Windows-", "Windows ")
)

// stands tells whether a value stands in the text, as it is or as the digits of
// an integer, a tuple or a tag: 9.1.0 in 90100, 8.6 in (8, 6), 12.1 in cu121,
// 36.3.0 in "R36 (release), REVISION: 3.0", 546.33 in Windows' 31.0.15.4633.
func stands(v, text string) bool {
	if strings.Contains(text, v) || strings.Contains(labelled.Replace(text), v) {
		return true
	}
	for part := range strings.FieldsFuncSeq(v, func(c rune) bool { return c < '0' || c > '9' }) {
		if !strings.Contains(text, strings.TrimLeft(part[:len(part)-1], "0")+part[len(part)-1:]) {
			return strings.Contains(strings.ReplaceAll(text, ".", ""), nonDigits.ReplaceAllString(v, ""))
		}
	}
	return strings.ContainsAny(v, "0123456789")
}

// TestHealthy reads the reports of machines with nothing wrong. Each must give a
// GPU or a framework, and nothing that does not stand in it.
func TestHealthy(t *testing.T) {
	paths, err := filepath.Glob("testdata/healthy-*.txt")
	if err != nil || len(paths) < 10 {
		t.Fatalf("%d healthy reports: %v", len(paths), err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		r := Read(transcript.Of(path, string(data)))
		if bad := invented(r, string(data)); bad != "" {
			t.Errorf("%s invents %s", path, bad)
		}
		if len(r.GPUs) == 0 && len(r.Frameworks) == 0 && !r.Driver.Known() {
			t.Errorf("%s: nothing was read", path)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range samples(f) {
		f.Add(s.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := Read(transcript.Of("fuzz", text))
		r.Stack("fuzz")
		for _, g := range r.GPUs {
			if len(g.Name) > 200 {
				t.Errorf("a GPU's name of %d bytes", len(g.Name))
			}
		}
	})
}
