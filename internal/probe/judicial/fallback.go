package judicial

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il/intree"
)

// offlineAnswer says how the judges fare without any model.
type offlineAnswer struct {
	yields bool
	how    string      // in words, for both outcomes
	at     court.Place // what decides; without a path where nothing does
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
	later := b.filledIn(func(role agentgraph.Role) bool { return role != facts.Chief })
	if off == nil && len(later) == 0 {
		return offlineAnswer{false, "no opinion is made without a model's answer", court.Place{}}
	}
	if at, ok := b.exposed(); ok {
		return offlineAnswer{false, "making or asking the model fails where nothing catches it", at}
	}
	at, silent := b.silenced()
	switch {
	case off != nil && !silent:
	case len(later) > 0:
		return offlineAnswer{true, "making the client and asking it both fail inside handlers, and another node makes an opinion without an answer", spot(later[0].call.Node)}
	default:
		return offlineAnswer{false, "making or asking the model fails inside a handler that makes no opinion", at}
	}
	return offlineAnswer{true, "making the client and asking it both fail inside handlers, and an opinion is made without an answer", spot(off.call.Node)}
}

// filledIn are the opinions with a constant score that other nodes than the judges' make, of
// roles that are wanted: of no answer, and of no opinion.
func (b *bench) filledIn(wanted func(agentgraph.Role) bool) (out []built) {
	g, m := b.r.Main, b.r.Review
	if g == nil || m == nil || !b.judges.wired {
		return nil
	}
	var roots []*code.Definition
	for i := range g.Nodes {
		if n := &g.Nodes[i]; wanted(n.Role) {
			roots = append(roots, b.worker(n)...)
		}
	}
	made := func(a intree.Argument) bool { return b.marks.at(a.Value).data&(asked|judged|pleaded) != 0 }
	for _, x := range b.builds(enter(b.p, b.il, ordered(roots), true)) {
		if !b.judges.holds(x.call.Func) && b.reviews(x.class) && b.constantScore(x.call) && !slices.ContainsFunc(x.call.Args, made) {
			out = append(out, x)
		}
	}
	return out
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

func subset(all, of []string) bool {
	for _, s := range all {
		if !slices.Contains(of, s) {
			return false
		}
	}
	return true
}
