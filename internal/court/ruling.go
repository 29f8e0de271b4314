package court

// RuleOutcome says what a rule did.
type RuleOutcome string

// The outcomes of a rule.
const (
	Fired RuleOutcome = "fired"
	Idle  RuleOutcome = "idle"
	Off   RuleOutcome = "off"
)

// Holding is what one rule did to one criterion's score.
type Holding struct {
	Rule     string      `json:"rule"`
	Outcome  RuleOutcome `json:"outcome"`
	Before   Fixed       `json:"before"`
	After    Fixed       `json:"after"`
	Evidence []string    `json:"evidence,omitempty"`
	Judges   []Persona   `json:"judges,omitempty"` // overruled or substituted
	Text     string      `json:"text"`
}

// Status says how much a ruling can be relied on.
type Status string

// The statuses.
const (
	Proven       Status = "proven"
	Open         Status = "open"      // doubt or contradicting evidence is left, and the judges are close
	Contested    Status = "contested" // the same, and the judges are two whole scores or more apart
	Insufficient Status = "insufficient"
)

// Doubt from which a ruling is open, and from which it is insufficient (judging.md 7).
const (
	OpenFrom         Fixed = 15 * One / 100
	InsufficientFrom Fixed = One / 2
)

// Ruling is the chief justice's outcome for one criterion.
type Ruling struct {
	Criterion    string    `json:"criterion_id"`
	Final        *int      `json:"final_score"` // null: too little was examined
	Exact        Fixed     `json:"exact"`
	Low          Fixed     `json:"low"`
	High         Fixed     `json:"high"`
	Status       Status    `json:"status"`
	Spread       int       `json:"spread"`
	FirstSpread  int       `json:"first_spread"`
	Reheard      bool      `json:"reheard"`
	Dissent      bool      `json:"dissent"`
	Overruled    []Persona `json:"overruled"`
	Substituted  []Persona `json:"substituted"`
	Points       *Points   `json:"points"`
	Disagreement string    `json:"disagreement,omitempty"` // one line, when Prosecutor and Defense differ
	Parted       []Parting `json:"parted,omitempty"`
	Holdings     []Holding `json:"holdings"`
	Embedded     *Fixed    `json:"embedded,omitempty"` // the exact score without models; null: no model was heard
}

// Points is a ruling on the rubric's own scale.
type Points struct {
	Points Fixed  `json:"points"`
	Max    Fixed  `json:"max"`
	Level  string `json:"level,omitempty"`
}

// Overall is the score of the whole case.
type Overall struct {
	Exact     Fixed `json:"exact"`
	BeforeCap Fixed `json:"before_cap"`
	Low       Fixed `json:"low"`
	High      Fixed `json:"high"`
	Capped    bool  `json:"capped"`
	Coverage  Fixed `json:"coverage"`

	Unexamined int  `json:"unexamined,omitempty"` // criteria without a score: they count in the interval and in nothing else
	Unscored   bool `json:"unscored,omitempty"`   // no criterion has a score, and so the case has none

	Embedded *Fixed `json:"embedded,omitempty"` // the exact score without models; null: no model was heard
}

// Shown is the score as it is printed; NoScore where there is none.
func (o Overall) Shown() string {
	if o.Unscored {
		return NoScore
	}
	return o.Exact.Shown()
}

// NoScore is printed where there is no score.
const NoScore = "–"

// Verdict is everything the chief justice decided.
type Verdict struct {
	Overall  Overall  `json:"overall"`
	Headline string   `json:"headline"`
	Summary  string   `json:"summary,omitempty"` // of older records only: reports make their own of the rulings
	Rulings  []Ruling `json:"rulings"`           // rubric order
}

// Remedy is one thing that would raise a score, and what it is worth by the
// same court.
type Remedy struct {
	Criterion   string   `json:"criterion_id"`
	Check       string   `json:"check"`
	Text        string   `json:"text"`
	Location    string   `json:"location,omitempty"`
	At          []Place  `json:"at,omitempty"`
	Evidence    []string `json:"evidence"`
	Effort      int      `json:"effort_minutes,omitempty"`
	Blocking    bool     `json:"blocking"`        // a confirmed flaw caps the score
	After       []string `json:"after,omitempty"` // failed checks that it rests on
	CriterionTo Fixed    `json:"criterion_to"`    // with this alone
	OverallTo   Fixed    `json:"overall_to"`      // with this alone
	OverallThen Fixed    `json:"overall_then"`    // with this and all before it
	Also        []Put    `json:"also,omitempty"`  // what else is put right by the same act; its worth is that of all
}

// Put is a check that one act puts right together with others.
type Put struct {
	Criterion   string `json:"criterion_id"`
	Check       string `json:"check"`
	CriterionTo Fixed  `json:"criterion_to"` // with the whole act
}

// Stakes are what the score of a criterion rests on, before the embedded bench.
type Stakes struct {
	Criterion string `json:"criterion_id"`
	Exact     Fixed  `json:"exact"` // as it stands
	Loses     Turns  `json:"loses"` // what would have to break for it to lose a whole point
	Gains     Turns  `json:"gains"` // what would have to be true for it to gain one
}

// Turns are the smallest sets of checks that move a score by a whole point: single ones
// first, then pairs of those that do not do so alone.
type Turns struct {
	Sets []Stake `json:"sets"`
	More int     `json:"more,omitempty"` // sets beyond those listed
	All  Fixed   `json:"all"`            // the score with every one of the checks that were tried
}

// Stake is a set of checks, and the score once all of them stand otherwise.
type Stake struct {
	Checks []string `json:"checks"`
	Exact  Fixed    `json:"exact"`
}
