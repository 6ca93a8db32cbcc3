package kb

import (
	"errors"
	"io"
	"slices"
	"testing"
)

// FuzzPlainRecords holds the fast reader to encoding/csv: what it understands it reads the same.
func FuzzPlainRecords(f *testing.F) {
	for _, s := range []string{
		"a,b\n1,2\n", "a\n\n\"x,\"\"y\"\"\",z\n", "\"a\nb\",c\n", "a,\"\n", "x\r\ny\r\n", "\"a\"b,c\n", "a\"b,c\n", ",\n,,\n", "\"\",\"\"\n", "a,b", "\"x\"\"\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		plain, full := &plainRecords{rest: text}, newFullRecords(text)
		for {
			got, line, err, ok := plain.next()
			if !ok {
				return
			}
			want, wantLine, wantErr, _ := full.next()
			if errors.Is(err, io.EOF) || errors.Is(wantErr, io.EOF) {
				if !errors.Is(err, io.EOF) || !errors.Is(wantErr, io.EOF) {
					t.Fatalf("the end: %v and %v", err, wantErr)
				}
				return
			}
			if wantErr != nil || !slices.Equal(got, want) || line != wantLine {
				t.Fatalf("line %d: %q, encoding/csv line %d: %q, %v", line, got, wantLine, want, wantErr)
			}
		}
	})
}

// TestTablesArePlain keeps the embedded tables to what the fast reader understands.
func TestTablesArePlain(t *testing.T) {
	for _, f := range files {
		if len(f.path()) < 4 || f.path()[len(f.path())-4:] != ".csv" {
			continue
		}
		text, problem := readFile(Default().fsys, f.path())
		if problem != nil {
			t.Fatal(problem)
		}
		p, _ := parsePreamble(f.path(), text)
		for r := (&plainRecords{rest: text[p.size:]}); ; {
			if _, line, err, ok := r.next(); !ok {
				t.Errorf("%s: a row after line %d is not plain", f.path(), p.lines+line)
				break
			} else if err != nil {
				break
			}
		}
	}
}
