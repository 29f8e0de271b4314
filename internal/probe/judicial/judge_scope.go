package judicial

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/il/intree"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var judgeScope = probe.Probe{
	ID: "judge.scope", Version: "2", Target: court.GithubRepo,
	Title:  "Each judge gives one opinion per criterion",
	Doc:    "Looks for a loop over the criteria around the judge's call, a Send for each of them, or one call with the list of them, and whether the text of the criterion that goes into the prompt stands under a key that the committed rubric has.",
	Remedy: "Ask each judge once for each criterion and put the criterion's text into the prompt.", Effort: 45, Recall: 9000,
	Run: ofJudges(scope),
}

func scope(b *bench) probe.Finding {
	if at, key := b.emptyText(); at.Valid() {
		return probe.Against(court.AST, spots(at), "The criterion's text is read from the key %q, which no criterion of the committed rubric has.", court.Clean(key, 40)).Do("Read the criterion's text at %s from a key that the rubric has, not from %q.", facts.Line(spot(at)), court.Clean(key, 40))
	}
	if at := b.perCriterion(); at.Valid() {
		if b.narrowed(at) {
			return probe.Present(court.AST, spots(head(at)), "The judges' call is made for each criterion that has evidence.")
		}
		return probe.Present(court.AST, spots(head(at)), "The judges' call is made for each criterion.")
	}
	if at := b.sentCriteria(); len(at) > 0 {
		return probe.Present(court.AST, at, "The graph sends a run of the judge for each criterion.")
	}
	switch at, one := b.listedCriteria(); {
	case one.Valid():
		return probe.Cannot(court.Dynamic, spots(one), "The judges take one criterion out of the list by its number. Whether they come to all of them could not be determined.")
	case at.Valid():
		return probe.Present(court.AST, spots(b.toModel(at)), "One call of each judge gets the list of criteria.")
	}
	for _, w := range []string{"rubric_dimensions", "criteria", "dimensions"} {
		for _, d := range b.judges.defs {
			if !d.IsFunction() {
				continue
			}
			if ts := d.Module.Words(w); len(ts) > 0 {
				return probe.Cannot(court.Dynamic, []court.Place{{Path: d.Module.Path, Line: ts[0].Line}}, "Criteria are named in the judges' files, but no loop over them could be tied to the call.")
			}
		}
	}
	return probe.Missing(probe.Ratio(b.p.Examined()), court.AST, "Nothing in the judges' code goes through the criteria.").Do("Ask each judge once for each criterion, and put the criterion's text into the prompt: for criterion in criteria: ....")
}

// head is the first line of a loop.
func head(loop code.Node) code.Node {
	if l := loop.Field("left"); l.Valid() {
		return l
	}
	return loop
}

func aboutCriteria(text string) bool {
	return starts(split(text), "criteri", "dimension", "rubric")
}

// perCriterion is a loop over criteria around a call that asks a model.
func (b *bench) perCriterion() code.Node {
	for _, n := range b.judges.nodes() {
		if !n.Is("for_statement", "for_in_clause") {
			continue
		}
		over := n.Field("right").Text() + " " + n.Field("left").Text()
		if !aboutCriteria(over) && !has(split(over), "dim", "dims", "evidences") {
			continue
		}
		body := n.Field("body")
		if n.Is("for_in_clause") {
			body = n.Parent()
		}
		for x := range body.Walk() {
			if x.Is("call") {
				if c := b.p.Call(x); c != nil && b.models.steps(c) {
					return n
				}
			}
		}
	}
	return code.Node{}
}

// narrowed tells a loop over those criteria only of which there is evidence.
func (b *bench) narrowed(loop code.Node) bool {
	over := loop.Field("right")
	of := []code.Node{over}
	if d := b.p.Enclosing(loop); d != nil && over.Is("identifier") {
		for n := range d.Body().WalkScope() {
			if n.Is("assignment") && n.Field("left").Text() == over.Text() {
				of = append(of, n.Field("right"))
			}
		}
	}
	return slices.ContainsFunc(of, func(n code.Node) bool {
		for x := range n.Walk() {
			if x.Is("if_clause") && b.weighs.condition(x.Child(0))&evidence != 0 {
				return true
			}
		}
		return false
	})
}

