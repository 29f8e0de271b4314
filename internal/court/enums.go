package court

import "slices"

// Persona names a seat of the bench.
type Persona string

// The three seats.
const (
	Prosecutor Persona = "Prosecutor"
	TechLead   Persona = "TechLead"
	Defense    Persona = "Defense"
)

// Title is the seat as people are told it.
func (p Persona) Title() string {
	if p == TechLead {
		return "Tech Lead"
	}
	return string(p)
}

// Personas lists the seats in the order in which everything is done and shown
// by rules. (Reports show the Defense second.)
func Personas() []Persona { return []Persona{Prosecutor, TechLead, Defense} }

// Artifact says what of a submission a criterion looks at.
type Artifact string

// The artifacts of a rubric.
const (
	GithubRepo  Artifact = "github_repo"
	PDFReport   Artifact = "pdf_report"
	PDFImages   Artifact = "pdf_images"
	AuditOutput Artifact = "audit_output"
	Manual      Artifact = "manual"
	AllOfIt     Artifact = "all"
)

// Detective names a node that collects facts.
type Detective string

// The three detectives.
const (
	RepoInvestigator Detective = "RepoInvestigator"
	DocAnalyst       Detective = "DocAnalyst"
	VisionInspector  Detective = "VisionInspector"
)

// Detective is the one who works on an artifact.
func (a Artifact) Detective() Detective {
	switch a {
	case PDFReport:
		return DocAnalyst
	case PDFImages:
		return VisionInspector
	default:
		return RepoInvestigator
	}
}

// Outcome is what a probe found out.
type Outcome string

// The outcomes. Only Unknown means that nobody could tell.
const (
	Present       Outcome = "present"
	Partial       Outcome = "partial"
	Violation     Outcome = "violation"
	Absent        Outcome = "absent"
	Unknown       Outcome = "unknown"
	NotApplicable Outcome = "not_applicable"
)

// Outcomes lists all outcomes.
func Outcomes() []Outcome {
	return []Outcome{Present, Partial, Violation, Absent, Unknown, NotApplicable}
}

// Found is the field's older yes or no: something was located.
func (o Outcome) Found() bool { return o == Present || o == Partial || o == Violation }

// Source is the kind of instrument behind a piece of evidence.
type Source string

// The sources, strongest first.
const (
	Attested   Source = "attested"
	Executed   Source = "executed"
	AST        Source = "ast"
	Git        Source = "git"
	Config     Source = "config"
	Crossref   Source = "crossref"
	Structure  Source = "structure"
	ModelQuote Source = "llm_quote"
	Token      Source = "token"
	Layout     Source = "layout"
	Mention    Source = "mention"
)

// Sources lists all sources.
func Sources() []Source {
	return []Source{Attested, Executed, AST, Git, Config, Crossref, Structure, ModelQuote, Token, Layout, Mention}
}

// Reason says why an outcome is unknown.
type Reason string

// The reasons.
const (
	Unparsed       Reason = "unparsed"
	Dynamic        Reason = "dynamic"
	ShallowHistory Reason = "shallow_history"
	MissingBlob    Reason = "missing_blob"
	TooLarge       Reason = "too_large"
	TimedOut       Reason = "timeout"
	NoTextLayer    Reason = "no_text_layer"
	Encrypted      Reason = "encrypted"
	NoArtifact     Reason = "no_artifact"
	NoDetector     Reason = "no_detector"
	Conflict       Reason = "conflict"
	Limit          Reason = "limit"
	Unverified     Reason = "unverified"
	NotSubmitted   Reason = "not_submitted" // asked for, and not handed in
	LeftOut        Reason = "left_out"      // by whoever audits
	NotRun         Reason = "not_run"       // it is there, and nothing that the program runs leads there
)

// Reasons lists all reasons.
func Reasons() []Reason {
	return []Reason{Unparsed, Dynamic, ShallowHistory, MissingBlob, TooLarge, TimedOut, NoTextLayer,
		Encrypted, NoArtifact, NoDetector, Conflict, Limit, Unverified, NotSubmitted, LeftOut, NotRun}
}

// Withheld tells the reasons that a submission gives itself: what it hands in cannot be
// read, is not handed in, or is not run. Doubt of this kind counts against it (judging.md 12,
// amendment A2).
func (r Reason) Withheld() bool {
	return slices.Contains([]Reason{Unparsed, ShallowHistory, TooLarge, Encrypted, NotSubmitted, NotRun}, r)
}

// Nothing tells the reasons of which each says that there is nothing to look at.
func (r Reason) Nothing() bool { return r == NoArtifact || r == NotSubmitted || r == LeftOut }

// Ours tells the reasons that lie with the inquiry: nobody has looked (amendment A1).
func (r Reason) Ours() bool {
	return slices.Contains([]Reason{MissingBlob, TimedOut, NoTextLayer, NoDetector, Limit, Unverified, LeftOut}, r)
}

// Words says why something was not checked that a detective was to look at.
func (r Reason) Words(of Detective) string {
	document := of != RepoInvestigator
	switch {
	case document && (r == NotSubmitted || r == LeftOut):
		return "there is no PDF"
	case r == NotSubmitted || r == LeftOut:
		return "there is no repository"
	case document && r == Unparsed:
		return "the document is damaged"
	case of == VisionInspector && r == NoDetector:
		return "the image cannot be read"
	}
	return reasonWords[r]
}

var reasonWords = map[Reason]string{
	Unparsed:       "some files do not parse",
	Dynamic:        "the answer is decided at run time",
	ShallowHistory: "the history is not whole",
	MissingBlob:    "some files are missing",
	TooLarge:       "it is too large",
	TimedOut:       "the time ran out",
	NoTextLayer:    "the PDF has no text",
	Encrypted:      "the PDF is encrypted",
	NoArtifact:     "there is nothing to look at", // the repository or the document, or something that should be in it
	NoDetector:     "no detective reads such code or files",
	Conflict:       "the findings contradict each other",
	Limit:          "a limit was reached before it was looked into",
	Unverified:     "its places could not be verified",
	NotRun:         "the program does not reach the code when it runs",
}

// Facet says what part a check plays in its criterion.
type Facet string

// The facets. Only Core changes the arithmetic.
const (
	Core     Facet = "core"
	Robust   Facet = "robust"
	Design   Facet = "design"
	Security Facet = "security"
)

// Polarity says whether a check wants what its probe looks for.
type Polarity string

// The polarities.
const (
	Want  Polarity = "want"
	Avoid Polarity = "avoid"
)

// Severity grades a violation.
type Severity string

// The severities, lowest first.
const (
	Info   Severity = "info"
	Low    Severity = "low"
	Medium Severity = "medium"
	High   Severity = "high"
)

// AtLeast tells whether s is as grave as t. An unknown severity is below all.
func (s Severity) AtLeast(t Severity) bool {
	order := []Severity{Info, Low, Medium, High}
	return slices.Index(order, s) >= slices.Index(order, t) && slices.Contains(order, s)
}
