package judicial

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il/intree"
)

// prompts is what the judges are told: the text of each, and what they share.
type prompts struct {
	own    [3]speech // each judge's, what it shares with others by being the same text included
	common speech    // text that no judge can be named for
	frame  speech    // of the common text, the prompts that a judge's own text is put into
}

// shared is the place of a text that the judges share: of the prompt itself,
// where that is known.
func (pr *prompts) shared() []court.Place {
	if len(pr.frame.at) > 0 {
		return pr.frame.at[:1]
	}
	return pr.common.at[:1]
}

// speech is a text and the places it is put together from.
type speech struct {
	parts []string
	at    []court.Place
}

func (s *speech) add(text string, at court.Place) {
	text = strings.TrimSpace(text)
	if text == "" || slices.Contains(s.parts, text) {
		return
	}
	s.parts = append(s.parts, text)
	s.at = append(s.at, at)
}

// main is the place of the first text that is not a mere line beside the longest.
func (s speech) main() court.Place {
	most := 0
	for _, part := range s.parts {
		most = max(most, len(part))
	}
	return s.at[slices.IndexFunc(s.parts, func(part string) bool { return 3*len(part) >= most })]
}

func (s speech) text() string { return strings.Join(s.parts, "\n") }

// minPrompt is the fewest words of a text that counts as part of a prompt.
const minPrompt = 4

// prompts collects what the judges are told from the strings of their code, of
// the constants that it names, and of the files that it reads.
func (b *bench) prompts() *prompts { return b.told.get(b.findPrompts) }

func (b *bench) findPrompts() *prompts {
	pr := &prompts{}
	seen := map[code.Node]bool{}
	for _, d := range b.judges.defs {
		if !d.IsFunction() || d.Kind == code.DefLambda && b.judges.holds(d.Parent) {
			continue
		}
		for n := range d.Body().WalkScope() {
			switch n.Kind() {
			case "string", "concatenated_string":
				b.speak(pr, n, seen)
			case "identifier", "attribute":
				if n.Is("identifier") && n.Parent().Is("attribute") && n.FieldName() == "attribute" {
					continue
				}
				b.constant(pr, n, seen)
			}
		}
		if d.Parent != nil && d.Parent.Kind == code.DefClass {
			b.classTexts(pr, d.Parent, seen)
		}
		b.makerTexts(pr, d, seen)
	}
	b.files(pr)
	b.fill(pr)
	b.narrow(pr)
	return pr
}

// narrow keeps, of the common text, what reaches the calls that give opinions,
// where the judges' code asks models for other things too and that can be
// followed.
func (b *bench) narrow(pr *prompts) {
	calls := b.models.in(b.judges)
	formed, decoding := b.formedCalls(), b.toward(decodes)
	reached := map[court.Place]bool{}
	for _, c := range calls {
		if !formed[c.Node] && !b.follows(c, decoding) {
			continue
		}
		for _, a := range c.Args {
			for _, o := range b.origins.Of(a.Value) {
				for _, n := range o.Path {
					if n.Is("string", "concatenated_string") {
						reached[spot(n)] = true
					}
				}
			}
		}
	}
	var kept speech
	for i, text := range pr.common.parts {
		if reached[pr.common.at[i]] {
			kept.add(text, pr.common.at[i])
		}
	}
	if len(kept.parts) > 0 && len(calls) > 1 {
		pr.common = kept
	}
}

// makerTexts reads what is given where a judge is made, outside the judges' code: to the
// function that makes it, to its class, or to functools.partial.
func (b *bench) makerTexts(pr *prompts, d *code.Definition, seen map[code.Node]bool) {
	for _, c := range b.makings(d) {
		if c == nil || b.judges.holds(c.Func) {
			continue
		}
		for _, a := range c.Args {
			switch a.Value.Kind() {
			case "string", "concatenated_string":
				b.speak(pr, a.Value, seen)
			case "identifier", "attribute":
				b.constant(pr, a.Value, seen)
			}
		}
	}
}

