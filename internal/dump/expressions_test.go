package dump

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestExpressions compiles every expression that is written in one piece: they
// are compiled when they are first used, and a wrong one must not wait for a user.
func TestExpressions(t *testing.T) {
	n := 0
	for at, expr := range expressions(t) {
		n++
		if _, err := regexp.Compile(expr); err != nil {
			t.Errorf("%s: %v", at, err)
		}
	}
	if n < 250 {
		t.Errorf("only %d expressions found", n)
	}
}

// expressions are those of this package that are written in one piece, by their places.
func expressions(t *testing.T) map[string]string {
	out := map[string]string{}
	fset := token.NewFileSet()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(node ast.Node) bool {
			call, ok := node.(*ast.CallExpr)
			if !ok || len(call.Args) != 1 {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || sel.Sel.Name != "New" {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); !ok || x.Name != "lazyregexp" {
				return true
			}
			if expr, ok := text(call.Args[0]); ok {
				out[fset.Position(call.Pos()).String()] = expr
			}
			return true
		})
	}
	return out
}

// text is a string literal, or several that are put together.
func text(e ast.Expr) (string, bool) {
	switch x := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(x.Value)
		return s, err == nil
	case *ast.BinaryExpr:
		a, ok1 := text(x.X)
		b, ok2 := text(x.Y)
		return a + b, ok1 && ok2
	}
	return "", false
}
