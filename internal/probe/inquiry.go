package probe

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Inquirer is a model that investigates: each turn it says where to look next
// and what it found. It is safe for concurrent use.
type Inquirer interface {
	Inquire(ctx context.Context, q Inquiry) (Move, error)
}

// Inquiry is one turn of an investigation. The texts of Seen are the
// submission's: the one who hands them to a model keeps them apart from his own.
type Inquiry struct {
	Case      string // digest of what is audited
	Detective court.Detective
	Criterion court.Criterion // without checks and guidance, its texts bounded
	Open      []court.Check   // what may be answered: ids and texts, as many as there may be items
	Seen      []Seen          // what was looked up, in order
	Calls     int             // how many look-ups are left; 0: this is the last turn
}

// Call is one look at the submission, at the audited commit. What its fields
// mean depends on the tool: see answers.
type Call struct {
	Tool  string `json:"tool"`
	Query string `json:"query"`
	Path  string `json:"path"`
	Where string `json:"where"`
	From  int    `json:"from"`
	To    int    `json:"to"`
}

// Seen is what a call showed, at most 8 KiB, without secrets.
type Seen struct {
	Call Call
	Text string
}

// Move is what an Inquirer wants and says in one turn.
type Move struct {
	Calls []Call
	Items []Item
	Done  bool // it has seen enough
}

// Item is a statement with the place that shows it: lines of a file, or a page
// of the document. It is a claim until the bytes confirm it.
type Item struct {
	Check     string
	Stance    string // support or contrary
	Statement string
	Path      string
	From, To  int
	Page      int
	Quote     string
}

// Bounds of an investigation, which is one detective's work on one criterion:
// a design choice. Tokens are counted as three bytes each.
const (
	inquiryCalls  = 12
	inquiryRounds = 2 // of calls; after the last the model answers
	inquiryTokens = 24_000
	inquiryItems  = 12
	// inquiryTime is how long one answer of the model is awaited.
	inquiryTime = time.Minute
	// maxInquiries bounds a case: ten times the tokens, calls and items.
	maxInquiries = 10
	// inquiriesAtOnce wait for a server most of the time.
	inquiriesAtOnce = 4
	// inquiryFrame is the room of every question for the instructions and the
	// schema, in bytes.
	inquiryFrame = 8000
)

