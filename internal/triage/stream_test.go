package triage

import (
	"bytes"
	"compress/gzip"
	"io"
	"runtime"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/klauspost/compress/zstd"

	"strata/internal/kb"
	"strata/internal/report"
	"strata/internal/rules"
)

const (
	message = "ImportError: libcublas.so.12: cannot open shared object file: No such file or directory"
	id      = "loader-cuda-library-missing"
)

func options() Options { return Options{Base: kb.Default(), Rules: rules.All()} }

func read(t *testing.T, r io.Reader) *Scan {
	t.Helper()
	s := New()
	if err := s.Stream("test", r, false); err != nil {
		t.Fatal(err)
	}
	return s
}

// one wants the message once, on a line of this number.
func one(t *testing.T, s *Scan, line int) *Occurrence {
	t.Helper()
	var found *Occurrence
	for _, o := range s.Occurrences() {
		if o.ID == id {
			found = o
		}
	}
	if found == nil {
		t.Fatalf("%s was not found; found %d others", id, len(s.Occurrences()))
	}
	if found.Line != line {
		t.Errorf("found in line %d, want %d", found.Line, line)
	}
	return found
}

// TestForms reads one message in every wrapping that text comes in.
func TestForms(t *testing.T) {
	zipped := func(s string) []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, _ = w.Write([]byte(s))
		_ = w.Close()
		return b.Bytes()
	}
	zstded := func(s string) []byte {
		w, err := zstd.NewWriter(nil)
		if err != nil {
			t.Fatal(err)
		}
		return w.EncodeAll([]byte(s), nil)
	}
	wide := func(s string) []byte {
		out := []byte{0xff, 0xfe}
		for _, c := range utf16.Encode([]rune(s)) {
			out = append(out, byte(c), byte(c>>8))
		}
		return out
	}
	plain := "first\n" + message + "\nlast\n"
	for name, data := range map[string][]byte{
		"plain":           []byte(plain),
		"no last newline": []byte("first\n" + message),
		"carriage return": []byte(strings.ReplaceAll(plain, "\n", "\r\n")),
		"byte-order mark": append([]byte{0xef, 0xbb, 0xbf}, plain...),
		"UTF-16":          wide(plain),
		"gzip":            zipped(plain),
		"zstd":            zstded(plain),
		"quoted":          []byte("> first\n> " + message + "\n"),
		"coloured":        []byte("first\n\x1b[31m" + message + "\x1b[0m\n"),
		"compose":         []byte("app-1  | first\napp-1  | " + message + "\n"),
		"logger":          []byte("x\n2026-11-30 12:00:00,123 ERROR [worker-3] " + message + "\n"),
		"not UTF-8":       []byte("\xff\xfe\xfd"[2:] + "\n" + message + " \xff\xfe\n"),
		"with zeros":      []byte("\x00\x01\x02\n" + message + "\n"),
		"broken line":     []byte("first\nImportError: libcublas.so.12: cannot open shared object file:\nNo such file or directory\n"),
	} {
		t.Run(name, func(t *testing.T) { one(t, read(t, bytes.NewReader(data)), 2) })
	}
}

// TestBadCompression says what is wrong and keeps what came before.
func TestBadCompression(t *testing.T) {
	if err := New().Stream("x.gz", bytes.NewReader([]byte{0x1f, 0x8b, 1, 2, 3}), false); err == nil {
		t.Error("a broken gzip header is no error")
	}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(message + "\n" + strings.Repeat("some more lines\n", 200_000)))
	_ = w.Flush()
	s := read(t, bytes.NewReader(b.Bytes())) // its end is missing
	one(t, s, 1)
	if len(s.Notes) != 1 {
		t.Errorf("notes %q, want one that says that the text ends early", s.Notes)
	}
}

// TestRepeated counts what comes a million times and says it once.
func TestRepeated(t *testing.T) {
	const n = 1_000_000
	s := read(t, strings.NewReader(strings.Repeat(message+"\n", n)))
	o := one(t, s, 1)
	if o.Count != n || o.Last != n {
		t.Errorf("counted %d, the last in line %d; want %d", o.Count, o.Last, n)
	}
	doc := s.Report("test", options())
	if len(doc.Findings) != 1 {
		t.Errorf("%d findings, want 1", len(doc.Findings))
	}
}

// TestRepeatedWithWindows counts a message that many signatures look at, also with the lines that follow it.
func TestRepeatedWithWindows(t *testing.T) {
	const n, oom = 300_000, "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total capacity of 7.79 GiB"
	s := read(t, strings.NewReader(strings.Repeat(oom+"\n", n)))
	best := 0
	for _, o := range s.Occurrences() {
		best = max(best, o.Count)
	}
	if best < n-fewTries {
		t.Errorf("counted %d of %d", best, n)
	}
}

