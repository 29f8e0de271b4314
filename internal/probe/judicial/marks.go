package judicial

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
)

// mark says what a value is made of. Marks follow assignments, loops, returns
// of first-party functions and arguments; they are a set.
type mark uint16

const (
	security mark = 1 << iota // names or words of a security flaw
	evidence                  // what the detectives found
	judged                    // a judge's score
	spread                    // how far the judges' scores are apart
	argued                    // a judge's text
	asked                     // what a model answered
	located                   // where a finding stands
	ofLead                    // the tech lead's
	ofProsecutor
	ofDefense

	anyJudge = ofLead | ofProsecutor | ofDefense
)

// origin is where a value's marks come from: what it is made of, and the
// conditions under which it was given its value.
type origin struct{ data, when mark }

func (o origin) plus(p origin) origin { return origin{o.data | p.data, o.when | p.when} }

// marks computes what expressions are made of, function by function.
type marks struct {
	p       *code.Program
	asks    func(*code.Call) bool // calls of a model
	names   map[*code.Definition]map[string]origin
	returns map[*code.Definition]origin
	guarded map[code.Node]mark
	sets    map[*code.Definition][]setting
	dicts   map[local]entries
	opened  map[local]bool
	busy    map[*code.Definition]bool
	depth   int
	strict  bool // in a condition: a score is only a score, whatever rules it went through
}

func newMarks(p *code.Program, asks func(*code.Call) bool) *marks {
	return &marks{p: p, asks: asks, names: map[*code.Definition]map[string]origin{}, returns: map[*code.Definition]origin{},
		guarded: map[code.Node]mark{}, sets: map[*code.Definition][]setting{},
		dicts: map[local]entries{}, opened: map[local]bool{}, busy: map[*code.Definition]bool{}}
}

// maxDepth bounds how far marks are followed through calls.
const maxDepth = 24

var securityStems = []string{"securit", "vulnerab", "injection", "exploit", "unsaf", "insecur", "unsanit"}

// ofName is what a name says by itself.
func ofName(name string) mark {
	ws := split(name)
	var m mark
	if starts(ws, securityStems...) {
		m |= security
	}
	if has(ws, "evidence", "evidences") && !starts(ws, "cited", "cite", "citation") {
		m |= evidence
	}
	if has(ws, "variance", "spread", "stdev", "divergence", "disagreement") {
		m |= spread
	}
	switch who(ws) {
	case techLead:
		m |= ofLead
	case prosecutor:
		m |= ofProsecutor
	case defense:
		m |= ofDefense
	default: // names no judge
	}
	if m&(ofLead|ofProsecutor|ofDefense) != 0 && has(ws, "score", "scores") {
		m |= judged
	}
	if has(ws, "arg", "argument", "arguments", "rationale", "reasoning", "charges") {
		m |= argued
	}
	return m
}

// ofText is what a string constant says: words of security, a judge's name.
func ofText(text string) mark {
	if len(text) > 400 {
		return 0
	}
	low := strings.ToLower(text)
	var m mark
	if starts(split(low), securityStems...) || strings.Contains(low, "os.system") || strings.Contains(low, "shell=true") {
		m |= security
	}
	if len(text) <= 24 {
		m |= ofName(text) & (ofLead | ofProsecutor | ofDefense | evidence)
	}
	return m
}

// ofAttribute is what an attribute or key adds to the value it is read from.
func ofAttribute(name string) mark {
	switch strings.ToLower(name) {
	case "score", "scores", "verdict":
		return judged
	case "argument", "rationale", "reasoning", "charges":
		return argued
	case "location", "file_path", "lineno", "target_files", "affected_files", "file_refs":
		return located
	case "found", "evidence_class":
		return evidence
	}
	return ofName(name)
}

// at computes the marks of an expression where it stands.
func (k *marks) at(n code.Node) origin {
	if !n.Valid() || k.depth > maxDepth {
		return origin{}
	}
	k.depth++
	defer func() { k.depth-- }()
	switch n.Kind() {
	case "identifier":
		return k.named(n)
	case "attribute":
		o := k.at(n.Field("object"))
		o.data |= ofAttribute(n.Field("attribute").Text())
		return o
	case "subscript":
		if text, ok := literal(n.Field("subscript")); ok {
			o := k.entry(n.Field("value"), text)
			o.data |= ofAttribute(text)
			return o
		}
		o := k.at(n.Field("value"))
		for _, s := range n.Fields("subscript") {
			if text, ok := literal(s); ok {
				o.data |= ofAttribute(text)
			} else {
				o = o.plus(k.at(s))
			}
		}
		return o
	case "string", "concatenated_string":
		return k.ofString(n)
	case "call":
		return k.ofCall(n)
	case "conditional_expression":
		o := k.at(n.Child(0)).plus(k.at(n.Child(2)))
		o.when |= k.condition(n.Child(1))
		return o
	case "lambda":
		return k.at(n.Field("body"))
	case "integer", "float", "true", "false", "none", "comment":
		return origin{}
	}
	var o origin
	for c := range n.Children() {
		o = o.plus(k.at(c))
	}
	if n.Is("binary_operator") && n.Field("operator").Text() == "-" && extremes(n) {
		o.data |= spread
	}
	return o
}

