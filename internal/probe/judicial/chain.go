package judicial

import (
	"context"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// breach is where a chain from the evidence to the verdict is shown to break: nothing
// of the one end comes to the other.
type breach struct {
	why string
	at  []court.Place // both ends
}

// links are the chains that checks rest on, by their probes: what the judges are
// told, what becomes of their models' answers, and what becomes of the opinions.
var links = map[string]func(*bench) *breach{
	"prompt.evidence": (*bench).unheard, "prompt.guard": (*bench).unheard,
	"llm.schema": (*bench).unanswered, "llm.every": (*bench).unanswered, "llm.validated": (*bench).unanswered, "llm.retry": (*bench).unanswered, "llm.feedback": (*bench).unanswered,
	"cj.node": (*bench).unweighed, "cj.llm_free": (*bench).unweighed, "cj.rules": (*bench).unweighed, "cj.cap": (*bench).unweighed, "cj.trigger": (*bench).unweighed, "cj.markdown": (*bench).unweighed,
}

// carried is a probe whose finding has an effect only where a chain holds. A chain
// that could not be followed holds.
func carried(ask run, link func(*bench) *breach) run {
	return func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
		list, err := ask(ctx, s, a)
		if err != nil || !slices.ContainsFunc(list, upheld) {
			return list, err
		}
		b, err := study(ctx, s)
		if err != nil {
			return nil, err
		}
		defer b.hold()()
		x := link(b)
		for i, f := range list {
			if x != nil && upheld(f) {
				list[i] = probe.Against(court.AST, slices.Concat(x.at, f.Places), "%s; but it has no effect: %s", strings.TrimSuffix(f.Rationale, "."), x.why)
				list[i].Data = f.Data
			}
		}
		return list, nil
	}
}

// upheld tells a finding that something is there, in full or in part.
func upheld(f probe.Finding) bool {
	return f.Outcome == court.Present || f.Outcome == court.Partial
}

// heard is what certain values hang on, and where they stand.
type heard struct {
	*analyse.Slice
	at []court.Place
}

// hears follows operands back.
func (b *bench) hears(ends func(*il.Function, *il.Instr) bool, of []analyse.Use) heard {
	h := heard{Slice: b.il.Slice(ends, of...)}
	for _, u := range of {
		h.at = append(h.at, lies(u.Function, u.At.Span))
	}
	return h
}

// followed tells whether all that they hang on is known.
func (h heard) followed() bool {
	return len(h.Origins) > 0 && h.Whole && !slices.ContainsFunc(h.Origins, func(x analyse.Origin) bool { return x.Kind == analyse.FromParameter && len(x.Keys) == 0 })
}

// keyed tells whether something comes that is read by a name of one of these words.
func (h heard) keyed(name string, words ...string) bool {
	return slices.ContainsFunc(h.Origins, func(x analyse.Origin) bool {
		return x.Kind != analyse.FromConst && len(x.Keys) > 0 && (x.Keys[0] == "*" || slices.ContainsFunc(x.Keys, func(k string) bool { return k == name || has(split(k), words...) })) || has(split(x.Symbol.Outside), words...)
	})
}

// handsOn is what the functions of a part's roots give back, and what its functions write.
func (b *bench) handsOn(r *programPart) (out []analyse.Use) {
	for _, d := range r.defs {
		f := b.il.function(d)
		if f == nil {
			continue
		}
		for k, in := range f.Instructions() {
			if b.il.Values.Dead(f, k) {
				continue
			}
			if in.Op == il.Return && slices.Contains(r.roots, d) {
				out = append(out, analyse.Use{Function: f, Operand: in.Args[0], At: in})
			}
			if in.Op == il.Call && slices.Contains(writers, in.Kind[strings.LastIndexByte(in.Kind, '.')+1:]) {
				for _, o := range in.Args[1:] {
					out = append(out, analyse.Use{Function: f, Operand: o, At: in})
				}
			}
		}
	}
	return out
}

// writers are functions and methods that write what they are given.
var writers = []string{"write", "write_text", "writelines", "dump"}

// readsOf are the places in the functions of a part that read a key of the state.
func (b *bench) readsOf(r *programPart, key string) (out []court.Place) {
	for _, d := range r.defs {
		f := b.il.function(d)
		if f == nil {
			continue
		}
		for _, in := range f.Instructions() {
			if in.Op != il.Get && (in.Op != il.Call || !strings.HasSuffix(in.Kind, ".get") || len(in.Args) < 2) {
				continue
			}
			if text, _ := f.Str(in.Args[1]); text == key {
				out = append(out, lies(f, in.Span))
			}
		}
	}
	return sorted(out)
}

// unheard is shown where no message to a model holds any of the evidence.
func (b *bench) unheard() *breach {
	b.asks()
	if b.r.State == nil || b.r.State.Material == nil {
		return nil
	}
	key := b.r.State.Material.Name
	read := b.readsOf(b.judges, key)
	var of []analyse.Use
	for _, d := range b.judges.defs {
		f := b.il.function(d)
		if f == nil {
			continue
		}
		for _, in := range f.Instructions() {
			if !b.prompted[in] {
				continue
			}
			for _, o := range append(in.Args[1:len(in.Args):len(in.Args)], receiver(f, in)) { // a chain holds its prompt
				of = append(of, analyse.Use{Function: f, Operand: o, At: in})
			}
		}
	}
	h := b.hears(nil, of)
	if len(read) == 0 || !h.followed() || h.keyed(key, "evidence", "evidences", "facts", "findings") {
		return nil
	}
	return &breach{"no evidence is in what the model is asked", slices.Concat(h.at[:1], read[:1])}
}

// unanswered is shown where no answer of a model is in what the judges give back.
func (b *bench) unanswered() *breach {
	b.asks()
	asked := b.models.in(b.judges)
	h := b.hears(func(_ *il.Function, in *il.Instr) bool { return b.prompted[in] }, b.handsOn(b.judges))
	if len(asked) == 0 || !h.followed() || slices.ContainsFunc(h.Origins, func(x analyse.Origin) bool { return b.prompted[x.At] }) {
		return nil
	}
	return &breach{"nothing of the model's answer is in what the judge gives back", slices.Concat(spots(asked[0].Node), h.at[:1])}
}

// verdict is what comes to what the chief justice gives back and writes.
func (b *bench) verdict() heard {
	return b.given.get(func() heard {
		return b.hears(nil, b.handsOn(b.chief))
	})
}

// unweighed is shown where nothing of the opinions is in what the chief justice gives
// back or writes.
func (b *bench) unweighed() *breach {
	if b.r.State == nil || b.r.State.Reviews == nil || !b.chief.wired {
		return nil
	}
	key := b.r.State.Reviews.Name
	read, h := b.readsOf(b.chief, key), b.verdict()
	if len(read) == 0 || !h.followed() || h.keyed(key, "opinion", "opinions", "score", "scores") {
		return nil
	}
	return &breach{"nothing of the opinions is in what the chief justice gives back", slices.Concat(h.at[:1], read[:1])}
}

// arrives tells whether a score that a rule sets may come into what the chief justice
// gives back or writes.
func (b *bench) arrives(n code.Node) bool {
	h := b.verdict()
	if !h.followed() {
		return true
	}
	known := false
	for _, x := range append(b.il.Written(n.Path(), n.Start(), n.End()), b.il.Written(n.Path(), n.Child(0).Start(), n.Child(0).End())...) {
		known = known || x.At.Dst != il.NoDst
		if h.Has(x.Function, x.At) || !h.Enters(x.Function) { // whether it is called is for others to tell
			return true
		}
	}
	return !known
}
