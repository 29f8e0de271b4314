package syntax

import (
	"go/ast"
	"go/token"
	"strconv"
)

func (g *golang) block(role string, b *ast.BlockStmt) {
	g.open("block", role, b)
	g.statements("", b.List)
	g.end()
}

func (g *golang) statements(role string, list []ast.Stmt) {
	for _, s := range list {
		g.statement(role, s)
	}
}

func (g *golang) statement(role string, s ast.Stmt) {
	switch s := s.(type) {
	case nil, *ast.EmptyStmt:
	case *ast.BlockStmt:
		g.block(role, s)
	case *ast.ExprStmt:
		g.expr(role, s.X)
	case *ast.AssignStmt:
		g.assign(role, s)
	case *ast.DeclStmt:
		g.declaration(s.Decl)
	case *ast.LabeledStmt:
		g.statement(role, s.Stmt)
	case *ast.IncDecStmt:
		g.wrap("unary", role, s, s.Tok.String(), s.X)
	case *ast.ReturnStmt:
		g.open("return", role, s)
		g.exprs("value", s.Results)
		g.end()
	case *ast.DeferStmt:
		g.wrap("defer", role, s, "", s.Call)
	case *ast.GoStmt:
		g.wrap("spawn", role, s, "", s.Call)
	case *ast.BranchStmt:
		kind := Kind("continue")
		if s.Tok == token.BREAK || s.Tok == token.GOTO {
			kind = "break"
		}
		g.open(kind, role, s)
		g.end()
	case *ast.SendStmt:
		g.open("binary", role, s)
		g.detail("<-")
		g.expr("left", s.Chan)
		g.expr("right", s.Value)
		g.end()
	case *ast.BadStmt:
		g.open("broken", role, s)
		g.end()
	default:
		g.control(role, s)
	}
}

// control writes statements that hold others.
func (g *golang) control(role string, s ast.Stmt) {
	switch s := s.(type) {
	case *ast.IfStmt:
		g.open("if", role, s)
		g.statement("init", s.Init)
		g.expr("cond", s.Cond)
		g.block("then", s.Body)
		g.statement("else", s.Else)
		g.end()
	case *ast.ForStmt:
		g.open("loop", role, s)
		g.detail("for")
		g.statement("init", s.Init)
		g.expr("cond", s.Cond)
		g.statement("step", s.Post)
		g.block("body", s.Body)
		g.end()
	case *ast.RangeStmt:
		g.open("loop", role, s)
		g.detail("each")
		g.expr("target", s.Key)
		g.expr("target", s.Value)
		g.expr("over", s.X)
		g.block("body", s.Body)
		g.end()
	case *ast.SwitchStmt:
		g.open("switch", role, s)
		g.detail("switch")
		g.statement("init", s.Init)
		g.expr("subject", s.Tag)
		g.cases(s.Body)
		g.end()
	case *ast.TypeSwitchStmt:
		g.open("switch", role, s)
		g.detail("switch")
		g.statement("init", s.Init)
		g.statement("subject", s.Assign)
		g.cases(s.Body)
		g.end()
	case *ast.SelectStmt:
		g.open("switch", role, s)
		g.detail("select")
		g.cases(s.Body)
		g.end()
	}
}

func (g *golang) cases(b *ast.BlockStmt) {
	for _, s := range b.List {
		g.open("case", "case", s)
		var body []ast.Stmt
		switch c := s.(type) {
		case *ast.CaseClause:
			g.exprs("match", c.List)
			body = c.Body
		case *ast.CommClause:
			g.statement("match", c.Comm)
			body = c.Body
		}
		g.begin("block", "body", g.bodyStart(body, s), g.at(s.End()))
		g.statements("", body)
		g.end()
		g.end()
	}
}

func (g *golang) bodyStart(body []ast.Stmt, around ast.Node) int {
	if len(body) > 0 {
		return g.at(body[0].Pos())
	}
	return g.at(around.End())
}

func (g *golang) assign(role string, s *ast.AssignStmt) {
	g.open("assign", role, s)
	g.detail(s.Tok.String())
	if s.Tok == token.DEFINE {
		g.flag(Declare)
		if n, ok := s.Lhs[0].(*ast.Ident); ok && len(s.Lhs) == 1 {
			g.name(n.Name)
		}
	}
	g.exprs("target", s.Lhs)
	g.exprs("value", s.Rhs)
	g.end()
}

func (g *golang) exprs(role string, list []ast.Expr) {
	for _, e := range list {
		g.expr(role, e)
	}
}

