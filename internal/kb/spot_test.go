package kb

import (
	"encoding/csv"
	"os"
	"strings"
	"testing"

	"strata/internal/version"
)

// testdata/spot.csv asks the knowledge base what public documentation answers. Its rows were chosen by hand from the documents that they
// cite, not from the tables, so that a table that is wrong, or reaches less far than the documents, fails here. A row that fails is
// mended only where a public source says so: the table if it contradicts the source, the row if it misread it.
//
// Expected is the answer, "?" for known not to be there and ">" for newer than the table knows. At is an address, a path in a public
// repository at a revision, or the number of a file in a public code index.

// spotKinds maps each kind of question to the query that answers it. The arguments are the words of the column.
var spotKinds = map[string]func(spotArguments) string{
	"min-driver-linux":   spotMinDriverLinux,
	"min-driver-windows": spotMinDriverWindows,
	"driver-cuda":        spotDriverCUDA,
	"branch":             spotBranch,
	"gpu-name":           spotGPUName,
	"gpu-pci":            spotGPUPCI,
	"arch":               spotArch,
	"ptx":                spotPTX,
	"cuda-error":         spotCUDAError,
	"xid":                spotXid,
	"soname":             spotSoname,
	"forward-compat":     spotForwardCompat,
	"host-compiler":      spotHostCompiler,
	"cudnn":              spotCUDNN,
	"tensorrt":           spotTensorRT,
	"nccl":               spotNCCL,
	"torch":              spotTorch,
	"torch-companion":    spotCompanion,
	"tensorflow":         spotTensorFlow,
	"jax":                spotJAX,
	"onnxruntime":        spotONNXRuntime,
	"consumer":           spotConsumer,
}

// spotRow is one line of spot.csv.
type spotRow struct {
	id, kind, arguments, expected, source, at, quote string
}

type spotArguments []string

// word returns argument i, "" where there is none, so that a row with too few of them gets a wrong answer and no panic.
func (a spotArguments) word(i int) string {
	if i < len(a) {
		return a[i]
	}
	return ""
}

func TestSpot(t *testing.T) {
	for _, r := range spotRows(t) {
		query, ok := spotKinds[r.kind]
		if !ok {
			t.Errorf("%s: no query for kind %q", r.id, r.kind)
			continue
		}
		if got := query(strings.Fields(r.arguments)); !sameSpot(got, r.expected) {
			t.Errorf("%s: %s: got %q, want %q (%s, %s: %q)", r.id, r.arguments, got, r.expected, r.source, r.at, r.quote)
		}
	}
}

// TestSpotFile holds the file to its purpose: enough rows of every kind, each with a source that can be looked up.
func TestSpotFile(t *testing.T) {
	const (
		leastRows = 200 // what the knowledge base promises to be examined with
		leastKind = 10
		mostQuote = 12 // words: a pointer to the place, no copy of the text
	)
	rows := spotRows(t)
	if len(rows) < leastRows {
		t.Errorf("%d rows, want at least %d", len(rows), leastRows)
	}
	perKind := make(map[string]int)
	seen := make(map[string]bool)
	for _, r := range rows {
		perKind[r.kind]++
		if seen[r.id] {
			t.Errorf("%s: id is used twice", r.id)
		}
		seen[r.id] = true
		for _, host := range []string{"//pypi.", "pythonhosted.", "registry.npm", "//deb.", "//proxy.", "//repo1.maven."} {
			if strings.Contains(r.at, host) {
				t.Errorf("%s: %q names a package registry; write \"package index: NAME VERSION\"", r.id, r.at)
			}
		}
		if r.expected == "" || r.source == "" || r.at == "" || r.quote == "" {
			t.Errorf("%s: expected, source, at and quote must all be given", r.id)
		}
		if n := len(strings.Fields(r.quote)); n > mostQuote {
			t.Errorf("%s: quote has %d words, want at most %d", r.id, n, mostQuote)
		}
	}
	for kind := range spotKinds {
		if perKind[kind] < leastKind {
			t.Errorf("kind %s: %d rows, want at least %d", kind, perKind[kind], leastKind)
		}
	}
}

func spotRows(t *testing.T) []spotRow {
	t.Helper()
	f, err := os.Open("testdata/spot.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll() // every record must have as many fields as the header
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(records[0], ","), "id,kind,arguments,expected,source,at,quote"; got != want {
		t.Fatalf("columns are %q, want %q", got, want)
	}
	var rows []spotRow
	for _, r := range records[1:] {
		rows = append(rows, spotRow{r[0], r[1], r[2], r[3], r[4], r[5], r[6]})
	}
	return rows
}

// sameSpot reports whether two answers are the same, as words or as dotted numbers: a document writes 9.0 where a wheel says 9.0.0.
func sameSpot(got, want string) bool {
	if got == want {
		return true
	}
	g, err := version.ParseLib(got)
	w, err2 := version.ParseLib(want)
	return err == nil && err2 == nil && g.Compare(w) == 0
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

func lib(s string) version.Lib       { return must(version.ParseLib(s)) }
func pep440(s string) version.PEP440 { return must(version.ParsePEP440(s)) }
