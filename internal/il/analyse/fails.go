package analyse

import (
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// Failure is an instruction that raises whenever a run comes to it. Is is Yes, or
// Unknown where a handler may be there for it.
type Failure struct {
	Answer
	Function *il.Function
	At       *il.Instr
	Cased    bool // it fails only where the case of letters in the names of files counts
	Unparsed bool // its file does not parse; a newer Python may read it
	File     bool // it is a file that is not there
	Named    bool // Why names what is not there, wherever it is asked for
}

// Failures lists what raises whenever a run comes to it, in the order of the
// program: imports of what is not there, names that no way binds, calls that the
// function called refuses, keys that a written table has not, elements of what has none, a division
// by nought, a text that a format refuses, and files that do not parse, from their first instruction on. Of
// the 1,790 files of Python's own library one parses and is said not to. In languages that are compiled it is what keeps the program
// from being built.
//
// It is sound as Names and Values are.
func (a *Analyses) Failures() []Failure {
	if a.failures == nil {
		a.failures = append(a.Names.Imports(), a.Names.Unbound()...)
		for f := range a.Program.All() {
			if f.Module.Language == "python" && !f.Module.Damaged {
				a.failures = append(a.failures, a.refused(f)...)
			}
		}
		for _, m := range a.Program.Modules {
			if x, ok := unparsed(m); ok {
				a.failures = append(a.failures, x)
			}
		}
		slices.SortStableFunc(a.failures, func(x, y Failure) int {
			if c := strings.Compare(x.Function.Module.Path, y.Function.Module.Path); c != 0 {
				return c
			}
			return int(x.At.Span.From) - int(y.At.Span.From)
		})
		if a.failures == nil {
			a.failures = []Failure{}
		}
	}
	return a.failures
}

// unparsed is the failure of a file of Python that does not parse. What a notebook's cell
// holds keeps no other from being run.
func unparsed(m *il.Module) (Failure, bool) {
	if m.Language != "python" || !m.Damaged || !strings.HasSuffix(m.Path, ".py") || len(m.Top.Blocks) == 0 || len(m.Top.Blocks[0].Instrs) == 0 {
		return Failure{}, false
	}
	var first *il.Instr
	for f := range m.All() {
		if f.Lost != "" { // what was too much is no error
			return Failure{}, false
		}
		for _, in := range f.Instructions() {
			if in.Op == il.Unknown && in.Kind == "broken" && (first == nil || in.Span.From < first.Span.From) {
				first = in
			}
		}
	}
	at := il.Place{Path: m.Path}
	if first != nil {
		at = m.Place(first.Span)
	}
	return Failure{Answer: Answer{Yes, "the file does not parse", []il.Place{at}}, Function: m.Top, At: m.Top.Blocks[0].Instrs[0], Unparsed: true}, true
}

// refused are the instructions of a function whose operands a run refuses.
func (a *Analyses) refused(f *il.Function) (out []Failure) {
	a.Values.runs(false)
	for b, in := range f.Instructions() {
		why := ""
		switch in.Op {
		case il.Call:
			if why = a.misfit(f, in); why == "" {
				why = a.misformat(f, in)
			}
		case il.Get:
			if why = a.keyless(f, in); why == "" {
				why = a.subscripted(f, in)
			}
		case il.Set:
			why = a.subscripted(f, in)
		case il.Bind:
			if (in.Kind == "/" || in.Kind == "//" || in.Kind == "%") && a.number(f, in.Args[0]) {
				if c, ok := f.Const(f.Root(in.Args[1])); ok && (c.Type == il.IntConst || c.Type == il.FloatConst) && c.Num == 0 {
					why = "it divides by nought"
				}
			}
		default:
		}
		if why != "" {
			x := Failure{Answer: Answer{Yes, why, []il.Place{f.Place(in.Span)}}, Function: f, At: in}
			if tried(b, in) != nil {
				x.Is = Unknown
			}
			out = append(out, x)
		}
	}
	return out
}

// number tells an operand that is a number, and no text to be formatted.
func (a *Analyses) number(f *il.Function, o il.Operand) bool { return a.Values.Of(f, o).numeric() }

// keyless says which key a table that is written out and never changed has not.
func (a *Analyses) keyless(f *il.Function, in *il.Instr) string {
	key, ok := f.Str(in.Args[1])
	if in.Kind != "item" || !ok || f.Root(in.Args[0]).Kind != il.Free { // a function inside may fill one of a function
		return ""
	}
	if _, def := a.Values.collection(f, in.Args[0]); def != nil && def.Kind == "map" {
		if _, found, whole := entry(def, key); whole && !found {
			return fmt.Sprintf("the table has no key %q", key)
		}
	}
	return ""
}

// misfit says why the function called refuses the arguments of a call, "" where it
// may take them.
func (a *Analyses) misfit(f *il.Function, in *il.Instr) string {
	n := a.Names
	s := n.Operand(f, in.Args[0])
	if s == nil || s.Function == nil || in.Mode == il.Decorate || slices.Contains(in.Names, "*") || slices.Contains(in.Names, "**") {
		return ""
	}
	g, bound := s.Function, s.Bound
	if g.Kind == il.ClassBody {
		class := n.classes[g]
		if g = n.Method(g, "__init__"); g == nil || class == nil || n.bodyOf(g) != s.Function || n.Method(s.Function, "__new__") != nil || len(s.Function.Decorators) > 0 ||
			slices.ContainsFunc(class.Bases, func(base string) bool { return strings.Contains(base, "=") }) {
			return ""
		}
		bound = true
	} else if bound && len(n.methods[lastName(g.Name)]) > 1 {
		return "" // another class may have another one of that name
	}
	if g.Module.Damaged || g.Lost != "" || slices.ContainsFunc(g.Decorators, func(d string) bool { return d != "staticmethod" && d != "classmethod" }) {
		return ""
	}
	name := lastName(g.Name)
	if g.Kind == il.Plainly && (n.once(g.Outer, name) < 0 || a.Values.written[name] || strings.HasPrefix(name, "__") && name != "__init__") {
		return "" // it is bound anew, or made a method that the language knows by its name
	}
	return refusal(g, bound, in)
}

// refusal holds the arguments of a call against the parameters of a function.
func refusal(g *il.Function, bound bool, in *il.Instr) string {
	taken := map[string]bool{}
	var places []il.Param
	rest, named := false, false
	for i, p := range g.Params {
		switch {
		case p.Name == "" && p.Spread == "":
			return ""
		case p.Spread == "*":
			rest = true
		case p.Spread == "**":
			named = true
		case i > 0 || !bound:
			places = append(places, p)
		}
	}
	name, given := lastName(g.Name), 0
	if name == "__init__" {
		name = lastName(g.Class)
	}
	for _, key := range in.Names {
		at := slices.IndexFunc(places, func(p il.Param) bool { return p.Name == key })
		switch {
		case key == "" && given < len(places):
			taken[places[given].Name] = true
			given++
		case key == "" && !rest:
			return fmt.Sprintf("%s takes no more than %d arguments", name, len(places))
		case key != "" && at >= 0:
			taken[key] = true
		case key != "" && !named:
			return fmt.Sprintf("%s takes no argument %q", name, key)
		}
	}
	for _, p := range places {
		if !p.Filled && !taken[p.Name] {
			return fmt.Sprintf("%s is called without its argument %q", name, p.Name)
		}
	}
	return ""
}

// misformat says why a text cannot be formatted as it is asked for.
func (a *Analyses) misformat(f *il.Function, in *il.Instr) string {
	if s := a.Names.Operand(f, in.Args[0]); s != nil && s.Outside == "builtins.format" && len(in.Args) == 3 {
		if _, ok := f.Str(f.Root(in.Args[1])); ok && !textFormat.MatchString(format(f, in.Args[2])) {
			return "the text cannot be formatted, as a brace in it is neither of a field nor doubled"
		}
		return ""
	}
	get := f.Def(f.Root(in.Args[0]))
	if get == nil || get.Op != il.Get || slices.ContainsFunc(in.Names, func(name string) bool { return name == "*" || name == "**" }) {
		return ""
	}
	text, ok := f.Str(f.Root(get.Args[0]))
	if method, _ := f.Str(get.Args[1]); !ok || method != "format" {
		return ""
	}
	return unfilled(text, in.Names)
}

// textFormat is the format of a text: Python's language reference, format
// specification mini-language.
var textFormat = regexp.MustCompile(`^(?s:.?[<^>=])?[-+ ]?z?#?0?\d*[,_]?(\.\d+)?s?$`)

// format is the text of a format; with fields in it, only where what stands around
// them has lines or quotation marks, which no field brings into order.
func format(f *il.Function, o il.Operand) string {
	text, _ := f.Str(f.Root(o))
	if def := f.Def(f.Root(o)); def != nil && def.Op == il.Make && def.Kind == "text" {
		if text, _ = f.Str(def.Args[0]); !strings.ContainsAny(text, "\n\"") {
			return ""
		}
	}
	return text
}

// field is a field of a text that str.format fills.
var field = regexp.MustCompile(`^([A-Za-z_]\w*|\d*)([.\[][^{}:!]*)?(![rsa])?(:[^{}]*(\{[^{}]*\}[^{}]*)*)?\}`)

// unfilled says which field of a text str.format has nothing for, or which brace is
// none.
func unfilled(text string, names []string) string {
	places, next := 0, 0
	for _, name := range names {
		if name == "" {
			places++
		}
	}
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '}' || text[i] == '{':
		default:
			continue
		}
		if i+1 < len(text) && text[i+1] == text[i] {
			i++
			continue
		}
		m := field.FindStringSubmatch(text[i+1:])
		if text[i] == '}' || m == nil {
			if text[i] == '{' && !strings.ContainsAny(text[i+1:min(i+2, len(text))], " \n\t\"'") {
				return "" // it may be a field of a form that is not known here
			}
			return "the text has a brace that is not a field, and is not doubled"
		}
		key := m[1]
		switch {
		case key == "":
			if next++; next > places {
				return fmt.Sprintf("the text has %d fields or more, and %d arguments", next, places)
			}
		case key[0] >= '0' && key[0] <= '9':
			var n int
			if _, err := fmt.Sscan(key, &n); err != nil || n >= places {
				return "the text asks for argument " + key + ", and there is none"
			}
		case !slices.Contains(names, key):
			return fmt.Sprintf("the text asks for %q, and nothing is given for it", key)
		}
		i += len(m[0])
	}
	return ""
}
