package graph_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The description and the machine use no clock, goroutine, channel or file: a
// workflow engine may replay them. What may is listed; a new file is pure.
func TestPure(t *testing.T) {
	worldly := []string{"do.go", "local.go", "execution.go", "filejournal.go", "frame.go", "lock.go"}
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		pure := !slices.Contains(worldly, name)
		for _, imp := range f.Imports {
			switch strings.Trim(imp.Path.Value, `"`) {
			case "os", "sync", "io", "net", "math/rand", "math/rand/v2", "runtime":
				if pure {
					t.Errorf("%s imports %s", name, imp.Path.Value)
				}
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt, *ast.SelectStmt, *ast.SendStmt:
				if pure {
					t.Errorf("%s: %T", name, n)
				}
			case *ast.SelectorExpr:
				x, ok := n.X.(*ast.Ident)
				if !ok || x.Name != "time" {
					return true
				}
				if n.Sel.Name == "Now" || n.Sel.Name == "Since" || pure && (n.Sel.Name == "After" || n.Sel.Name == "NewTimer") {
					t.Errorf("%s reads the clock", name)
				}
			}
			return true
		})
	}
}
