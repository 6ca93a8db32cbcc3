package lookup

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"strata/internal/kb"
)

// find looks up a query as a person types it.
func find(t *testing.T, query string) (*Card, error) {
	t.Helper()
	return Find(kb.Default(), strings.Fields(query))
}

// value is the text of a field of a card, "" where it has none.
func value(c *Card, name string) string {
	for _, f := range c.Fields {
		if f.Name == name {
			return Text(f.Value)
		}
	}
	return ""
}

// TestCards holds cards to facts that NVIDIA and the frameworks publish.
func TestCards(t *testing.T) {
	for _, tt := range []struct{ query, field, want string }{
		{"driver 535", "max_cuda", "12.2"},
		{"driver R535", "type", "lts"},
		{"driver 535.129.03", "runs_cuda", "11.x 12.x"},
		{"driver 450.51.06", "runs_cuda", "11.0"},
		{"driver 580.65.06", "ptx_isa", "9.0"},
		{"driver 470", "end_of_life", "2024-07"},
		{"driver 470", "end_of_life_past", "yes"},
		{"driver 580", "end_of_life_past", "no"},
		{"driver 590", "dropped", "Maxwell Pascal Volta"},
		{"driver 576.02", "branch", "575"},
		{"gpu RTX 4090", "compute_capability", "8.9"},
		{"gpu 2684", "chip", "AD102"},
		{"gpu 10DE:2684", "architecture", "Ada Lovelace"},
		{"gpu 0x20b2", "forward_compat", "yes"},
		{"gpu RTX 4090", "forward_compat", "no"},
		{"arch sm_120", "first_cuda", "12.8"},
		{"arch 7.0", "last_driver", "580"},
		{"arch 9.0a", "a_since", "12.0"},
		{"cuda 12.4", "min_driver_linux", "525.60.13"},
		{"cuda cu124", "ptx_isa", "8.4"},
		{"cuda 11.8", "native_drivers", "520"},
		{"ptx 8.4", "first_driver", "550"},
		{"component nvidia-cublas-cu12==12.4.5.8", "cuda", "12.4.1"},
		{"jetpack R36.4.3", "jetpack", "6.2"},
		{"cudnn 9.1", "soname", "libcudnn.so.9"},
		{"nccl ncclCommSplit", "since", "2.18.1"},
		{"soname /usr/lib/libcublasLt.so.12", "component", "cublas"},
		{"error 804", "runtime_api", "cudaErrorCompatNotSupportedOnDevice"},
		{"error cuda_error_no_device", "code", "100"},
		{"error CUDA error: no kernel image is available for execution on the device", "code", "209"},
		{"xid 79", "class", "hardware"},
		{"advisory JAX-cudnn-9.10.0", "package", "jax-cuda12-plugin"},
		{"torch 2.7", "default", "2.7.0+cu126 2.7.1+cu126"},
		{"pytorch==2.7.1+cu126", "cudnn", "9.5.1.17"},
		{"torch 2.7.1+cu118", "min_driver", "450.80.02"},
		{"tensorflow 2.17.0", "sonames", "libcudart.so.12 libcublas.so.12 libcublasLt.so.12 libcufft.so.11 libcusolver.so.11 libcusparse.so.12 libcudnn.so.8 libnccl.so.2"},
		{"vllm 0.12.0", "torch", "==2.9.0"},
		{"ngc cuda:12.4.1-devel-ubuntu22.04", "min_driver", "525.60.13"},
		{"table ptx_isa", "key", "ptx"},
	} {
		c, err := find(t, tt.query)
		if err != nil {
			t.Errorf("%s: %v", tt.query, err)
			continue
		}
		if got := value(c, tt.field); got != tt.want {
			t.Errorf("%s: %s is %q, want %q", tt.query, tt.field, got, tt.want)
		}
	}
}

// TestBeyond holds what is newer than the tables apart from what is not there.
func TestBeyond(t *testing.T) {
	for _, query := range []string{"driver 700", "driver 700.10", "arch 15.0", "cuda 14.0", "cuda 14", "ptx 12.0", "torch 3.0", "tensorflow 3.0", "jax 1.0", "onnxruntime 2.0", "cudnn 12", "nccl 9", "tensorrt 20", "xid 5000", "jetpack 9", "vllm 5.0", "ngc pytorch:39.01-py3"} {
		c, err := find(t, query)
		if err != nil {
			t.Errorf("%s: %v", query, err)
			continue
		}
		if c.Status != Beyond || len(c.Nearest) == 0 || c.Summary == "" || len(c.Fields) > 0 {
			t.Errorf("%s: got status %s, %q, nearest %q and %d fields; want beyond, why, and no facts", query, c.Status, c.Summary, c.Nearest, len(c.Fields))
		}
		if strings.Contains(c.Summary, "pep440") || strings.Contains(c.Summary, ": lib ") {
			t.Errorf("%s: %q names a scheme of the tables", query, c.Summary)
		}
	}
}

