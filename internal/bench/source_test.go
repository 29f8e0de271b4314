package bench

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"
)

// Scores are made from whole numbers only: a float rounds differently here and
// there. The law holds for every file of bench and verdict, and for the
// numbers of court.
func TestNoFloats(t *testing.T) {
	files := []string{"../court/fixed.go", "../court/mean.go"}
	for _, dir := range []string{".", "../verdict"} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if name := e.Name(); strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
				files = append(files, dir+"/"+name)
			}
		}
	}
	if len(files) < 20 {
		t.Fatalf("only %d files found: is this the right folder?", len(files))
	}
	for _, name := range files {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				if n.Name == "float32" || n.Name == "float64" {
					t.Errorf("%s: %s", fset.Position(n.Pos()), n.Name)
				}
			case *ast.BasicLit:
				if n.Kind == token.FLOAT && strings.Contains(n.Value, ".") {
					t.Errorf("%s: the literal %s", fset.Position(n.Pos()), n.Value)
				}
			case *ast.ImportSpec:
				if n.Path.Value == `"math/rand"` || n.Path.Value == `"math/rand/v2"` || n.Path.Value == `"time"` {
					t.Errorf("%s: imports %s", fset.Position(n.Pos()), n.Path.Value)
				}
			}
			return true
		})
	}
}
