package syntax

import (
	"fmt"
	"strings"
)

// Dump shows a tree, a line a node, for tests and for people who wonder.
func (n Node) Dump() string {
	var b strings.Builder
	depth := map[Node]int{}
	for x := range n.Walk() {
		d := 0
		if x != n {
			d = depth[x.Parent()] + 1
		}
		depth[x] = d
		b.WriteString(strings.Repeat("  ", d))
		if r := x.Role(); r != "" {
			b.WriteString(r + ": ")
		}
		b.WriteString(string(x.Kind()))
		if x.Name() != "" {
			fmt.Fprintf(&b, " %q", x.Name())
		}
		if x.Detail() != "" {
			b.WriteString(" [" + x.Detail() + "]")
		}
		for _, f := range flagNames {
			if x.Has(f.flag) {
				b.WriteString(" +" + f.name)
			}
		}
		fmt.Fprintf(&b, " @%d\n", x.Line())
	}
	return b.String()
}

var flagNames = []struct {
	flag Flags
	name string
}{{Exported, "exported"}, {Test, "test"}, {Method, "method"}, {Lambda, "lambda"}, {Async, "async"}, {Static, "static"},
	{Abstract, "abstract"}, {Unsafe, "unsafe"}, {Getter, "getter"}, {Constructor, "constructor"}, {Documented, "documented"},
	{Declare, "declare"}, {Constant, "constant"}, {Field, "field"}, {Dynamic, "dynamic"}, {TypeOnly, "typeonly"},
	{Reexport, "reexport"}, {Module, "module"}, {New, "new"}, {Macro, "macro"}, {Optional, "optional"}, {Keyword, "keyword"}, {Broken, "broken"}, {Support, "support"}}
