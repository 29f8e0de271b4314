package probe

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// Sheet is what the probes know about one submission, without rubric, judges
// or scores. A nil pointer means that nobody could tell; false, "none" and an
// empty list mean that it was looked for and is not there. The keys and their
// order are those of schema/facts-v1.json.
type Sheet struct {
	Repo    string       `json:"repo"`
	Commit  string       `json:"commit"`
	Git     GitFacts     `json:"git"`
	State   StateFacts   `json:"state"`
	Graph   GraphFacts   `json:"graph"`
	Tools   toolFacts    `json:"tools"`
	Judges  JudgeFacts   `json:"judges"`
	Justice JusticeFacts `json:"justice"`
	Report  ReportFacts  `json:"report"`
	Quality QualityFacts `json:"quality"`

	Proof map[string]Proof `json:"-"` // by dotted key: the place that proves it, or why it is null
}

// Proof is where a fact of the sheet stands, or why nobody could tell it. Its
// text is made from the places.
type Proof struct {
	Text string
	At   []court.Place
}

// Spot is a place as the sheet writes it: path:line, where it begins.
type Spot struct{ court.Place }

func (p Spot) String() string {
	p.EndLine = p.Line
	return p.Place.String()
}

// MarshalText writes the place.
func (p Spot) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// GitFacts are facts of the history.
type GitFacts struct {
	Commits      *int  `json:"commits"`
	SingleCommit *bool `json:"single_commit"`
	BulkUpload   *bool `json:"bulk_upload"`
	Clustered    *bool `json:"clustered"`
	Progression  *bool `json:"progression"`
}

// Typed is a type or a reducer: what kind, its name where it needs one, where.
type Typed struct {
	Kind *string `json:"kind"`
	Name *string `json:"name,omitempty"` // agent_state and reducers only
	At   *Spot   `json:"at"`
}

// StateFacts are facts of the graph's state.
type StateFacts struct {
	AgentState       Typed `json:"agent_state"`
	EvidenceModel    Typed `json:"evidence_model"`
	OpinionModel     Typed `json:"opinion_model"`
	EvidencesReducer Typed `json:"evidences_reducer"`
	OpinionsReducer  Typed `json:"opinions_reducer"`
}

// Conditional is one routed source.
type Conditional struct {
	From string   `json:"from"`
	To   []string `json:"to"`
	At   Spot     `json:"at"`
}

// GraphFacts are facts of the graph that the program runs.
type GraphFacts struct {
	StateGraph struct {
		Present *bool `json:"present"`
		At      *Spot `json:"at"`
	} `json:"state_graph"`
	Nodes               []string      `json:"nodes"`
	Edges               [][2]string   `json:"edges"`
	Conditional         []Conditional `json:"conditional"`
	DetectivesParallel  *bool         `json:"detectives_parallel"`
	FanInBeforeJudges   *bool         `json:"fan_in_before_judges"`
	JudgesPresent       *bool         `json:"judges_present"`
	JudgesParallel      *bool         `json:"judges_parallel"`
	ChiefJusticePresent *bool         `json:"chief_justice_present"`
	ConditionalEdges    *bool         `json:"conditional_edges"`
	Linear              *bool         `json:"linear"`
}

// cloned is how a program gets at a repository.
type cloned struct {
	How *string `json:"how"`
	At  *Spot   `json:"at"`
}

// toolFacts are facts of process calls and the clone.
type toolFacts struct {
	OSSystem           []Spot `json:"os_system"`
	ShellTrue          []Spot `json:"shell_true"`
	EvalExec           []Spot `json:"eval_exec"`
	Clone              cloned `json:"clone"`
	CloneSandboxed     *bool  `json:"clone_sandboxed"`
	CloneCleanup       *bool  `json:"clone_cleanup"`
	CloneErrorsHandled *bool  `json:"clone_errors_handled"`
	CloneTimeout       *bool  `json:"clone_timeout"`
	URLValidated       *bool  `json:"url_validated"`
}

// JudgeFacts are facts of the code that asks a model for an opinion.
type JudgeFacts struct {
	StructuredOutput   Typed    `json:"structured_output"`
	Retry              *bool    `json:"retry"`
	FallbackWithoutLLM *bool    `json:"fallback_without_llm"`
	Personas           *int     `json:"personas"`
	PromptsDistinct    *bool    `json:"prompts_distinct"`
	ModelProviders     []string `json:"model_providers"`
}

// JusticeFacts are facts of the code that decides the final scores.
type JusticeFacts struct {
	Present             *bool `json:"present"`
	At                  *Spot `json:"at"`
	Deterministic       *bool `json:"deterministic"`
	SecurityCap         *bool `json:"security_cap"`
	FactSupremacy       *bool `json:"fact_supremacy"`
	FunctionalityWeight *bool `json:"functionality_weight"`
	Dissent             *bool `json:"dissent"`
	Variance            *bool `json:"variance"`
	MarkdownReport      *bool `json:"markdown_report"`
}

// termFacts say how well the document explains the four concepts: substantive,
// mention or absent.
type termFacts struct {
	DialecticalSynthesis *string `json:"dialectical_synthesis"`
	FanInFanOut          *string `json:"fan_in_fan_out"`
	Metacognition        *string `json:"metacognition"`
	StateSynchronization *string `json:"state_synchronization"`
}

// ReportFacts are facts of the document.
type ReportFacts struct {
	PDF                  *string   `json:"pdf"`
	Pages                *int      `json:"pages"`
	Terms                termFacts `json:"terms"`
	PathsClaimed         []string  `json:"paths_claimed"`
	PathsMissing         []string  `json:"paths_missing"`
	Diagrams             *int      `json:"diagrams"`
	DiagramShowsParallel *bool     `json:"diagram_shows_parallel"`
}

// QualityFacts are facts of general hygiene.
type QualityFacts struct {
	Tests            *bool  `json:"tests"`
	CI               *bool  `json:"ci"`
	Lockfile         *bool  `json:"lockfile"`
	EnvExample       *bool  `json:"env_example"`
	License          *bool  `json:"license"`
	SecretsCommitted []Spot `json:"secrets_committed"`
}

// Section fills one part of the sheet. An error leaves it as far as it came,
// with null for the rest.
type Section struct {
	Name string
	Fill func(ctx context.Context, s *Scene, sheet *Sheet) error
}

// Prove notes where a fact stands, or why it is null: the places are those
// among what the sentence is made from.
func (s *Sheet) Prove(key, format string, a ...any) {
	p := Proof{Text: fmt.Sprintf(format, a...)}
	for _, x := range a {
		switch x := x.(type) {
		case Spot:
			p.At = append(p.At, x.Place)
		case court.Place:
			p.At = append(p.At, x)
		}
	}
	s.Proof[key] = p
}

// Proven is what was noted of a fact, or of what it belongs to; zero when
// nothing was.
func (s *Sheet) Proven(key string) Proof {
	for key != "" {
		if p, ok := s.Proof[key]; ok && p.Text != "" {
			return p
		}
		key = key[:max(0, strings.LastIndexByte(key, '.'))]
	}
	return Proof{}
}

// Why is the text of what was noted.
func (s *Sheet) Why(key string) string { return s.Proven(key).Text }

// JSON is the sheet as published: keys in order, two-space indent, secrets
// masked, final newline.
func (s *Sheet) JSON() ([]byte, error) {
	raw, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encoding fact sheet: %w", err)
	}
	return append(safetext.JSON(maskJSON(raw)), '\n'), nil
}
