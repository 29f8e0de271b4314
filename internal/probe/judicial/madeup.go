package judicial

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/langgraph"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// exhibits are the places where the detectives' code makes evidence that says it found
// something, by whether it is made up.
type exhibits struct {
	madeUp, other []court.Place
}

// exhibits looks at each piece of evidence that is made. One is made up where it is said to
// be found whatever happens, and neither what it says nor whether it is made hangs on
// anything that is read. Where that is not known, and in a function that writes other
// evidence when reading fails, it is not.
func (b *bench) exhibits() exhibits {
	return b.material.get(func() (out exhibits) {
		part := b.detectives()
		if b.r.Material == nil || langgraph.Def(b.r.Material.Source) == nil {
			return out
		}
		class := b.il.function(langgraph.Def(b.r.Material.Source))
		if class == nil {
			return out
		}
		roots := b.lowers(part.roots)
		for f, in := range b.live(part) {
			if in.Op != il.Call || b.il.callee(f, in) != class {
				continue
			}
			switch found, known := b.foundBy(f, in); {
			case known && !found:
			case known && !b.hedged(f, class) && roots[f] && b.fromNothing(f, f.Block(in), in):
				out.madeUp = append(out.madeUp, lies(f, in.Span))
			default:
				out.other = append(out.other, lies(f, in.Span))
			}
		}
		return out
	})
}

// foundBy is what a piece of evidence says whatever happens: that something was found, or
// not; known is false where that hangs on something.
func (b *bench) foundBy(f *il.Function, in *il.Instr) (found, known bool) {
	for i, name := range in.Names {
		if name == "" || name == "*" || name == "**" {
			return false, false
		}
		if !has(split(name), "found", "exists", "present", "detected", "verified") {
			continue
		}
		c, ok := f.Const(f.Root(in.Args[i+1]))
		return c.Num != 0, ok && c.Type == il.BoolConst
	}
	return false, false
}

// hedged tells a function that makes evidence where reading fails, too: which it makes
// hangs on what is read.
func (b *bench) hedged(f, class *il.Function) bool {
	for k, in := range f.Instructions() {
		if in.Op != il.Call || b.il.callee(f, in) != class {
			continue
		}
		for at := k; at != nil; at = at.Dominator() {
			if at.Instrs[0].Op == il.Catch {
				return true
			}
		}
	}
	return false
}

// fromNothing tells a piece of evidence that hangs on nothing that is read, in what it
// says and in whether it is made.
func (b *bench) fromNothing(f *il.Function, home *il.Block, in *il.Instr) bool {
	var of []analyse.Use
	for i, o := range in.Args[1:] {
		if name := split(in.Names[i]); !has(name, "goal", "id", "criterion", "dimension", "detective", "name") {
			of = append(of, analyse.Use{Function: f, Operand: o, At: in})
		}
	}
	of = append(of, b.il.Deciding(f, home)...)
	if len(of) == 0 {
		return false
	}
	reads := func(f *il.Function, in *il.Instr) bool {
		return in.Op == il.Call && (b.looks(f, in, readsRepository) || b.looks(f, in, readsDocument))
	}
	h, doubt := b.wary(reads, of)
	return doubt == "" && h.followed() && !slices.ContainsFunc(h.Origins, func(x analyse.Origin) bool {
		return x.At != nil && reads(x.Function, x.At) || x.Kind == analyse.FromException ||
			x.Kind == analyse.FromParameter && (len(x.Keys) == 0 || !has(split(x.Keys[0]), given...))
	})
}

// grounded is a finding on what is done with the evidence: what is made up, it is not
// worth, and where none comes into the state, nothing.
func (b *bench) grounded(f probe.Finding) probe.Finding {
	if f = b.filled(f); !upheld(f) {
		return f
	}
	p := b.exhibits()
	if len(p.madeUp) == 0 {
		return f
	}
	places := slices.Concat(p.madeUp, f.Places)
	const but = "%s But the detectives invent %s: it says that something was found, and depends on nothing that is read."
	if len(p.other) == 0 {
		out := probe.Against(court.AST, places, but, safetext.Sentence(f.Rationale), "all evidence")
		out.Data = f.Data
		return out.Do(groundRemedy, facts.Line(p.madeUp[0]))
	}
	share := probe.Ratio(len(p.other), len(p.other)+len(p.madeUp))
	if f.Outcome == court.Partial {
		share = min(share, f.Share)
	}
	out := probe.Partly(share, court.AST, places, but, safetext.Sentence(f.Rationale), court.Count(len(p.madeUp), "piece")+" of evidence")
	out.Data = f.Data
	return out.Do(groundRemedy, facts.Line(p.madeUp[0]))
}

// filled is a finding on what is done with the evidence of the state: where no node ever writes
// any, nothing.
func (b *bench) filled(f probe.Finding) probe.Finding {
	if b.r.State == nil || b.r.State.Material == nil || !b.r.State.Material.Void || !upheld(f) {
		return f
	}
	field := b.r.State.Material
	name := court.Clean(field.Name, 60)
	why := "no node of the graph writes " + name + ", so it is empty in every run"
	out := probe.Against(court.AST, slices.Concat(facts.At(field.At), f.Places), "%s But %s.", safetext.Sentence(f.Rationale), why)
	out.Data, out.Barred = f.Data, why
	return out.Do("%s", facts.ToWrite(b.r.State, field.Name))
}

// groundRemedy names the first place where evidence is invented.
const groundRemedy = "Make the evidence at %s follow from what the detective read: found=bool(matches) instead of a constant."
