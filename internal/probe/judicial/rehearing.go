package judicial

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/langgraph"
)

// reheard lists what a wide spread does for another hearing: the flags that say so,
// when the graph can go back from the chief, or from what follows, to evidence or
// judges, and the decisions of routes that lead back.
func (b *bench) reheard() []code.Node {
	out := b.sentBack()
	if !b.returns() {
		return out
	}
	for _, d := range b.chief.defs {
		if d.IsFunction() {
			out = append(out, b.flags(d, rehears)...)
		}
	}
	return out
}

// rehears tells the name of a flag that asks for another hearing.
func rehears(name string) bool {
	ws := split(name)
	return starts(ws, "reeval", "rehear", "reassess", "redeliber", "rerun", "recheck") || has(ws, "re") && starts(ws, "eval", "hear", "assess", "run", "exam")
}

// flags lists where a function gives a name, of those that are asked for, a value that
// hangs on the spread.
func (b *bench) flags(d *code.Definition, asked func(name string) bool) []code.Node {
	var out []code.Node
	for n := range d.Body().WalkScope() {
		name, value := "", code.Node{}
		switch n.Kind() {
		case "assignment":
			name, value = n.Field("left").Text(), n.Field("right")
		case "keyword_argument":
			name, value = n.Field("name").Text(), n.Field("value")
		case "pair":
			name, value = n.Field("key").Text(), n.Field("value")
		}
		if name != "" && asked(name) && (b.weighs.at(value).data|b.weighs.guards(n))&spread != 0 && !b.deads.never(n) {
			out = append(out, n)
		}
	}
	return out
}

// sentBack lists the decisions by which a wide spread leads to another hearing: what a
// route from the chief returns that is not the end, and what a route from a node between
// judges and chief returns that leads back to judges. Where such a node tests a key of
// the state, they are the places where it sets the key.
func (b *bench) sentBack() []code.Node {
	var out []code.Node
	if b.r.Main == nil || !b.chief.wired {
		return nil
	}
	returns := b.returns()
	for i := range b.r.Main.Routes {
		r := &b.r.Main.Routes[i]
		n, d := b.r.Main.Node(r.From), langgraph.Def(r.Source)
		if n == nil || d == nil || n.Role == facts.Chief && !returns || n.Role != facts.Chief && !b.returnsTo(r) {
			continue
		}
		for _, v := range choices(d) {
			if ends(v) || n.Role != facts.Chief && !b.leadsBack(r, v) {
				continue
			}
			guards := b.p.Guards(v)
			if slices.ContainsFunc(guards, b.wide) && !b.deads.never(v) {
				out = append(out, v)
				continue
			}
			if n.Role == facts.Chief {
				continue
			}
			tested := func(name string) bool {
				return slices.ContainsFunc(guards, func(g code.Guard) bool { return reads(g, name) })
			}
			for _, f := range b.worker(n) {
				out = append(out, b.flags(f, tested)...)
			}
		}
	}
	return out
}

// reads reports whether a condition that holds reads a key of that name, as written.
func reads(g code.Guard, name string) bool {
	if !says(g) {
		return false
	}
	for x := range g.Condition.Walk() {
		if x.Is("string") && x.Text() == name || x.Is("attribute") && strings.Trim(name, `"'`) == x.Field("attribute").Text() {
			return true
		}
	}
	return false
}

// choices lists what a function returns, each side of a conditional expression apart.
func choices(d *code.Definition) []code.Node {
	var out []code.Node
	stack := d.ReturnValues()
	for len(stack) > 0 {
		v := stack[0].Unparen()
		stack = stack[1:]
		if v.Is("conditional_expression") {
			stack = append([]code.Node{v.Child(0), v.Child(2)}, stack...)
			continue
		}
		out = append(out, v)
	}
	return out
}

// ends reports whether a route's answer is the end of the graph.
func ends(v code.Node) bool {
	text, ok := v.Literal()
	return last(v) == "END" || ok && has(split(text), "end")
}

// leadsBack reports whether what a route returns names a node that leads back to judges.
func (b *bench) leadsBack(r *agentgraph.Route, v code.Node) bool {
	names := b.p.Texts(v)
	for x := range v.Walk() {
		if text, ok := x.Literal(); ok {
			names = append(names, text)
		}
	}
	return slices.ContainsFunc(names, func(name string) bool {
		if to, ok := r.Map[name]; ok {
			name = to
		}
		return b.r.Main.Node(name) != nil && b.rehearsAt(r.From, name)
	})
}

