package judicial

import (
	"context"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// where is a place as the sheet writes it.
func where(n code.Node) probe.Spot {
	return probe.Spot{Place: court.Place{Path: n.Path(), Line: n.Line(), EndLine: n.Line()}}
}

// starting is the first line of a place.
func starting(p court.Place) probe.Spot {
	return probe.Spot{Place: court.Place{Path: p.Path, Line: p.Line, EndLine: p.Line}}
}

// judgeFacts fills the sheet's section on the judges.
func judgeFacts(ctx context.Context, s *probe.Scene, sheet *probe.Sheet) error {
	b, err := study(ctx, s)
	if err != nil {
		return err
	}
	none := len(b.judges.roots) == 0
	if none {
		if unread, why, err := s.Unread(ctx); err != nil {
			return err
		} else if len(unread) > 0 {
			return &probe.Unable{Reason: why, Why: "no judges were found, but this could not be read: " + court.Clean(unread[0].Path, 120), At: unread}
		}
	}
	defer b.hold()()
	f := &sheet.Judges
	f.ModelProviders = b.providers()
	proveProviders(b, sheet)
	asked := len(b.models.in(b.judges)) > 0
	posed := !asked && len(b.impostors()) > 0 // a stand-in answers, whatever is asked of it
	if !none && !asked && !posed && (len(b.sentinels(modelSentinels...)) > 0 || len(b.computed()) > 0) {
		f.Personas = new(compare(b.prompts()).personas)
		sheet.Prove("judges", "the judges' code could not be followed to the model that it asks")
		return nil
	}
	f.StructuredOutput.Kind = new(kindNone)
	b.proveLack(sheet, "judges.structured_output", "no schema is bound to it, and its answer is parsed into no model")
	if bs := b.structured(); len(bs) > 0 && !posed {
		at := where(bs[0].at)
		f.StructuredOutput.Kind, f.StructuredOutput.At = new(bs[0].kind), &at
		sheet.Prove("judges.structured_output", "%s", at)
	}
	f.Retry = new(false)
	b.proveLack(sheet, "judges.retry", "nothing asks again")
	if rs := b.retries(); len(rs) > 0 && !posed {
		once, _ := b.onlyOnce()
		f.Retry = new(rs[0].never == "" && len(once) == 0)
		sheet.Prove("judges.retry", "%s: %s", starting(rs[0].at), rs[0].how)
		if len(once) > 0 {
			sheet.Prove("judges.retry", "%s: %s asks once", where(once[0].Node), once[0].Name)
		}
	}
	off := b.withoutModel()
	f.FallbackWithoutLLM = new(off.yields && !none)
	sheet.Prove("judges.fallback_without_llm", "%s", off.how)
	if off.at.Path != "" {
		sheet.Prove("judges.fallback_without_llm", "%s: %s", starting(off.at), off.how)
	}
	b.promptFacts(sheet, none)
	return nil
}

// promptFacts fills in what the judges are told; without a call of a model
// their texts are told to nobody.
func (b *bench) promptFacts(sheet *probe.Sheet, none bool) {
	f := &sheet.Judges
	if !none && len(b.models.in(b.judges)) == 0 && !b.unseen().Valid() {
		f.Personas = new(0)
		sheet.Prove("judges.personas", "no judge asks a model, so no text is a prompt")
		sheet.Prove("judges.prompts_distinct", "no judge asks a model, so there are no prompts to be compared")
		return
	}
	pr := b.prompts()
	l := compare(pr)
	f.Personas = new(l.personas)
	provePersonas(pr, sheet)
	switch {
	case none:
		sheet.Prove("judges.prompts_distinct", "there are no judges")
	case !l.known && len(pr.common.parts) == 0:
		sheet.Prove("judges.prompts_distinct", "the prompts could not be resolved")
	case !l.known:
		f.PromptsDistinct = new(false)
		sheet.Prove("judges.prompts_distinct", "the judges share a text: %s", pr.shared()[0])
	default:
		f.PromptsDistinct = new(l.most < half)
		sheet.Prove("judges.prompts_distinct", "largest similarity %s, of %s and %s", l.most, l.a.title(), l.b.title())
	}
}

// half is the challenge's own threshold for prompts that are alike.
const half = 5000

// justiceFacts fills the sheet's section on the chief justice.
func justiceFacts(ctx context.Context, s *probe.Scene, sheet *probe.Sheet) error {
	b, err := study(ctx, s)
	if err != nil {
		return err
	}
	defer b.hold()()
	f := &sheet.Justice
	if len(b.chief.roots) == 0 && len(b.sentinels(chiefSentinels...)) > 0 {
		sheet.Prove("justice", "a chief justice is named in the code, but the function that decides could not be found")
		return nil
	}
	f.Present = new(len(b.chief.roots) > 0)
	sheet.Prove("justice", "no production code turns opinions into final scores")
	for _, x := range []struct {
		into **bool
		key  string
		at   []code.Node
	}{
		{&f.SecurityCap, ruleSecurity, b.rule(ruleSecurity)},
		{&f.FactSupremacy, ruleFacts, b.rule(ruleFacts)},
		{&f.FunctionalityWeight, ruleFunctionality, b.rule(ruleFunctionality)},
		{&f.Dissent, ruleDissent, b.rule(ruleDissent)},
		{&f.Variance, ruleVariance, b.rule(ruleVariance)},
	} {
		if x.key == ruleVariance && len(x.at) == 0 && len(b.undecided()) > 0 {
			sheet.Prove("justice."+x.key, "%s", notFollowed)
			continue
		}
		*x.into = new(*f.Present && len(x.at) > 0)
		if len(x.at) > 0 {
			sheet.Prove("justice."+x.key, "%s", where(x.at[0]))
		} else if *f.Present {
			sheet.Prove("justice."+x.key, "no such branch in what %s reaches", where(b.chief.roots[0].Node))
		}
	}
	f.Deterministic, f.MarkdownReport = new(false), new(false)
	if !*f.Present {
		return nil
	}
	at := where(standing(b.chief.roots[0]).Node)
	f.At = &at
	sheet.Prove("justice.present", "%s", at)
	sheet.Prove("justice.deterministic", "no model's answer reaches a score in what %s reaches", at)
	sheet.Prove("justice.markdown_report", "no Markdown with headings is made of the results and kept")
	decided := b.decidedByModel()
	f.Deterministic = new(len(decided) == 0)
	if len(decided) > 0 {
		sheet.Prove("justice.deterministic", "%s", where(decided[0]))
	}
	for _, r := range b.renderings() {
		if r.kept {
			f.MarkdownReport = new(true)
			sheet.Prove("justice.markdown_report", "%s", where(r.at))
			break
		}
	}
	return nil
}

// decidedByModel lists the effects in the chief's code whose score comes from
// a model's answer.
func (b *bench) decidedByModel() []code.Node {
	var out []code.Node
	for _, e := range b.effects(b.chief) {
		if e.is.data&asked != 0 {
			out = append(out, e.node)
		}
	}
	return out
}
