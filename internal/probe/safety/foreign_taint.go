package safety

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/facts"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// textMethods are methods that give a part or another form of what they are
// called on.
var textMethods = regexp.MustCompile(`(?i)^(trim\w*|to_?lower\w*|to_?upper\w*|split\w*|slice|sub_?str(ing)?|get|get_?all|entries|values|keys|next|pop|shift|at|char_?at|filter|map|lines|chars|bytes|` +
	`decode\w*|string|text|json|body|query|read\w*|collect|nth|iter|into_iter|first|last|item|as_?\w+|to_?\w+|or_?else|or_?default|is_?present|param|header|strip_\w+|into_\w+|unwrap\w*)$`)

// cleaners are functions that make a value harmless, or refuse it.
var cleaners = regexp.MustCompile(`(?i)(escap|sanit|quot|clean|valid|assert|check|verif|normali[sz]e|allow|safe|purify|encode|strip_?tags|ensure|replace|permit|whitelist|slug|hash)`)

// flow is where the parts of values come from.
func (x *foreignCode) flow(nodes ...syntax.Node) facts.Origin {
	t := tracer{foreignCode: x}
	worst := facts.Own
	for _, n := range nodes {
		if n.Valid() {
			worst = max(worst, t.expression(syntax.Part{}, n, 0))
		}
	}
	return worst
}

// tracer follows one question to where values come from. It is bounded: what
// takes longer is not known.
type tracer struct {
	*foreignCode
	steps int
}

// Bounds on how far a value is followed: calls in each other, and expressions.
const (
	maxDeep  = 8
	maxTrace = 200
)

// expression is the origin of an expression that stands where a part of another
// value comes from.
func (x *tracer) expression(from syntax.Part, n syntax.Node, depth int) facts.Origin {
	if x.steps++; depth > maxDeep || x.steps > maxTrace {
		return facts.Unclear
	}
	worst := facts.Own
	for _, part := range x.p.Inside(from, n) {
		if worst = max(worst, x.part(part, depth)); worst == facts.Sender {
			break
		}
	}
	return worst
}

// part is the origin of one part of a value, after what is tested on its way.
func (x *tracer) part(p syntax.Part, depth int) facts.Origin {
	o := facts.Unclear
	switch p.Kind {
	case "text", "number", "nil":
		return facts.Own
	case "param":
		o = x.parameter(p.Node)
	case "call":
		o = x.called(p, p.Node, depth)
	case "member", "index":
		o = x.read(p, p.Node, depth)
	}
	if o >= facts.User && slices.ContainsFunc(p.Via, x.refused) {
		return facts.Unclear
	}
	return o
}

// called is the origin of what a call gives.
func (x *tracer) called(from syntax.Part, n syntax.Node, depth int) facts.Origin {
	full, callee := x.p.Resolve(n.Child("callee")), n.Child("callee")
	if o, ok := x.known(full, n); ok {
		return o
	}
	object := callee.Child("object")
	if o := x.read(from, callee, depth); o == facts.Sender && x.sent(callee) {
		return o
	}
	if cleaners.MatchString(callee.Name()) {
		return min(facts.Unclear, x.inputs(from, n, object, depth))
	}
	through := tables.Of(tables.Flow).Has(string(n.File().Language), full, "text") || callee.Is("member") && textMethods.MatchString(callee.Name()) && !x.module(object) && !x.p.Target(n).Valid()
	o := x.inputs(from, n, object, depth)
	if o >= facts.User && !through {
		return facts.Unclear
	}
	if o == facts.Own && !through {
		return facts.Unclear // what it gives is not known
	}
	return o
}

// inputs is the origin of what a call is given, and of what it is called on.
func (x *tracer) inputs(from syntax.Part, n, object syntax.Node, depth int) facts.Origin {
	worst := facts.Own
	if object.Valid() && !x.module(object) {
		worst = x.expression(from, object, depth+1)
	}
	for a := range n.Children("arg") {
		if !a.Is("func") {
			worst = max(worst, x.expression(from, a, depth+1))
		}
	}
	return worst
}

// module tells a name that stands for a module or a class.
func (x *foreignCode) module(n syntax.Node) bool {
	if !n.Is("name") {
		return false
	}
	full := x.p.Resolve(n)
	return full != "" && !strings.Contains(full, "()") && x.p.Value(n)[0].Kind == "member"
}

// known is the origin of what has a name of the lists.
func (x *foreignCode) known(full string, n syntax.Node) (facts.Origin, bool) {
	if n.File() == nil {
		return facts.Unclear, full != ""
	}
	if row, ok := in(tables.Flow, n, full, "sender", "page", "user", "own"); ok {
		return map[string]facts.Origin{"sender": facts.Sender, "page": facts.Page, "user": facts.User, "own": facts.Own}[row.Role], true
	}
	return facts.Unclear, false
}

// read is the origin of a member or an element: its own by its name, else that
// of what it is taken from.
func (x *tracer) read(from syntax.Part, n syntax.Node, depth int) facts.Origin {
	for at := n; at.Valid(); at = inner(at) {
		if x.sent(at) {
			return facts.Sender
		}
		if at.Is("call") && at != n {
			break
		}
		if o, ok := x.known(x.p.Resolve(at), at); ok {
			return o
		}
	}
	object := n.Child("object")
	if !object.Valid() || object.Is("name") && (object.Name() == "this" || object.Name() == "self") || depth > maxDeep {
		return facts.Unclear
	}
	if o := x.filled(from, object, depth); o != facts.Own {
		return o
	}
	if x.module(object) {
		return facts.Unclear
	}
	o := x.expression(from, object, depth+1)
	if o == facts.Own {
		return facts.Unclear
	}
	return o
}

// inner is what a member, an element or a call is taken from.
func inner(n syntax.Node) syntax.Node {
	switch n.Kind() {
	case "member", "index":
		return n.Child("object")
	case "call":
		return n.Child("callee")
	case "unary", "cast":
		return n.Child("value")
	}
	return syntax.Node{}
}

var fillers = regexp.MustCompile(`(?i)^(decode|unmarshal\w*|(should)?bind\w*|bodyparser|queryparser|paramsparser|scan\w*|readjson|readbody)$`)

// filled is the origin of a record that a call is told to fill.
func (x *tracer) filled(from syntax.Part, object syntax.Node, depth int) facts.Origin {
	if !object.Is("name") || object.File().Language != "go" {
		return facts.Own
	}
	worst := facts.Own
	for c := range function(object).Walk() {
		if !c.Is("call") || !fillers.MatchString(c.Child("callee").Name()) {
			continue
		}
		for a := range c.Children("arg") {
			if a.Is("unary") && a.Detail() == "&" && a.Child("value").Name() == object.Name() {
				o := x.inputs(from, c, c.Child("callee").Child("object"), depth+1)
				if full := x.callee(c); named(full, "github.com/gin-gonic/*", "github.com/labstack/echo*", "github.com/gofiber/fiber*") {
					o = facts.Sender
				}
				worst = max(worst, o)
			}
		}
	}
	return worst
}
