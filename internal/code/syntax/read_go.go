package syntax

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"

	sitter "github.com/tree-sitter/go-tree-sitter"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// readGo reads Go by the parser of the standard library. Declarations before a
// syntax error are kept; what follows it is broken.
func readGo(w *writer, text []byte, _ *sitter.Node) error {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "", text, parser.ParseComments|parser.SkipObjectResolution)
	g := &golang{writer: w, file: set.File(f.FileStart), size: len(text)}
	w.begin("file", "", 0, len(text))
	if f.Name != nil && f.Name.Name != "" {
		w.leaf("package", "", f.Name.Name, g.at(f.Name.Pos()), g.at(f.Name.End()))
	}
	broken := g.firstError(err)
	for _, d := range f.Decls {
		if g.at(d.Pos()) < broken {
			g.declaration(d)
		}
	}
	if broken < len(text) {
		w.leaf("broken", "", "", broken, len(text))
	}
	w.end()
	for _, group := range f.Comments {
		for _, c := range group.List {
			w.comments = append(w.comments, Comment{uint32(g.at(c.Pos())), uint32(g.at(c.End()))})
		}
	}
	return w.err
}

// golang writes the nodes of a Go file.
type golang struct {
	*writer
	file *token.File
	size int
}

// at is the offset of a position, inside the text whatever the parser made up.
func (g *golang) at(p token.Pos) int {
	if !p.IsValid() {
		return g.size
	}
	return min(g.file.Offset(p), g.size)
}

// firstError is where the declaration with the first syntax error is taken to
// begin to be broken; the text's length where there is none.
func (g *golang) firstError(err error) int {
	list, ok := err.(scanner.ErrorList) //nolint:errorlint // what the parser returns as it is
	if !ok || len(list) == 0 {
		return g.size
	}
	return min(list[0].Pos.Offset, g.size)
}

func (g *golang) open(kind Kind, role string, n ast.Node) {
	g.begin(kind, role, g.at(n.Pos()), g.at(n.End()))
}

func (g *golang) declaration(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		g.function(d)
	case *ast.GenDecl:
		for _, s := range d.Specs {
			doc := d.Doc
			if d.Lparen.IsValid() {
				doc = nil
			}
			g.spec(d.Tok, s, doc)
		}
	default:
		g.open("broken", "", d)
		g.end()
	}
}

// testName is what "go test" takes for a test, a benchmark, an example or a
// fuzz target.
var testName = regexp.MustCompile(`^(?:Test|Benchmark|Example|Fuzz)(?:$|[^a-z])`)

func (g *golang) function(d *ast.FuncDecl) {
	g.begin("func", "", g.at(d.Pos()), g.at(d.End()))
	g.name(d.Name.Name)
	if d.Name.IsExported() {
		g.flag(Exported)
	}
	if d.Doc != nil {
		g.flag(Documented)
	}
	if d.Body == nil {
		g.flag(Abstract)
	}
	if d.Recv != nil {
		g.flag(Method)
		g.fields("receiver", d.Recv)
	} else if testName.MatchString(d.Name.Name) && takesTesting(d) {
		g.flag(Test)
	}
	g.signature(d.Type)
	if d.Body != nil {
		g.block("body", d.Body)
	}
	g.end()
}

// takesTesting tells a function that is given nothing, or a value of package
// testing.
func takesTesting(d *ast.FuncDecl) bool {
	if d.Type.Params.NumFields() == 0 {
		return strings.HasPrefix(d.Name.Name, "Example")
	}
	s, ok := d.Type.Params.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	sel, ok := s.X.(*ast.SelectorExpr)
	return ok && slices.Contains([]string{"T", "B", "F", "M"}, sel.Sel.Name)
}

func (g *golang) signature(t *ast.FuncType) {
	g.fields("param", t.Params)
	if t.Results != nil {
		for _, r := range t.Results.List {
			if len(r.Names) == 0 {
				g.typed("result", r.Type)
			}
			for _, n := range r.Names {
				g.open("type", "result", r.Type)
				g.name(typeText(r.Type))
				g.detail(n.Name)
				g.end()
			}
		}
	}
}

// fields writes parameters, one node a name.
func (g *golang) fields(role string, list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, f := range list.List {
		names := f.Names
		if len(names) == 0 {
			names = []*ast.Ident{nil}
		}
		for _, n := range names {
			if n == nil {
				g.open("param", role, f.Type)
			} else {
				g.begin("param", role, g.at(n.Pos()), g.at(f.Type.End()))
				g.name(n.Name)
			}
			g.typed("type", f.Type)
			g.end()
		}
	}
}

func (g *golang) typed(role string, t ast.Expr) {
	if t == nil {
		return
	}
	g.open("type", role, t)
	g.name(typeText(t))
	g.end()
}

