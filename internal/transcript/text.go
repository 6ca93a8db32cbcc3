package transcript

// Line is one line of a text.
type Line struct {
	// N is its number in the text, from 1.
	N int
	// Text is the line as Clean leaves it.
	Text string
	// Message is Text as the function of that name leaves it.
	Message string
}

// NewLine makes the line with a number from 1 of a text as it was read.
func NewLine(n int, raw string) Line {
	text := Clean(raw)
	return Line{N: n, Text: text, Message: Message(text)}
}

// Text is what is kept of one text for those who read facts in it.
type Text struct {
	Name  string
	Lines []Line
	// Partial is true where lines are left out.
	Partial bool
}

// Of makes a Text of a whole string.
func Of(name, s string) *Text {
	t := &Text{Name: name}
	n := 0
	for line := range splitLines(s) {
		n++
		t.Lines = append(t.Lines, NewLine(n, line))
	}
	return t
}

func splitLines(s string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for len(s) > 0 {
			line := s
			for i := 0; i < len(s); i++ {
				if s[i] == '\n' {
					line = s[:i]
					break
				}
			}
			if !yield(line) {
				return
			}
			if len(line) == len(s) {
				return
			}
			s = s[len(line)+1:]
		}
	}
}