// returnsTo reports whether a route can lead back to judges.
func (b *bench) returnsTo(r *agentgraph.Route) bool {
	return slices.ContainsFunc(r.Targets, func(t agentgraph.Target) bool { return !t.Dead && b.rehearsAt(r.From, t.Name) })
}

// rehearsAt reports whether a run that takes a step from one node to another comes to
// judges, before the chief, who came before that node and hear again.
func (b *bench) rehearsAt(from, to string) bool {
	g := b.r.Main
	stop := func(name string) bool {
		n := g.Node(name)
		return name == from || n != nil && n.Role == facts.Chief
	}
	for name := range b.reached([]string{to}, stop) {
		if n := g.Node(name); n != nil && (n.Role == facts.Judge || plays(n, facts.Judge) && n.Role != facts.Detective) && b.reached([]string{name}, nil)[from] {
			return true
		}
	}
	return false
}

// undecided lists the routes that lead back to judges and may hang on their scores: while
// what decides them is not followed, it may be a wide spread.
func (b *bench) undecided() []court.Place { return b.unsure.get(b.findUndecided) }

func (b *bench) findUndecided() []court.Place {
	g := b.r.Main
	if g == nil || !b.chief.wired {
		return nil
	}
	var out []court.Place
	for i := range g.Routes {
		if r := &g.Routes[i]; b.returnsTo(r) && b.hangsOnScores(r) {
			out = append(out, court.Place{Path: r.At.Path, Line: r.At.Line, EndLine: r.At.End})
		}
	}
	return sorted(out)
}

// hangsOnScores reports whether what a route decides may hang on the judges' scores: it was
// not read, it looks at them, or it looks at what is set by a node that does.
func (b *bench) hangsOnScores(r *agentgraph.Route) bool {
	g, d := b.r.Main, langgraph.Def(r.Source)
	if d == nil {
		return true
	}
	near := func(roots ...*code.Definition) *programPart { // what they call themselves, no further
		part := &programPart{defs: slices.Clone(roots)}
		for _, d := range roots {
			called := b.p.Callees(d)
			part.defs = append(part.defs, called...)
		}
		return part
	}
	looks := func(part *programPart) bool {
		return slices.ContainsFunc(part.defs, readsScores) || g.State != nil && g.State.Reviews != nil && len(b.readsOf(part, g.State.Reviews.Name)) > 0
	}
	part := near(d)
	if looks(part) {
		return true
	}
	return slices.ContainsFunc(g.Writes, func(w agentgraph.Write) bool {
		n := g.Node(w.Node)
		return n != nil && w.Key != "" && n.Role != facts.Judge && len(b.readsOf(part, w.Key)) > 0 && looks(near(b.worker(n)...))
	})
}

// returns reports whether the graph leads from the chief back to a detective,
// an aggregator or a judge.
func (b *bench) returns() bool {
	g := b.r.Main
	if g == nil || !b.chief.wired {
		return false
	}
	var queue []string
	for _, n := range g.ByRole(facts.Chief) {
		queue = append(queue, b.next()[n.Name]...)
	}
	for name := range b.reached(queue, nil) {
		if n := g.Node(name); n != nil && (n.Role == facts.Judge || n.Role == facts.Detective || n.Role == agentgraph.RoleAggregator) {
			return true
		}
	}
	return false
}

// reached are the given nodes and those that they lead to, near and far; a way ends at
// the nodes that stop it, and those are not among them.
func (b *bench) reached(queue []string, stop func(name string) bool) map[string]bool {
	next := b.next()
	seen := map[string]bool{}
	for len(queue) > 0 {
		name := queue[0]
		queue = queue[1:]
		if seen[name] || stop != nil && stop(name) {
			continue
		}
		seen[name] = true
		queue = append(queue, next[name]...)
	}
	return seen
}

// next are the nodes that can follow each node of the graph.
func (b *bench) next() map[string][]string { return b.steps.get(b.findSteps) }

func (b *bench) findSteps() map[string][]string {
	next := map[string][]string{}
	for _, e := range b.r.Main.Edges {
		next[e.From] = append(next[e.From], e.To)
	}
	for _, r := range b.r.Main.Routes {
		for _, t := range r.Targets {
			if !t.Dead {
				next[r.From] = append(next[r.From], t.Name)
			}
		}
	}
	return next
}
