package triage

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"strata/internal/signature"
	"strata/internal/textscan"
	"strata/internal/transcript"
)

// The bounds of what is kept of a text for those who read facts in it. Reports
// are smaller by far; of a long log the beginning counts, and the lines around
// what looks like facts.
const (
	maxKept  = 1 << 20
	keptTail = 80 // lines behind a fact's word
	// maxLine is how much of one line is matched: enough for any message with its prefix.
	maxLine = 8 << 10
)

// Stream scans a text from a reader. Eager is for a pipe that is written to
// while it is read: what there is, is judged at once.
func (s *Scan) Stream(name string, r io.Reader, eager bool) error {
	plain, err := transcript.Open(r)
	if err != nil {
		return fmt.Errorf("reading %q: %w", name, err)
	}
	defer plain.Close()
	t := &taker{s: s, text: &transcript.Text{Name: name}, windows: map[*signature.Signature]int{}}
	s.texts = append(s.texts, t.text)
	err = t.read(plain, eager)
	s.Lines += t.lines
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("reading %q: %w", name, err)
		if s.Bytes == 0 {
			return err
		}
		s.Notes = append(s.Notes, err.Error()+": what came before it was read")
	}
	return nil
}

// read reads a text in pieces, unless it fits into one.
func (t *taker) read(plain io.Reader, eager bool) error {
	if eager {
		in := transcript.NewBlocks(plain, flight)
		in.Eager = true
		return t.run(in, true)
	}
	head := bytes.NewBuffer(make([]byte, 0, usual))
	_, err := head.ReadFrom(io.LimitReader(plain, maxKept+1))
	t.begin(head.Bytes())
	if t.whole {
		b := scanned{Block: transcript.Block{Data: head.Bytes()}}
		b.hits = the().set.Scan(b.Data, nil)
		t.take(&b, nil)
		return err
	}
	if e := t.run(transcript.NewBlocks(io.MultiReader(head, plain), flight), false); err == nil {
		err = e
	}
	return err
}

// usual is more than most reports have: memory that a text does not fill costs nothing, and what grows is copied.
const usual = 256 << 10

// begin has the facts of a text's beginning, which is as much as is kept in memory, read while the text is
// searched for messages. A text that ends there is kept as a whole.
func (t *taker) begin(head []byte) {
	t.whole = len(head) <= maxKept
	lines := head
	if !t.whole {
		go the().prepare()                                // a long text
		if i := bytes.LastIndexByte(head, '\n'); i >= 0 { // else it is one line, whose beginning counts
			lines = head[:i+1]
		}
	}
	t.keepLines(string(lines), 0, len(lines))
	if len(t.s.texts) == 1 {
		t.s.early = readEarly(t.text, t.s.Ahead)
	}
	if t.whole {
		return
	}
	// What is kept behind the beginning is a text of its own: that one is being read.
	t.kept, t.until = maxKept, max(1, bytes.Count(lines, []byte{'\n'}))
	t.text = &transcript.Text{Name: t.text.Name, Partial: true}
	t.s.texts = append(t.s.texts, t.text)
}

// flight is how many blocks exist at a time: one being read, two being scanned,
// two waiting for their turn.
const flight = 5

// scanned is a block with its hits.
type scanned struct {
	transcript.Block
	hits []textscan.Hit
	err  error
}

// taker goes through the blocks of one text in order.
type taker struct {
	s     *Scan
	text  *transcript.Text
	kept  int // bytes
	lines int
	until int  // lines up to this number are kept although the text is long
	whole bool // all lines are kept already
	// memo holds what the last lines were, since errors come again and again.
	memo  map[string][]hit
	tries map[string]int
	// windows counts how often in a row a signature was tried in vain with the lines that follow.
	windows map[*signature.Signature]int
}

// hit is a signature that stands on one line by itself.
type hit struct {
	sig    *signature.Signature
	groups map[string]string
}

// maxMemo bounds the memory of lines.
const maxMemo = 1024

