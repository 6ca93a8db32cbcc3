package kb

import (
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// column is one field of a row type that a cell is read into.
type column struct {
	name     string
	index    []int // for reflect.Value.FieldByIndex
	required bool
	key      bool
	// set parses a cell; nil for a plain string, which is the cell.
	set func(reflect.Value, string) error
	// parsed holds the value of each cell met before: most columns have a few values in thousands of rows.
	parsed map[string]reflect.Value
	misses int // how many more cells were new than met before
}

type columns []*column

// columnsOf returns the columns of the row type T: its exported fields and those of embedded structs. A tag is
//
//	kb:"name"           the cell may be empty and then leaves the zero value
//	kb:"name,required"  the cell must not be empty
//	kb:"name,key"       all key columns together must differ from those of every other row; [Diff] tells rows by them
//	kb:"name,required,key"
//	kb:"-"              not a column
//
// A field is a string, an int, a bool (yes or no), a type with UnmarshalText, or a slice of these (separated by semicolons).
// Any other field, or one without a tag, is a mistake in the row type and panics in the test that first decodes it.
func columnsOf[T any]() columns {
	return appendColumns(nil, reflect.TypeFor[T](), nil)
}

func appendColumns(list columns, t reflect.Type, prefix []int) columns {
	for i := range t.NumField() {
		f := t.Field(i)
		index := append(slices.Clone(prefix), i)
		if f.Anonymous && f.Type.Kind() == reflect.Struct && f.Tag.Get("kb") == "" {
			list = appendColumns(list, f.Type, index)
			continue
		}
		name, rest, _ := strings.Cut(f.Tag.Get("kb"), ",")
		options := strings.Split(rest, ",")
		switch name {
		case "-":
			continue
		case "":
			panic(fmt.Sprintf("kb: field %s.%s has no kb tag", t, f.Name))
		}
		list = append(list, &column{
			name: name, index: index,
			required: slices.Contains(options, "required"), key: slices.Contains(options, "key"),
			set: setterOf(f.Type), parsed: map[string]reflect.Value{},
		})
	}
	return list
}

func (cs columns) byName(name string) *column {
	i := slices.IndexFunc(cs, func(c *column) bool { return c.name == name })
	if i < 0 {
		return nil
	}
	return cs[i]
}

// fill reads cell into its field of row. It returns what is wrong with the cell, or "".
func (c *column) fill(row reflect.Value, cell string) string {
	switch {
	case cell == "" && c.required:
		return "is empty"
	case cell == "":
		return ""
	case cell[0] == ' ' || cell[len(cell)-1] == ' ':
		return fmt.Sprintf("blanks around %q", cell)
	}
	field := row.FieldByIndex(c.index)
	if field.Kind() == reflect.String && c.set == nil {
		field.SetString(cell)
		return ""
	}
	if len(cell) > maxRepeated || c.misses > maxMisses {
		if err := c.set(field, cell); err != nil {
			return err.Error()
		}
		return ""
	}
	value, ok := c.parsed[cell]
	if !ok {
		value = reflect.New(field.Type()).Elem()
		if err := c.set(value, cell); err != nil {
			return err.Error()
		}
		c.parsed[cell] = value
		c.misses++
	} else if c.misses > 0 {
		c.misses--
	}
	field.Set(value)
	return ""
}

// maxMisses ends the remembering in a column whose cells do not recur, such as the versions of releases.
const maxMisses = 100

// maxRepeated is the length in bytes up to which a cell is worth remembering: longer ones are lists and hashes, which hardly recur.
const maxRepeated = 48

// key appends the key cells of a row to b, which stays empty for a table without a key.
func (cs columns) key(b []byte, record []string) []byte {
	first := true
	for i, c := range cs {
		if !c.key {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		b, first = append(b, record[i]...), false
	}
	return b
}

func setterOf(t reflect.Type) func(reflect.Value, string) error {
	switch {
	case reflect.PointerTo(t).Implements(textUnmarshaler):
		return func(v reflect.Value, cell string) error {
			return v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(cell))
		}
	case t.Kind() == reflect.String:
		return nil
	case t.Kind() == reflect.Int:
		return func(v reflect.Value, cell string) error {
			n, err := strconv.Atoi(cell)
			if err != nil {
				return fmt.Errorf("want a whole number, not %q", cell)
			}
			v.SetInt(int64(n))
			return nil
		}
	case t.Kind() == reflect.Bool:
		return func(v reflect.Value, cell string) error {
			if cell != "yes" && cell != "no" {
				return fmt.Errorf("want yes or no, not %q", cell)
			}
			v.SetBool(cell == "yes")
			return nil
		}
	case t == reflect.TypeFor[[]string]():
		return setStrings
	case t.Kind() == reflect.Slice:
		return sliceSetter(t, setterOf(t.Elem()))
	}
	panic(fmt.Sprintf("kb: a column cannot be a %s", t))
}

// setStrings is sliceSetter for the most frequent lists.
func setStrings(v reflect.Value, cell string) error {
	list := make([]string, 0, strings.Count(cell, ";")+1)
	rest := cell
	for more := true; more; {
		var part string
		part, rest, more = strings.Cut(rest, ";")
		if part = strings.TrimSpace(part); part == "" {
			return fmt.Errorf("empty element in %q", cell)
		}
		list = append(list, part)
	}
	*v.Addr().Interface().(*[]string) = list
	return nil
}

func sliceSetter(t reflect.Type, set func(reflect.Value, string) error) func(reflect.Value, string) error {
	return func(v reflect.Value, cell string) error {
		list := reflect.MakeSlice(t, 0, strings.Count(cell, ";")+1)
		for part := range strings.SplitSeq(cell, ";") {
			part = strings.TrimSpace(part)
			if part == "" {
				return fmt.Errorf("empty element in %q", cell)
			}
			elem := reflect.New(t.Elem()).Elem()
			if set == nil {
				elem.SetString(part)
			} else if err := set(elem, part); err != nil {
				return err
			}
			list = reflect.Append(list, elem)
		}
		v.Set(list)
		return nil
	}
}

// unmarshalWord sets v to text if it is one of allowed. It is the UnmarshalText of the word types of the tables.
func unmarshalWord[S ~string](v *S, text []byte, allowed ...S) error {
	if !slices.Contains(allowed, S(text)) {
		return fmt.Errorf("want one of %q, not %q", allowed, text)
	}
	*v = S(text)
	return nil
}

var textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
