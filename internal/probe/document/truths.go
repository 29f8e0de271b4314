package document

import (
	"context"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il/intree"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// line is one line of a file as a place.
func line(path string, n int) []court.Place { return []court.Place{{Path: path, Line: n, EndLine: n}} }

// ofGraph is what a fact of the graph says.
func ofGraph[T any](ask func(*facts.Wiring) facts.Fact[T]) truth {
	return func(_ context.Context, _ *probe.Scene, a *against) (fate, []court.Place, string) {
		g := a.graphs.Graph()
		switch {
		case g.Answer == agentgraph.No && !a.foreign:
			return a.unnamed("no StateGraph is built in the production code", "StateGraph", "add_node")
		case g.Answer != agentgraph.Yes:
			return undecided, nil, "the graph could not be read"
		}
		f := ask(a.graphs)
		switch why := court.Clean(f.Why.Text, 160); f.Answer {
		case agentgraph.Yes:
			return holds, f.At, why
		case agentgraph.No:
			return untrue, line(g.Value.Builder.Path, g.Value.Builder.Line), why
		default:
			return undecided, f.At, why
		}
	}
}

// chooses asks for a route that has a choice. Where each goes one way at all times, the routes are there without an effect.
func chooses(ctx context.Context, s *probe.Scene, a *against) (fate, []court.Place, string) {
	f, at, why := ofGraph((*facts.Wiring).Decides)(ctx, s, a)
	if g := a.graphs.Main; f == holds && g != nil {
		if one := g.Decorative(); len(one.Items) > 0 && len(one.Items) == len(g.Routes) {
			why = "no route has a choice: " + court.Clean(one.Items[0].Reason, 160)
			if all, err := s.Ask(ctx, court.Ask{Probe: "graph.decorative"}); err == nil && len(all) > 0 {
				a.mends[why] = all[0].Remedy
			}
			return inPart, facts.Shown(one.Items), why
		}
	}
	return f, at, why
}

// leadsAway tells whether the graph has a route for errors. While it has routes, one of
// them may be meant: a sentence that says so is not held to be untrue.
func leadsAway(w *facts.Wiring) facts.Fact[facts.Escapes] {
	f := w.Escapes()
	if f.Answer == facts.No && w.Decides().Answer == facts.Yes {
		f.Answer, f.Why = facts.Unknown, facts.Reason{Code: court.Dynamic, Text: "the graph has routes, and none was recognised as one for errors"}
	}
	return f
}

// parallel is what the facts say of a claim that the nodes of a role run at the
// same time: as nodes, some of them, or started by one node.
func parallel(role agentgraph.Role) truth {
	ask := ofGraph(func(w *facts.Wiring) facts.Fact[facts.Parallel] { return w.Parallel(role) })
	return func(ctx context.Context, s *probe.Scene, a *against) (fate, []court.Place, string) {
		f := a.graphs.Parallel(role)
		if f.Value.Extent == facts.InPart {
			var apart []string
			for _, two := range f.Value.Apart[:min(len(f.Value.Apart), 3)] {
				apart = append(apart, court.Clean(two[0]+" and "+two[1], 120))
			}
			return inPart, f.At, "some of the nodes run at the same time, but not " + strings.Join(apart, ", nor ")
		}
		if f.Value.Extent == facts.Within {
			return holds, f.At, "in the graph they are one node, which starts them at once"
		}
		return ask(ctx, s, a)
	}
}

// togetherIn tells whether a sentence names at least two nodes of a role, and
// all that it names run at the same time.
func (a *against) togetherIn(role agentgraph.Role, sentence string) bool {
	p := a.graphs.Parallel(role).Value
	var named []string
	for _, n := range p.Nodes {
		if strings.Contains(fold(sentence), fold(n.Name)) {
			named = append(named, n.Name)
		}
	}
	return len(named) > 1 && p.Together(named)
}

var ofJudges, ofDetectives = regexp.MustCompile(`(?i)\bjudg|\bjudicia|\bprosecutor|\bdefen[sc]e|\btech[ _]?lead|\bpersonas?\b|\bopinion`), regexp.MustCompile(detectiveWords)

// ofNoJudge tells whether a sentence names nodes of which none is a judge's.
func (a *against) ofNoJudge(sentence string) bool {
	if ofJudges.MatchString(sentence) {
		return false
	}
	named := ofDetectives.MatchString(sentence)
	if g := a.graphs.Main; g != nil {
		for _, n := range g.Nodes {
			if len(n.Name) < nameOfNode || !strings.Contains(fold(sentence), fold(n.Name)) {
				continue
			}
			if n.Role == facts.Judge {
				return false
			}
			named = true
		}
	}
	return named
}

// nameOfNode is from how many letters on the name of a node is no mere word.
const nameOfNode = 10

// unlessOneNode settles nothing against a document when one node does the work
// of all detectives and the program has means to do it at once.
func (t truth) unlessOneNode() truth {
	return func(ctx context.Context, s *probe.Scene, a *against) (fate, []court.Place, string) {
		f, at, why := t(ctx, s, a)
		if f != untrue || len(a.graphs.Parallel(facts.Detective).Value.Nodes) != 1 {
			return f, at, why
		}
		for _, c := range a.program.Calls("gather", "*.gather", "*.TaskGroup", "*ThreadPoolExecutor", "*ProcessPoolExecutor", "*.Thread", "*.to_thread") {
			if c.Node.Module().Scope == code.ScopeProduction {
				return undecided, line(c.Node.Path(), c.Line()), "one node is a detective, and the program can do several things at once"
			}
		}
		return f, at, why
	}
}

// orUnknown holds nothing against a document: the thing can be done in ways
// that the answer does not know.
func (t truth) orUnknown() truth {
	return func(ctx context.Context, s *probe.Scene, a *against) (fate, []court.Place, string) {
		f, at, why := t(ctx, s, a)
		if f == untrue {
			return undecided, nil, why
		}
		return f, at, why
	}
}

// reducer asks for a state field with a reducer, or the name in code.
func reducer(k agentgraph.ReducerKind) truth {
	return func(_ context.Context, _ *probe.Scene, a *against) (fate, []court.Place, string) {
		f := a.graphs.Reduces(k)
		switch {
		case f.Answer == facts.Yes:
			return holds, f.At, ""
		case k == agentgraph.ReducerIor:
			return a.unnamed(f.Why.Text, "ior")
		}
		return a.unnamed(f.Why.Text, "operator") // "add" is a word of many things
	}
}

func checkpoints(_ context.Context, _ *probe.Scene, a *against) (fate, []court.Place, string) {
	if f := a.graphs.Keeps(); f.Answer == facts.Yes {
		return holds, f.At, ""
	}
	if a.foreign {
		return undecided, nil, "not all of the code is Python"
	}
	return a.unnamed("the graph is compiled without a checkpointer", "checkpointer", "MemorySaver", "InMemorySaver", "SqliteSaver", "PostgresSaver", "AsyncSqliteSaver", "checkpoint", "checkpoints")
}

// imports asks for a module that production code imports.
func imports(modules ...string) truth {
	return func(_ context.Context, _ *probe.Scene, a *against) (fate, []court.Place, string) {
		for _, m := range a.program.Modules {
			if m.Scope != code.ScopeProduction {
				continue
			}
			for _, im := range m.Imports() {
				for _, want := range modules {
					if im.Target == want || strings.HasPrefix(im.Target, want+".") {
						return holds, line(m.Path, im.Node.Line()), ""
					}
				}
			}
		}
		return a.unnamed("production code does not import it", modules...)
	}
}

// live tells a call in production code to which a run may come.
func (a *against) live(c *intree.Call) bool {
	return c.Node.Module().Scope == code.ScopeProduction && !a.program.Dead(c.Node)
}

// calls asks for a live call in production code, or for the word handed on as a value. A
// definition or an import of that name is none.
func calls(word string, globs ...string) truth {
	return func(_ context.Context, _ *probe.Scene, a *against) (fate, []court.Place, string) {
		var at []court.Place
		for _, c := range a.program.Calls(globs...) {
			if !a.live(c) {
				continue
			}
			if a.program.Live()[a.program.Enclosing(c.Node)] { // one that runs is told before one that may not
				return holds, line(c.Node.Path(), c.Line()), ""
			}
			if at == nil {
				at = line(c.Node.Path(), c.Line())
			}
		}
		if at != nil {
			return holds, at, ""
		}
		for _, m := range a.program.Mentions(word, code.ScopeProduction) {
			defined := map[int]bool{}
			for _, d := range m.Definitions() {
				if d.Name == word {
					defined[d.Line()] = true
				}
			}
			for _, c := range a.program.CallsOf(m) {
				if c.Name == word && c.Callee.Def != nil { // the project's own of that name
					defined[c.Line()] = true
				}
			}
			for _, t := range m.Words(word) {
				if !imported(m, t.Line) && !defined[t.Line] {
					return undecided, line(m.Path, t.Line), "the name stands in the code, but no call of it"
				}
			}
		}
		if !a.allRead() || a.foreign {
			return undecided, nil, "not all code could be read"
		}
		return untrue, nil, "no code calls it"
	}
}

// sentinels asks for one of several words in the code tokens of production
// code: the word is what the claim is about.
func sentinels(list ...string) truth {
	return func(_ context.Context, _ *probe.Scene, a *against) (fate, []court.Place, string) {
		for _, w := range list {
			for _, m := range a.program.Mentions(w, code.ScopeProduction) {
				return holds, line(m.Path, m.Words(w)[0].Line), ""
			}
		}
		return a.unnamed("no name in the production code speaks of it", list...)
	}
}

// unnamed settles what was not found: untrue only when the code tokens of no
// file so much as have one of the words, everything could be read, and there is
// Python code to have it. What stands in strings and comments is not a trace.
func (a *against) unnamed(why string, list ...string) (fate, []court.Place, string) {
	if !a.allRead() {
		return undecided, nil, "not all code could be read"
	}
	for _, w := range list {
		for _, m := range a.program.Modules {
			if m.Scope != code.ScopeVendor && len(m.Words(w)) > 0 {
				return undecided, line(m.Path, m.Words(w)[0].Line), why + ", but the word occurs in the code"
			}
		}
		for _, c := range a.program.Calls("getattr", "builtins.getattr", "hasattr", "builtins.hasattr", "*.import_module", "__import__", "builtins.__import__") {
			if strings.Contains(c.Node.Text(), w) {
				return undecided, line(c.Node.Path(), c.Line()), why + ", but the code asks for it by name"
			}
		}
	}
	return untrue, nil, why
}

// allRead tells whether there is Python code in production and all of it could
// be read.
func (a *against) allRead() bool {
	production := false
	for _, m := range a.program.Modules {
		production = production || m.Scope == code.ScopeProduction
	}
	seen, all := a.program.Examined()
	return production && len(a.program.Faults) == 0 && seen == all
}

// stems tells whether a word of the code tokens of production code has one of
// the stems in it, and where.
func (a *against) stems(list ...string) []court.Place {
	for _, m := range a.program.Modules {
		if m.Scope != code.ScopeProduction {
			continue
		}
		for _, t := range m.Tokens() {
			low := strings.ToLower(t.Text)
			for _, s := range list {
				if strings.Contains(low, s) {
					return line(m.Path, t.Line)
				}
			}
		}
	}
	return nil
}

func caches(ctx context.Context, s *probe.Scene, a *against) (fate, []court.Place, string) {
	for _, w := range []string{"lru_cache", "cached_property", "diskcache", "cache_data", "cache_resource", "InMemoryCache", "SQLiteCache"} {
		if f, at, why := sentinels(w)(ctx, s, a); f == holds {
			return f, at, why
		}
	}
	if at := a.stems("cache"); at != nil {
		return undecided, at, "a name in the code speaks of a cache"
	}
	return undecided, nil, "no name in the production code speaks of a cache"
}

// settings asks for a tool that is set up in a file which is neither a document
// nor code: its use leaves no other trace.
func settings(pattern string) truth { return settingsIn(pattern, func(string) bool { return true }) }

// settingsIn asks for it in some of these files.
func settingsIn(pattern string, where func(path string) bool) truth {
	re := regexp.MustCompile(pattern)
	return func(ctx context.Context, s *probe.Scene, a *against) (fate, []court.Place, string) {
		texts, err := s.Texts(ctx)
		if err != nil {
			return undecided, nil, "the files could not be read"
		}
		for _, e := range a.entries {
			if a.program.Module(e.Path) != nil || a.layout.Scope(e.Path) == code.ScopeDocs || !configured.MatchString(e.Path) || !where(e.Path) {
				continue
			}
			if m := re.FindIndex(texts[e.Path]); m != nil {
				return holds, line(e.Path, 1+strings.Count(string(texts[e.Path][:m[0]]), "\n")), ""
			}
		}
		return undecided, nil, "no file sets it up"
	}
}

var configured = regexp.MustCompile(`(?i)(?:^|/)(?:\.?env[\w.]*|[\w.\-]+\.(?:toml|cfg|ini|ya?ml)|requirements[\w\-]*\.txt|Makefile|Dockerfile)$`)

// traces asks for a tracer in the code or in the settings. It may be switched
// on from outside, so that nothing is held against a document.
func traces(ctx context.Context, s *probe.Scene, a *against) (fate, []court.Place, string) {
	if f, at, _ := imports("langsmith", "opentelemetry", "langfuse")(ctx, s, a); f == holds {
		return f, at, ""
	}
	variables := `(?i)\b(?:LANGCHAIN_TRACING\w*|LANGSMITH_\w+|OTEL_\w+)`
	f, at, why := settingsIn(variables, func(path string) bool { return !envFile.MatchString(path) })(ctx, s, a)
	if f == holds {
		return f, at, why
	}
	if f, at, why = settingsIn(variables, envFile.MatchString)(ctx, s, a); f == holds {
		if loads, _, _ := imports("dotenv", "pydantic_settings", "environs", "decouple")(ctx, s, a); loads != holds {
			return undecided, at, "only a file of variables sets it up, which no code reads"
		}
	}
	return f, at, why
}

var envFile = regexp.MustCompile(`(?i)(?:^|/)\.?env(?:\.[\w.]*)?$`)

// files asks for a file by its path.
func files(pattern string) truth {
	re := regexp.MustCompile(pattern)
	return func(_ context.Context, _ *probe.Scene, a *against) (fate, []court.Place, string) {
		for _, e := range a.entries {
			if re.MatchString(e.Path) || re.MatchString(strings.TrimPrefix(e.Path, a.layout.Root()+"/")) {
				return holds, []court.Place{{Path: e.Path}}, ""
			}
		}
		return untrue, nil, "no such file was found"
	}
}