// run scans blocks beside each other and takes them in order.
func (t *taker) run(in *transcript.Blocks, eager bool) error {
	l := the()
	order := make(chan chan scanned, flight-1)
	var end error
	go func() {
		defer close(order)
		for {
			b, err := in.Next()
			done := make(chan scanned, 1)
			if err != nil {
				done <- scanned{err: err}
				order <- done
				return
			}
			order <- done
			work := func() { done <- scanned{Block: b, hits: l.set.Scan(b.Data, nil)} }
			if eager {
				work()
			} else {
				go work()
			}
		}
	}()
	var held *scanned // waits for the next block, whose first lines may belong to its last message
	for done := range order {
		next := <-done
		if held != nil {
			ahead := next.Data[:min(len(next.Data), maxLine)]
			t.take(held, ahead)
			in.Return(held.Block)
			held = nil
		}
		if next.err != nil {
			end = next.err
			continue
		}
		if eager {
			t.take(&next, nil)
			in.Return(next.Block)
			continue
		}
		held = &next
	}
	return end
}

// take looks at the hits of one block, line by line. ahead is the beginning of the next block.
func (t *taker) take(b *scanned, ahead []byte) {
	l := the()
	t.s.Bytes += int64(len(b.Data))
	if !t.whole {
		t.keep(b)
	}
	at, line := 0, b.Lines+1 // line is the number of the line that has offset at
	for i := 0; i < len(b.hits); {
		start, end := lineOf(b.Data, b.hits[i].End)
		line += bytes.Count(b.Data[at:start], []byte{'\n'})
		at = start
		var sigs []*signature.Signature
		center := 0
		for ; i < len(b.hits) && b.hits[i].End <= end; i++ {
			lit := b.hits[i].Literal
			if l.isWord[lit] {
				t.s.words[l.literals[lit]] = true
			}
			for _, sig := range l.sigs[lit] {
				if !slices.Contains(sigs, sig) {
					sigs, center = append(sigs, sig), b.hits[i].End
				}
			}
		}
		if len(sigs) > 0 {
			raw := b.Data[start:end]
			if len(raw) > maxLine { // what is around the hit
				from := max(0, min(center-start-maxLine/2, len(raw)-maxLine))
				raw = raw[from : from+maxLine]
			}
			t.match(sigs, string(raw), b.Data[min(end+1, len(b.Data)):], ahead, line)
		}
	}
	t.lines = b.Lines + bytes.Count(b.Data, []byte{'\n'})
	if n := len(b.Data); n > 0 && b.Data[n-1] != '\n' {
		t.lines++
	}
}

// lineOf is where the line of an offset begins and ends; the offset is behind one of its bytes.
func lineOf(data []byte, offset int) (start, end int) {
	start = bytes.LastIndexByte(data[:offset], '\n') + 1
	if i := bytes.IndexByte(data[offset:], '\n'); i >= 0 {
		return start, offset + i
	}
	return start, len(data)
}

// match tries signatures on one line, and with the lines that follow.
func (t *taker) match(sigs []*signature.Signature, raw string, data, ahead []byte, line int) {
	first := transcript.Clean(strings.ToValidUTF8(raw, "\uFFFD"))
	key := transcript.Message(first) // what comes again and again differs in its time alone
	hits, known := t.memo[key]
	if !known {
		var alone bool
		hits, alone = t.try(sigs, first, data, ahead)
		t.remember(key, hits, alone)
	}
	for _, x := range hits {
		t.s.see(x.sig, x.groups, t.text.Name, line, first)
	}
}