func TestNotFound(t *testing.T) {
	for _, tt := range []struct{ query, nearest string }{
		{"driver 536", "535"},
		{"driver x", ""},
		{"gpu RTX 4095", "RTX 4090"},
		{"gpu 10de:ffff", ""},
		{"arch 8.4", "8.6"},
		{"cuda 12.10", "13.0"},
		{"torch 2.7.9", "2.7.1"},
		{"torch 2.7.1+cu999", "2.7.1+cu126"},
		{"component nvidia-cublass-cu12 12.4.5.8", "nvidia-cublas-cu12"},
		{"component nvidia-cublas-cu12 12.4.5.9", "12.4.5.8"},
		{"soname libcublas.so.99", "libcublas.so.12"},
		{"error cudaErorNoDevice", "cudaErrorNoDevice"},
		{"error 99999", ""},
		{"advisory jax-cudnn-9.10", "jax-cudnn-9.10.0"},
		{"nccl ncclComSplit", "ncclCommSplit"},
		{"ngc pytorch:25.99", ""},
		{"tabel nvidia/ptx_isa.csv", "table"},
		{"RTX 4090", "strata kb show gpu RTX 4090"},
		{"804", "strata kb show error 804"},
		{"tensorfow 2.1", "tensorflow"},
	} {
		_, err := find(t, tt.query)
		var missing *NotFoundError
		if !errors.As(err, &missing) {
			t.Errorf("%s: got %v, want that it is not found", tt.query, err)
			continue
		}
		if tt.nearest != "" && !slices.Contains(missing.Nearest, tt.nearest) {
			t.Errorf("%s: nearest %q, want %q among them", tt.query, missing.Nearest, tt.nearest)
		}
	}
}

func TestHostileNames(t *testing.T) {
	for _, name := range []string{"", " ", "\x00", "\x1b[31m", strings.Repeat("9", 5000), strings.Repeat("a.", 100), "../../etc/passwd", "-1", "1e9", "٣.٥", "+", "==", "1!2.0", "sm_"} {
		for _, s := range static() {
			c, err := Find(kb.Default(), []string{s.Name, name})
			if err == nil && c.Title == "" {
				t.Errorf("%s %q: a card without a title", s.Name, name)
			}
		}
	}
}

// TestEveryName looks up everything that the subjects list. Each card says something, rests on rows with sources, and has each name of the
// contract once.
func TestEveryName(t *testing.T) {
	base := kb.Default()
	total := 0
	for _, s := range Subjects(base) {
		names := s.names(base)
		if len(names) == 0 {
			t.Errorf("%s lists no names", s.Name)
		}
		step := max(1, len(names)/60) // the GPUs and errors are many, and alike
		for i := 0; i < len(names); i += step {
			c, err := Find(base, []string{s.Name, names[i]})
			if err != nil {
				t.Errorf("%s %q is listed and not found: %v", s.Name, names[i], err)
				continue
			}
			total++
			checkCard(t, s.Name+" "+names[i], c)
		}
		for _, example := range s.Examples {
			c, err := Find(base, []string{s.Name, example})
			if err != nil {
				t.Errorf("example %s %s: %v", s.Name, example, err)
				continue
			}
			checkCard(t, s.Name+" "+example, c)
		}
	}
	if total < 500 {
		t.Errorf("only %d cards were made", total)
	}
}

