package kb

import (
	"encoding/csv"
	"io"
	"strings"
)

// plainRecords reads CSV without line breaks and stray quotes in cells, which is how our tables are, without copying a cell: all are parts
// of one string. Anything else it does not understand.
type plainRecords struct {
	rest  string
	want  func(line string) bool // nil: every line
	line  int
	cells []string
}

func (p *plainRecords) next() (cells []string, line int, err error, ok bool) {
	for {
		if p.rest == "" {
			return nil, 0, io.EOF, true
		}
		text, rest, _ := strings.Cut(p.rest, "\n")
		p.rest = rest
		p.line++
		if text == "" {
			continue
		}
		if p.want != nil && p.line > 1 && !p.want(text) {
			if strings.Count(text, `"`)%2 != 0 { // a cell that goes on in the next line
				return nil, 0, nil, false
			}
			continue
		}
		if strings.IndexByte(text, '\r') >= 0 || !p.split(text) {
			return nil, 0, nil, false
		}
		return p.cells, p.line, nil, true
	}
}

// split cuts a line into cells. It returns false for a quote in the middle of a cell and for one that is not closed.
func (p *plainRecords) split(text string) bool {
	p.cells = p.cells[:0]
	for {
		if text == "" || text[0] != '"' {
			cell, rest, more := strings.Cut(text, ",")
			if strings.IndexByte(cell, '"') >= 0 {
				return false
			}
			p.cells = append(p.cells, cell)
			if !more {
				return true
			}
			text = rest
			continue
		}
		end := 1
		for {
			i := strings.IndexByte(text[end:], '"')
			if i < 0 {
				return false
			}
			if end += i + 1; end == len(text) || text[end] != '"' {
				break
			}
			end++ // a doubled quote stands for one
		}
		p.cells = append(p.cells, strings.ReplaceAll(text[1:end-1], `""`, `"`))
		if end == len(text) {
			return true
		}
		if text[end] != ',' {
			return false
		}
		text = text[end+1:]
	}
}

// fullRecords reads all of CSV and says what is wrong with it.
type fullRecords struct{ r *csv.Reader }

func newFullRecords(text string) *fullRecords {
	r := csv.NewReader(strings.NewReader(text))
	r.ReuseRecord = true
	r.FieldsPerRecord = -1 // checked by the decoder, so that one short row does not hide the problems of the next
	return &fullRecords{r}
}

func (f *fullRecords) next() (cells []string, line int, err error, ok bool) {
	cells, err = f.r.Read()
	if err == nil {
		line, _ = f.r.FieldPos(0)
	}
	return cells, line, err, true
}
