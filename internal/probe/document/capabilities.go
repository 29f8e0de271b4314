package document

import (
	"regexp"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/langgraph"
	"github.com/automaton-auditor/automaton/internal/passage"
)

// capability is something that documents say their program does, and how to
// see in the code whether it does.
type capability struct {
	name  string
	says  *regexp.Regexp // a sentence that claims it
	and   *regexp.Regexp // and must fit too; nil: nothing more
	truth truth
}

// truth sees in the code whether something is so, where, and why.
type truth func(*against) (fate, []court.Place, string)

const (
	detectiveWords = `(?i)\bdetectives?\b|\binvestigators?\b|\bRepoInvestigator|\bDocAnalyst|\bVisionInspector|\bforensic (?:agents?|layer)\b`
	judgeWords     = `(?i)\bjudges?\b|\bjudicial (?:layer|bench|nodes?|agents?|branch(?:es)?|panel|swarm|fan)|\bprosecutor\b|\bpersonas\b|\bbench\b`
	parallelWords  = `(?i)\bin parallel\b|\bparallel(?:ly|ized)\b|\bparallel (?:detectives?|judges?|judicial|fan|branch(?:es)?|execution|layers?|nodes?|investigat)|\b(?:runs?|execut(?:es?|ed|ing)|work(?:s|ing)?|operat(?:es?|ing)) concurrently\b|\bsimultaneously\b|\bconcurrent (?:detectives?|judges?|judicial|investigat|branch(?:es)?|nodes?)|\bfan(?:s|ned|ning)?[\s\-‐‑]?out\b`
)

// capabilities lists what is looked for. What only another reading of the code
// can decide, such as a chief justice's rules, is not in it.
func capabilities() []capability {
	re := regexp.MustCompile
	return []capability{
		{"detectives in parallel", re(parallelWords), re(detectiveWords), wiring(detectivesParallel).unlessOneNode()},
		{"judges in parallel", re(parallelWords), re(judgeWords), wiring(judgesParallel)},
		{"fan-in before the judges", re(`(?i)\bfan(?:s|ned|ning)?[\s\-‐‑]?in\b|\bsynchroni[sz]ation (?:node|point|barrier)`), re(`(?i)evidence|detective|aggregat`), wiring(fanIn).unlessOneNode()},
		{"conditional edges", re(`(?i)\bconditional (?:edges?|rout)|add_conditional_edges`), nil, wiring(routes)},
		{"operator.ior reducer", re(`\boperator\.ior\b`), nil, reducer(langgraph.ReducerIor)},
		{"operator.add reducer", re(`\boperator\.add\b`), nil, reducer(langgraph.ReducerAdd)},
		{"parsing into syntax trees", re(`(?i)\bAST\b|\babstract syntax tree`), re(`(?i)pars|analy|inspect|walk|use|verif|detect`), imports("ast", "tree_sitter", "tree_sitter_python", "libcst", "astroid", "parso")},
		{"temporary folder for the clone", re(`(?i)\btempfile\b|\btemporary director|\bTemporaryDirectory\b|\bmkdtemp\b`), nil, calls("tempfile", "tempfile.TemporaryDirectory", "tempfile.mkdtemp")},
		{"with_structured_output", re(`with_structured_output`), nil, calls("with_structured_output", "*.with_structured_output")},
		{"bind_tools", re(`\bbind_tools\b`), nil, calls("bind_tools", "*.bind_tools")},
		{"Pydantic models", re(`(?i)\bpydantic\b|\bBaseModel\b`), nil, imports("pydantic", "pydantic_settings")},
		{"TypedDict state", re(`\bTypedDict\b`), nil, calls("TypedDict", "*TypedDict")},
		{"retries", re(`(?i)\bretr(?:y|ies|ied|ying)\b`), nil, sentinels("retry", "retries", "retrying", "max_retries", "attempt", "attempts", "max_attempts", "tenacity", "stop_after_attempt")},
		{"time limits", re(`(?i)\btime-?outs?\b|\btime limits?\b`), nil, sentinels("timeout", "timeouts", "deadline", "kill_after_timeout", "wait_for")},
		{"tests", re(`(?i)\bunit tests?\b|\bintegration tests?\b|\btest suite\b|\bpytest\b|\b\d+ tests\b`), nil, tests},
		{"continuous integration", re(`(?i)\bGitHub Actions\b|\bCI/CD\b|\bCI pipeline\b|\bcontinuous integration\b`), nil, files(`^\.github/workflows/.*\.ya?ml$|^\.gitlab-ci\.yml$|^azure-pipelines\.yml$|^\.circleci/|^Jenkinsfile$|^\.travis\.yml$`)},
		{"container image", re(`(?i)\bdocker(?:file|ized|ised)?\b`), nil, files(`(?i)(?:^|/)(?:.*\.)?(?:dockerfile|containerfile)(?:\..*)?$|(?:^|/)(?:docker-)?compose\.ya?ml$`)},
	}
}