// TestManyKinds bounds what is kept of a signature with ever other values.
func TestManyKinds(t *testing.T) {
	r, w := io.Pipe()
	go func() {
		for i := range 20_000 {
			_, _ = io.WriteString(w, strings.Replace(message, ".12:", "."+strings.Repeat("1", 1+i%7)+"."+string(rune('0'+i%10))+string(rune('0'+i/10%10))+string(rune('0'+i/100%10))+":", 1)+"\n")
		}
		_ = w.Close()
	}()
	s := read(t, r)
	if n := len(s.Occurrences()); n == 0 || n > maxKinds {
		t.Errorf("%d occurrences are kept, want 1 to %d", n, maxKinds)
	}
}

// TestLongLine reads 100 MB on one line in bounded memory.
func TestLongLine(t *testing.T) {
	long := io.MultiReader(strings.NewReader("start "), io.LimitReader(endless{}, 100<<20), strings.NewReader(" "+message+"\nnext\n"))
	s := read(t, long)
	one(t, s, 1)
	if s.Lines != 2 {
		t.Errorf("%d lines, want 2", s.Lines)
	}
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	if m.HeapAlloc > 64<<20 {
		t.Errorf("%d MB are held after a line of 100 MB", m.HeapAlloc>>20)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// TestBlockEdges moves a message over the edge between two blocks, byte by byte.
func TestBlockEdges(t *testing.T) {
	const block = 1 << 20
	for shift := -len(message) - 4; shift <= 4; shift += 7 {
		head := strings.Repeat("a line of a log without anything in it\n", block/40-10)
		head += strings.Repeat("y", block+shift-len(head)-1) + "\n"
		s := read(t, strings.NewReader(head+message+"\n"))
		one(t, s, strings.Count(head, "\n")+1)
	}
}

func TestNothing(t *testing.T) {
	for _, in := range []string{"", "\n\n\n", "hello, my dog ate the homework\n", "\x00\x01\x02\x03"} {
		doc := read(t, strings.NewReader(in)).Report("test", options())
		if doc.Verdict.Status != report.Unsure || len(doc.Findings) != 0 || !strings.Contains(doc.Verdict.Summary, "strata triage FILE") && !strings.Contains(doc.Verdict.Summary, "nvidia-smi") {
			t.Errorf("%q: %+v with %d findings", in, doc.Verdict, len(doc.Findings))
		}
	}
}

// TestShowsNoControlCharacters keeps what a text can do to a terminal out of every string of the report.
func TestShowsNoControlCharacters(t *testing.T) {
	doc := read(t, strings.NewReader("/home/alice \x1b]0;owned\x07 "+message+" \x1b[2J\u202e bob@box:~$ token=abcdefghij\n")).Report("test", options())
	if len(doc.Findings) != 1 {
		t.Fatalf("%d findings", len(doc.Findings))
	}
	for _, e := range doc.Findings[0].Evidence {
		for _, bad := range []string{"\x1b", "\x07", "\u202e", "alice", "bob", "box", "abcdefghij"} {
			if strings.Contains(e.Text, bad) {
				t.Errorf("%q stands in the evidence %q", bad, e.Text)
			}
		}
	}
}

func FuzzTriage(f *testing.F) {
	f.Add([]byte("first\n" + message + "\n| NVIDIA-SMI 535.104.05  Driver Version: 535.104.05  CUDA Version: 12.2 |\n"))
	f.Add([]byte{0x1f, 0x8b, 8, 0})
	f.Add([]byte{0x28, 0xb5, 0x2f, 0xfd, 0, 0})
	opts := options()
	f.Fuzz(func(t *testing.T, data []byte) {
		s := New()
		if err := s.Stream("fuzz", bytes.NewReader(data), false); err != nil {
			return
		}
		doc := s.Report("fuzz", opts)
		if doc.Verdict.Summary == "" {
			t.Fatalf("no answer for %q", data)
		}
	})
}

// TestFactBehindTheBeginning has a fact in the first line that is not in the beginning that is read beside the scan, and a long text of one line.
func TestFactBehindTheBeginning(t *testing.T) {
	const fact = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.15  Tue Mar  5 22:23:56 UTC 2024"
	filler := strings.Repeat(strings.Repeat("x", 63)+"\n", maxKept/64-1) + strings.Repeat("y", 40) + "\n"
	for name, text := range map[string]string{
		"the first line behind it": filler + fact + "\n" + filler,
		"one line":                 fact + " " + strings.Repeat("x", 2*maxKept),
	} {
		doc, err := Text(name, text, options())
		if err != nil {
			t.Fatal(err)
		}
		if got := doc.Environment.KernelModuleVersion; got != "550.54.15" {
			t.Errorf("%s: kernel module %q", name, got)
		}
	}
}

// TestBlankLines holds that a text of blank lines costs little, and that the lines behind them keep their numbers.
func TestBlankLines(t *testing.T) {
	s := New()
	blank := 100_000
	if err := s.Stream("t", strings.NewReader("a\n"+strings.Repeat("\n", blank)+"Driver Version: 550.54.15\n"), false); err != nil {
		t.Fatal(err)
	}
	lines := s.texts[0].Lines
	last := lines[len(lines)-1]
	if len(lines) != 2+maxBlank || last.N != 2+blank || last.Text != "Driver Version: 550.54.15" {
		t.Errorf("%d lines are kept, the last is %+v", len(lines), last)
	}
}
