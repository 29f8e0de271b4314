package intree

import (
	"fmt"
	"os"

	"github.com/automaton-auditor/automaton/internal/code"
)

func (x *Program) Shadow() {
	path := os.Getenv("SHADOW")
	if path == "" {
		return
	}
	w, _ := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	defer w.Close()
	show := func(s code.Symbol) string {
		if !s.Known() {
			return "?"
		}
		k := ""
		if s.Instance {
			k = "*"
		}
		if s.Def != nil {
			k += "d"
		}
		return s.Qualified + k
	}
	for _, m := range x.Modules {
		if m.Scope != code.ScopeProduction {
			continue
		}
		for n := range m.Root().Walk() {
			if !n.Is("identifier", "attribute", "call") {
				continue
			}
			if n.Parent().Is("attribute") && n.FieldName() == "attribute" || n.Parent().Is("keyword_argument") && n.FieldName() == "name" || n.Parent().Is("function_definition", "class_definition", "parameters", "import_statement", "dotted_name") || n.FieldName() == "name" {
				continue
			}
			if x.Dead(n) {
				continue
			}
			a, b := show(x.Program.Resolve(n)), show(x.Resolve(n))
			tag := "DIFF"
			switch {
			case a == b && a == "?":
				tag = "NONE"
			case a == b:
				tag = "SAME"
			case a == "?":
				tag = "MORE"
			case b == "?":
				tag = "LESS"
			}
			if tag == "NONE" || tag == "SAME" {
				fmt.Fprintln(w, tag, n.Kind())
			} else {
				fmt.Fprintf(w, "%s %s %s:%d %.80q old %s new %s in %s\n", tag, n.Kind(), n.Path(), n.Line(), n.Text(), a, b, n.Parent().Kind())
			}
		}
	}
}