// sentCriteria are Sends that carry a criterion to a judge.
func (b *bench) sentCriteria() []court.Place {
	var out []court.Place
	for _, c := range b.p.Calls("langgraph.types.Send", "langgraph.constants.Send", "*.Send") {
		m := c.Node.Module()
		if m.Scope == code.ScopeProduction && (aboutCriteria(c.Node.Text()) || has(split(c.Node.Text()), "dim")) {
			out = append(out, spot(c.Node))
		}
	}
	return sorted(out)
}

// listedCriteria is a use of the list of criteria in a function that leads to
// the call: of or one that is taken out of it, where nothing else is done with it.
func (b *bench) listedCriteria() (use, one code.Node) {
	for _, d := range b.judges.defs {
		if !d.IsFunction() || !b.models.reaches(d) {
			continue
		}
		for n := range d.Body().WalkScope() {
			if !criteria(n) {
				continue
			}
			switch many := has(split(n.Text()), "criteria", "dimensions"); {
			case many && picked(n):
				one = n
			case many || !use.Valid():
				if use = n; many {
					return use, code.Node{}
				}
			}
		}
	}
	return use, one
}

// criteria tells a use of what is named after criteria.
func criteria(n code.Node) bool {
	return n.Is("identifier", "string_content") && !n.Parent().Parent().Is("expression_statement") && starts(split(n.Text()), "criteri", "dimension") && n.FieldName() != "left"
}

// toModel is a use of the list of criteria that comes into what a model gets, or the one
// that is known where none is seen to.
func (b *bench) toModel(use code.Node) code.Node {
	if !has(split(use.Text()), "criteria", "dimensions") {
		return use
	}
	h := b.hears(nil, b.messages())
	for _, n := range b.judges.nodes() {
		if !criteria(n) || !has(split(n.Text()), "criteria", "dimensions") {
			continue
		}
		for a := n; a.Valid() && !a.Is("block", "module"); a = a.Parent() {
			if sites := b.il.Written(a.Path(), a.Start(), a.End()); len(sites) > 0 {
				if slices.ContainsFunc(sites, func(s analyse.Site) bool { return h.Has(s.Function, s.At) }) {
					return n
				}
				break
			}
		}
	}
	return use
}

// picked tells a list of which one element is taken by its number: dimensions[i].
func picked(n code.Node) bool {
	below := n
	for a := range n.Around() {
		if a.Is("subscript") && a.Field("value") == below && !a.Field("subscript").Is("string", "slice") {
			return true
		}
		if a.Is("assignment", "block") {
			break
		}
		below = a
	}
	return false
}

// textKeys are keys under which people expect a criterion's text.
var textKeys = []string{"description", "instruction", "instructions", "forensic_instruction", "text", "prompt", "details", "guidance", "requirement", "requirements"}

// emptyText is a read of a criterion's text under a key that the rubric lacks,
// in the judges' code or where their work is sent; other texts of the
// criterion make up for it.
func (b *bench) emptyText() (code.Node, string) {
	keys := b.rubricKeys()
	if len(keys) == 0 {
		return code.Node{}, ""
	}
	b.addMadeKeys(keys)
	var bad code.Node
	badKey, good := "", false
	for _, d := range b.functions() {
		if !b.judges.holds(d) && !sends(d) {
			continue
		}
		for n := range d.Body().WalkScope() {
			key, ok := criterionKey(b.p, n)
			switch {
			case !ok:
			case !keys[key] && b.mustHave(n):
				return n, key
			case keys[key] && key != "id" && key != "name":
				good = true
			case slices.Contains(textKeys, key) && !keys[key] && !bad.Valid():
				bad, badKey = n, key
			}
		}
	}
	if good {
		return code.Node{}, ""
	}
	return bad, badKey
}