// extremes recognises max(...) - min(...).
func extremes(n code.Node) bool {
	l, r := n.Field("left").Unparen(), n.Field("right").Unparen()
	return l.Is("call") && r.Is("call") && l.Field("function").Text() == "max" && r.Field("function").Text() == "min"
}

// ofString is the marks of a string: its text, and what is put into it.
func (k *marks) ofString(n code.Node) origin {
	var o origin
	for c := range n.Walk() {
		switch c.Kind() {
		case "string_content":
			o.data |= ofText(c.Text())
		case "interpolation":
			o = o.plus(k.at(c.Field("expression")))
		}
	}
	return o
}

// ofCall is what a call returns: of a first-party function what its returns
// are made of, of others what they are given.
func (k *marks) ofCall(n code.Node) origin {
	c := k.p.Call(n)
	if c == nil {
		return origin{}
	}
	o := origin{data: ofName(c.Name) &^ evidence}
	if k.asks != nil && k.asks(c) {
		o.data |= asked
	}
	if starts(split(c.Name), "stdev", "pstdev", "pvariance", "std") {
		o.data |= spread
	}
	if d := c.Callee.Def; d != nil && d.IsFunction() {
		return o.plus(k.returned(d))
	}
	if f := n.Field("function"); f.Is("attribute") {
		text, constant := literal(c.Arg("", 0))
		if name := f.Field("attribute").Text(); constant && (name == "get" || name == "pop") {
			o = o.plus(k.entry(f.Field("object"), text))
			o.data |= ofAttribute(text)
		} else {
			o = o.plus(k.at(f.Field("object")))
		}
	}
	made := c.Callee.Def != nil && c.Callee.Def.Kind == code.DefClass
	for _, a := range c.Args {
		got := k.at(a.Value)
		if made && has(split(a.Name), prose...) {
			continue
		}
		if made { // an object is not what it holds, but an answer stays an answer
			got = origin{data: got.data & asked}
		}
		o = o.plus(got)
	}
	return o
}

// returned is what a first-party function returns.
func (k *marks) returned(d *code.Definition) origin {
	if o, ok := k.returns[d]; ok {
		return o
	}
	if k.busy[d] {
		return origin{}
	}
	k.names1(d)
	was := k.strict
	k.strict = false
	defer func() { k.strict = was }()
	var o origin
	for _, r := range d.ReturnValues() {
		o = o.plus(k.at(r))
		o.when |= k.guards(r)
	}
	k.returns[d] = o
	return o
}

// guards is the marks of the conditions around a node in its function.
func (k *marks) guards(n code.Node) mark {
	s := n.Statement()
	if m, ok := k.guarded[s]; ok {
		return m
	}
	var m mark
	for _, g := range k.p.Guards(n) {
		if g.Kind != "except" && g.Kind != "match" {
			m |= k.condition(g.Condition)
		}
	}
	if len(k.busy) == 0 {
		k.guarded[s] = m
	}
	return m
}

// named is the marks of a name in the function where it stands, or in one
// around it.
func (k *marks) named(n code.Node) origin {
	name := n.Text()
	o := origin{data: ofName(name)}
	for d := k.p.Enclosing(n); d != nil; d = d.Parent {
		if got, ok := k.names1(d)[name]; ok {
			if o.data&anyJudge != 0 { // the name says whose it is
				got.data &^= anyJudge
			}
			if k.strict && got.data&judged != 0 {
				got.data &^= security | evidence | argued
			}
			return o.plus(got)
		}
	}
	return o
}

// names1 is what the local names of a definition are made of.
func (k *marks) names1(d *code.Definition) map[string]origin {
	if env, ok := k.names[d]; ok {
		return env
	}
	env := map[string]origin{}
	k.names[d] = env
	k.busy[d] = true
	was := k.strict
	k.strict = false
	defer func() { k.strict = was }()
	k.params(d, env)
	sets := k.assignments(d)
	for range 4 {
		changed := false
		for _, s := range sets {
			o := k.at(s.value)
			o.when |= k.guards(s.node)
			next := env[s.name].plus(o)
			if next != env[s.name] {
				env[s.name], changed = next, true
			}
		}
		if !changed {
			break
		}
	}
	delete(k.busy, d)
	return env
}

// params marks parameters by their annotation and by what callers pass.
func (k *marks) params(d *code.Definition, env map[string]origin) {
	if !d.IsFunction() {
		return
	}
	for _, p := range d.Params() {
		env[p.Name] = origin{data: ofName(p.Annotation.Text()) & evidence}
	}
	for _, c := range k.p.Callers(d) {
		if c.Node.Module().Scope != code.ScopeProduction {
			continue // what tests pass is not what the program passes
		}
		given := k.p.Parameters(c)
		for _, p := range d.Params() {
			if v, ok := given[p.Name]; ok {
				env[p.Name] = env[p.Name].plus(k.at(v))
			}
		}
	}
}

// literal is the text of a string constant.
func literal(n code.Node) (string, bool) {
	n = n.Unparen()
	if !n.Is("string") {
		return "", false
	}
	var b strings.Builder
	for c := range n.Children() {
		switch c.Kind() {
		case "string_content":
			b.WriteString(c.Text())
		case "interpolation":
			return "", false
		}
	}
	return b.String(), true
}
