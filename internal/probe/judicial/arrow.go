package judicial

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/langgraph"
)

// The arrows, in the order in which a case goes through them.
var (
	cloneToEvidence    = facts.Arrow{From: "clone", To: "evidence"}
	documentToEvidence = facts.Arrow{From: "document", To: "evidence"}
	evidenceToMessage  = facts.Arrow{From: "evidence", To: "message"}
	answerToOpinion    = facts.Arrow{From: "answer", To: "opinion"}
	opinionsToVerdict  = facts.Arrow{From: "opinions", To: "verdict"}
	ruleToScore        = facts.Arrow{From: "rule", To: "score"}
	scoreToReport      = facts.Arrow{From: "score", To: "report"}

	arrows = []facts.Arrow{cloneToEvidence, documentToEvidence, evidenceToMessage, answerToOpinion, opinionsToVerdict, ruleToScore, scoreToReport}
)

// link is what is so about an arrow, told once.
func (b *bench) link(on facts.Arrow) facts.Fact[facts.Link] {
	f, ok := b.linked[on]
	if !ok {
		f = b.follow(on)
		f.Value.Arrow, f.Source = on, court.AST
		b.linked[on] = f
	}
	return f
}

func (b *bench) follow(on facts.Arrow) facts.Fact[facts.Link] {
	switch on {
	case cloneToEvidence:
		return b.gathered(readsRepository, "the evidence contains nothing that was read from the repository")
	case documentToEvidence:
		return b.gathered(readsDocument, "the evidence contains nothing of the document's text")
	case evidenceToMessage:
		return b.heeded()
	case answerToOpinion:
		return b.answered()
	case opinionsToVerdict:
		return b.pondered()
	case ruleToScore:
		return b.enforced()
	default:
		return b.published()
	}
}

// missing is an arrow of which an end is not there.
func missing(what string) facts.Fact[facts.Link] {
	return facts.Fact[facts.Link]{Value: facts.Link{Lacks: what}}
}

// carries is the fact of an arrow: whether one of the origins of what the other end is
// made of is of the first end. breaks is what is so where none is.
func (h heard) carries(from []court.Place, is func(analyse.Origin) bool, breaks string) facts.Fact[facts.Link] {
	if len(h.at) == 0 {
		return missing("no place that it leads to was found")
	}
	from = from[:min(1, len(from))]
	f := facts.Fact[facts.Link]{Value: facts.Link{From: from, To: h.at[:1]}}
	switch x, ok := h.first(is); {
	case ok:
		f.Answer, f.Value.Way = facts.Yes, steps(x)
		if to := x.Steps()[0]; h.ends(x) {
			f.Value.To = []court.Place{lies(to.Function, to.Use.Span)}
		}
		if x.At != nil && x.At.Op == il.Call || len(from) == 0 {
			f.Value.From = f.Value.Way[:min(1, len(f.Value.Way))]
		}
	case len(from) == 0:
		return missing("no source of it was found")
	case h.followed():
		f.Answer, f.Why.Text = facts.No, breaks
	default:
		f.Why = h.lost()
	}
	f.At = slices.Concat(f.Value.To, f.Value.From)
	return f
}

// first is the first origin of a kind, one that comes to the end itself before one on
// which only a choice hangs.
func (h heard) first(is func(analyse.Origin) bool) (out analyse.Origin, ok bool) {
	for _, x := range h.Origins {
		if is(x) && (!ok || h.ends(x)) {
			out, ok = x, true
			if h.ends(x) {
				break
			}
		}
	}
	return out, ok
}

// ends tells whether the way of an origin leads to what was asked about.
func (h heard) ends(x analyse.Origin) bool {
	way := x.Steps()
	return len(way) > 0 && way[0].Use != nil && slices.Contains(h.at, lies(way[0].Function, way[0].Use.Span))
}

// mostSteps bounds the places of a way that are told.
const mostSteps = 8

// steps are the places of the way of an origin, itself first, each line once.
func steps(x analyse.Origin) (out []court.Place) {
	add := func(f *il.Function, in *il.Instr) {
		if f == nil || in == nil || in.Span.To == 0 || len(out) >= mostSteps {
			return
		}
		p := lies(f, in.Span)
		if !slices.ContainsFunc(out, func(q court.Place) bool { return p.Path == q.Path && p.Line == q.Line }) {
			out = append(out, p)
		}
	}
	add(x.Function, x.At)
	for _, step := range slices.Backward(x.Steps()) {
		add(step.Function, step.Use)
	}
	return out
}

// lost says where what the other end is made of went out of sight.
func (h heard) lost() facts.Reason {
	why := "the origin of this could not be followed to its end"
	if i := slices.IndexFunc(h.Origins, func(x analyse.Origin) bool { return x.Kind == analyse.OutOfSight && x.Why != "" }); i >= 0 {
		why += ": " + h.Origins[i].Why
	}
	return facts.Reason{Code: court.Dynamic, Text: why}
}

// messages are what the judges' models get.
func (b *bench) messages() (out []analyse.Use) {
	b.asks()
	for f, in := range b.live(b.judges) {
		if !b.prompted[in] {
			continue
		}
		for _, o := range append(in.Args[1:len(in.Args):len(in.Args)], receiver(f, in)) { // a chain holds its prompt
			out = append(out, analyse.Use{Function: f, Operand: o, At: in})
		}
	}
	return out
}