// makings lists the calls that make a judge of a function of the judges' code.
func (b *bench) makings(d *code.Definition) []*intree.Call {
	var out []*intree.Call
	inner := slices.ContainsFunc(d.Inner(), func(in *code.Definition) bool { return in.IsFunction() && in.Kind != code.DefLambda })
	if inner || d.Name == "__init__" {
		out = b.p.Callers(d)
	}
	if d.Name == "__call__" && d.Parent.Kind == code.DefClass {
		out = append(out, b.p.Callers(d.Parent)...)
	}
	for _, n := range b.p.Uses(d) {
		if c := b.p.Call(n.Parent().Parent()); c != nil && n.Parent().Is("argument_list") && c.Matches("functools.partial") {
			out = append(out, c)
		}
	}
	return out
}

// classTexts reads the class attributes of a judge's class and of those that
// inherit from it, where somebody reads them.
func (b *bench) classTexts(pr *prompts, class *code.Definition, seen map[code.Node]bool) {
	for _, c := range append([]*code.Definition{class}, b.p.Subclasses(class)...) {
		for s := range c.Body().Children() {
			if a := s.Child(0); a.Is("assignment") && a.Field("left").Is("identifier") && !b.readsAttribute(a.Field("left").Text()) && !b.p.Dataclass(c) && !b.p.Inherits(c, "*.BaseModel") {
				continue
			}
			for n := range s.Walk() {
				if n.Is("function_definition") {
					break
				}
				if n.Is("string", "concatenated_string") {
					b.speak(pr, n, seen)
				}
			}
		}
	}
}

// readsAttribute reports whether production code reads an attribute of that
// name, or attributes whose names cannot be seen.
func (b *bench) readsAttribute(name string) bool {
	if b.attributes == nil {
		b.attributes = map[string]bool{}
		for _, m := range b.p.Modules {
			if m.Scope != code.ScopeProduction {
				continue
			}
			for n := range m.Root().Walk() {
				switch {
				case n.Is("attribute") && !(n.Parent().Is("assignment") && n.FieldName() == "left"):
					b.attributes[n.Field("attribute").Text()] = true
				case n.Is("call") && has([]string{last(n)}, "getattr", "vars", "asdict"):
					text, ok := n.Field("arguments").Child(1).Literal()
					if ok || has([]string{n.Field("arguments").Child(0).Text()}, "self", "cls") {
						b.attributes[text] = true // "" for names that cannot be seen
					}
				}
			}
		}
	}
	return b.attributes[name] || b.attributes[""]
}

// constant reads the texts of a module constant that the judges' code names.
func (b *bench) constant(pr *prompts, n code.Node, seen map[code.Node]bool) {
	name := last(n)
	ws := split(name)
	if !(who(ws) != nobody || starts(ws, "prompt", "persona", "system", "instruct", "philosoph", "template", "config", "judge", "guid", "role") || strings.ToUpper(name) == name && len(name) > 2) {
		return
	}
	s := b.p.Resolve(n)
	if !s.Node.Valid() || s.Node.Module().Scope != code.ScopeProduction {
		return
	}
	if e := b.p.Enclosing(s.Node); e == nil || e.Kind != code.DefModule && e.Kind != code.DefClass {
		return
	}
	top := s.Node.Statement()
	if top.Is("expression_statement") {
		top = top.Child(0)
	}
	if seen[top] {
		return
	}
	seen[top] = true
	for x := range top.Walk() {
		switch x.Kind() {
		case "string", "concatenated_string":
			b.speak(pr, x, seen)
		case "identifier":
			if x != n && x.FieldName() != "left" && strings.ToUpper(x.Text()) == x.Text() {
				b.constant(pr, x, seen)
			}
		}
	}
}