// claimVerb is a verb by which a sentence says that something is so.
var claimVerb = regexp.MustCompile(`(?i)\b(?:we|i|is|are|was|were|uses?|using|used|runs?|ran|enforces?|enforced|implement(?:s|ed)?|executes?|applie[sd]|apply|applies|launch(?:es)?|guarantees?|ensures?|merges?|prevents?|provides?|includes?|has|have|built|binds?|wired|parses?|clone[sd]?|validates?|supports?|performs?|returns?|calls?|operates?|adds?|utili[sz]es?|employs?|features?|featuring|triggers?)\b`)

// capabilities holds sentences that claim a feature against the code.
func (l *ledger) capabilities() {
	known := map[string]result{}
	all := capabilities()
	for i := range l.passages {
		p := &l.passages[i]
		if !prose(p) || len(l.claims) > 2*maxClaims {
			continue
		}
		for _, sentence := range passage.Sentences(p.Text) {
			if words(sentence) < 3 || !claimVerb.MatchString(sentence) {
				continue
			}
			m := mood(p, sentence)
			if m == done && (denyWords.MatchString(sentence) || hearsay(p, sentence)) {
				m = denied
			}
			for _, c := range all {
				if !c.says.MatchString(sentence) || c.and != nil && !c.and.MatchString(sentence) {
					continue
				}
				r, ok := known[c.name]
				if !ok {
					r.fate, r.proof, r.why = c.truth(l.repo)
					known[c.name] = r
				}
				l.claims = append(l.claims, claim{Kind: ofCapability, Subject: c.name, Modality: m, Fate: r.fate, Page: p.Page, Why: r.why,
					passage: p, sentence: sentence, proof: r.proof})
			}
		}
	}
}

type result struct {
	fate  fate
	proof []court.Place
	why   string
}

var (
	general = regexp.MustCompile(`(?i)^(?:in (?:a|an|most|many|general)|traditional|naive|a naive|typical|many|most|when a|any |rubric|criteri)|\b(?:criterion|rubric (?:asks|requires|demands)|requires? that|requirement|success pattern|failure pattern)\b`)
	// An auditor's document says much of what the program looks for in others.
	looksFor = regexp.MustCompile(`(?i)\b(?:detect(?:s|ed|ion)?|verif(?:y|ies|ied|ication)|checks?|checked|identif(?:y|ies)|inspects?|look(?:s|ed)? for|confirm(?:s|ed|ation)?|scan(?:s|ned)?|flag(?:s|ged)?|search(?:es)?|determines?|presence of|evidence of|whether|scor(?:e|ed|es|ing)|graded?)\b`)
	quoted   = regexp.MustCompile(`^["“'‘].*["”'’]\.?$`)
	aboutAll = regexp.MustCompile(`(?i)\b(?:background|problem|motivation|introduction to|related work|requirements?|assignment|challenge|rubric)\b`)
)

// hearsay is what a sentence says of programs in general, of what is asked
// for, or in somebody else's words.
func hearsay(p *passage.Passage, sentence string) bool {
	return general.MatchString(sentence) || looksFor.MatchString(sentence) || quoted.MatchString(sentence) || under(p, aboutAll.MatchString)
}

// wiring is what an analysis of the graph says.
func wiring(ask func(*langgraph.Graph) langgraph.Answer) truth {
	return func(a *against) (fate, []court.Place, string) {
		g := a.graphs.Main
		if g == nil {
			if a.graphs.Absent() == langgraph.Yes {
				return a.mentioned("no StateGraph is built in the production code", "StateGraph")
			}
			return undecided, nil, "the graph could not be read"
		}
		answer := ask(g)
		var at []court.Place
		for _, it := range answer.Items {
			for _, p := range it.At {
				at = append(at, court.Place{Path: p.Path, Line: p.Line, EndLine: min(max(p.End, p.Line), p.Line+9)})
			}
		}
		switch answer.Value {
		case langgraph.Yes:
			return holds, at, court.Clean(answer.Reason, 160)
		case langgraph.No:
			return untrue, []court.Place{{Path: g.Builder.Path, Line: g.Builder.Line, EndLine: g.Builder.Line}}, court.Clean(answer.Reason, 160)
		default:
			return undecided, at, court.Clean(answer.Reason, 160)
		}
	}
}

// unlessOneNode settles nothing against a document when one node does the work
// of all detectives and the program has means to do it at once.
func (t truth) unlessOneNode() truth {
	return func(a *against) (fate, []court.Place, string) {
		f, at, why := t(a)
		if f != untrue || a.graphs.Main == nil {
			return f, at, why
		}
		nodes := 0
		for _, n := range a.graphs.Main.Nodes {
			if n.Role == langgraph.RoleDetective {
				nodes++
			}
		}
		for _, c := range a.program.Calls("gather", "*.gather", "*.TaskGroup", "*ThreadPoolExecutor", "*ProcessPoolExecutor", "*.Thread", "*.to_thread") {
			if nodes == 1 && c.Node.Module().Scope == code.ScopeProduction {
				return undecided, []court.Place{{Path: c.Node.Path(), Line: c.Line(), EndLine: c.Line()}}, "one node is a detective, and the program can do several things at once"
			}
		}
		return f, at, why
	}
}

