package judicial

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/langgraph"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// bench is what the probes of this group share: the judges' code, the chief
// justice's code, and what is known of values in both.
type bench struct {
	p      *code.Program
	r      *langgraph.Reading
	texts  map[string][]byte // every text file of the commit
	judges *room
	chief  *room
	marks  *marks
	models *models
	deads  *deads

	mu sync.Mutex // the analysis remembers answers: one probe at a time asks
}

// hold makes other probes wait until the returned function is called.
func (b *bench) hold() func() {
	b.mu.Lock()
	return b.mu.Unlock
}

// study makes the analysis, once per scene.
func study(ctx context.Context, s *probe.Scene) (*bench, error) {
	p, err := s.Python(ctx)
	if err != nil {
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
	return probe.Shared(s, "judicial.bench", func() (*bench, error) {
		b := &bench{p: p, r: r, texts: texts}
		b.models = newModels(p)
		b.judges, b.chief = b.convene(), b.elect()
		b.marks = newMarks(p, b.models.calls)
		b.deads = &deads{p: p, r: r}
		return b, nil
	})
}

// room is a part of the program: where it is entered, and every first-party
// function that may run then, nearest first.
type room struct {
	roots []*code.Definition
	wired bool // the roots are nodes of the graph
	defs  []*code.Definition
	depth map[*code.Definition]int
}

// Bounds of a room.
const (
	maxRoomDepth = 8
	maxRoomDefs  = 400
)

// enter collects what runs from the roots. Modules are left out: importing a
// file is not taking part. Code outside production is not entered.
func enter(p *code.Program, roots []*code.Definition, wired bool) *room {
	r := &room{roots: roots, wired: wired, depth: map[*code.Definition]int{}}
	var queue []*code.Definition
	push := func(d *code.Definition, depth int) {
		if _, ok := r.depth[d]; ok || d.Kind == code.DefModule || d.Module.Scope != code.ScopeProduction ||
			depth > maxRoomDepth || len(r.defs) >= maxRoomDefs || p.Dead(d.Node) {
			return
		}
		r.depth[d] = depth
		r.defs = append(r.defs, d)
		queue = append(queue, d)
	}
	for _, root := range roots { // all that the first root leads to stands before the next
		push(root, 0)
		for len(queue) > 0 {
			d := queue[0]
			queue = queue[1:]
			for _, next := range r.next(p, d) {
				push(next, r.depth[d]+1)
			}
		}
	}
	return r
}

// next lists what a definition of the room may run: what it calls and hands
// on, what is defined inside, the constructor of its object, the function that
// it was made in, and of a class that is constructed the methods by which
// models are asked.
func (r *room) next(p *code.Program, d *code.Definition) []*code.Definition {
	out, _ := p.Callees(d)
	out = slices.Clone(out)
	switch {
	case d.Kind == code.DefMethod:
		if m := p.Method(d.Parent, "__init__"); m != nil {
			out = append(out, m)
		}
	case d.Kind == code.DefClass:
		for _, m := range d.Inner() {
			if m.IsFunction() && (r.depth[d] == 0 || slices.Contains(asking, m.Name) || slices.Contains(binders, m.Name)) {
				out = append(out, m)
			}
		}
	}
	if d.Parent != nil && d.Parent.IsFunction() && makes(d.Parent, d) {
		out = append(out, d.Parent)
	}
	if d.IsFunction() {
		for _, in := range d.Inner() {
			if in.IsFunction() {
				out = append(out, in)
			}
		}
	}
	return out
}

// makes reports whether a function returns the function inside it.
func makes(factory, inner *code.Definition) bool {
	return slices.ContainsFunc(factory.ReturnValues(), func(v code.Node) bool { return v.Is("identifier") && v.Text() == inner.Name })
}

func (r *room) holds(d *code.Definition) bool { _, ok := r.depth[d]; return ok }

// calls lists the live calls made in the room, nearest function first.
func (r *room) calls(p *code.Program) []*code.Call {
	var out []*code.Call
	for _, d := range r.defs {
		if !d.IsFunction() || d.Kind == code.DefLambda && r.holds(d.Parent) {
			continue
		}
		for _, c := range p.CallsIn(d) {
			if !p.Dead(c.Node) {
				out = append(out, c)
			}
		}
	}
	return out
}

// convene finds the judges' code: the functions of the judge nodes; without
// such nodes, the functions whose name is a judge's and that lead to a model,
// and else those that make opinions and do.
func (b *bench) convene() *room {
	var roots []*code.Definition
	if g := b.r.Main; g != nil {
		for i := range g.Nodes {
			n := &g.Nodes[i]
			if n.Role == langgraph.RoleJudge || plays(n, langgraph.RoleJudge) {
				roots = append(roots, b.worker(n)...)
			}
		}
	}
	if len(roots) > 0 {
		return enter(b.p, ordered(roots), true)
	}
	var named, makers []*code.Definition
	for _, d := range b.functions() {
		ws := split(d.Name)
		if d.Kind == code.DefMethod {
			ws = append(ws, split(d.Parent.Name)...)
		}
		r := enter(b.p, []*code.Definition{d}, false)
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
	return enter(b.p, b.outermost(named), false)
}

// worker is the function that does a node's work: its own, or where that only
// wraps another function, the one that is wrapped.
func (b *bench) worker(n *langgraph.Node) []*code.Definition {
	if n.Def == nil {
		return nil
	}
	if n.Def.Parent == nil || !n.Def.Parent.IsFunction() {
		return []*code.Definition{n.Def}
	}
	var out []*code.Definition
	if m := b.p.Module(n.At.Path); m != nil {
		for _, c := range m.Calls() {
			if c.Name != "add_node" || c.Line() != n.At.Line {
				continue
			}
			for _, a := range c.Args {
				out = append(out, b.wrappedBy(a.Value, 0)...)
			}
		}
	}
	if len(out) == 0 {
		return []*code.Definition{n.Def}
	}
	return out
}

// wrappedBy lists the functions that are handed to a wrapper when a node is
// made: wrap(f), wrap(seconds)(f), and names of such.
func (b *bench) wrappedBy(n code.Node, depth int) []*code.Definition {
	if depth > 4 {
		return nil
	}
	var out []*code.Definition
	switch n.Kind() {
	case "identifier":
		for s := range b.p.Enclosing(n).Module.Root().Walk() {
			if s.Is("assignment") && s.Field("left").Text() == n.Text() && s.Field("right").Is("call") {
				out = append(out, b.wrappedBy(s.Field("right"), depth+1)...)
			}
		}
	case "call":
		for a := range n.Field("arguments").Children() {
			if !a.Is("identifier", "attribute") {
				continue
			}
			if s := b.p.Resolve(a); s.Def != nil && s.Def.IsFunction() && !s.Instance && s.Def.Module.Scope == code.ScopeProduction {
				out = append(out, s.Def)
			}
		}
	}
	return out
}

// ordered sorts definitions by place, each once.
func ordered(defs []*code.Definition) []*code.Definition {
	defs = slices.Clone(defs)
	slices.SortStableFunc(defs, func(x, y *code.Definition) int {
		if c := strings.Compare(x.Module.Path, y.Module.Path); c != 0 {
			return c
		}
		return x.Line() - y.Line()
	})
	return slices.Compact(defs)
}

// inward replaces a chief node's function that reads no score by the function
// called chief justice that it calls.
func (b *bench) inward(roots []*code.Definition) []*code.Definition {
	for i, d := range roots {
		if readsScores(d) {
			continue
		}
		next, _ := b.p.Callees(d)
		for _, c := range next {
			if c.IsFunction() && chiefRank(c) >= 6 {
				roots[i] = c
			}
		}
	}
	return roots
}

func plays(n *langgraph.Node, role langgraph.Role) bool {
	return slices.ContainsFunc(n.Inner, func(in langgraph.Inner) bool { return in.Role == role })
}

// functions lists the production functions and methods, in source order.
func (b *bench) functions() []*code.Definition {
	var out []*code.Definition
	for _, m := range b.p.Modules {
		if m.Scope != code.ScopeProduction || m.Shadowed {
			continue
		}
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
		for _, x := range enter(b.p, []*code.Definition{d}, false).defs {
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

func (b *bench) makesOpinion(r *room) bool {
	return slices.ContainsFunc(r.calls(b.p), func(c *code.Call) bool { return b.opinion(c.Callee.Def) })
}

// opinion reports whether a class is the opinion model, inherits from it, or
// has its fields.
func (b *bench) opinion(d *code.Definition) bool {
	if d == nil || d.Kind != code.DefClass {
		return false
	}
	if m := b.r.Opinion; m != nil && m.Class != nil && (d == m.Class || slices.Contains(b.p.Subclasses(m.Class), d)) {
		return true
	}
	have := map[string]bool{}
	for _, f := range b.p.Fields(code.Symbol{Qualified: d.Qualified, Def: d}) {
		have[kindOfField(f.Name)] = true
	}
	return have["score"] && have["argument"] && (have["judge"] || have["criterion"] || have["cited"]) && !have["final"]
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

// elect finds the chief justice's code: the chief node's function; without
// one, the function or class whose name is the chief's, and else a function
// that turns opinions into final scores.
func (b *bench) elect() *room {
	var roots []*code.Definition
	if g := b.r.Main; g != nil {
		for _, n := range g.ByRole(langgraph.RoleChief) {
			roots = append(roots, b.worker(n)...)
		}
	}
	if len(roots) > 0 {
		return enter(b.p, ordered(b.inward(roots)), true)
	}
	if d := b.unwiredChief(); d != nil {
		return enter(b.p, []*code.Definition{d}, false)
	}
	return enter(b.p, nil, false)
}

// unwiredChief is the best candidate by name: a class before a function, the
// chief's own name before a synthesis.
func (b *bench) unwiredChief() *code.Definition {
	var best *code.Definition
	rank := 0
	for _, m := range b.p.Modules {
		if m.Scope != code.ScopeProduction || m.Shadowed {
			continue
		}
		for _, d := range m.Definitions() {
			if n := chiefRank(d); n > rank {
				best, rank = d, n
			}
		}
	}
	return best
}

// chiefRank is how likely a definition is the chief justice by its name; 0 for
// one that is none.
func chiefRank(d *code.Definition) int {
	ws := split(d.Name)
	n := 0
	switch {
	case d.Kind == code.DefMethod && d.Parent.Kind == code.DefClass && chiefRank(d.Parent) > 0:
		return 0 // the class speaks for it
	case d.Kind == code.DefClass && !d.Body().Valid(), d.Kind == code.DefLambda, d.Kind == code.DefModule:
		return 0
	case starts(ws, "chief") && starts(ws, "justice"):
		n = 6
	case d.IsFunction() && starts(ws, "synthes", "adjudicat", "arbitrat") && readsScores(d):
		n = 3
	case d.IsFunction() && has(ws, "verdict", "justice") && readsScores(d):
		n = 2
	}
	if n > 0 && (d.Kind == code.DefClass && hasWork(d) || d.IsFunction()) {
		if has(ws, "prompt", "report", "render", "route", "router") {
			return 1
		}
		if d.Kind == code.DefClass {
			n++
		}
		return n
	}
	return 0
}

// hasWork reports whether a class has methods of its own: a model of data has
// none.
func hasWork(d *code.Definition) bool {
	return slices.ContainsFunc(d.Inner(), func(m *code.Definition) bool { return m.IsFunction() && m.Name != "__init__" })
}

// readsScores reports whether a function reads the score of an opinion.
func readsScores(d *code.Definition) bool {
	for n := range d.Body().Walk() {
		if n.Is("attribute") && n.Field("attribute").Text() == "score" {
			return true
		}
	}
	return false
}

// coverage is how much of the production Python could be examined.
func (b *bench) coverage() court.Fixed {
	all, seen := 0, 0
	for _, m := range b.p.Modules {
		if m.Scope == code.ScopeProduction {
			all += m.Bytes
			seen += min(m.Examined(), m.Bytes)
		}
	}
	return probe.Ratio(seen, all)
}

// sentinels are the places of the given words among the code tokens of
// production files: while there is one, nothing may be called absent.
func (b *bench) sentinels(words ...string) []court.Place {
	var out []court.Place
	for _, w := range words {
		for _, m := range b.p.Mentions(w, code.ScopeProduction) {
			for _, t := range m.Words(w) {
				out = append(out, court.Place{Path: m.Path, Line: t.Line})
				break
			}
		}
	}
	return sorted(out)
}

// nothing is the answer when a search found nothing: missing, or unknown while
// sentinel words speak against it.
func (b *bench) nothing(why, but string, words ...string) probe.Finding {
	if at := b.sentinels(words...); len(at) > 0 {
		return probe.Cannot(court.Dynamic, at, "%s", but)
	}
	return probe.Missing(b.coverage(), court.AST, "%s", why)
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
