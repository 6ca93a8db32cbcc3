package outcome

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"strata/internal/kb"
	"strata/internal/lddebug"
	"strata/internal/triage"
	"strata/internal/witness"
)

// recorded is a record of a command that printed a text and missed a library.
func recorded(t *testing.T, text string) *Document {
	t.Helper()
	w := looks(t, 0)
	if err := w.Scan.Stream("the command's output", strings.NewReader(text), true); err != nil {
		t.Fatal(err)
	}
	rec := &witness.Record{Start: time.Now(), Argv: []string{"./server", "--token=abcdefghijklmnop"}, Linker: witness.Linker{
		Loads:  []lddebug.Load{{Name: "libc.so.6", Path: "/lib/libc.so.6", By: "./server"}},
		Misses: []lddebug.Miss{{Name: "libcudnn.so.9", By: "/opt/libonnxruntime_providers_cuda.so", Places: []string{"/a/libcudnn.so.9", "/b/libcudnn.so.9"}}},
	}}
	d := w.Document(rec)
	d.Record = w.Record(rec, []Variable{{"LD_LIBRARY_PATH", "/a:/b"}, {"CUDA_API_TOKEN", "token=abcdefghijklmnop"}})
	return d
}

func TestRecordRoundTrip(t *testing.T) {
	d := recorded(t, strings.Repeat("busy\n", 9)+"RuntimeError: CUDA error: out of memory\n"+strings.Repeat("more\n", 9))
	data, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(data), "abcdefghijklmnop") {
		t.Error("a secret is in the record")
	}
	if n := len(d.Record.Output); n != 7 || d.Record.Output[3].Line != 10 {
		t.Errorf("%d lines: %+v", n, d.Record.Output)
	}
	for _, text := range []string{string(data), "see {this}:\n" + string(data) + "\n}{", "{\"schema\": \"strata.run\"} " + string(data)} {
		got, from, to, ok := FindRecord([]byte(text))
		if !ok || text[from] != '{' || text[to-1] != '}' || got.Verdict != d.Verdict || len(got.Missing) != 1 || len(got.Record.Loads) != 1 || got.Record.Misses[0].Searched[1] != "/b" {
			t.Errorf("%v %d %d %+v", ok, from, to, got)
		}
	}
}

// The program said nothing of what the linker missed: run itself has a finding and a remedy for it, and a record gives the same.
func TestRecordSilent(t *testing.T) {
	d := recorded(t, "serving\n")
	if d.Verdict.Finding == "" || d.Verdict.Layer != "cudnn" || len(d.Findings) == 0 || len(d.Findings[0].Remedies) == 0 {
		t.Fatalf("%+v", d.Verdict)
	}
	w := looks(t, 0)
	s := triage.New()
	if err := d.Recall(s, "x"); err != nil {
		t.Fatal(err)
	}
	doc := s.Report("x", w.Opts)
	d.Judge(doc, "x", true, w.Opts)
	if doc.Verdict.Layer != "cudnn" || doc.Verdict.Finding != d.Verdict.Finding || doc.Findings[0].Evidence[0].Source != "run" {
		t.Errorf("%+v", doc.Verdict)
	}
}

// Long outputs and hostile records are bounded.
func TestRecordBounds(t *testing.T) {
	var text strings.Builder
	for i := range 40000 {
		text.WriteString("CUDA error: out of memory in step " + strings.Repeat("x", 60) + string(rune('a'+i%26)) + "\n")
	}
	d := recorded(t, text.String())
	size := 0
	for _, l := range d.Record.Output {
		size += len(l.Text) + 1
	}
	if !d.Record.OutputCut || size > maxOutput {
		t.Errorf("%d bytes, cut %v", size, d.Record.OutputCut)
	}
	for _, x := range []string{"", "{", `"strata.run/1"`, `{"schema":"strata.run/1"`, `{"schema":"strata.run/2"}`, `{"x":"strata.run/1"}`, `[{"schema":"strata.run/1","gpus":7}]`,
		strings.Repeat(`{"a":"strata.run/1",`, 50000), strings.Repeat("{", 1<<20) + `"strata.run/1"`} {
		if _, _, _, ok := FindRecord([]byte(x)); ok {
			t.Errorf("%.60q is taken for a record", x)
		}
	}
	hostile := `{"schema":"strata.run/1","verdict":{"status":"broken","layer":"moon","summary":"a\u001b[31mb\u202e"},"missing":[{"name":"\u001b]0;x","layer":"x","needed":true}]}`
	got, _, _, ok := FindRecord([]byte(hostile))
	if !ok || got.Verdict.Layer != "" || strings.ContainsAny(got.Verdict.Summary+got.Missing[0].Name, "\x1b\u202e") {
		t.Errorf("%+v", got)
	}
}

// FuzzFindRecord holds that a record from anybody is read in bounds and without a fault, and that what it says can be judged.
func FuzzFindRecord(f *testing.F) {
	f.Add([]byte(`{"schema":"strata.run/1","verdict":{"status":"broken","layer":"cudnn"},"missing":[{"name":"libcudnn.so.9","needed":true,"searched":["/a"]}],"record":{"output":[{"line":1,"text":"x"}]}}`))
	f.Add([]byte(`{"schema":"strata.run.compare/1","cpu":{"schema":"strata.run/1"},"gpu":{"schema":"strata.run/1","gpus":[{"index":0,"processes":1}]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		d, from, to, ok := FindRecord(text)
		if !ok {
			return
		}
		if from < 0 || to > len(text) || from >= to {
			t.Fatalf("%d to %d of %d", from, to, len(text))
		}
		s := triage.New()
		if err := d.Recall(s, "x"); err != nil {
			t.Fatal(err)
		}
		w := NewWatch(triage.Options{Base: kb.Default()}, nil)
		d.Judge(s.Report("x", w.Opts), "x", true, w.Opts)
		d.Against(s.Report("x", w.Opts), "x")
	})
}
