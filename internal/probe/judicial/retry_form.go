package judicial

import (
	"iter"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il/intree"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// asks is what leads to a call of a model in production code.
func (b *bench) asks() *way {
	return b.asking.get(func() *way {
		var to []call
		for _, d := range b.functions() {
			for _, c := range b.p.CallsIn(d) {
				if x, ok := b.il.call(c.Node); ok && !b.il.off(c.Node) && b.models.calls(c) {
					to = append(to, x)
				}
			}
		}
		b.prompted = map[*il.Instr]bool{}
		for _, c := range to {
			b.prompted[c.in] = true
		}
		return b.il.leading(to)
	})
}

// form is what leads to where it shows whether an answer has its form: for a bound
// model the call itself, else what reads the answer.
func (b *bench) form() *way {
	at, decided := b.decisive()
	if !decided {
		return b.asks()
	}
	var to []call
	for _, n := range at {
		to = append(to, b.il.around(n)...)
	}
	return b.il.leading(to)
}

// decisive lists where it shows whether an answer has its form; false when the call
// itself fails otherwise.
func (b *bench) decisive() ([]code.Node, bool) {
	bs := b.structured()
	if len(bs) == 0 {
		return nil, false
	}
	switch bs[0].kind {
	case kindPydantic, kindJSON:
		return []code.Node{bs[0].at}, !piped(bs[0].at)
	case kindTools: // a model may answer without calling its tool
		at := b.toolReads()
		return at, len(at) > 0
	}
	return nil, false
}

// toolReads lists where the judges' code looks for a tool call in an answer,
// or makes an opinion of one; nothing where a parser of the chain does it.
func (b *bench) toolReads() []code.Node {
	var out []code.Node
	for _, c := range b.judges.calls(b.p, b.il) {
		if strings.HasSuffix(last(c.Node), "ToolsParser") {
			return nil
		}
	}
	for _, x := range b.builds(b.judges) {
		if x.asked {
			out = append(out, x.call.Node)
		}
	}
	for _, n := range b.judges.nodes() {
		if n.Is("attribute") && n.Field("attribute").Text() == "tool_calls" {
			out = append(out, n)
		}
	}
	return out
}

// piped reports whether a parser is the end of a chain: then the call itself
// parses, wherever the chain was put together.
func piped(n code.Node) bool {
	chain := func(n code.Node) bool { return n.Is("binary_operator") && n.Field("operator").Text() == "|" }
	return chain(n) || chain(n.Parent()) && n.Parent().Field("right") == n
}

// libraries are functions and classes that call again.
var libraries = []string{"tenacity.retry", "tenacity.Retrying", "tenacity.AsyncRetrying", "tenacity.*.Retrying", "tenacity.*.AsyncRetrying", "backoff.on_exception", "backoff.on_predicate", "retrying.retry", "retry.retry", "retry.api.*", "stamina.retry"}

// decorated reads retry decorators of a function that asks a model, and in which it
// shows whether an answer has its form.
func (b *bench) decorated(d *code.Definition, form *way) []again {
	var out []again
	f := b.il.function(d)
	for _, n := range d.Decorators() {
		c := b.p.Call(n)
		name := b.p.Resolve(n)
		if c != nil {
			name = c.Callee
		}
		if name.Matches(libraries...) && b.asks().in[f] && form.in[f] {
			out = append(out, b.library("a retry decorator", n, c))
		}
	}
	return out
}

// library judges one use of a retry library.
func (b *bench) library(how string, at code.Node, c *intree.Call) again {
	a := again{how: how, at: spot(at)}
	if c == nil {
		return a
	}
	for n := range c.Node.Field("arguments").Walk() {
		if n.Is("call") && last(n) == "stop_after_attempt" && b.once(n, "max_attempt_number") {
			a.never = "it stops after the first attempt"
		}
	}
	if n := c.Arg("retry", -1); n.Valid() && n.Is("call") && last(n) == "retry_if_exception_type" && transport(named(n.Field("arguments"))) {
		a.never = onlyTransport
	}
	return a
}

// once tells a call whose argument of a name, or whose first, is less than two.
func (b *bench) once(n code.Node, name string) bool {
	c, ok := b.il.call(n)
	if !ok {
		return false
	}
	for i, o := range c.in.Args[1:] {
		if most, known := b.il.atMost(c.f, o, c.in); (c.in.Names[i] == name || c.in.Names[i] == "" && i == 0) && known && most < 2 {
			return true
		}
	}
	return false
}

// transportStems are words of exceptions that say nothing of the answer's form.
var transportStems = []string{"ratelimit", "timeout", "connect", "http", "network", "request", "quota", "unavailable", "apierror", "resourceexhausted", "serviceunavailable", "importerror", "os"}

// transport reports whether all the exceptions of a list are about the connection,
// not about the answer; not where none is named.
func transport(exceptions []string) bool {
	for _, name := range exceptions {
		ws := split(name[strings.LastIndexByte(name, '.')+1:])
		if !starts(ws, transportStems...) && !starts([]string{strings.Join(ws, "")}, transportStems...) {
			return false
		}
	}
	return len(exceptions) > 0
}

const onlyTransport = "it repeats only after transport errors"

// connection are parts of what an error of the connection says, and of names of tests for it.
var connection = regexp.MustCompile(`(?i)rate.?limit|time.?out|connect|quota|unavailable|overload|exhausted|throttl|\b(408|429|50[0-4]|529)\b`)

// speaksOfTransport reads a test of an error: with where it holds of one of the connection,
// without where it fails there.
func speaksOfTransport(n code.Node) side {
	n = n.Unparen()
	switch {
	case n.Is("not_operator"):
		return speaksOfTransport(n.Field("argument")).opposite()
	case !connection.MatchString(n.Text()):
		return neither
	case n.Is("comparison_operator") && slices.ContainsFunc(n.Fields("operators"), func(op code.Node) bool { return slices.Contains([]string{"not in", "!=", "is not"}, op.Text()) }):
		return without
	}
	return with
}

// named are the names below a node.
func named(n code.Node) (out []string) {
	for x := range n.Walk() {
		if x.Is("identifier", "attribute") && !x.Parent().Is("attribute") {
			out = append(out, last(x))
		}
	}
	return out
}

// wrapped reads retries by a call: a library's, a chain's, a parser's.
func (b *bench) wrapped(c *intree.Call) []again {
	switch {
	case c.Name == "with_retry" && c.Receiver.Valid():
		a := again{how: "with_retry on the chain", at: spot(c.Node)}
		if b.once(c.Node, "stop_after_attempt") {
			a.never = "it stops after the first attempt"
		}
		return []again{a}
	case slices.Contains([]string{"OutputFixingParser", "RetryOutputParser", "RetryWithErrorOutputParser"}, last(c.Node.Field("function"))),
		c.Name == "from_llm" && starts(split(c.Receiver.Text()), "retry", "fixing"), c.Name == "from_llm" && has(split(c.Receiver.Text()), "fixing"):
		return []again{{how: "a parser that asks the model to correct its answer", at: spot(c.Node), tells: true}}
	case c.Matches(libraries...) && !c.Node.Parent().Is("decorator"):
		return []again{b.library("a retry library", c.Node, c)}
	case c.Matches("pydantic_ai*.Agent") && (c.Arg("output_type", -1).Valid() || c.Arg("result_type", -1).Valid()): // once, where it is not told how often
		a := again{how: "the agent's validation retries", at: spot(c.Node), tells: true}
		if n, ok := b.number(c.Arg("retries", -1)); ok && n < 1 {
			a.never = "it has no retries"
		}
		return []again{a}
	case c.Arg("response_model", -1).Valid() && c.Arg("max_retries", -1).Valid():
		return []again{{how: "the client's validation retries", at: spot(c.Node), tells: true}}
	}
	return nil
}

// calls are the calls of a function, in the order of its blocks.
func calls(f *il.Function) iter.Seq[*il.Instr] {
	return func(yield func(*il.Instr) bool) {
		for _, in := range f.Instructions() {
			if in.Op == il.Call && in.Mode != il.Decorate && !yield(in) {
				return
			}
		}
	}
}

// receiver is the object whose method a call calls, else what is called.
func receiver(f *il.Function, in *il.Instr) il.Operand {
	if get := f.Def(f.Root(in.Args[0])); get != nil && get.Op == il.Get && get.Kind == "attr" {
		return get.Args[0]
	}
	return in.Args[0]
}