// Inquire has the scene's Inquirer look into the checks of a detective's brief
// that the probes left open: those of criteria whose checks were guessed from
// words and, when Options say so, any that ended unknown. What it says enters
// when the bytes confirm it. Without an Inquirer nothing happens.
func (s *Scene) Inquire(ctx context.Context, probes []Probe, b Assignment, found map[string][]court.Evidence) (map[string][]court.Evidence, []court.Fault) {
	if s.o.Inquirer == nil {
		return nil, nil
	}
	inquests, left := s.inquests(b, byID(probes), found)
	gate := make(chan struct{}, inquiriesAtOnce)
	type result struct {
		evidence []court.Evidence
		faults   []court.Fault
	}
	results := make([]result, len(inquests))
	var wg sync.WaitGroup
	for i, q := range inquests {
		wg.Go(func() {
			gate <- struct{}{}
			defer func() { <-gate }()
			answered := b.asking(q.question())
			results[i].evidence, results[i].faults = q.hold(ctx, s)
			answered(len(results[i].evidence))
		})
	}
	wg.Wait()
	out := map[string][]court.Evidence{}
	var faults []court.Fault
	for i, q := range inquests {
		list, clashes := united(results[i].evidence)
		if len(list) > 0 {
			out[q.criterion.ID] = list
		}
		for _, e := range list {
			if b.Saw != nil {
				b.Saw(e)
			}
		}
		faults = slices.Concat(faults, results[i].faults, clashes)
	}
	if left > 0 {
		faults = append(faults, court.Fault{Stage: "inquiry", Reason: fmt.Sprintf("%s not investigated: a case has %d investigations", counted(left, "criterion was", "criteria were"), maxInquiries)})
	}
	for i := range faults {
		faults[i].Reason = s.o.Veil.Hide(faults[i].Reason)
	}
	return out, faults
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// inquest is one investigation.
type inquest struct {
	by        Assignment
	criterion court.Criterion
	open      []court.Check
}

// question is the inquest as the one who watches knows it.
func (q inquest) question() *question {
	out := &question{probe: investigation, known: true, ask: court.Ask{Probe: investigated}}
	for _, c := range q.open {
		out.by = append(out.by, asker{q.criterion.ID, c, investigated})
	}
	return out
}

// inquests lists the investigations that the brief is worth, and how many had
// no room. Which have room follows from the rubric alone, so that it does not
// depend on what other detectives do at the same time.
func (s *Scene) inquests(b Assignment, known map[string]Probe, found map[string][]court.Evidence) (list []inquest, left int) {
	taken := 0
	for _, c := range b.Criteria {
		if !c.Generic() && !s.o.InquireUnknown {
			continue
		}
		for _, d := range []court.Detective{court.RepoInvestigator, court.DocAnalyst} { // nobody reads a picture with these tools
			own := slices.DeleteFunc(slices.Clone(c.Checks), func(ch court.Check) bool { return !answeredBy(c, ch, d, known) })
			if len(own) == 0 {
				continue
			}
			taken++
			if d != b.Detective {
				continue
			}
			own = slices.DeleteFunc(own, func(ch court.Check) bool { return !isOpen(ch, found[c.ID], c.Generic()) })
			switch {
			case len(own) == 0:
			case taken > maxInquiries:
				left++
			default:
				list = append(list, inquest{b, c, own})
			}
		}
	}
	return list, left
}

// answeredBy: every question of the check is the detective's.
func answeredBy(c court.Criterion, ch court.Check, d court.Detective, known map[string]Probe) bool {
	return len(ch.Asks) > 0 && !slices.ContainsFunc(ch.Asks, func(a court.Ask) bool {
		p, ok := known[a.Probe]
		return detective(c, p, ok) != d
	})
}

// isOpen tells a check that a model may add to from one that is settled: an
// instrument that knows what it reads located something, and left nothing open.
// No model argues with that. Of a check that was not guessed from words, only
// unknown is open.
func isOpen(ch court.Check, found []court.Evidence, guessed bool) bool {
	sure, open, unknown := false, false, false
	for _, e := range found {
		if e.Check != ch.ID {
			continue
		}
		instrument := slices.Contains([]court.Source{court.AST, court.Git, court.Config, court.Crossref}, e.Source) && e.Confidence >= defaultRecall
		switch {
		case e.Outcome == court.Violation && instrument:
			return false
		case e.Outcome == court.Unknown:
			open, unknown = true, true
		case e.Outcome == court.Absent:
			open = true
		default:
			sure = sure || instrument
		}
	}
	if !guessed {
		return unknown
	}
	return open || !sure
}

// hold asks and looks in turns until the model is done or a bound is reached,
// and keeps what the bytes confirm. Whatever happens, what was said until then
// is looked at.
func (q inquest) hold(ctx context.Context, s *Scene) ([]court.Evidence, []court.Fault) {
	said := &sayings{}
	err := s.inStep(ctx, func(ctx context.Context, s *Scene) func() error {
		err := q.talk(ctx, s, said)
		return func() error { return err }
	})
	if ctx.Err() != nil { // the step ends: nothing is known of this
		return nil, nil
	}
	var faults []court.Fault
	fault := func(format string, a ...any) {
		faults = append(faults, court.Fault{Stage: "inquiry", Subject: court.Clean(string(q.by.Detective)+" "+q.criterion.ID, 200),
			Reason: court.Clean(s.mask(fmt.Sprintf(format, a...)), 500)})
	}
	switch {
	case err != nil && stopped(err):
		fault("the investigation took too long")
	case err != nil:
		fault("the investigation ended early: %v", err)
	}
	items, more := said.all()
	out, fell := q.confirm(ctx, s, items)
	if fell > 0 {
		fault("%d of %s did not match the bytes", fell, counted(len(items), "statement", "statements"))
	}
	if more > 0 {
		fault("%s left out: an investigation has %d", counted(more, "statement was", "statements were"), inquiryItems)
	}
	return out, faults
}

// sayings is what a model stated so far. It may be left while it still talks.
type sayings struct {
	mu    sync.Mutex
	items []Item
	more  int // beyond those that are kept
}

func (s *sayings) add(items []Item) {
	s.mu.Lock()
	defer s.mu.Unlock()
	keep := min(len(items), inquiryItems-len(s.items))
	s.items = append(s.items, items[:keep]...)
	s.more += len(items) - keep
}

func (s *sayings) all() ([]Item, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.items), s.more
}

