package document

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/passage"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// maxClaims bounds the claims of a hostile document.
const maxClaims = 5000

// symbols holds the identifiers that the document names against the code.
func (l *ledger) symbols() {
	seen := map[string]bool{}
	for i := range l.passages {
		p := &l.passages[i]
		if len(l.claims) > maxClaims {
			return
		}
		if p.Kind == passage.Contents || p.Kind == passage.Heading || p.Kind == passage.Code {
			continue
		}
		for _, st := range statements(p) {
			m := mood(p, st.around)
			for _, name := range symbolsIn(st.text) {
				called := underscored(st.text, name+"()", func(n string) bool { return l.repo.known.exact[strings.TrimSuffix(n, "()")] })
				name = strings.TrimSuffix(called, "()")
				if seen[name] || len(name) < 4 {
					continue
				}
				c := l.symbol(p, st, name, m)
				seen[name] = c.Modality == done
				if c.Fate != undecided {
					l.claims = append(l.claims, c)
				} else if c.Modality == done {
					l.other = append(l.other, name)
				}
			}
		}
	}
}

// unheard adds the names of Python's library and of classes that ask a model of which a claim is contradicted, and which no
// file of code has: as such a name is no product's, it is one that the code should have.
func (l *ledger) unheard() {
	for _, c := range once(with(untrue, l.of(ofCapability))) {
		name := c.Subject[strings.LastIndexByte(c.Subject, '.')+1:]
		if !library.MatchString(c.Subject) && !client(name) || l.repo.known.exact[name] ||
			slices.ContainsFunc(l.claims, func(x claim) bool { return x.Kind == ofSymbol && x.Subject == name }) {
			continue
		}
		l.other = slices.DeleteFunc(l.other, func(n string) bool { return n == name })
		c.Kind, c.Subject, c.Why, c.proof = ofSymbol, name, "", nil
		l.claims = append(l.claims, c)
	}
}

// ofCriteria tells a sentence about the criteria of a rubric, whose ids look
// like names of code.
var ofCriteria = regexp.MustCompile(`(?i)\b(?:criteri(?:on|a)|dimensions?|rubric|scored?|graded?)\b|\b[1-5](?:\.\d)?\s?/\s?5\b`)

// symbol is the claim that a statement makes by a name.
func (l *ledger) symbol(p *passage.Passage, st statement, name string, m modality) claim {
	c := claim{Kind: ofSymbol, Subject: name, Modality: m, Page: p.Page, passage: p, sentence: st.text}
	c.Fate, c.proof = l.repo.symbol(name)
	switch {
	case len(c.proof) > 0 && l.repo.definition(name) != nil:
		c.Why = "The code defines it."
	case len(c.proof) > 0 && !l.repo.known.exact[name] && ofModel.MatchString(name):
		c.Why = "A class of the code has it from pydantic."
	case len(c.proof) > 0:
		c.Why = "The code uses it."
	}
	if c.Fate == undecided && l.repo.noNode(name, st.text) {
		c.Fate = untrue
	}
	gone := c.Fate == untrue
	switch {
	case gone && (l.repo.known.rubric[name] || ofCriteria.MatchString(st.around)):
		c.Fate = undecided
	case m != done:
	case saidMissing(st.text, name):
		c.Modality = denied
		switch {
		case gone:
			c.Fate = holds
			c.Why = "No file of code has the name."
		case l.repo.definition(name) == nil || l.repo.definition(name).name != name:
			c.Fate = undecided
		default:
			c.Fate, c.Why = untrue, "The code defines it."
		}
	case gone && (asExample(st.text, name) || inSample(st.text, name) || listed.MatchString(st.text)):
		c.Modality = example
	case gone && denyWords.MatchString(st.around):
		c.Modality = denied
		c.Fate = undecided
	}
	return c
}

// noNode tells whether a statement calls a name of several humps a node, where the graph is known in full and no file has
// the name.
func (a *against) noNode(name, text string) bool {
	g := a.graphs.Main
	if g == nil || len(g.Unresolved) > 0 || !humped.MatchString(name) || a.known.folded[fold(name)] || a.known.folded[fold(name)+"node"] {
		return false
	}
	_, after, ok := strings.Cut(text, name)
	return ok && calledNode.MatchString(after)
}

var (
	humped     = regexp.MustCompile(`^(?:[A-Z][a-z]{2,}){2,}$`)
	calledNode = regexp.MustCompile(`^["'\x60”)]*\s(?:graph )?nodes?\b`)
)

// listed tells lines of code that were printed as running text: what they show may
// be a sketch, or the contrary of what is done. So may be a formula.
var listed = regexp.MustCompile(`\bdef \w+\(|\bclass \w+\s*[(:]|\w\s=\s\w|\breturn [{\[]|\bimport \w+|\w\(\[|\)\s*->|\w\(f?["']|\blambda\b|\bfor \w+ in \w+:`)

// inSample tells a name in printed data, as in {"key": "value"}.
func inSample(text, name string) bool {
	before, after, ok := strings.Cut(text, name)
	if !ok {
		return false
	}
	open := strings.LastIndexAny(before, "{}")
	inBraces := open >= 0 && before[open] == '{' && strings.Contains(before[open:]+after, ":")
	return inBraces || sampleKey.MatchString(after)
}

var sampleKey = regexp.MustCompile(`^\w*["'”]\s*:`)

