package analyse

import (
	"slices"
	"strings"
	"unicode"

	"github.com/automaton-auditor/automaton/internal/il"
)

// Sought is a text that code looks for: one that a value is compared with, or the
// key of a map that is read.
type Sought struct {
	Answer // whether the program produces it
	In     *il.Function
	At     *il.Instr
	Text   string
	Near   string // a text that is produced and written nearly alike, "" for none
}

// Unproduced lists the texts that code looks for and nothing produces, in the order
// of the program: a rule that waits for "cross_reference" where all that is ever
// said is "cross-reference".
//
// No is sound as Origins is, for the program as it stands: all that comes to the
// test is constants, by calls and containers and no field of an object, and no
// place of the program says the text but to look for it. Unknown is said where
// parameters that nobody in sight fills come to it, and the code says something
// nearly alike, but the text nowhere, neither as a part nor as a word of another.
// What comes from outside of the program is left out.
func (a *Analyses) Unproduced() (out []Sought) {
	p := &producers{texts: map[string]bool{}, near: map[string]string{}}
	p.collect(a.Program)
	from := &Origins{Names: a.Names}
	for f := range a.Program.All() {
		for b, in := range f.Instructions() {
			for _, s := range sought(f, in) {
				if a.Values.Dead(f, b) {
					continue
				}
				if w, ok := p.judge(from, f, in, s); ok {
					out = append(out, w)
				}
			}
		}
	}
	return out
}

// wanted is a text that an instruction looks for, and the operand that it looks at.
type wanted struct {
	text string
	in   il.Operand
}

// lookups are methods that look for their first argument.
var lookups = map[string]bool{"get": true, "pop": true, "has": true, "containsKey": true, "getOrDefault": true, "ContainsKey": true, "TryGetValue": true, "startswith": true, "endswith": true,
	"startsWith": true, "endsWith": true, "includes": true, "contains": true, "contains_key": true, "index": true, "indexOf": true, "count": true, "find": true, "equals": true, "HasPrefix": true, "HasSuffix": true,
	"Contains": true, "EqualFold": true, "hasattr": true, "getenv": true, "Getenv": true, "equalsIgnoreCase": true, "Equals": true}

// sought are the texts that an instruction compares with.
func sought(f *il.Function, in *il.Instr) (out []wanted) {
	if (in.Op != il.Branch && in.Op != il.Bind) || len(in.Args) != 2 || in.Kind != "==" && in.Kind != "!=" && in.Kind != "in" {
		return nil
	}
	for k, a := range in.Args {
		other := in.Args[1-k]
		if text, ok := f.Str(f.Root(a)); ok && in.Kind != "in" && f.Root(other).Kind != il.Constant && len(text) > 2 {
			out = append(out, wanted{text, other})
		}
	}
	return out
}

// producers are the texts that code says other than to look for them.
type producers struct {
	texts map[string]bool
	parts [][2]string       // how texts with holes begin and end
	words strings.Builder   // texts of several words
	near  map[string]string // by what is left of them when only letters count
}

func (p *producers) collect(program *il.Program) {
	for f := range program.All() {
		for _, in := range f.Instructions() {
			p.instruction(f, in)
		}
		for _, name := range f.Vars {
			p.add(name)
		}
		for _, param := range f.Params {
			p.add(param.Name)
			p.declared(param.Type)
			if text, ok := f.Str(param.Default); ok {
				p.add(text)
			}
		}
		for _, r := range f.Results {
			p.declared(r)
		}
		p.add(lastName(f.Name))
	}
}

// declared are the texts that a type lists.
func (p *producers) declared(typ string) {
	for i, text := range strings.FieldsFunc(typ, func(r rune) bool { return r == '"' || r == '\'' }) {
		if i%2 == 1 {
			p.add(text)
		}
	}
}

func (p *producers) instruction(f *il.Function, in *il.Instr) {
	for _, name := range in.Names {
		p.add(name)
		p.declared(name)
	}
	looks := in.Op == il.Get || (in.Op == il.Branch || in.Op == il.Bind) && negated[in.Kind] != "" || in.Op == il.Call && lookups[lastName(in.Kind)]
	for k, a := range in.Args {
		if text, ok := f.Str(a); ok && (!looks || in.Op == il.Call && k > 1) {
			p.add(text)
		}
	}
	if in.Op == il.Make && in.Kind == "text" || in.Op == il.Bind && in.Kind == "+" {
		first, _ := f.Str(in.Args[0])
		last, _ := f.Str(in.Args[len(in.Args)-1])
		p.parts = append(p.parts, [2]string{first, last})
	}
}

func (p *producers) add(text string) {
	if text == "" || p.texts[text] {
		return
	}
	p.texts[text] = true
	p.near[letters(text)] = max(p.near[letters(text)], text)
	if strings.ContainsAny(text, " ,;|/\n%{") {
		p.words.WriteString("\n" + text)
	}
}

// letters are the letters and digits of a text without their case, and without the
// ending of a plural.
func letters(text string) string {
	return strings.TrimSuffix(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text), "s")
}

// says tells whether the code says a text in another place, or may put it together;
// words: also as a word of another text, which a model may be asked for.
func (p *producers) says(text string, words bool) bool {
	if near := p.near[letters(text)]; p.texts[text] || near != "" && strings.EqualFold(near, text) || words && strings.Contains(p.words.String(), text) {
		return true
	}
	return slices.ContainsFunc(p.parts, func(ends [2]string) bool {
		return ends != [2]string{} && strings.HasPrefix(text, ends[0]) && strings.HasSuffix(text, ends[1])
	})
}

// judge asks where what is compared comes from.
func (p *producers) judge(from *Origins, f *il.Function, in *il.Instr, w wanted) (Sought, bool) {
	s := Sought{Answer: Answer{Places: []il.Place{f.Place(in.Span)}}, In: f, At: in, Text: w.text, Near: p.near[letters(w.text)]}
	if p.says(w.text, false) {
		return s, false
	}
	constants, filled := 0, true
	for _, o := range from.Of(f, w.in, in) {
		switch c := o.Symbol.Const; {
		case o.Kind == FromParameter:
			filled = false
		case o.Kind != FromConst || o.Part || c == nil || c.Text == w.text || slices.ContainsFunc(o.Way, byField):
			return s, false
		default:
			constants++
			if step := o.Way[len(o.Way)-1]; step.Use != nil {
				s.Places = append(s.Places, step.Function.Place(step.Use.Span))
			}
		}
	}
	switch {
	case filled && constants > 0:
		s.Is, s.Why = No, "all that comes here is something else"
		return s, true
	case !filled && s.Near != "" && !p.says(w.text, true):
		s.Why = "the code says it nowhere else"
		return s, true
	}
	return s, false
}

// byField tells a step that reads a field of an object: others may set it.
func byField(s Step) bool {
	def := s.Function.Def(s.Function.Root(s.Operand))
	return def != nil && def.Op == il.Get && def.Kind == "attr"
}