// speak files one text under the judge that it is for.
func (b *bench) speak(pr *prompts, n code.Node, seen map[code.Node]bool) {
	if seen[n] || n.Parent().Is("concatenated_string") || !told(b.p, n) || b.outcome(n) {
		return
	}
	seen[n] = true
	text := spoken(n)
	if len(strings.Fields(text)) < minPrompt {
		return
	}
	if p := b.addressee(n, text); p != nobody {
		pr.own[p].add(text, spot(n))
		return
	}
	pr.common.add(text, spot(n))
	if framing(n, text) {
		pr.frame.add(text, spot(n))
	}
}

// framing reports whether a text is a prompt that a persona is put into: it
// speaks to the judge, or has a hole for what the judge is.
func framing(n code.Node, text string) bool {
	if ws := split(text); len(ws) > 2 && ws[0] == "you" && ws[1] == "are" {
		return true
	}
	for x := range n.Walk() {
		hole := x.Field("expression")
		if x.Is("interpolation") && hole.Is("identifier", "attribute") && has(split(last(hole)), "persona", "logic", "role", "philosophy", "instructions", "stance", "system") {
			return true
		}
	}
	return false
}

// outcome reports whether a text is what a function that asks a model returns:
// a result, no prompt.
func (b *bench) outcome(n code.Node) bool {
	d := b.p.Enclosing(n)
	for a := range n.Around() {
		if a.Is("return_statement") {
			return d != nil && d.IsFunction() && b.models.reaches(d)
		}
		if a.Is("call", "block") {
			return false
		}
	}
	return false
}

// told reports whether a string may become part of a prompt: it is no
// docstring, message of a log or an error, key, or text of an opinion.
func told(p *intree.Program, n code.Node) bool {
	below := n
	for a := range n.Around() {
		switch a.Kind() {
		case "call":
			name := last(a)
			if a.Field("function") != below && (slices.Contains(silent, name) || slices.Contains([]string{"getenv", "open", "search", "match", "sub", "findall", "compile", "split", "startswith", "getLogger"}, name)) {
				return false
			}
			if c := p.Call(a); c != nil && c.Callee.Def != nil && c.Callee.Def.Kind == code.DefClass && a.Field("function") != below && !starts(split(name), "prompt", "message", "persona", "judge", "system", "human") {
				return false
			}
		case "raise_statement", "except_clause", "assert_statement", "comparison_operator", "import_statement":
			return false
		case "expression_statement":
			return !below.Is("string", "concatenated_string")
		case "pair":
			if a.Field("key") == below {
				return false
			}
			if key, ok := a.Field("key").Literal(); ok && starts(split(key), "error", "fallback", "argument", "default", "no") {
				return false
			}
		case "assignment":
			if starts(split(a.Field("left").Text()), "fallback", "error", "default") {
				return false
			}
		case "keyword_argument":
			if ws := split(a.Field("name").Text()); starts(ws, "argument", "description", "rationale", "reason") && !starts(ws, "persona", "role", "judge", "stance", "philosoph") {
				return false
			}
		case "function_definition", "class_definition":
			return true
		}
		below = a
	}
	return true
}

// spoken is the text of a string with "{}" for what is put in.
func spoken(n code.Node) string {
	var b strings.Builder
	for c := range n.Walk() {
		switch {
		case c.Is("string_content") && !inHole(c, n):
			b.WriteString(unescape(c.Text()))
		case c.Is("interpolation") && !inHole(c, n):
			b.WriteString(" {} ")
		}
	}
	return b.String()
}

// inHole reports whether a node lies inside an interpolation of the string.
func inHole(n, whole code.Node) bool {
	for a := range n.Around() {
		if a == whole {
			return false
		}
		if a.Is("interpolation") {
			return true
		}
	}
	return false
}

func unescape(s string) string {
	return strings.NewReplacer(`\n`, "\n", `\t`, " ", `\"`, `"`, `\'`, "'").Replace(s)
}
