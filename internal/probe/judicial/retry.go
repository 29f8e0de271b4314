package judicial

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/langgraph"
)

// again is one way in which a judge's call is made another time.
type again struct {
	how   string // in words
	at    code.Node
	fn    *code.Definition // the function with the loop or the recursion; nil for others
	loop  code.Node        // the loop, or the function's body
	never string           // why it never comes to a second try; "" when it does
}

// retries lists the ways in which a malformed answer leads to another call:
// those that work first, then those that cannot.
func (b *bench) retries() []again { return b.tries.get(b.findRetries) }

func (b *bench) findRetries() []again {
	out := b.nodeRetries()
	for _, d := range b.judges.defs {
		if !d.IsFunction() {
			continue
		}
		out = append(out, b.decorated(d)...)
		out = append(out, b.looped(d)...)
		out = append(out, b.recursive(d)...)
		out = append(out, b.secondCall(d)...)
		for _, c := range b.p.CallsIn(d) {
			out = append(out, b.wrapped(c)...)
		}
	}
	slices.SortStableFunc(out, func(x, y again) int { return rank(x) - rank(y) })
	return out
}

func rank(a again) int {
	if a.never != "" {
		return 1
	}
	return 0
}

// nodeRetries are retry policies of judge nodes.
func (b *bench) nodeRetries() []again {
	if b.r.Main == nil || !b.judges.wired {
		return nil
	}
	var out []again
	for i := range b.r.Main.Nodes {
		n := &b.r.Main.Nodes[i]
		if n.Retry && slices.Contains(b.judges.roots, langgraph.Def(n.Source)) {
			out = append(out, again{how: "the retry policy of its node", at: langgraph.Def(n.Source).Node})
		}
	}
	return out
}

// libraries are functions and classes that call again.
var libraries = []string{"tenacity.retry", "tenacity.Retrying", "tenacity.AsyncRetrying", "tenacity.*.Retrying", "tenacity.*.AsyncRetrying", "backoff.on_exception", "backoff.on_predicate", "retrying.retry", "retry.retry", "retry.api.*", "stamina.retry"}

// decorated reads retry decorators of a function that asks a model.
func (b *bench) decorated(d *code.Definition) []again {
	var out []again
	for _, n := range d.Decorators() {
		c := b.p.Call(n)
		name := b.p.Resolve(n)
		if c != nil {
			name = c.Callee
		}
		if name.Matches(libraries...) && b.covers(d) {
			out = append(out, b.library("a retry decorator", n, c))
		}
	}
	return out
}

// library judges one use of a retry library.
func (b *bench) library(how string, at code.Node, c *code.Call) again {
	a := again{how: how, at: at}
	if c == nil {
		return a
	}
	for n := range c.Node.Field("arguments").Walk() {
		if n.Is("call") && last(n) == "stop_after_attempt" {
			inner := b.p.Call(n)
			if v := b.p.Eval(inner.Arg("max_attempt_number", 0)); v.Kind == code.ValueInt && v.Int < 2 {
				a.never = "it stops after the first attempt"
			}
		}
	}
	if n := c.Arg("retry", -1); n.Valid() && n.Is("call") && last(n) == "retry_if_exception_type" && transport(n.Field("arguments")) {
		a.never = "it repeats only after transport errors"
	}
	return a
}

// transportStems are words of exceptions that say nothing of the answer's form.
var transportStems = []string{"ratelimit", "timeout", "connect", "http", "network", "request", "quota", "unavailable", "apierror", "resourceexhausted", "serviceunavailable", "importerror", "os"}

// transport reports whether all the exceptions named below a node are about
// the connection, not about the answer.
func transport(n code.Node) bool {
	any := false
	for x := range n.Walk() {
		if !x.Is("identifier", "attribute") || x.Parent().Is("attribute") {
			continue
		}
		name := last(x)
		ws := split(name)
		any = true
		if !starts(ws, transportStems...) && !starts([]string{strings.Join(ws, "")}, transportStems...) {
			return false
		}
	}
	return any
}

// wrapped reads retries by a call: a library's, a chain's, a parser's.
func (b *bench) wrapped(c *code.Call) []again {
	switch {
	case c.Name == "with_retry" && c.Receiver.Valid():
		a := again{how: "with_retry on the chain", at: c.Node}
		if v := b.p.Eval(c.Arg("stop_after_attempt", -1)); v.Kind == code.ValueInt && v.Int < 2 {
			a.never = "it stops after the first attempt"
		}
		return []again{a}
	case slices.Contains([]string{"OutputFixingParser", "RetryOutputParser", "RetryWithErrorOutputParser"}, last(c.Node.Field("function"))),
		c.Name == "from_llm" && starts(split(c.Receiver.Text()), "retry", "fixing"), c.Name == "from_llm" && has(split(c.Receiver.Text()), "fixing"):
		return []again{{how: "a parser that asks the model to correct its answer", at: c.Node}}
	case c.Matches(libraries...) && !c.Node.Parent().Is("decorator"):
		return []again{b.library("a retry library", c.Node, c)}
	case c.Arg("response_model", -1).Valid() && c.Arg("max_retries", -1).Valid():
		return []again{{how: "the client's validation retries", at: c.Node}}
	}
	return nil
}

