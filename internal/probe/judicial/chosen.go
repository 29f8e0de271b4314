package judicial

import (
	"maps"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il/intree"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// imports are calls that import a module whose name is a value.
var imports = []string{"importlib.import_module", "builtins.__import__"}

// getattrs are calls that read an attribute whose name is a value.
var getattrs = []string{"builtins.getattr", "getattr"}

// chosen reports whether a call takes a library, or a class of a model's
// library, by a name that is not written there: which one is chosen when the
// program runs.
func (b *bench) chosen(c *intree.Call) bool {
	name := code.Node{}
	switch {
	case c.Matches(imports...):
		name = c.Arg("name", 0)
	case c.Matches(getattrs...) && b.clientLibrary(c) != "":
		name = c.Arg("", 1)
	}
	_, constant := b.p.Text(name)
	return name.Valid() && !constant
}

// clientLibrary is the model's library that getattr reads from; "" for others.
func (b *bench) clientLibrary(c *intree.Call) string {
	s := b.p.Resolve(c.Arg("", 0))
	if s.External && provider("", func(r tables.Row) bool {
		return slices.ContainsFunc(r.Names, func(glob string) bool { return strings.HasPrefix(glob, s.Qualified+".") })
	}) != "" {
		return s.Qualified
	}
	return ""
}

// choices lists the providers that a choice is between, as far as they stand in
// constants: of classes of one library, else of libraries and their classes.
func (b *bench) choices(c *intree.Call) []string {
	if !c.Matches(getattrs...) {
		return b.tabled()
	}
	found := map[string]bool{}
	for _, text := range append(b.reads(c.Arg("", 1)), b.p.Texts(c.Arg("", 1))...) {
		if p := clientName(b.clientLibrary(c) + "." + text); p != "" && capital(text) {
			found[p] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// tabled lists the providers of the rows of production code that name a
// client: its library and its class, in two texts or in one.
func (b *bench) tabled() []string {
	if b.rows == nil {
		found := map[string]bool{}
		for m := range b.modules() {
			for n := range m.Root().Walk() {
				if n.Is("tuple", "list", "dictionary", "argument_list") {
					for _, p := range ofRow(n) {
						found[p] = true
					}
				}
			}
		}
		b.rows = slices.AppendSeq([]string{}, slices.Values(slices.Sorted(maps.Keys(found))))
	}
	return b.rows
}

// ofRow lists the providers of one row.
func ofRow(row code.Node) []string {
	texts := rowTexts(row)
	name := ""
	for _, t := range texts {
		if name = clientName(dotted(t)); name != "" && capital(t) {
			break
		}
		name = ""
		for _, class := range texts {
			if !strings.Contains(class, ".") && capital(class) && name == "" {
				name = clientName(t + "." + class)
			}
		}
		if name != "" {
			break
		}
	}
	if name != "openai" {
		return slices.DeleteFunc([]string{name}, func(s string) bool { return s == "" })
	}
	if row.Parent().Is("pair") {
		if key, ok := row.Parent().Field("key").Literal(); ok {
			texts = append(texts, strings.ToUpper(key))
		}
	}
	found := map[string]bool{}
	for _, t := range texts {
		if p := ofAddress(t); p != "" {
			return []string{p}
		}
		for _, w := range split(t) {
			if p := byKey(w); p != "" && strings.ToUpper(t) == t { // the name of a setting
				found[p] = true
			}
		}
	}
	if len(found) == 0 {
		return []string{name}
	}
	return slices.Sorted(maps.Keys(found))
}

// rowTexts lists the texts that stand in a row, those under keys included.
func rowTexts(row code.Node) []string {
	var out []string
	for c := range row.Children() {
		if c.Is("pair", "keyword_argument") {
			c = c.Field("value")
		}
		if text, ok := c.Literal(); ok && !strings.ContainsAny(text, " \n") {
			out = append(out, text)
		}
	}
	return out
}

// dotted writes library:Class as library.Class.
func dotted(text string) string { return strings.Replace(text, ":", ".", 1) }

// capital reports whether the last name of a path begins like a class.
func capital(text string) bool {
	text = dotted(text)
	text = text[strings.LastIndex(text, ".")+1:]
	return text != "" && text[0] >= 'A' && text[0] <= 'Z'
}

// unseen returns the import of a model's library that is chosen when the
// program runs, from where it cannot be seen; zero when there is none.
func (b *bench) unseen() code.Node {
	for _, c := range b.p.Calls(append(slices.Clone(imports), getattrs...)...) {
		m := c.Node.Module()
		if m.Scope != code.ScopeProduction || m.Shadowed || b.il.off(c.Node) || !b.chosen(c) || len(b.choices(c)) > 0 {
			continue
		}
		ws := split(m.Path)
		for d := c.Func; d != nil; d = d.Parent {
			ws = append(ws, split(d.Name)...)
		}
		if b.judges.holds(c.Func) || has(ws, "llm", "llms", "model", "models", "provider", "providers", "client", "clients", "chat") {
			return c.Node
		}
	}
	return code.Node{}
}
