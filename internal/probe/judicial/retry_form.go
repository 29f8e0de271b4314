package judicial

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
)

// covers reports whether what a function does includes what tells a good
// answer from a bad one: for a bound model the call itself, else what reads the
// answer.
func (b *bench) covers(d *code.Definition) bool {
	r := enter(b.p, []*code.Definition{d}, false)
	if !b.models.within(r) {
		return false
	}
	at := b.decisive()
	return len(at) == 0 || slices.ContainsFunc(at, func(n code.Node) bool { return r.holds(b.p.Enclosing(n)) })
}

// decisive lists where it shows whether an answer has its form; nothing when
// the call itself fails otherwise.
func (b *bench) decisive() []code.Node {
	bs := b.structured()
	if len(bs) == 0 {
		return nil
	}
	switch bs[0].kind {
	case kindPydantic, kindJSON:
		if piped(bs[0].at) {
			return nil
		}
		return []code.Node{bs[0].at}
	case kindTools: // a model may answer without calling its tool
		return b.toolReads()
	}
	return nil
}

// toolReads lists where the judges' code looks for a tool call in an answer,
// or makes an opinion of one; nothing where a parser of the chain does it.
func (b *bench) toolReads() []code.Node {
	var out []code.Node
	for _, c := range b.judges.calls(b.p) {
		if strings.HasSuffix(last(c.Node), "ToolsParser") {
			return nil
		}
	}
	for _, x := range b.builds(b.judges) {
		if x.asked {
			out = append(out, x.call.Node)
		}
	}
	for _, d := range b.judges.defs {
		if !d.IsFunction() {
			continue
		}
		for n := range d.Body().WalkScope() {
			if n.Is("attribute") && n.Field("attribute").Text() == "tool_calls" {
				out = append(out, n)
			}
		}
	}
	return out
}

// attempts reports whether a block makes the judge's call with what tells a
// good answer from a bad one.
func (b *bench) attempts(d *code.Definition, block code.Node) bool {
	for n := range block.Walk() {
		if !n.Is("call") {
			continue
		}
		c := b.p.Call(n)
		if c == nil {
			continue
		}
		if b.callsParameter(d, c) {
			return true
		}
		if b.models.steps(c) && (b.formed(block) || b.deep(c)) {
			return true
		}
	}
	return false
}

// formed reports whether a block holds what shows the answer's form.
func (b *bench) formed(block code.Node) bool {
	at := b.decisive()
	return len(at) == 0 || slices.ContainsFunc(at, block.Contains)
}

// piped reports whether a parser is the end of a chain: then the call itself
// parses, wherever the chain was put together.
func piped(n code.Node) bool {
	chain := func(n code.Node) bool { return n.Is("binary_operator") && n.Field("operator").Text() == "|" }
	return chain(n) || chain(n.Parent()) && n.Parent().Field("right") == n
}

// deep reports whether a called function covers the whole of it.
func (b *bench) deep(c *code.Call) bool {
	return c.Callee.Def != nil && c.Callee.Def.IsFunction() && b.covers(c.Callee.Def)
}

// callsParameter reports whether a call runs a function that was handed in,
// and some caller hands in one that asks a model.
func (b *bench) callsParameter(d *code.Definition, c *code.Call) bool {
	f := c.Node.Field("function")
	if !f.Is("identifier") {
		return false
	}
	for _, p := range d.Params() {
		if p.Name != f.Text() {
			continue
		}
		for _, caller := range b.p.Callers(d) {
			if b.judges.holds(caller.Func) && b.models.steps(caller) {
				return true
			}
		}
	}
	return false
}