// mustHave tells a read of one criterion that fails where the criterion has not that key.
func (b *bench) mustHave(n code.Node) bool {
	ws := split(last(n.Field("value")))
	return n.Is("subscript") && n.Field("value").Is("identifier") && len(ws) > 0 && has(ws[len(ws)-1:], "dim", "dimension", "criterion") && len(b.p.Guards(n)) == 0 && !trying(n).Valid()
}

// sends reports whether a function makes Sends.
func sends(d *code.Definition) bool {
	for n := range d.Body().WalkScope() {
		if n.Is("call") && last(n) == "Send" {
			return true
		}
	}
	return false
}

// criterionKey reads dim["description"] and dim.get("description").
func criterionKey(p *intree.Program, n code.Node) (string, bool) {
	var object, key code.Node
	switch n.Kind() {
	case "subscript":
		object, key = n.Field("value"), n.Field("subscript")
	case "call":
		c := p.Call(n)
		if c == nil || c.Name != "get" {
			return "", false
		}
		object, key = c.Receiver, c.Arg("", 0)
	default:
		return "", false
	}
	ws := split(last(object))
	if !starts(ws, "dim", "criteri", "rubric") && !(object.Is("identifier") && has(ws, "d", "c")) {
		return "", false
	}
	return key.Literal()
}

// rubricKeys are the keys of the criteria in the rubric files of the commit.
func (b *bench) rubricKeys() map[string]bool {
	keys := map[string]bool{}
	for _, c := range b.rubric() {
		for k := range c {
			keys[k] = true
		}
	}
	return keys
}

// rubricIDs are the names by which those files call the criteria.
func (b *bench) rubricIDs() map[string]bool {
	ids := map[string]bool{}
	for _, c := range b.rubric() {
		if id, ok := c["id"].(string); ok {
			ids[id] = true
		}
	}
	return ids
}

// rubric are the criteria in the rubric files of the commit.
func (b *bench) rubric() (out []map[string]any) {
	for p, raw := range b.texts {
		if !strings.EqualFold(path.Ext(p), ".json") || !has(split(path.Base(p)), "rubric") || len(raw) > maxData {
			continue
		}
		var doc struct {
			Dimensions []map[string]any `json:"dimensions"`
			Criteria   []map[string]any `json:"criteria"`
		}
		if json.Unmarshal(raw, &doc) == nil {
			out = append(out, append(doc.Dimensions, doc.Criteria...)...)
		}
	}
	return out
}

// addMadeKeys adds the keys that the program itself gives criteria: those of
// dicts with an id or a name, those that are set in a criterion, and the fields
// of classes that are named after one. Criteria may be rebuilt on their way
// from the rubric to the judges, and a dict that might be one counts as one.
func (b *bench) addMadeKeys(keys map[string]bool) {
	for m := range b.modules() {
		for n := range m.Root().Walk() {
			switch n.Kind() {
			case "dictionary":
				addPairs(keys, n)
			case "assignment":
				left := n.Field("left")
				if key, ok := criterionKey(b.p, left); ok && left.Is("subscript") {
					keys[key] = true
				}
			}
		}
		for _, d := range m.Definitions() {
			if d.Kind == code.DefClass && aboutCriteria(d.Name) {
				for _, f := range b.p.Fields(intree.Symbol{Qualified: d.Qualified, Def: d}) {
					keys[f.Name] = true
				}
			}
		}
	}
}

// addPairs adds the constant keys of a dict that names what it describes.
func addPairs(keys map[string]bool, n code.Node) {
	var own []string
	named := false
	for c := range n.Children() {
		if key, ok := c.Field("key").Literal(); ok {
			own = append(own, key)
			named = named || has(split(key), "id", "name", "criterion", "dimension")
		}
	}
	if !named {
		return
	}
	for _, key := range own {
		keys[key] = true
	}
}
