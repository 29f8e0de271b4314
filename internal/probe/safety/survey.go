package safety

import (
	"context"
	"errors"
	"slices"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il/intree"
	"github.com/automaton-auditor/automaton/internal/langgraph"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// survey is what all probes of this package look at.
type survey struct {
	p      *intree.Program
	wired  map[*code.Definition]bool // what the graph's nodes may run
	live   map[*code.Definition]bool // what the entry points may run
	unread []court.Place             // production modules that nobody could look into
	why    court.Reason              // of the first of them
	others map[string]int            // bytes of production code in other languages
	// Of what the probes that read other languages do not look at: bytes of
	// production code by language, and files by what they are.
	unreadOthers, skipped map[string]int
	trees                 *syntax.Program          // the code in other languages that are read
	invokes               []code.Node              // calls that run the graph
	graph                 *agentgraph.Graph        // the one that counts; nil: none
	file                  func(path string) string // the text of a file of the commit, "" for none
	used                  map[string]bool          // modules outside of production code that it imports, by path
	more                  *survey                  // with the foreign files that production code imports; nil: there are none
	quoted                map[stretch]*quoted      // constant texts that are run as code, by the call
	own                   *survey                  // of more: the one without them
}

// look makes the survey, once per scene.
func look(ctx context.Context, s *probe.Scene) (*survey, error) {
	return probe.Shared(s, "safety.survey", func() (*survey, error) {
		p, err := s.Joined(ctx)
		if err != nil {
			return nil, err
		}
		r, err := s.Graphs(ctx)
		if err != nil {
			return nil, err
		}
		v := &survey{p: p, live: p.Live(), wired: map[*code.Definition]bool{}}
		if v.unread, v.why, err = s.Unread(ctx); err != nil {
			return nil, err
		}
		texts, err := s.Texts(ctx)
		if err != nil {
			return nil, err
		}
		v.file = func(path string) string { return string(texts[path]) }
		if v.graph = r.Main; r.Main != nil {
			for _, c := range r.Main.Invokes {
				if n := langgraph.Expr(c.Source); n.Valid() {
					v.invokes = append(v.invokes, n)
				}
			}
			var nodes []*code.Definition
			for _, n := range r.Main.Nodes {
				if d := langgraph.Def(n.Source); d != nil {
					nodes = append(nodes, d)
				}
			}
			all, err := s.Analyses(ctx)
			if err != nil {
				return nil, err
			}
			all.Lock()
			v.wired = p.Reachable(nodes...)
			all.Unlock()
		}
		if err := v.readQuoted(ctx, s); err != nil {
			return nil, err
		}
		if err := v.lookAround(ctx, s); err != nil {
			return nil, err
		}
		v.trees, err = s.Trees(ctx)
		if unable := (*probe.Unable)(nil); errors.As(err, &unable) {
			v.trees = &syntax.Program{}
		} else if err != nil {
			return nil, err
		}
		return v, v.otherCode(ctx, s)
	})
}

// lookAround adds the survey of what production code imports from elsewhere.
func (v *survey) lookAround(ctx context.Context, s *probe.Scene) error {
	x, used, err := s.Shipped(ctx)
	if v.used = used; err != nil || x == v.p.Program {
		return err
	}
	_, more, err := s.ShippedAnalyses(ctx)
	if err != nil {
		return err
	}
	v.more = &survey{p: more, own: v, file: v.file, used: used, trees: &syntax.Program{}, live: more.Live(), wired: v.wired}
	return nil
}

// production tells whether a node is code of the product that can run.
func (v *survey) production(n code.Node) bool {
	return n.Valid() && n.Module().Scope == code.ScopeProduction && !v.p.Dead(n)
}

// function is the function that a node stands in, lambdas left out; the module
// at its top level.
func (v *survey) function(n code.Node) *code.Definition {
	d := v.p.Enclosing(n)
	for d != nil && d.Kind == code.DefLambda {
		d = d.Parent
	}
	return d
}

// rank orders code by how surely it runs: wired into the graph, reachable from
// an entry point, neither.
func (v *survey) rank(d *code.Definition) int {
	switch {
	case d != nil && v.wired[d]:
		return 0
	case d != nil && v.live[d]:
		return 1
	default:
		return 2
	}
}

// node is a node of either model.
type node interface {
	Valid() bool
	Path() string
	Line() int
	EndLine() int
}

// place is where a node begins, to its end within ten lines.
func place[N node](n N) court.Place {
	return court.Place{Path: n.Path(), Line: n.Line(), EndLine: min(n.EndLine(), n.Line()+9)}
}

// places is place for several nodes, sorted, each once.
func places[N node](nodes ...N) []court.Place {
	var out []court.Place
	for _, n := range nodes {
		if n.Valid() {
			out = append(out, place(n))
		}
	}
	return facts.Sorted(out)
}

// asksClone is a probe that reads the clone sites; without one the answer is
// that of noClone.
func asksClone(ask func(x *lowered, main *site) probe.Finding) func(context.Context, *probe.Scene, probe.Args) ([]probe.Finding, error) {
	return func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
		v, err := look(ctx, s)
		if err != nil {
			return nil, err
		}
		if why := v.unseen(); why != "" {
			return []probe.Finding{probe.Cannot(court.NoDetector, nil, "%s", safetext.Sentence(why))}, nil
		}
		x, err := lowerAll(ctx, s, v)
		if err != nil {
			return nil, err
		}
		x.Lock()
		defer x.Unlock()
		if len(x.clones().sites) == 0 {
			return []probe.Finding{x.noClone()}, nil
		}
		return []probe.Finding{ask(x, x.clones().sites[0])}, nil
	}
}

// noClone says that nothing is cloned, or that nobody could tell.
func (x *lowered) noClone() probe.Finding {
	v := x.survey
	if hidden := x.clones().hidden; len(hidden) > 0 {
		f := probe.Cannot(court.Dynamic, hidden, "The code speaks of cloning, but no clone could be followed.")
		if path := hidden[0].Path; slices.ContainsFunc(v.unread, func(p court.Place) bool { return p.Path == path }) {
			f = f.Do("Correct the syntax of %s, so that the file parses.", court.Clean(path, 120))
		}
		return f
	}
	if len(v.unread) > 0 {
		return probe.Cannot(v.why, v.unread, "No clone was found, but %s could not be read.", court.Clean(v.unread[0].Path, 120))
	}
	return probe.Missing(v.coverage(false), court.AST, "No production Python code fetches a repository.").Do(cloneIt)
}

// lies is where a node lies, as a fact of no value.
func (v *survey) lies(n code.Node) facts.Fact[struct{}] {
	f := facts.Fact[struct{}]{Answer: facts.Yes, At: places(n), Source: court.AST, Scope: n.Module().Scope, Live: facts.Yes, Borrowed: v.own != nil}
	f.Ships = v.used[n.Path()] && f.Scope != code.ScopeVendor
	if v.p.Dead(n) {
		f.Live = facts.No
	}
	return f
}
