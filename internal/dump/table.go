package dump

import (
	"strings"

	"strata/internal/transcript"
)

// readTables reads tables with bars, as Markdown and many programs draw them,
// and lists with commas under a line of names.
func readTables(t *transcript.Text, r *reading) {
	for i := 0; i < len(t.Lines); i++ {
		body := t.Lines[i].Message
		switch dashed := strings.IndexByte(body, '-') >= 0; { // as all names but those of a list with commas are
		case isRow(body):
			i = r.table(t.Lines, i) - 1
		case dashed && strings.Contains(body, "--query-gpu="):
			head := queryHead(body)
			if strings.Contains(body, "noheader") && len(head) > 1 {
				i = r.rows(t.Lines, i+1, head) - 1
			} else if len(head) == 1 && i+1 < len(t.Lines) && strings.HasPrefix(t.Lines[i+1].Message, head[0]) { // a column alone
				i = r.rows(t.Lines, i+2, head) - 1
			}
		case dashed && (strings.Contains(body, "KERNEL-VERSION") || strings.Contains(body, "DRIVER-VERSION")):
			i = r.columns(t.Lines, i) - 1
		case strings.IndexByte(body, ',') > 0 && len(body) < maxLine:
			if head := csvHead(body); head != nil {
				i = r.rows(t.Lines, i+1, head) - 1
			}
		}
	}
}

// columns takes a table that wide gaps divide, as kubectl prints its nodes, and gives the line behind it. What differs
// between the rows is no fact of one machine.
func (r *reading) columns(lines []transcript.Line, i int) int {
	head := gaps(lines[i].Message)
	found := make([]*pair, len(head))
	differ := make([]bool, len(head))
	for i++; i < len(lines); i++ {
		c := gaps(lines[i].Message)
		if len(c) != len(head) {
			break
		}
		for k, name := range head {
			switch {
			case found[k] == nil:
				found[k] = &pair{key: name, value: c[k], index: -1, line: lines[i].N, text: lines[i].Text}
			case found[k].value != c[k]:
				differ[k] = true
			}
		}
	}
	for k, p := range found {
		if p == nil || differ[k] {
			continue
		}
		switch keyOf(p.key) {
		case "kernel version", "os image", "driver version", "cuda version":
			r.take(p)
		}
	}
	return max(i, 1)
}