// heeded is the arrow from the evidence to the messages that models get.
func (b *bench) heeded() facts.Fact[facts.Link] {
	if b.r.State == nil || b.r.State.Material == nil {
		return missing("no field of the state holds evidence")
	}
	of := b.messages()
	if len(of) == 0 {
		return missing("no judge asks a model")
	}
	key := b.r.State.Material
	h, doubt := b.wary(func(f *il.Function, in *il.Instr) bool { return b.makesClient(f, in) || b.gets(f, in) != "" }, of)
	for i, x := range h.Origins {
		if text := b.gets(x.Function, x.At); text != "" { // it is read of the object by that key
			h.Origins[i].Kind, h.Origins[i].Keys = analyse.FromParameter, append([]string{text}, x.Keys...)
		}
	}
	from := b.readsOf(b.judges, key.Name)
	if len(from) == 0 && doubt == "" && !h.brings() {
		from = facts.At(key.At) // nobody reads it, and nothing else may bring it
	}
	return h.carries(from, keyed(key.Name, "evidence", "evidences", "facts", "findings"), "the question to the model contains no evidence")
}

// gets is the constant key that a call of a method get of the program's own asks for; ""
// for others.
func (b *bench) gets(f *il.Function, in *il.Instr) string {
	if in == nil || in.Op != il.Call || lastName(in) != "get" || b.il.callee(f, in) == nil {
		return ""
	}
	text, _ := f.Str(keyOf(in))
	return text
}

// makesClient tells a call that makes the client of a model.
func (b *bench) makesClient(f *il.Function, in *il.Instr) bool {
	return in.Op == il.Call && clientName(b.il.outside(f, in)) != "" && !slices.Contains(asking, lastName(in))
}

// unheard tells that it is shown that the judges' models get nothing that was examined.
func (b *bench) unheard() bool {
	return facts.Broken(b.link(evidenceToMessage)) && len(b.readsOf(b.judges, b.r.State.Material.Name)) == 0
}

// answered is the arrow from the models' answers to what the judges give back.
func (b *bench) answered() facts.Fact[facts.Link] {
	b.asks()
	from := b.models.in(b.judges)
	if len(from) == 0 {
		return missing("no judge asks a model")
	}
	h := b.hears(func(_ *il.Function, in *il.Instr) bool { return b.prompted[in] }, b.handsOn(b.judges, true))
	f := h.carries(spots(from[0].Node), func(x analyse.Origin) bool { return b.prompted[x.At] }, "the judge's result contains nothing of the model's answer")
	slices.Reverse(f.At)
	return f
}

// pondered is the arrow from the opinions to what the chief justice gives back or
// writes.
func (b *bench) pondered() facts.Fact[facts.Link] {
	if b.r.State == nil || b.r.State.Reviews == nil || !b.chief.wired {
		return missing("no node of the graph weighs opinions")
	}
	key := b.r.State.Reviews.Name
	return b.verdict().carries(b.readsOf(b.chief, key), keyed(key, "opinion", "opinions", "score", "scores"), "the chief justice's result contains nothing of the opinions")
}

// enforced is the arrow from the rules that set scores to what the chief justice gives
// back or writes: one that does not get there breaks it.
func (b *bench) enforced() facts.Fact[facts.Link] {
	f := missing("no rule sets a score")
	for _, name := range ruleNames {
		at := b.rule(name)
		if len(at) == 0 || len(b.verdict().at) == 0 || name == ruleDissent { // that is a text
			continue
		}
		g := facts.Fact[facts.Link]{Value: facts.Link{From: spots(at[0]), To: b.verdict().at[:1]}, Answer: facts.No}
		for _, n := range at {
			if is := b.comes(n); is == facts.Yes || is == facts.Unknown && g.Answer == facts.No {
				g.Answer = is
			}
		}
		g.At = slices.Concat(g.Value.From, g.Value.To)
		switch g.Answer {
		case facts.No:
			g.Why.Text = lore[name].does + ", but the chief justice's result contains nothing of it"
			return g
		case facts.Unknown:
			g.Why = b.verdict().lost()
			f = g
		default:
			if f.Value.Lacks != "" {
				f = g
			}
		}
	}
	return f
}

// published is the arrow from the scores to the report. It says no only where the report
// is made of constants and of what is known to read nothing.
func (b *bench) published() facts.Fact[facts.Link] {
	var written []analyse.Use
	for _, r := range b.renderings() {
		if r.kept {
			written = b.handsOn(enter(b.p, b.il, []*code.Definition{r.fn}, false), true)
			break
		}
	}
	if len(written) == 0 {
		return missing("no report with headings is written")
	}
	runs := map[*il.Instr]bool{}
	if b.r.Main != nil {
		for _, c := range b.r.Main.Invokes {
			if x, ok := b.il.call(langgraph.Expr(c.Source)); ok {
				runs[x.in] = true
			}
		}
	}
	h, doubt := b.wary(func(_ *il.Function, in *il.Instr) bool { return runs[in] }, written)
	var from, there []court.Place
	for _, e := range b.effects(b.chief) {
		if !b.onJudges(e) {
			continue
		}
		from = append(from, spot(e.node))
		if slices.ContainsFunc(b.il.Written(e.node.Path(), e.node.Start(), e.node.End()), func(x analyse.Site) bool { return h.Has(x.Function, x.At) }) {
			there = append(there, spot(e.node))
		}
	}
	told := keyed("final_report", "final", "score", "scores", "overall", "verdict", "verdicts", "results", "criteria", "opinions")
	f := h.carries(from, func(x analyse.Origin) bool { return told(x) || runs[x.At] && len(x.Keys) == 0 }, "the report contains nothing of the scores")
	if len(there) > 0 {
		f.Answer, f.Why, f.Value.Lacks = facts.Yes, facts.Reason{}, ""
		f.Value.From, f.Value.Way = there[:1], nil
		f.At = slices.Concat(h.at[:1], there[:1])
	}
	return doubted(f, doubt, slices.ContainsFunc(h.Origins, func(x analyse.Origin) bool { return x.Kind == analyse.FromParameter || runs[x.At] }))
}