// looped reads retries by a loop around a try statement, or around a test of
// the answer.
func (b *bench) looped(d *code.Definition) []again {
	var out []again
	for n := range d.Body().WalkScope() {
		if !n.Is("for_statement", "while_statement") || b.p.Dead(n) {
			continue
		}
		if n.Is("for_statement") && !b.counts(n) {
			continue
		}
		if !b.repeats(d, n) {
			continue
		}
		a := again{how: "a loop around the call", at: n, fn: d, loop: n}
		if turns, complete := b.p.Unroll(n); n.Is("for_statement") && complete && len(turns) < 2 {
			a.never = "the loop has one turn"
		}
		out = append(out, a)
	}
	return out
}

// counts reports whether a for statement counts attempts, rather than going
// through the criteria.
func (b *bench) counts(n code.Node) bool {
	right := n.Field("right")
	if right.Is("call") {
		switch last(right) {
		case "range":
			text := right.Field("arguments").Text()
			return !has(split(text), "len")
		case "count", "Retrying", "AsyncRetrying":
			return true
		case "enumerate":
			return has(split(n.Field("left").Text()), "attempt", "retry", "try")
		}
		return false
	}
	return has(split(n.Field("left").Text()), "attempt", "retry", "delay", "backoff", "try")
}

// repeats reports whether an unusable answer leads to the loop's next turn.
func (b *bench) repeats(d *code.Definition, loop code.Node) bool {
	for n := range loop.Field("body").WalkScope() {
		if n.Is("try_statement") && b.attempts(d, n.Field("body")) {
			for c := range n.Children() {
				if c.Is("except_clause") && !onlyTransport(c) && goesOn(c) {
					return true
				}
			}
		}
	}
	if !b.attempts(d, loop.Field("body")) {
		return false
	}
	for n := range loop.Field("body").WalkScope() {
		if n.Is("if_statement") && tests(n.Field("condition")) && !inTry(n, loop) {
			return true
		}
	}
	return false
}

// inTry reports whether a try statement stands between a node and the loop.
func inTry(n, loop code.Node) bool {
	for a := range n.Around() {
		if a == loop {
			return false
		}
		if a.Is("try_statement") {
			return true
		}
	}
	return false
}

// tests recognises a test of an answer's form.
func tests(n code.Node) bool {
	for x := range n.Walk() {
		if x.Is("call") && (last(x) == "isinstance" || starts(split(last(x)), "valid", "is_valid", "parse", "check")) {
			return true
		}
		if x.Is("identifier") && has(split(x.Text()), "valid", "parsed", "ok") || x.Is("attribute") && last(x) == "tool_calls" {
			return true
		}
	}
	return false
}

// onlyTransport reports whether a handler catches errors of the connection
// alone.
func onlyTransport(handler code.Node) bool {
	v := handler.Field("value")
	if v.Is("as_pattern") {
		v = v.Child(0)
	}
	return v.Valid() && transport(v)
}

// goesOn reports whether a handler lets the loop take another turn.
func goesOn(handler code.Node) bool {
	for n := range handler.WalkScope() {
		if n.Is("continue_statement") {
			return true
		}
	}
	return !exits(handler)
}

// recursive reads retries by a handler that calls its own function.
func (b *bench) recursive(d *code.Definition) []again {
	for n := range d.Body().WalkScope() {
		if !n.Is("except_clause") || onlyTransport(n) {
			continue
		}
		for x := range n.Walk() {
			if !x.Is("call") || b.p.Dead(x) {
				continue
			}
			if c := b.p.Call(x); c != nil && c.Callee.Def == d && b.models.reaches(d) {
				return []again{{how: "a handler that asks again", at: x, fn: d, loop: d.Body()}}
			}
		}
	}
	return nil
}

// secondCall reads retries by a handler that makes the failed call once more.
// Asking another model there is another thing.
func (b *bench) secondCall(d *code.Definition) []again {
	for n := range d.Body().WalkScope() {
		if !n.Is("except_clause") || onlyTransport(n) || !b.attempts(d, n.Parent().Field("body")) {
			continue
		}
		for x := range n.WalkScope() {
			if x.Is("call") && !b.p.Dead(x) && !b.deads.never(x) && b.repeatsCall(n.Parent().Field("body"), x) {
				return []again{{how: "the same call in its handler", at: x, fn: d, loop: n}}
			}
		}
	}
	return nil
}

// repeatsCall reports whether a call in a handler asks what the try statement's
// body asked, by the same name, with nothing put in the place of that name.
func (b *bench) repeatsCall(body, call code.Node) bool {
	c := b.p.Call(call)
	if c == nil || !b.models.steps(c) {
		return false
	}
	f := call.Field("function")
	for s := range call.Parent().Around() {
		if s.Is("except_clause") {
			for x := range s.WalkScope() {
				if x.Is("assignment") && c.Receiver.Valid() && x.Field("left").Text() == c.Receiver.Text() {
					return false
				}
			}
			break
		}
	}
	for x := range body.WalkScope() {
		if x.Is("call") && x.Field("function").Text() == f.Text() && b.models.steps(b.p.Call(x)) && slices.Equal(b.askedBy(x), b.askedBy(call)) {
			return true
		}
	}
	return false
}

// askedBy lists the models that are handed over in a call's arguments.
func (b *bench) askedBy(call code.Node) []string {
	var out []string
	for x := range call.Field("arguments").Walk() {
		if x.Is("identifier", "attribute") && !x.Parent().Is("attribute") && b.models.modelLike(x, 0) {
			out = append(out, x.Text())
		}
	}
	return out
}