// awaited is the model's answer, which is none once its time is over.
func (s *Scene) awaited(ctx context.Context, ask Inquiry) (Move, error) {
	ctx, cancel := context.WithTimeout(ctx, inquiryTime)
	defer cancel()
	move, err := s.o.Inquirer.Inquire(ctx, ask)
	if err == nil {
		err = ctx.Err()
	}
	return move, err
}

// talk is the turns of one investigation.
func (q inquest) talk(ctx context.Context, s *Scene, said *sayings) error {
	ask := Inquiry{Case: court.Digest([]string{s.Commit(), s.DocumentsDigest()}), Detective: q.by.Detective, Criterion: briefly(q.criterion)}
	for _, ch := range q.open[:min(len(q.open), inquiryItems)] {
		ask.Open = append(ask.Open, court.Check{ID: ch.ID, Text: court.Clean(ch.Text, 300)})
	}
	rounds, room := roomFor(ask)
	left := inquiryCalls
	for round := 0; ; round++ {
		ask.Calls = left
		if round == rounds {
			ask.Calls = 0
		}
		move, err := s.awaited(ctx, ask)
		if err != nil {
			return err
		}
		said.add(move.Items)
		if move.Done || len(move.Calls) == 0 || ask.Calls == 0 {
			return nil
		}
		calls := move.Calls[:min(len(move.Calls), left)]
		left -= len(calls)
		ask.Seen = append(slices.Clone(ask.Seen), s.see(ctx, calls, room)...)
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// see makes the calls in order until the room, in bytes, is used up.
func (s *Scene) see(ctx context.Context, calls []Call, room int) []Seen {
	const around = 200 // what stands around an answer
	var out []Seen
	for _, c := range calls {
		c = c.bounded()
		if room -= around; room <= 0 {
			break
		}
		text := s.answer(ctx, c, min(room, maxSeen))
		room -= len(text)
		out = append(out, Seen{c, text})
	}
	return out
}

// roomFor is how many rounds of calls the tokens allow, and how many bytes each
// may show: what a round shows is sent again in every turn after it.
func roomFor(q Inquiry) (rounds, room int) {
	const least = 2000
	base := inquiryFrame
	if raw, err := json.Marshal(q); err == nil { // plain data always can be encoded
		base += len(raw)
	}
	for rounds = inquiryRounds; rounds > 0; rounds-- {
		if room = (3*inquiryTokens - base*(rounds+1)) / (rounds * (rounds + 1) / 2); room >= least {
			return rounds, room
		}
	}
	return 0, 0
}

// briefly is what an investigation needs of a criterion. Its texts are the
// rubric's and may be long.
func briefly(c court.Criterion) court.Criterion {
	const words = 1500 // runes
	return court.Criterion{ID: c.ID, Name: court.Clean(c.Name, 200), Artifacts: c.Artifacts, Binding: c.Binding,
		Instruction: court.Clean(c.Instruction, words), Success: court.Clean(c.Success, words), Failure: court.Clean(c.Failure, words)}
}
