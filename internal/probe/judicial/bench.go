package judicial

import (
	"context"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/intree"
	"github.com/automaton-auditor/automaton/internal/langgraph"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// bench is what the probes of this group share: the judges' code, the chief
// justice's code, and what is known of values in both.
type bench struct {
	p       *intree.Program
	r       *agentgraph.Reading
	texts   map[string][]byte // every text file of the commit
	judges  *programPart
	chief   *programPart
	marks   *marks // of values in the judges' code
	weighs  *marks // of values in the chief justice's code
	models  *models
	deads   *deads
	il      *lowered
	origins *intree.Origins

	mu sync.Mutex // the analysis remembers answers: one probe at a time asks

	bindings   memo[[]binding]
	tries      memo[[]again]
	asking     memo[*way]
	outages    memo[*outage]
	prompted   map[*il.Instr]bool // the calls of a model, after asks
	told       memo[*prompts]
	rows       []string        // providers in tables of clients; nil before they are asked for
	attributes map[string]bool // names of attributes that production code reads; nil before they are asked for
	graded     memo[map[string]float64]
	given      memo[heard]
	formed     memo[map[code.Node]bool]
	steps      memo[map[string][]string] // the nodes that can follow each node of the graph
	unsure     memo[[]court.Place]       // undecided, after it was asked for
	material   memo[exhibits]
	linked     map[facts.Arrow]facts.Fact[facts.Link]
	capping    decisions // see caps
	judging    decisions // see onJudges
	limiting   decisions // see bound
	weighed    map[*programPart][]effect
	opined     map[*programPart][]built
	standing   []code.Node // calls of the judges that a stand-in answers in every run
}

// memo is a value that is computed once.
type memo[T any] struct {
	value T
	done  bool
}

func (m *memo[T]) get(make func() T) T {
	if !m.done {
		m.value, m.done = make(), true
	}
	return m.value
}

// hold makes other probes wait until the returned function is called.
func (b *bench) hold() func() {
	b.mu.Lock()
	b.il.Lock()
	return func() {
		b.il.Unlock()
		b.mu.Unlock()
	}
}

// study makes the analysis, once per scene.
func study(ctx context.Context, s *probe.Scene) (*bench, error) {
	p, err := s.Joined(ctx)
	if err != nil {
		return nil, err
	}
	if err := elsewhere(ctx, s, p); err != nil {
		return nil, err
	}
	r, err := s.Graphs(ctx)
	if err != nil {
		return nil, err
	}
	texts, err := s.Texts(ctx)
	if err != nil {
		return nil, err
	}
	all, err := s.Analyses(ctx)
	if err != nil {
		return nil, err
	}
	return probe.Shared(s, "judicial.bench", func() (*bench, error) {
		all.Lock()
		defer all.Unlock()
		b := &bench{p: p, r: r, texts: texts, il: &lowered{Analyses: all, dropped: map[string][]il.Span{}}, linked: map[facts.Arrow]facts.Fact[facts.Link]{}, weighed: map[*programPart][]effect{}, capping: decisions{}, judging: decisions{}, limiting: decisions{}, opined: map[*programPart][]built{}}
		b.origins = p.Origins
		b.models = newModels(p, b.il)
		b.judges, b.chief = b.convene(), b.elect()
		b.replace()
		b.marks, b.weighs = b.newMarks(nil), b.newMarks(b.chief)
		b.deads = &deads{p: p, r: r, il: b.il, entered: map[*il.Function]map[*il.Block]bool{}}
		return b, nil
	})
}

// convene finds the judges' code: the functions of the judge nodes; without
// such nodes, the functions whose name is a judge's and that lead to a model,
// and else those that make opinions and do.
func (b *bench) convene() *programPart {
	var roots []*code.Definition
	if g := b.r.Main; g != nil {
		for i := range g.Nodes {
			n := &g.Nodes[i]
			// a detective that names judges, to look for them, is none
			if n.Role == facts.Judge || n.Role != facts.Detective && plays(n, facts.Judge) {
				roots = append(roots, b.worker(n)...)
			}
		}
	}
	if len(roots) > 0 {
		return enter(b.p, b.il, ordered(roots), true)
	}
	var named, makers []*code.Definition
	for _, d := range b.functions() {
		ws := called(d)
		r := enter(b.p, b.il, []*code.Definition{d}, false)
		if !b.models.within(r) {
			continue
		}
		if who(ws) != nobody || starts(ws, "judge", "judic") {
			named = append(named, d)
		} else if b.makesOpinion(r) {
			makers = append(makers, d)
		}
	}
	if len(named) == 0 {
		named = makers
	}
	return enter(b.p, b.il, b.outermost(named), false)
}

// called are the functions that are nodes by being called: the tasks of a graph that is
// a function.
func (b *bench) called() map[*code.Definition]agentgraph.Role {
	g := b.r.Main
	if g == nil || g.Provenance != agentgraph.FromFunctions {
		return nil
	}
	out := map[*code.Definition]agentgraph.Role{}
	for i := range g.Nodes {
		if d := langgraph.Def(g.Nodes[i].Source); d != nil {
			out[d] = g.Nodes[i].Role
		}
	}
	return out
}

func plays(n *agentgraph.Node, role agentgraph.Role) bool {
	return slices.ContainsFunc(n.Inner, func(in agentgraph.Inner) bool { return in.Role == role })
}

// called are the words of a function's name, and of its class's.
func called(d *code.Definition) []string {
	if d.Kind == code.DefMethod {
		return split(d.Name + " " + d.Parent.Name)
	}
	return split(d.Name)
}

// modules are those of production code.
func (b *bench) modules() iter.Seq[*code.Module] {
	return func(yield func(*code.Module) bool) {
		for _, m := range b.p.Modules {
			if m.Scope == code.ScopeProduction && !m.Shadowed && !yield(m) {
				return
			}
		}
	}
}

// functions lists the production functions and methods, in source order.
func (b *bench) functions() []*code.Definition {
	var out []*code.Definition
	for m := range b.modules() {
		for _, d := range m.Definitions() {
			if d.Kind == code.DefFunction || d.Kind == code.DefMethod {
				out = append(out, d)
			}
		}
	}
	return out
}

// outermost drops the definitions that another one of the list leads to.
func (b *bench) outermost(defs []*code.Definition) []*code.Definition {
	inner := map[*code.Definition]bool{}
	for _, d := range defs {
		for _, x := range enter(b.p, b.il, []*code.Definition{d}, false).defs {
			if x != d {
				inner[x] = true
			}
		}
	}
	var out []*code.Definition
	for _, d := range defs {
		if !inner[d] {
			out = append(out, d)
		}
	}
	if len(out) == 0 {
		return defs
	}
	return out
}

func (b *bench) makesOpinion(r *programPart) bool {
	return slices.ContainsFunc(r.calls(b.p, b.il), func(c *intree.Call) bool { return b.opinion(c.Callee.Def) })
}

// opinion reports whether a class is the opinion model, inherits from it, or
// has its fields.
func (b *bench) opinion(d *code.Definition) bool {
	if d == nil || d.Kind != code.DefClass {
		return false
	}
	if b.reviews(d) {
		return true
	}
	have := map[string]bool{}
	for _, f := range b.p.Fields(intree.Symbol{Qualified: d.Qualified, Def: d}) {
		have[kindOfField(f.Name)] = true
	}
	return have["score"] && have["argument"] && (have["judge"] || have["criterion"] || have["cited"]) && !have["final"]
}

// reviews tells the class that the graph's opinions are of, and those that inherit from it.
func (b *bench) reviews(d *code.Definition) bool {
	m := b.r.Review
	return m != nil && langgraph.Def(m.Source) != nil && (d == langgraph.Def(m.Source) || slices.Contains(b.p.Subclasses(langgraph.Def(m.Source)), d))
}

// kindOfField reads which part of an opinion a field is.
func kindOfField(name string) string {
	ws := split(name)
	switch {
	case has(ws, "final", "overall", "dissent"):
		return "final"
	case has(ws, "score", "verdict", "rating"):
		return "score"
	case has(ws, "argument", "rationale", "reasoning", "justification", "explanation"):
		return "argument"
	case starts(ws, "cite", "citation", "evidence", "precedent"):
		return "cited"
	case has(ws, "judge", "persona"):
		return "judge"
	case has(ws, "criterion", "dimension"):
		return "criterion"
	}
	return ""
}

// sentinels are the places of the given words among the code tokens of
// production files: while there is one, nothing may be called absent.
func (b *bench) sentinels(words ...string) []court.Place {
	var out []court.Place
	for _, w := range words {
		for _, m := range b.p.Mentions(w, code.ScopeProduction) {
			for _, t := range m.Words(w) {
				out = append(out, court.Place{Path: m.Path, Line: t.Line})
			}
		}
	}
	return sorted(out)
}

// nothing is the answer when a search found nothing: missing, or unknown while
// sentinel words speak against it. What is missing is asked for.
func (b *bench) nothing(why, but, ask string, words ...string) probe.Finding {
	if at := b.sentinels(words...); len(at) > 0 {
		return probe.Cannot(court.Dynamic, at, "%s", safetext.Sentence(but))
	}
	return probe.Missing(probe.Ratio(b.p.Examined()), court.AST, "%s", safetext.Sentence(why)).Do("%s", ask)
}

// spot is the place of a node, at most ten lines of it.
func spot(n code.Node) court.Place {
	return court.Place{Path: n.Path(), Line: n.Line(), EndLine: min(n.EndLine(), n.Line()+9)}
}

// spots are the places of nodes, in order and each once.
func spots(nodes ...code.Node) []court.Place {
	var out []court.Place
	for _, n := range nodes {
		if n.Valid() {
			out = append(out, spot(n))
		}
	}
	return sorted(out)
}

func sorted(in []court.Place) []court.Place {
	slices.SortFunc(in, func(a, b court.Place) int {
		if c := strings.Compare(a.Path, b.Path); c != 0 {
			return c
		}
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.EndLine - b.EndLine
	})
	return slices.Compact(in)
}