func detectivesParallel(g *langgraph.Graph) langgraph.Answer {
	a := g.DetectivesParallel()
	if inside := g.InsideNode(langgraph.RoleDetective); a.Value == langgraph.No && inside.Value == langgraph.Yes {
		return inside
	}
	return a
}

func judgesParallel(g *langgraph.Graph) langgraph.Answer { return g.JudgesParallel() }
func fanIn(g *langgraph.Graph) langgraph.Answer          { return g.FanIn() }
func routes(g *langgraph.Graph) langgraph.Answer         { return g.HasRoutes() }

// reducer asks for a state field with a reducer, or the name in code.
func reducer(k langgraph.ReducerKind) func(*against) (fate, []court.Place, string) {
	word := strings.TrimPrefix(string(k), "operator.")
	return func(a *against) (fate, []court.Place, string) {
		if st := a.graphs.State; st != nil {
			for _, f := range st.Fields {
				if f.Reducer.Kind == k {
					return holds, []court.Place{{Path: f.At.Path, Line: f.At.Line, EndLine: f.At.Line}}, ""
				}
			}
		}
		return a.mentioned("no field of the state has it", word, "operator")
	}
}

// imports asks for a module that production code imports.
func imports(modules ...string) func(*against) (fate, []court.Place, string) {
	return func(a *against) (fate, []court.Place, string) {
		for _, m := range a.program.Modules {
			if m.Scope != code.ScopeProduction {
				continue
			}
			for _, im := range m.Imports() {
				for _, want := range modules {
					if im.Target == want || strings.HasPrefix(im.Target, want+".") {
						return holds, []court.Place{{Path: m.Path, Line: im.Node.Line(), EndLine: im.Node.Line()}}, ""
					}
				}
			}
		}
		return a.mentioned("production code does not import it", modules...)
	}
}

// calls asks for a live call in production code; the word is its sentinel.
func calls(word string, globs ...string) func(*against) (fate, []court.Place, string) {
	return func(a *against) (fate, []court.Place, string) {
		for _, c := range a.program.Calls(globs...) {
			if c.Node.Module().Scope == code.ScopeProduction && !a.program.Dead(c.Node) {
				return holds, []court.Place{{Path: c.Node.Path(), Line: c.Line(), EndLine: c.Line()}}, ""
			}
		}
		for _, m := range a.program.Mentions(word, code.ScopeProduction) {
			t := m.Words(word)[0]
			return holds, []court.Place{{Path: m.Path, Line: t.Line, EndLine: t.Line}}, ""
		}
		return a.mentioned("production code does not call it", word)
	}
}

// sentinels asks for one of several words in production code: whether it works
// is another question.
func sentinels(list ...string) func(*against) (fate, []court.Place, string) {
	return func(a *against) (fate, []court.Place, string) {
		for _, w := range list {
			for _, m := range a.program.Mentions(w, code.ScopeProduction) {
				t := m.Words(w)[0]
				return holds, []court.Place{{Path: m.Path, Line: t.Line, EndLine: t.Line}}, ""
			}
		}
		return a.mentioned("no name in the production code speaks of it", list...)
	}
}

// mentioned settles what was not found: untrue only when no file of the
// repository other than documents so much as has the word, and there is Python
// code to have it.
func (a *against) mentioned(why string, list ...string) (fate, []court.Place, string) {
	production := false
	for _, m := range a.program.Modules {
		production = production || m.Scope == code.ScopeProduction
	}
	if !production || len(a.program.Faults) > 0 {
		return undecided, nil, "not all code could be read"
	}
	for _, w := range list {
		if a.known.folded[fold(w)] {
			return undecided, nil, why + ", but the word occurs"
		}
	}
	return untrue, nil, why
}

// tests asks for a test function.
func tests(a *against) (fate, []court.Place, string) {
	for _, m := range a.program.Modules {
		for _, d := range m.Definitions() {
			if d.IsFunction() && strings.HasPrefix(d.Name, "test") && (m.Scope == code.ScopeTest || m.Scope == code.ScopeProduction) {
				return holds, []court.Place{{Path: m.Path, Line: d.Line(), EndLine: d.Line()}}, ""
			}
		}
	}
	for _, e := range a.entries {
		if a.layout.Scope(e.Path) == code.ScopeTest {
			return undecided, nil, "there are test files, but no test function was found"
		}
	}
	return untrue, nil, "no test function was found"
}

// files asks for a file by its path.
func files(pattern string) func(*against) (fate, []court.Place, string) {
	re := regexp.MustCompile(pattern)
	return func(a *against) (fate, []court.Place, string) {
		for _, e := range a.entries {
			if re.MatchString(e.Path) || re.MatchString(strings.TrimPrefix(e.Path, a.layout.Root()+"/")) {
				return holds, []court.Place{{Path: e.Path}}, ""
			}
		}
		return untrue, nil, "no such file was found"
	}
}