// gaps are the parts of a line between two blanks or more.
func gaps(line string) (out []string) {
	for part := range strings.SplitSeq(strings.TrimSpace(line), "  ") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// bars are the characters that divide cells.
const bars = "|│┃║"

func isRow(s string) bool {
	s = strings.TrimLeft(s, " \t")
	return s != "" && (s[0] == '|' || s[0] >= 0x80) && strings.ContainsRune(bars, []rune(s[:min(len(s), 4)])[0]) && strings.ContainsAny(strings.TrimLeft(s, bars+" "), bars)
}

func isRule(s string) bool {
	s = strings.TrimSpace(s)
	return s != "" && strings.Trim(s, "+-=:|│┃─━═┌┐└┘├┤┬┴┼┏┓┗┛┣┫┳┻╋╇┡┩╞╡╪║╔╗╚╝╠╣╦╩╬ \t") == ""
}

func cells(s string) []string {
	s = strings.Trim(strings.TrimSpace(s), bars)
	out := strings.FieldsFunc(s, func(c rune) bool { return strings.ContainsRune(bars, c) })
	for i := range out {
		out[i] = trimMarks(out[i])
	}
	return out
}

// maxRows bounds a table; a list of all packages has some hundreds.
const maxRows = 5000

// table takes the rows from line i on and gives the line behind them. Rows of
// two cells are keys and values; others have their keys in the first row.
func (r *reading) table(lines []transcript.Line, i int) int {
	var head []string
	row := 0
	for ; i < len(lines) && row < maxRows; i++ {
		body := lines[i].Message
		if isRule(body) {
			continue
		}
		if !isRow(body) {
			break
		}
		if strings.Contains(body, "NVIDIA-SMI") || strings.Contains(body, "MiB /") {
			head = nil // of nvidia-smi, which has a reader of its own
			continue
		}
		c := cells(body)
		row++
		switch {
		case len(c) < 2:
			continue
		case len(c) == 2:
			if head == nil || !r.take(&pair{key: c[0], value: c[1], index: -1, line: lines[i].N, text: lines[i].Text}) {
				r.take(&pair{key: c[0], value: c[1], index: -1, line: lines[i].N, text: lines[i].Text})
				if k, v, ok := divide(c[1]); ok { // dcgmi discovery: | 0 | Name: NVIDIA A100 |
					r.take(&pair{path: []string{"gpu"}, key: k, value: v, index: rowNumber(c[0]), line: lines[i].N, text: lines[i].Text})
				}
			}
			if head == nil {
				head = c
			}
		case head == nil || len(head) == 2:
			head = c
			r.cellsOfRow(c, lines[i])
		default:
			r.row(head, c, row-2, lines[i])
		}
	}
	return max(i, 1)
}

func rowNumber(s string) int {
	if s = strings.TrimSpace(s); s == "" || !isDigit(s[0]) || len(s) > 2 {
		return -1
	}
	return atoi(s)
}

// cellsOfRow takes a row by itself: a key, its value, and remarks.
func (r *reading) cellsOfRow(c []string, l transcript.Line) {
	r.take(&pair{key: c[0], value: c[1], index: -1, line: l.N, text: l.Text})
}

// row takes a row under the names of its columns. Where the first column is
// none of them, the row may have its key in front.
func (r *reading) row(head, c []string, index int, l transcript.Line) {
	name := ""
	took := false
	if n := rowNumber(c[0]); n >= 0 && keyOf(head[0]) == "gpu" {
		index = n
	}
	for k := range min(len(c), len(head)) {
		switch keyOf(head[k]) {
		case "name", "package", "library", "component", "software", "item", "dependency", "module", "tool", "framework", "property", "key", "field", "":
			name = c[k]
			if k == 0 && modelForm.MatchString(name) || k == 1 && keyOf(head[0]) == "gpu" && vendorHead.MatchString(name) {
				took = r.take(&pair{path: []string{"gpu"}, key: "name", value: name, index: index, line: l.N, text: l.Text}) || took
			}
		case "version", "value", "installed", "installed version", "current", "current version":
			if name != "" {
				took = r.take(&pair{key: name, value: c[k], index: -1, line: l.N, text: l.Text}) || took
			}
		default:
			took = r.take(&pair{path: []string{"gpu"}, key: head[k], value: c[k], index: index, line: l.N, text: l.Text}) || took
		}
	}
	if !took {
		r.cellsOfRow(c, l)
	}
}

// csvHead are the names of columns of a list with commas; nil where a line is none.
func csvHead(line string) []string {
	c := strings.Split(line, ",")
	known := 0
	for i := range c {
		c[i] = trimMarks(c[i])
		if c[i] == "" || len(c[i]) > 50 {
			return nil
		}
		key := csvKey(c[i])
		if keys[key] != nil || queryKeys[key] {
			known++
		}
	}
	if len(c) < 2 || known < 2 || known*2 < len(c) && known < 4 {
		return nil
	}
	return c
}

// queryHead are the columns that a command line asks nvidia-smi for.
func queryHead(line string) []string {
	_, arg, _ := strings.Cut(line, "--query-gpu=")
	arg, _, _ = strings.Cut(strings.Trim(arg, `"'`), " ")
	head := strings.Split(strings.Trim(arg, `"'`), ",")
	for i, h := range head {
		if strings.HasPrefix(h, "memory.") && strings.Contains(line, "nounits") {
			head[i] = h + " [MiB]"
		}
	}
	return head
}

// csvKey is a column's name without its unit: memory.total [MiB].
func csvKey(s string) string {
	if i := strings.Index(s, " ["); i > 0 {
		s = s[:i]
	}
	return keyOf(s)
}

// queryKeys are fields of nvidia-smi --query-gpu beside those that are facts.
var queryKeys = wordSet("name uuid index count timestamp pstate serial")

// rows takes lines with as many commas as their head has.
func (r *reading) rows(lines []transcript.Line, i int, head []string) int {
	for n := 0; i < len(lines) && n < maxGPUs; i, n = i+1, n+1 {
		c := strings.Split(lines[i].Message, ",")
		if len(c) != len(head) {
			break
		}
		r.query(head, c, n, lines[i])
	}
	return i
}

// query takes one GPU's row of nvidia-smi --query-gpu.
func (r *reading) query(head, c []string, index int, l transcript.Line) {
	for k := range head { // the name first: memory and capability belong to it
		if key := csvKey(head[k]); key == "name" || key == "gpu name" {
			r.take(&pair{path: []string{"gpu"}, key: "name", value: trimMarks(c[k]), index: index, line: l.N, text: l.Text})
		}
	}
	for k := range head {
		key := csvKey(head[k])
		if key == "name" || key == "gpu name" || key == "index" {
			continue
		}
		v := trimMarks(c[k])
		if strings.HasPrefix(key, "memory total") && strings.Contains(head[k], "MiB") && isDigits(v) {
			v += " MiB" // nounits
		}
		r.take(&pair{path: []string{"gpu"}, key: key, value: v, index: index, line: l.N, text: l.Text})
	}
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
