package judicial

import (
	"context"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// links are the arrows that checks rest on, by their probes: what the judges are told,
// what becomes of their models' answers, what becomes of the opinions, and what of the
// verdict. The first that is broken is told.
var links = map[string][]facts.Arrow{
	"prompt.evidence": {evidenceToMessage}, "prompt.guard": {evidenceToMessage},
	"llm.schema": {answerToOpinion}, "llm.every": {answerToOpinion}, "llm.validated": {answerToOpinion}, "llm.retry": {answerToOpinion}, "llm.feedback": {answerToOpinion},
	"cj.node": {opinionsToVerdict}, "cj.llm_free": {opinionsToVerdict}, "cj.rules": {opinionsToVerdict}, "cj.cap": {opinionsToVerdict}, "cj.trigger": {opinionsToVerdict}, "cj.markdown": {scoreToReport, opinionsToVerdict},
}

// carried is a probe whose finding has an effect only where an arrow holds. One that
// could not be followed holds.
func carried(ask run, on facts.Arrow) run {
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
		x := b.link(on)
		for i, f := range list {
			if facts.Broken(x) && upheld(f) {
				list[i] = probe.Against(court.AST, slices.Concat(x.At, f.Places), "%s But it has no effect: %s", safetext.Sentence(f.Rationale), safetext.Sentence(x.Why.Text)).
					Do("Connect what is disconnected here: %s", safetext.Sentence(x.Why.Text))
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
	return len(h.Origins) > 0 && h.Whole && !slices.ContainsFunc(h.Origins, func(x analyse.Origin) bool {
		return x.Kind == analyse.FromParameter && len(x.Keys) == 0 || x.Kind != analyse.FromConst && len(x.Keys) > 0 && x.Keys[0] == "*" || x.Handed()
	})
}

// keyed tells what is read by a name of one of these words.
func keyed(name string, words ...string) func(analyse.Origin) bool {
	return func(x analyse.Origin) bool {
		return x.Kind != analyse.FromConst && slices.ContainsFunc(x.Keys, func(k string) bool { return k == name || has(split(k), words...) }) || has(split(x.Symbol.Outside), words...)
	}
}

// handsOn is what the functions of a part's roots give back, and what its functions write
// where that counts.
func (b *bench) handsOn(r *programPart, writing bool) (out []analyse.Use) {
	roots := b.lowers(r.roots)
	for f, in := range b.live(r) {
		if in.Op == il.Return && roots[f] {
			out = append(out, analyse.Use{Function: f, Operand: in.Args[0], At: in})
		}
		if writing && in.Op == il.Call && slices.Contains(writers, lastName(in)) {
			for _, o := range in.Args[1:] {
				out = append(out, analyse.Use{Function: f, Operand: o, At: in})
			}
		}
	}
	return out
}

// writers are functions and methods that write what they are given.
var writers = []string{"write", "write_text", "writelines", "dump"}

// readsOf are the places in the functions of a part that read a key of the state.
func (b *bench) readsOf(r *programPart, key string) (out []court.Place) {
	for f, in := range b.live(r) {
		if text, _ := f.Str(keyOf(in)); text == key {
			out = append(out, lies(f, in.Span))
		}
	}
	return sorted(out)
}

// verdict is what comes to what the chief justice gives back and writes.
func (b *bench) verdict() heard {
	return b.given.get(func() heard {
		return b.hears(nil, b.handsOn(b.chief, true))
	})
}

// sites are the instructions that a statement writes, or that read a text.
func (b *bench) sites(n code.Node) []analyse.Site {
	out := slices.Concat(b.il.Written(n.Path(), n.Start(), n.End()), b.il.Written(n.Path(), n.Child(0).Start(), n.Child(0).End()))
	for a := n; n.Is("string") && len(out) == 0 && a.Valid() && !a.Is("block", "module"); a = a.Parent() {
		out = b.il.Written(a.Path(), a.Start(), a.End())
	}
	return out
}

// comes tells whether what a statement sets, or a text, comes into what the chief justice
// gives back or writes.
func (b *bench) comes(n code.Node) facts.Answer {
	h := b.verdict()
	if n.Is("string") && h.constant(n.Path(), unescape(contents(n))) {
		return facts.Yes
	}
	known, seen := false, true
	for _, x := range b.sites(n) {
		if h.Has(x.Function, x.At) {
			return facts.Yes
		}
		known = known || x.At.Dst != il.NoDst
		seen = seen && h.Enters(x.Function) // whether it is called is for others to tell
	}
	if set := b.setsOpinion(n); set != nil && b.readAfter(*set) {
		return facts.Yes
	}
	if !h.followed() || !known || !seen {
		return facts.Unknown
	}
	return facts.No
}

// setsOpinion is where an assignment sets the score of an opinion; nil where it does not.
func (b *bench) setsOpinion(n code.Node) *analyse.Site {
	opinion := keyed("", "opinion", "opinions")
	if s := b.r.State; s != nil && s.Reviews != nil {
		opinion = keyed(s.Reviews.Name, "opinion", "opinions")
	}
	left := n.Field("left")
	for _, s := range b.il.Written(n.Path(), left.Start(), left.End()) {
		if !left.Valid() || s.At.Op != il.Set {
			continue
		}
		key, _ := s.Function.Str(s.At.Args[1])
		if ofAttribute(key) != judged {
			continue
		}
		if _, ok := b.hears(nil, []analyse.Use{{Function: s.Function, Operand: s.At.Args[0], At: s.At}}).first(opinion); ok {
			return &s
		}
	}
	return nil
}

// readAfter reports whether the verdict hangs on a part of an object, by whatever name, that
// is read where a run may come after it was set.
func (b *bench) readAfter(set analyse.Site) bool {
	key, _ := set.Function.Str(set.At.Args[1])
	for f, in := range b.live(b.chief) {
		if text, _ := f.Str(keyOf(in)); text == key && b.verdict().Has(f, in) && (f != set.Function || b.il.Values.Later(f, set.At, in)) {
			return true
		}
	}
	return false
}

// constant tells whether a text of a file, or one that it is part of, is among what values
// hang on.
func (h heard) constant(path, text string) bool {
	return slices.ContainsFunc(h.Origins, func(x analyse.Origin) bool {
		whole, _ := x.Function.Str(x.Operand)
		return x.Kind == analyse.FromConst && x.Function.Module.Path == path && text != "" && strings.Contains(whole, text)
	})
}

// arrives tells whether that may be.
func (b *bench) arrives(n code.Node) bool { return b.comes(n) != facts.No }