// wrap writes a node with one child.
func (g *golang) wrap(kind Kind, role string, n ast.Node, detail string, value ast.Expr) {
	g.open(kind, role, n)
	g.detail(detail)
	g.expr("value", value)
	g.end()
}

func (g *golang) expr(role string, e ast.Expr) {
	switch e := e.(type) {
	case nil:
	case *ast.Ident:
		kind := Kind("name")
		switch e.Name {
		case "nil":
			kind = "nil"
		case "true", "false":
			kind = "bool"
		}
		g.leaf(kind, role, e.Name, g.at(e.Pos()), g.at(e.End()))
	case *ast.BasicLit:
		g.literal(role, e)
	case *ast.ParenExpr:
		g.expr(role, e.X)
	case *ast.SelectorExpr:
		g.open("member", role, e)
		g.name(e.Sel.Name)
		g.expr("object", e.X)
		g.end()
	case *ast.CallExpr:
		g.call(role, e)
	case *ast.BinaryExpr:
		g.open("binary", role, e)
		g.detail(e.Op.String())
		g.expr("left", e.X)
		g.expr("right", e.Y)
		g.end()
	case *ast.UnaryExpr:
		g.wrap("unary", role, e, e.Op.String(), e.X)
	case *ast.StarExpr:
		g.wrap("unary", role, e, "*", e.X)
	case *ast.CompositeLit:
		g.composite(role, e)
	case *ast.FuncLit:
		g.open("func", role, e)
		g.flag(Lambda)
		g.signature(e.Type)
		g.block("body", e.Body)
		g.end()
	default:
		g.rarer(role, e)
	}
}

func (g *golang) rarer(role string, e ast.Expr) {
	switch e := e.(type) {
	case *ast.IndexExpr:
		g.open("index", role, e)
		g.expr("object", e.X)
		g.expr("index", e.Index)
		g.end()
	case *ast.IndexListExpr: // type arguments
		g.expr(role, e.X)
	case *ast.SliceExpr:
		g.open("index", role, e)
		g.expr("object", e.X)
		g.exprs("index", []ast.Expr{e.Low, e.High, e.Max})
		g.end()
	case *ast.TypeAssertExpr:
		g.open("cast", role, e)
		g.expr("value", e.X)
		g.typed("type", e.Type)
		g.end()
	case *ast.Ellipsis:
		g.wrap("unary", role, e, "...", e.Elt)
	case *ast.KeyValueExpr:
		g.entry(role, e)
	case *ast.BadExpr:
		g.open("broken", role, e)
		g.end()
	default: // types that stand as values
		g.typed(role, e)
	}
}

func (g *golang) literal(role string, e *ast.BasicLit) {
	switch e.Kind {
	case token.STRING:
		value, err := strconv.Unquote(e.Value)
		if err != nil {
			value = e.Value
		}
		g.leaf("string", role, value, g.at(e.Pos()), g.at(e.End()))
	default:
		g.leaf("number", role, e.Value, g.at(e.Pos()), g.at(e.End()))
	}
}

func (g *golang) call(role string, e *ast.CallExpr) {
	g.open("call", role, e)
	if n, ok := e.Fun.(*ast.Ident); ok && (n.Name == "new" || n.Name == "make") {
		g.flag(New)
	}
	g.expr("callee", e.Fun)
	for i, a := range e.Args {
		if e.Ellipsis.IsValid() && i == len(e.Args)-1 {
			g.wrap("unary", "arg", a, "...", a)
			continue
		}
		g.expr("arg", a)
	}
	g.end()
}

func (g *golang) composite(role string, e *ast.CompositeLit) {
	kind := Kind("record")
	switch e.Type.(type) {
	case *ast.ArrayType:
		kind = "list"
	case nil:
		if len(e.Elts) > 0 {
			if _, keyed := e.Elts[0].(*ast.KeyValueExpr); !keyed {
				kind = "list"
			}
		}
	}
	g.open(kind, role, e)
	g.typed("type", e.Type)
	g.exprs("", e.Elts)
	g.end()
}

func (g *golang) entry(role string, e *ast.KeyValueExpr) {
	g.open("entry", role, e)
	switch k := e.Key.(type) {
	case *ast.Ident:
		g.name(k.Name)
		g.leaf("name", "key", k.Name, g.at(k.Pos()), g.at(k.End()))
	case *ast.BasicLit:
		if s, err := strconv.Unquote(k.Value); err == nil {
			g.name(s)
		}
		g.literal("key", k)
	default:
		g.expr("key", e.Key)
	}
	g.expr("value", e.Value)
	g.end()
}