func checkCard(t *testing.T, query string, c *Card) {
	t.Helper()
	if c.Status == Known && len(c.Fields)+len(c.Tables) == 0 {
		t.Errorf("%s: the card is empty", query)
	}
	if c.Status == Known && c.Subject != "table" && (len(c.Rows) == 0 || len(c.Sources) == 0 || c.Confidence == "" || c.AsOf == "") {
		t.Errorf("%s: %d rows, %d sources, confidence %q, as of %q", query, len(c.Rows), len(c.Sources), c.Confidence, c.AsOf)
	}
	seen := map[string]bool{}
	for _, f := range c.Fields {
		if seen[f.Name] || f.Name == "" {
			t.Errorf("%s: field %q twice", query, f.Name)
		}
		seen[f.Name] = true
		checkValue(t, query+" "+f.Name, f.Value)
	}
	seen = map[string]bool{}
	for _, table := range c.Tables {
		if seen[table.Name] {
			t.Errorf("%s: table %q twice", query, table.Name)
		}
		seen[table.Name] = true
		columns := map[string]bool{}
		for _, column := range table.Columns {
			if columns[column.Name] {
				t.Errorf("%s: table %q has column %q twice", query, table.Name, column.Name)
			}
			columns[column.Name] = true
		}
		for _, row := range table.Rows {
			if len(row) != len(table.Columns) {
				t.Fatalf("%s: table %q has a row of %d cells for %d columns", query, table.Name, len(row), len(table.Columns))
			}
			for _, cell := range row {
				checkValue(t, query+" "+table.Name, cell)
			}
		}
	}
}

func checkValue(t *testing.T, what string, v any) {
	t.Helper()
	switch v := v.(type) {
	case nil, bool, int, []string:
	case string:
		if v == "" {
			t.Errorf("%s: an empty text", what)
		}
	default:
		t.Errorf("%s: a %T, which is none of the kinds of value", what, v)
	}
}

// TestTablesAreFound holds the constants here to the tables that exist.
func TestTablesAreFound(t *testing.T) {
	b := newBuilder(kb.Default(), "", "")
	if b.tableInfo("nvidia/library_releases.csv").Rows == 0 {
		t.Error("library_releases.csv is not there")
	}
	x := Overview(kb.Default())
	if len(x.Tables) != 1 || len(x.Tables[0].Rows) != len(kb.Default().Tables()) {
		t.Errorf("the overview does not have every table: %v", x.Tables)
	}
	if got := fmt.Sprint(Index(kb.Default()).Notes); !strings.Contains(got, "vllm") {
		t.Errorf("the index names no packages: %s", got)
	}
}

func TestNearest(t *testing.T) {
	words := []string{"torch", "tensorflow", "tensorrt", "jax", "driver"}
	for _, tt := range []struct {
		name       string
		candidates []string
		want       string
	}{
		{"tensorlfow", words, "tensorflow"},
		{"tens", words, "tensorflow tensorrt"},
		{"jx", words, "jax"},
		{"zzzz", words, ""},
		{"", words, ""},
		{"12.5", []string{"11.8", "12.4", "12.6", "13.0"}, "11.8 12.4 12.6"},
		{"1", []string{"11.8", "12.4"}, "11.8 12.4"},
		{"99", []string{"11.8", "12.4", "12.6", "13.0"}, "12.4 12.6 13.0"},
		{"12", nil, ""},
	} {
		if got := strings.Join(nearest(tt.name, tt.candidates, 3), " "); got != tt.want {
			t.Errorf("nearest to %q: got %q, want %q", tt.name, got, tt.want)
		}
	}
	for _, tt := range []struct {
		a, b string
		want int
	}{{"", "abc", 3}, {"abc", "acb", 1}, {"kitten", "sitting", 3}, {"same", "same", 0}} {
		if got := edits(tt.a, tt.b); got != tt.want || edits(tt.b, tt.a) != tt.want {
			t.Errorf("edits(%q, %q) = %d and %d, want %d", tt.a, tt.b, got, edits(tt.b, tt.a), tt.want)
		}
	}
}

// TestBasis holds a card to the lowest confidence and the oldest day of its rows, and to each row and source once.
func TestBasis(t *testing.T) {
	b := newBuilder(kb.Default(), "", "")
	one, two := kb.Source{ID: "one"}, kb.Source{ID: "two"}
	b.cite(kb.Ref{Table: "a", Line: 1, AsOf: "2026-02-01", Confidence: kb.High, Sources: []kb.Source{one}})
	b.cite(kb.Ref{Table: "a", Line: 2, AsOf: "2026-01-01", Confidence: kb.Low, Sources: []kb.Source{one, two}})
	b.cite(kb.Ref{Table: "b", Line: 1, AsOf: "2026-03-01", Confidence: kb.Medium}, kb.Ref{Table: "a", Line: 1, AsOf: "2020-01-01", Confidence: kb.Low}, kb.Ref{Table: "c"})
	if b.Confidence != kb.Low || b.AsOf != "2026-01-01" || len(b.Rows) != 3 || len(b.Card.Sources) != 2 {
		t.Errorf("confidence %s as of %s from %d rows and %d sources", b.Confidence, b.AsOf, len(b.Rows), len(b.Card.Sources))
	}
}
