package rubric

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// official is one of the ten official criteria: how a foreign rubric may call it,
// and the words without which a criterion of that name is about something else.
type official struct {
	id      string
	anchor  *regexp.Regexp
	aliases []string
	covers  *regexp.Regexp // names in a rubric's own words that the compiled checks ask about already
}

// officials are the ten known ids in official order.
var officials = []official{
	{"git_forensic_analysis", anchor(`git|commit|history`),
		[]string{"git_forensic", "git_forensics", "git_discipline", "git_history", "narrative_continuity", "development_narrative"},
		anchor(`git|commit|init|bulk`)},
	{"state_management_rigor", anchor(`state|reducer|pydantic|typeddict|typed`),
		[]string{"state_management", "typed_state", "typed_state_definitions", "pydantic_state_modeling"},
		anchor(`state|basemodel|typeddict|annotated|operator|ior|evidence|opinion|dict|reducer|pydantic`)},
	{"graph_orchestration", anchor(`graph|fan-?\s?(out|in)|edge|node|orchestrat|parallel`),
		[]string{"langgraph_architecture", "langgraph_arch", "graph_architecture", "stategraph_architecture", "graph_orchestration_architecture"},
		anchor(`graph|add_(conditional_)?edges?|add_node|aggregator|start|end|judge|prosecutor|defense|tech_?lead|justice|investigator|analyst|inspector|builder|evidence|send|compile|invoke`)},
	{"safe_tool_engineering", anchor(`clon|sandbox|subprocess|os\.system|shell|temp|tool`),
		[]string{"safe_tools", "safe_tooling", "sandbox_safety", "security_sandboxing"},
		anchor(`os\.|subprocess|tempfile|temporary|shell|clone|gitpython|stdout|stderr|returncode`)},
	{"structured_output_enforcement", anchor(`structured|schema|json|bind_tools|pydantic`),
		[]string{"structured_output"},
		anchor(`structured_output|bind_tools|opinion|score|argument|cited|basemodel|pydantic|json|retry`)},
	{"judicial_nuance", anchor(`judge|persona|prosecutor|prompt`),
		[]string{"judicial_nuance_dialectics", "judicial_nuance_and_dialectics"},
		anchor(`judge|prosecutor|defense|tech_?lead|persona|prompt|opinion`)},
	{"chief_justice_synthesis", anchor(`justice|synthesis|conflict|determinis|arbitrat`),
		[]string{"chief_justice_synthesis_engine", "synthesis_engine", "deterministic_arbitration", "synthesis_conflict_resolution"},
		anchor(`justice|synthesis|security|override|fact|supremacy|functionality|dissent|variance|re_?evaluation|markdown|report|conflict`)},
	{"theoretical_depth", anchor(`pdf|report|term|concept|theor|dialectical`),
		[]string{"pdf_theoretical_depth", "documentation_depth", "metacognition_and_dialectic_depth"},
		anchor(`dialectic|fan-|metacogn|synchroni|keyword`)},
	{"report_accuracy", anchor(`report|pdf|path|claim|cross`),
		[]string{"citation_integrity", "host_analysis_accuracy"},
		anchor(`path|claim|hallucinat|cross|verified`)},
	{"swarm_visual", anchor(`diagram|image|visual|figure`),
		[]string{"visual_architecture", "visual_fidelity", "diagram_flow", "diagram_flow_architecture", "architectural_diagram_analysis"},
		anchor(`diagram|visual|stategraph|flow|figure|parallel`)},
}

// clones is what a criterion must speak of that is called safe tools and has
// another id: tools are safe in every project, only an auditor clones.
var clones = anchor(`clon|sandbox`)

func anchor(words string) *regexp.Regexp { return regexp.MustCompile(`(?i)` + words) }

// match finds the built-in criterion whose checks fit, if any: by id, then by
// alias, and only when the text is about the same thing.
func (l *loader) match(d *draft) (bound, binding string) {
	said := d.Name + "\n" + d.Instruction + "\n" + d.Success + "\n" + d.Failure
	if d.from.has("checks") || d.from.has("probes") {
		return "", "own"
	}
	for _, o := range officials {
		if d.ID == o.id && o.anchor.MatchString(said) {
			return o.id, "courtroom:" + o.id
		}
	}
	if id := l.base + ":" + d.ID; l.base != "" && l.base != "courtroom" && l.table(id) != nil {
		return id, id
	}
	for _, name := range []string{d.ID, slug(d.Name)} {
		for _, o := range officials {
			if (name == o.id || slices.Contains(o.aliases, name)) && o.anchor.MatchString(said) && (name == d.ID || o.id != "safe_tool_engineering" || clones.MatchString(said)) {
				return o.id, "alias:" + o.id
			}
		}
	}
	return "", "plan"
}

// bind attaches checks to every criterion.
func (l *loader) bind(f File) {
	for _, d := range l.drafts {
		d.known = l.known
		switch {
		case d.Binding == "manual":
			d.Checks = nil
		case d.Binding == "own":
			if f.From == "builtin" {
				d.Binding = f.Name + ":" + d.ID
			}
			if d.from.get("coverage_from").is("plan") {
				d.Checks = append(d.Checks, more(d)...)
			}
		case d.bound != "":
			d.Checks = slices.Clone(l.table(d.bound).Checks)
			d.Checks = append(d.Checks, extra(d)...)
			l.verify(d)
		case d.Binding == "plan":
			if d.Checks = plan(d); len(d.Checks) > 0 {
				d.Checks = append(d.Checks, open(d)...)
			}
		}
		if d.Checks == nil {
			d.Checks = []court.Check{}
		}
	}
}

// table is the built-in criterion of that id: "graph_orchestration" of the
// courtroom, "software:testing" of another one; nil when there is none.
func (l *loader) table(id string) *court.Criterion {
	name, key, other := strings.Cut(id, ":")
	if !other {
		name, key = "courtroom", id
	}
	r := l.builtin(name)
	if r == nil {
		return nil
	}
	i := slices.IndexFunc(r.Criteria, func(c court.Criterion) bool { return c.ID == key })
	if i < 0 {
		return nil
	}
	return &r.Criteria[i]
}

// builtin is a built-in rubric, read once; nil for another name.
func (l *loader) builtin(name string) *court.Rubric {
	r, ok := l.tables[name]
	if !ok {
		r = ownTables(name)
		if l.tables == nil {
			l.tables = map[string]*court.Rubric{}
		}
		l.tables[name] = r
	}
	return r
}

// ownTables are the criteria of a built-in, not held against a catalogue; nil
// for another name. A test loads every built-in, so they cannot be broken.
func ownTables(name string) *court.Rubric {
	raw, ok := builtinBytes(name)
	if !ok {
		return nil
	}
	r, err := load(File{From: "builtin", Name: name, Bytes: raw}, nil)
	if err != nil {
		return nil
	}
	return r
}

// verify holds the compiled checks against the catalogue: a build that lacks
// one of their probes must not judge by the rest. Plans from words ask only what
// the build can answer, see wanted.
func (l *loader) verify(d *draft) {
	for _, c := range d.Checks {
		for _, a := range c.Asks {
			if msg, hint := l.known.refuse(a); msg != "" {
				l.failure(d.from.at, "check-probe", "criterion %q needs check %q of this build, but %s", d.ID, c.ID, msg).Hint = hint
			}
		}
	}
}
