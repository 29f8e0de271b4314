package court

import (
	"encoding/json"
	"slices"
)

// Rubric is what a submission is judged by: criteria, the author's rules, and
// the typed rules that run. Its JSON is the native form of a rubric file.
type Rubric struct {
	Name        string                     `json:"name"`
	Version     string                     `json:"version"`
	Target      string                     `json:"target,omitempty"`
	Description string                     `json:"description,omitempty"`
	Dialect     string                     `json:"dialect"`
	Features    []string                   `json:"features,omitempty"`
	Criteria    []Criterion                `json:"dimensions"`
	Rules       []RuleText                 `json:"rules,omitempty"` // the author's words, file order
	Synthesis   Synthesis                  `json:"synthesis"`
	Guidance    Guidance                   `json:"judicial_logic,omitzero"`
	Anchors     map[int]string             `json:"anchors,omitempty"` // rubric-wide meaning of 1..5
	Preamble    string                     `json:"forensic_instruction,omitempty"`
	Notes       []Note                     `json:"notes,omitempty"`
	Extra       map[string]json.RawMessage `json:"extra,omitempty"` // unknown keys, byte-exact
	Source      RubricSource               `json:"source"`
	Digest      string                     `json:"digest"` // of everything that can change a score or a judge's view
	Checks      string                     `json:"checks"` // digest of the compiled checks with probe versions
}

// Asked lists the criteria that count in a case, in the order of the rubric: all
// of them or, when ids are named, only these.
func (r Rubric) Asked(only []string) []Criterion {
	if len(only) == 0 {
		return r.Criteria
	}
	return slices.DeleteFunc(slices.Clone(r.Criteria), func(c Criterion) bool { return !slices.Contains(only, c.ID) })
}

// Heard lists those of the asked criteria that a machine judges: people do not
// answer them.
func (r Rubric) Heard(only []string) []Criterion {
	return slices.DeleteFunc(slices.Clone(r.Asked(only)), Criterion.ForPeople)
}

// RubricSource says where a rubric came from.
type RubricSource struct {
	From   string `json:"from"`   // builtin, file or stdin
	Name   string `json:"name"`   // as given; of a file the base name only
	Digest string `json:"sha256"` // of the bytes, lower-case hex
}

// Criterion is one thing that is judged; rubric files call it a dimension.
type Criterion struct {
	ID          string                     `json:"id"`
	Name        string                     `json:"name"`
	Artifacts   []Artifact                 `json:"target_artifact"`
	Instruction string                     `json:"forensic_instruction"`
	Success     string                     `json:"success_pattern,omitempty"`
	Failure     string                     `json:"failure_pattern,omitempty"`
	Shown       map[string]string          `json:"shown,omitempty"` // protocol, statute, metric, description: for people and judges only
	Guidance    Guidance                   `json:"judicial_logic,omitzero"`
	Weight      Fixed                      `json:"weight"` // relative
	Scale       Scale                      `json:"scale"`
	Checks      []Check                    `json:"checks"`
	Binding     string                     `json:"binding"` // courtroom:ID, alias:ID, plan, own, manual, software:ID, report:ID
	Pos         Pos                        `json:"pos,omitzero"`
	Extra       map[string]json.RawMessage `json:"extra,omitempty"`
}

// Generic tells whether the checks came from the words of the instruction only.
func (c Criterion) Generic() bool { return c.Binding == "plan" }

// ForPeople tells whether no machine judges the criterion.
func (c Criterion) ForPeople() bool { return c.Binding == "manual" }

// Guidance is what a rubric tells the judges; Shared goes to all three.
type Guidance struct {
	Prosecutor string `json:"prosecutor,omitempty"`
	Defense    string `json:"defense,omitempty"`
	TechLead   string `json:"tech_lead,omitempty"`
	Shared     string `json:"shared,omitempty"`
}

// Check is one question of a criterion.
type Check struct {
	ID       string   `json:"id"`
	Weight   int      `json:"weight"` // 1..5; only ratios matter
	Facet    Facet    `json:"facet"`
	Polarity Polarity `json:"polarity"`
	Requires []string `json:"requires,omitempty"` // checks above it in the same criterion
	Asks     []Ask    `json:"asks"`               // with several, the check holds when all of them say so
	Text     string   `json:"text"`               // one sentence for people that states what holds
	Scope    string   `json:"scope"`              // production (default), tests, all
}

// Ask is one question to one probe.
type Ask struct {
	Probe string         `json:"probe"`
	Args  map[string]any `json:"args,omitempty"` // strings, numbers, booleans, lists of strings
}

// Key names the ask: the probe, and its arguments when it has some.
func (a Ask) Key() string {
	if len(a.Args) == 0 {
		return a.Probe
	}
	raw, err := json.Marshal(a.Args) // sorted keys; arguments come from JSON
	if err != nil {
		return a.Probe
	}
	return a.Probe + string(raw)
}

// Scale says how a criterion's 1..5 shows at the edges.
type Scale struct {
	Kind    string         `json:"kind"` // five, points, levels
	Min     Fixed          `json:"min"`
	Max     Fixed          `json:"max"`
	Levels  []Level        `json:"levels,omitempty"` // lowest points first
	Exclude string         `json:"exclude,omitempty"`
	Anchors map[int]string `json:"anchors,omitempty"` // meaning of 1..5 for this criterion
}

// Level is one named step of a scale.
type Level struct {
	ID     string `json:"id,omitempty"`
	Name   string `json:"name"`
	Points Fixed  `json:"points"`
	Text   string `json:"description,omitempty"`
}

// RuleText is a rule in its author's words. No number is ever read from it.
type RuleText struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	Runs string `json:"runs,omitempty"` // the typed rule that runs for it; empty: shown, not enforced
}

// Note is something the rubric loader filled in, borrowed or could not use.
type Note struct {
	Code      string `json:"code"`
	Pos       Pos    `json:"pos,omitzero"`
	Criterion string `json:"criterion,omitempty"`
	Field     string `json:"field,omitempty"`
	Used      string `json:"used,omitempty"`
	Text      string `json:"text"`
}

// Pos is a place in a rubric file: 1-based line and column in code points.
type Pos struct {
	Line int `json:"line"`
	Col  int `json:"col"`
}
