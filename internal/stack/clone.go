package stack

import "reflect"

// Clone copies a stack so deeply that a change to the copy cannot reach the
// original. The planner tries remedies on such copies.
func (s *Stack) Clone() *Stack {
	out := reflect.New(reflect.TypeFor[Stack]()).Elem()
	deepCopy(out, reflect.ValueOf(s).Elem())
	return out.Addr().Interface().(*Stack)
}

func deepCopy(dst, src reflect.Value) {
	// Everything first: this also carries the unexported fields of versions,
	// which are immutable and may be shared.
	dst.Set(src)
	switch src.Kind() {
	case reflect.Struct:
		for i := range src.NumField() {
			if src.Type().Field(i).IsExported() {
				deepCopy(dst.Field(i), src.Field(i))
			}
		}
	case reflect.Slice:
		if src.IsNil() {
			return
		}
		dst.Set(reflect.MakeSlice(src.Type(), src.Len(), src.Len()))
		if isPlain(src.Type().Elem()) {
			reflect.Copy(dst, src)
			return
		}
		for i := range src.Len() {
			deepCopy(dst.Index(i), src.Index(i))
		}
	case reflect.Pointer:
		if src.IsNil() {
			return
		}
		dst.Set(reflect.New(src.Type().Elem()))
		deepCopy(dst.Elem(), src.Elem())
	case reflect.Map:
		if src.IsNil() {
			return
		}
		dst.Set(reflect.MakeMapWithSize(src.Type(), src.Len()))
		for it := src.MapRange(); it.Next(); {
			dst.SetMapIndex(it.Key(), it.Value()) // all maps of the model hold plain values
		}
	}
}

func isPlain(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Struct, reflect.Slice, reflect.Pointer, reflect.Map, reflect.Interface:
		return false
	}
	return true
}