// try matches the signatures. alone is true where the lines that follow did not matter.
func (t *taker) try(sigs []*signature.Signature, first string, data, ahead []byte) (hits []hit, alone bool) {
	after, lower := "", ""
	alone = true
	following := func() string {
		if after == "" {
			after = rest(data, ahead)
		}
		return after
	}
	for _, sig := range sigs {
		if len(sig.Beside) > 0 {
			if lower == "" {
				lower = strings.ToLower(first + " " + following())
			}
			alone = false
			if !sig.Worth(lower) {
				continue
			}
		}
		groups, ok := sig.Match(first)
		if sig.Pattern != "" && (!ok || sig.Optional(groups)) && t.windows[sig] < maxWindows {
			if !ok {
				alone = false
			}
			t.windows[sig]++
			if following() != "" {
				wide, found := sig.MatchWindow(first, after)
				if found && (!ok || len(wide) > len(groups)) {
					groups, ok = wide, true
					t.windows[sig] = 0 // it is worth while
				}
			}
		}
		if ok {
			hits = append(hits, hit{sig, groups})
		}
	}
	return hits, alone
}

// maxWindows is how often in a row a signature is tried in vain with the lines that follow.
const maxWindows = 200

// remember keeps what a line was. One whose meaning may hang on the lines that
// follow is kept when it has come a few times: it is the same event then.
func (t *taker) remember(key string, hits []hit, alone bool) {
	if len(t.memo) >= maxMemo || t.memo == nil {
		t.memo, t.tries = map[string][]hit{}, map[string]int{}
	}
	if !alone {
		t.tries[key]++
		if t.tries[key] < fewTries {
			return
		}
	}
	t.memo[key] = hits
}

// fewTries is how often a line is looked at anew with what follows it.
const fewTries = 4

// following is how many lines a message may go on for, and maxFollowing in how many bytes.
const following, maxFollowing = 3, 1 << 10

// rest is what follows a line, as one: tools and mails break long messages.
func rest(data, ahead []byte) string {
	var parts []string
	for _, piece := range [][]byte{data, ahead} {
		piece = piece[:min(len(piece), 2*maxFollowing)]
		for len(parts) < following && len(piece) > 0 {
			line, after, _ := bytes.Cut(piece, []byte{'\n'})
			parts = append(parts, strings.TrimSpace(transcript.Message(transcript.Clean(strings.ToValidUTF8(string(line), "\uFFFD")))))
			piece = after
		}
	}
	out := strings.Join(parts, " ")
	return strings.ToValidUTF8(out[:min(len(out), maxFollowing)], "")
}

// keep holds on to lines for the readers of facts.
func (t *taker) keep(b *scanned) {
	l := the()
	if t.kept < maxKept {
		t.keepLines(string(b.Data), b.Lines, len(b.Data))
		return
	}
	t.text.Partial = true
	for _, h := range b.hits {
		if l.keep[h.Literal] && t.kept < 2*maxKept {
			start := bytes.LastIndexByte(b.Data[:h.End], '\n') + 1
			line := b.Lines + bytes.Count(b.Data[:start], []byte{'\n'})
			if line < t.until {
				continue
			}
			t.keepLines(string(firstLines(b.Data[start:], keptTail)), line, keptTail)
			t.until = line + keptTail
		}
	}
}

// firstLines are so many lines of a text.
func firstLines(data []byte, most int) []byte {
	end := 0
	for ; most > 0 && end < len(data); most-- {
		i := bytes.IndexByte(data[end:], '\n')
		if i < 0 {
			return data
		}
		end += i + 1
	}
	return data[:end]
}

func (t *taker) keepLines(data string, before, most int) {
	blank := 0
	for n := 0; len(data) > 0 && n < most && t.kept < 2*maxKept; n++ {
		line, after, _ := strings.Cut(data, "\n")
		line = line[:min(len(line), maxLine)]
		t.kept += len(line) + 1
		data = after
		if len(line) > 0 {
			blank = 0
		} else if blank++; blank > maxBlank {
			continue
		}
		t.text.Lines = append(t.text.Lines, transcript.NewLine(before+n+1, strings.ToValidUTF8(line, "\uFFFD")))
	}
}

// maxBlank is how many blank lines in a row are kept: to a reader more say no more, and a MiB of them would be 60 MiB.
const maxBlank = 2
