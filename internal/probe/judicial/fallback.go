package judicial

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
)

// offlineAnswer says how the judges fare without any model.
type offlineAnswer struct {
	yields bool
	how    string    // in words, for both outcomes
	at     code.Node // what decides
}

// withoutModel says whether a judge still gives an opinion when there is no
// key and no model can be reached.
func (b *bench) withoutModel() offlineAnswer {
	if at, ok := b.noKeyBranch(); ok {
		return offlineAnswer{true, "a branch without a model gives opinions", at}
	}
	var off *built
	for _, x := range b.builds(b.judges) {
		if !x.asked && !x.quotes {
			off = &x
			break
		}
	}
	if off == nil {
		return offlineAnswer{false, "no opinion is made without a model's answer", code.Node{}}
	}
	if at := b.exposed(); at.Valid() {
		return offlineAnswer{false, "making or asking the model fails where nothing catches it", at}
	}
	if at := b.silenced(); at.Valid() {
		return offlineAnswer{false, "making or asking the model fails inside a handler that makes no opinion", at}
	}
	return offlineAnswer{true, "making the client and asking it both fail inside handlers, and an opinion is made without an answer", off.call.Node}
}

// lazy are clients that are made without their key; only asking them fails.
var lazy = []string{"langchain_anthropic.*", "anthropic.Anthropic", "anthropic.AsyncAnthropic", "huggingface_hub.*InferenceClient", "google.generativeai.*GenerativeModel"}

// demanding are the constructions of clients that fail without a key.
func (b *bench) demanding() map[code.Node]bool {
	out := map[code.Node]bool{}
	for _, c := range b.clients() {
		reads := false // os.environ["KEY"] fails by itself
		for n := range c.call.Node.Field("arguments").Walk() {
			reads = reads || n.Is("subscript") && last(n.Field("value")) == "environ"
		}
		if reads || !subset(c.providers, keyless) && !c.call.Matches(lazy...) {
			out[c.call.Node] = true
		}
	}
	return out
}

// exposed returns a construction of a client that needs a key, a call of a
// model, or a refusal to go on without one, that runs outside every handler;
// zero when there is none.
func (b *bench) exposed() code.Node {
	needs := b.demanding()
	seen := map[*code.Definition]bool{}
	var visit func(d *code.Definition, depth int) code.Node
	visit = func(d *code.Definition, depth int) code.Node {
		if seen[d] || depth > maxRoomDepth {
			return code.Node{}
		}
		seen[d] = true
		for _, c := range b.p.CallsIn(d) {
			if b.p.Dead(c.Node) || caught(c.Node) || b.spared(c.Node) {
				continue
			}
			if needs[c.Node] || b.models.calls(c) || b.bindsNone(c) {
				return c.Node
			}
			for _, next := range runs(b.p, c) {
				if n := visit(next, depth+1); n.Valid() {
					return n
				}
			}
		}
		return refuses(d)
	}
	for _, d := range b.judges.roots {
		if d.Kind == code.DefMethod {
			if m := b.p.Method(d.Parent, "__init__"); m != nil {
				if n := visit(m, 0); n.Valid() {
					return n
				}
			}
		}
		if n := visit(d, 0); n.Valid() {
			return n
		}
	}
	for _, d := range b.judges.defs { // what importing the judges' files does
		if n := visit(d.Module.Body(), 0); n.Valid() {
			return n
		}
	}
	return code.Node{}
}

// bindsNone reports whether a call binds a schema to a model that may be none.
func (b *bench) bindsNone(c *code.Call) bool {
	return slices.Contains(binders, c.Name) && slices.ContainsFunc(b.p.Origins(c.Receiver), func(o code.Origin) bool { return o.Node.Is("none") && !o.Part })
}

func subset(all, of []string) bool {
	for _, s := range all {
		if !slices.Contains(of, s) {
			return false
		}
	}
	return true
}

// runs lists the first-party functions that a call runs: the callee, the
// constructor of a class, and functions handed over.
func runs(p *code.Program, c *code.Call) []*code.Definition {
	var out []*code.Definition
	for _, s := range c.Symbols() {
		switch {
		case s.Def == nil:
		case s.Def.IsFunction():
			out = append(out, s.Def)
		case s.Def.Kind == code.DefClass:
			if m := p.Method(s.Def, "__init__"); m != nil {
				out = append(out, m)
			}
		}
	}
	for _, a := range c.Args {
		if a.Value.Is("lambda") {
			out = append(out, p.Definition(a.Value))
		} else if a.Value.Is("identifier", "attribute") {
			if s := p.Resolve(a.Value); s.Def != nil && s.Def.IsFunction() && !s.Instance {
				out = append(out, s.Def)
			}
		}
	}
	return out
}

// caught reports whether an error raised at a node is swallowed in its own
// function: a broad handler that does not raise again.
func caught(n code.Node) bool { return catching(n).Valid() }

// catching is the innermost try statement that does so; zero for none.
func catching(n code.Node) code.Node {
	for t := trying(n); t.Valid(); t = trying(t) {
		for c := range t.Children() {
			if c.Is("except_clause") && broad(c) && !raises(c) {
				return t
			}
		}
	}
	return code.Node{}
}

func broad(handler code.Node) bool {
	v := handler.Field("value")
	if v.Is("as_pattern") {
		v = v.Child(0)
	}
	if !v.Valid() {
		return true
	}
	for x := range v.Walk() {
		if x.Is("identifier") && (x.Text() == "Exception" || x.Text() == "BaseException") {
			return true
		}
	}
	return false
}

// raises reports whether a handler always raises again.
func raises(handler code.Node) bool {
	for c := range handler.Children() {
		if c.Is("block") {
			for s := range c.Children() {
				if s.Is("raise_statement") {
					return true
				}
			}
		}
	}
	return false
}