// typeText is a type as Go writes it, on one line.
func typeText(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.Ident:
		return t.Name
	case *ast.SelectorExpr:
		return typeText(t.X) + "." + t.Sel.Name
	case *ast.StarExpr:
		return "*" + typeText(t.X)
	case *ast.ArrayType:
		return "[]" + typeText(t.Elt)
	case *ast.MapType:
		return "map[" + typeText(t.Key) + "]" + typeText(t.Value)
	case *ast.Ellipsis:
		return "..." + typeText(t.Elt)
	case *ast.InterfaceType:
		if t.Methods.NumFields() == 0 {
			return "interface{}"
		}
		return "interface{...}"
	case *ast.FuncType:
		return "func"
	case *ast.ChanType:
		return "chan " + typeText(t.Value)
	case *ast.StructType:
		return "struct"
	case *ast.IndexExpr:
		return typeText(t.X) + "[" + typeText(t.Index) + "]"
	case *ast.IndexListExpr:
		return typeText(t.X) + "[...]"
	case *ast.ParenExpr:
		return typeText(t.X)
	}
	return "?"
}

func (g *golang) spec(tok token.Token, s ast.Spec, doc *ast.CommentGroup) {
	switch s := s.(type) {
	case *ast.ImportSpec:
		g.imported(s)
	case *ast.TypeSpec:
		g.typeSpec(s, s.Doc != nil || doc != nil)
	case *ast.ValueSpec:
		g.open("assign", "", s)
		g.detail("=")
		g.flag(Declare)
		if tok == token.CONST {
			g.flag(Constant)
		}
		if s.Doc != nil || doc != nil || s.Comment != nil {
			g.flag(Documented)
		}
		if len(s.Names) == 1 {
			g.name(s.Names[0].Name)
		}
		if slices.ContainsFunc(s.Names, (*ast.Ident).IsExported) {
			g.flag(Exported)
		}
		for _, n := range s.Names {
			g.leaf("name", "target", n.Name, g.at(n.Pos()), g.at(n.End()))
		}
		g.typed("type", s.Type)
		g.exprs("value", s.Values)
		g.end()
	}
}

// major is the last element of an import path that says only its version.
var major = regexp.MustCompile(`^v[0-9]+$`)

func (g *golang) imported(s *ast.ImportSpec) {
	name, err := strconv.Unquote(s.Path.Value)
	if err != nil {
		return
	}
	g.open("import", "", s)
	g.name(name)
	if s.Name != nil {
		g.begin("bind", "bind", g.at(s.Name.Pos()), g.at(s.Name.End()))
		g.name(s.Name.Name)
		if s.Name.Name == "." {
			g.leaf("name", "of", "*", g.at(s.Name.Pos()), g.at(s.Name.End()))
		}
		g.end()
	} else {
		g.leaf("bind", "bind", packageName(name), g.at(s.Path.Pos()), g.at(s.Path.End()))
	}
	g.end()
}

// packageName guesses the name of a package by its path, as editors do.
func packageName(p string) string {
	base := path.Base(p)
	if major.MatchString(base) && path.Dir(p) != "." {
		base = path.Base(path.Dir(p))
	}
	base, _, _ = strings.Cut(base, ".v")
	base = strings.TrimPrefix(base, "go-")
	return strings.TrimSuffix(base, "-go")
}

func (g *golang) typeSpec(s *ast.TypeSpec, documented bool) {
	g.open("class", "", s)
	g.name(s.Name.Name)
	if s.Name.IsExported() {
		g.flag(Exported)
	}
	if documented {
		g.flag(Documented)
	}
	switch t := s.Type.(type) {
	case *ast.StructType:
		g.detail("struct")
		g.members(t.Fields)
	case *ast.InterfaceType:
		g.detail("interface")
		g.members(t.Methods)
	default:
		g.detail("alias")
		g.typed("base", s.Type)
	}
	g.end()
}

// members writes fields and the methods of an interface; embedded types are bases.
func (g *golang) members(list *ast.FieldList) {
	for _, f := range list.List {
		if len(f.Names) == 0 {
			g.typed("base", f.Type)
			continue
		}
		for _, n := range f.Names {
			if t, ok := f.Type.(*ast.FuncType); ok && !t.Func.IsValid() {
				g.begin("func", "member", g.at(n.Pos()), g.at(f.Type.End()))
				g.name(n.Name)
				g.flag(Method | Abstract)
				g.signature(t)
				g.end()
				continue
			}
			g.begin("assign", "member", g.at(n.Pos()), g.at(f.Type.End()))
			g.name(n.Name)
			g.flag(Declare | Field)
			if n.IsExported() {
				g.flag(Exported)
			}
			g.leaf("name", "target", n.Name, g.at(n.Pos()), g.at(n.End()))
			g.typed("type", f.Type)
			g.end()
		}
	}
}
