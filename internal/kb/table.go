package kb

// Table is one decoded file.
type Table[T any] struct {
	Name    string // path below data, such as "nvidia/driver_cuda.csv"
	AsOf    string // the day the table describes, YYYY-MM-DD
	Horizon string // the newest thing the table knows: a scheme and a version, such as "driver 620"
	Rows    []T
}

// Row is what every row has besides its own columns. Row types embed it.
type Row struct {
	Line       int        `kb:"-" yaml:"-"`
	Src        []string   `kb:"src,required" yaml:"src"`
	Confidence Confidence `kb:"confidence,required" yaml:"confidence"`
}

// Confidence says how well a row is supported: high for a primary source or a measurement that a second one agrees with, medium for
// one source or a sound inference, low for what should be looked at again.
type Confidence string

// The degrees of confidence.
const (
	High   Confidence = "high"
	Medium Confidence = "medium"
	Low    Confidence = "low"
)

// UnmarshalText accepts the three degrees and nothing else.
func (c *Confidence) UnmarshalText(text []byte) error {
	return unmarshalWord(c, text, High, Medium, Low)
}

// rower is a pointer to a row type that embeds Row.
type rower interface{ embedded() *Row }

func (r *Row) embedded() *Row { return r }

// lined is a pointer to a row type that wants to know its line.
type lined interface{ setLine(n int) }

func (r *Row) setLine(n int) { r.Line = n }

// rowOf returns the Row embedded in the row that v points to, or the zero Row if its type embeds none.
func rowOf(v any) Row {
	if r, ok := v.(rower); ok {
		return *r.embedded()
	}
	return Row{}
}