// maxOlder bounds the older versions of files that are searched for a name.
const maxOlder = 4000

// former tells names that earlier versions of the code had from those that no
// commit has. Where the history is not complete, or too long, nobody can tell.
func (l *ledger) former(ctx context.Context, s *probe.Scene) error {
	var open []int
	for i, c := range l.claims {
		if c.Kind == ofSymbol && c.Fate == untrue && c.Modality != denied {
			l.claims[i].Why = "No file of code has the name."
			open = append(open, i)
		}
	}
	if len(open) == 0 || !l.repo.history.Complete() {
		return nil
	}
	oids := map[string]bool{}
	for i := range l.repo.history.Commits {
		for _, ch := range l.repo.history.Commits[i].Changes {
			switch l.repo.layout.Scope(ch.Path) {
			case code.ScopeDocs, code.ScopeAudit, code.ScopeVendor:
			default:
				if ch.OID != "" && !ch.Binary {
					oids[ch.OID] = true
				}
			}
		}
	}
	if len(oids) > maxOlder {
		return nil
	}
	older, err := s.Objects(ctx, slices.Sorted(maps.Keys(oids)))
	if err != nil {
		return err
	}
	v := &vocabulary{exact: map[string]bool{}, folded: map[string]bool{}}
	for _, text := range older {
		v.add(buildSystem.ReplaceAllString(string(text), "\n"))
	}
	whole := len(older) == len(oids) && len(v.exact) < maxVocabulary
	for _, i := range open {
		c := &l.claims[i]
		switch {
		case v.folded[fold(strings.TrimLeft(c.Subject, "-"))]:
			c.Fate, c.Why = renamed, "An earlier commit had the name, but no file of code has it now."
		case whole:
			c.Fate, c.Why = never, "No file of code has the name, in any commit."
		}
	}
	return nil
}

// definition is what a name stands for: of production code before other code,
// by its exact name before one that differs in case and underscores.
func (a *against) definition(name string) *declaration {
	var best *declaration
	rank := -1
	for _, d := range a.defined[fold(name)] {
		r := 0
		if d.scope == code.ScopeProduction {
			r += 2
		}
		if d.name == name {
			r++
		}
		if r > rank {
			best, rank = d, r
		}
	}
	return best
}

// spot is where the code uses a name: of production code before other code.
func (a *against) spot(name string) []court.Place {
	if a.known.asked++; a.known.asked > mostAsked {
		return nil
	}
	for _, scope := range []code.Scope{code.ScopeProduction, code.ScopeTest, code.ScopeExample} {
		for _, m := range a.program.Mentions(name, scope) {
			if prosaic(m) {
				continue
			}
			t := m.Words(name)[0]
			return []court.Place{{Path: m.Path, Line: t.Line, EndLine: t.Line}}
		}
		if at := a.seen(name, scope); at != nil {
			return at
		}
	}
	return nil
}

// ofState tells the name of a state's class, which is nobody's product; one is LangGraph's.
func ofState(name string) bool { return strings.HasSuffix(name, "State") && name != "MessagesState" }

// symbol says whether a name occurs in the code, and where it is defined.
// A name of several humps that does not occur is undecided, as products and
// people's own words for things look the same; but for those of states.
func (a *against) symbol(name string) (fate, []court.Place) {
	bare := strings.TrimLeft(name, "-")
	if strings.HasPrefix(name, "--") {
		bare = strings.ReplaceAll(bare, "-", "_")
		parts := strings.SplitSeq(bare, "_")
		for w := range parts {
			if len(w) > 2 && !a.known.exact[w] && !a.known.folded[fold(bare)] {
				return untrue, nil
			}
		}
		return holds, nil
	}
	if d := a.definition(bare); d != nil {
		return holds, []court.Place{d.at()}
	}
	at := a.spot(bare)
	switch {
	case camelShape.MatchString(bare) && !ofState(bare) && !strings.Contains(bare, "_") && at == nil && !a.known.others[bare] && !a.nodes[fold(bare)]:
		return undecided, nil // the name of a product, for all that the code says
	case a.known.exact[bare], a.known.folded[fold(bare)]:
		return holds, at
	case a.known.builds[bare], a.known.told[bare]: // a tool that packs the project, or a module of its backend; a word of data
		return undecided, nil
	case a.known.within(bare), a.known.ends(bare): // a name that the page broke, a longer one cut short, or two in one
		return undecided, nil
	case callShape.MatchString(bare):
		return undecided, nil
	}
	if ofModel.MatchString(bare) {
		if at := a.model(); at != nil {
			return holds, at
		}
	}
	return untrue, nil
}

// ofModel are the methods and fields that every class of pydantic has.
var ofModel = regexp.MustCompile(`^model_(?:dump|dump_json|validate|validate_json|validate_strings|json_schema|copy|construct|rebuild|fields|fields_set|extra|config|post_init|computed_fields)$`)

// model is the first class that is one of pydantic's.
func (a *against) model() []court.Place {
	for _, m := range a.program.Modules {
		for _, d := range m.Definitions() {
			if d.Kind == code.DefClass && m.Scope == code.ScopeProduction && a.program.Inherits(d, "pydantic.BaseModel", "pydantic.main.BaseModel") {
				return line(m.Path, d.Line())
			}
		}
	}
	return nil
}
