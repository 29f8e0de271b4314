package trial

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/automaton-auditor/automaton/internal/bench"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/llm"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/repo"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// Panel says who sits in the three seats. The zero value is the embedded bench.
type Panel struct {
	// Seats are those that a model fills; in the others sits the embedded judge.
	Seats map[court.Persona]Seat
	// Detectives names the models that investigate or look at pictures, PROVIDER/MODEL.
	Detectives map[court.Detective]string
	// Prompts is the digest of what all of them are asked with besides the case.
	Prompts string
	// Redact hides the names and mail addresses of the git history from models.
	Redact bool
	// Use is what the models were asked so far; nil: nobody counts.
	Use func() *court.Models
}

// Seat is a judge that a model speaks for.
type Seat struct {
	Source string               // PROVIDER/MODEL
	Sit    func(In) bench.Judge // the judge of one case
}

// In is the case that a judge sits in, as far as he needs to know.
type In struct {
	Case  string            // its digest
	Names *safetext.Aliases // what he is not told; nil: nothing is hidden
}

// Modelled tells whether a model sits anywhere.
func (b Panel) Modelled() bool { return len(b.Seats) > 0 || len(b.Detectives) > 0 }

// sources are the versions of all seats.
func (b Panel) sources() map[court.Persona]string {
	out := map[court.Persona]string{}
	for _, j := range court.Personas() {
		out[j] = bench.Speaker
		if s, ok := b.Seats[j]; ok {
			out[j] = s.Source
		}
	}
	return out
}

// head is what a run depends on besides what every run does. Without models it
// is nothing.
func (b Panel) head() map[string]string {
	head := map[string]string{}
	if !b.Modelled() {
		return head
	}
	head["prompts"] = b.Prompts
	for j, s := range b.Seats {
		head["seat "+string(j)] = s.Source
	}
	for d, who := range b.Detectives {
		head["detective "+string(d)] = who
	}
	return head
}

// caseDigest names a case to the one who speaks in it: what is heard, by which
// rubric. Nobody can write it into the submission, as it follows from all of it.
func caseDigest(c court.Case, r court.Rubric) string {
	return court.Digest([]string{c.Commit, c.PDFDigests(), r.Digest, r.Checks})
}

// How often a seat is asked: again when the three scores of a
// first hearing differ by more than a point, and in every second hearing.
const (
	oncePolled  = 3
	twicePolled = 5
)

// modelTime bounds one task in which models are asked: several answers, each
// with its tries. The time of the whole case comes first.
const modelTime = 30 * time.Minute

// parallelCalls is how many tasks run at once where models sit: they wait for
// servers, which have limits of their own.
const parallelCalls = 12

// width is how many tasks run at once.
func (h Setup) width() int {
	if len(h.Panel.Seats) == 0 || h.Jobs == 0 {
		return h.Jobs
	}
	return max(h.Jobs, parallelCalls)
}

// apart lists the criteria of the first hearing on which the judges differ by
// more than a point though a model could think again.
func (c *nodes) apart(s court.State) []string {
	if len(c.panel.Seats) == 0 {
		return nil
	}
	var out []string
	for _, cr := range heard(s) {
		var scores []int
		for _, o := range s.Opinions {
			if o.Criterion == cr.ID && o.Round == 1 && o.Substituted == "" {
				scores = append(scores, o.Score)
			}
		}
		if len(scores) > 1 && slices.Max(scores)-slices.Min(scores) > 1 {
			out = append(out, cr.ID)
		}
	}
	return out
}

// modelled is a judge's node where a model sits. A seat that gives no opinion
// that can enter is the embedded judge's, marked, with a fault that says why.
func (c *nodes) modelled(ctx context.Context, s court.State, at judgeTask, j court.Persona) (court.State, error) {
	b, err := c.furnished(ctx, s, at, j)
	if err != nil {
		return court.State{}, err
	}
	names, err := c.names(ctx)
	if err != nil {
		return court.State{}, err
	}
	o, err := c.panel.Seats[j].Sit(In{Case: caseDigest(s.Case, s.Rubric), Names: names}).Opine(ctx, b)
	if err == nil {
		err = admit(b, j, o)
	}
	if ctx.Err() != nil {
		return court.State{}, context.Cause(ctx)
	}
	if err == nil {
		return court.State{Opinions: []court.Opinion{o}}, nil
	}
	why := llm.Why(err)
	if b.Given != nil && b.Given.Substituted == "" { // it has spoken; only further answers are missing
		kept := *b.Given
		return court.State{Opinions: []court.Opinion{kept}, Faults: []court.Fault{{Stage: string(j), Subject: at.Criterion,
			Reason: "further answers: " + shown(why, 300)}}}, nil
	}
	if o, err = bench.Embedded(j).Opine(ctx, b); err != nil {
		return court.State{}, err
	}
	o.Substituted = shown(why, 300)
	return court.State{Opinions: []court.Opinion{o}, Faults: []court.Fault{{Stage: string(j), Subject: at.Criterion,
		Reason: "the seat of " + c.panel.Seats[j].Source + " was lost: " + o.Substituted, Blocks: true}}}, nil
}

// furnished is a brief as a model gets it: code without its comments, how many
// answers are wanted, and, where the submission may have spoken to its judges,
// the same without any prose.
func (c *nodes) furnished(ctx context.Context, s court.State, at judgeTask, j court.Persona) (bench.Brief, error) {
	b := briefFor(s, at)
	b.Guidance, b.Anchors, b.Preamble = s.Rubric.Guidance, s.Rubric.Anchors, s.Rubric.Preamble
	b.Samples = at.Samples
	b.Given = given(s, at, j)
	suspect := speaking(s, b) || at.Round > 1 && gaping(s, at.Criterion)
	b.Shown = map[string]string{}
	if suspect {
		b.Bared = map[string]string{}
	}
	for _, x := range slices.Concat(b.Exhibits, b.Testimony) {
		text, bared, err := c.scene.Bare(ctx, x.Evidence)
		if ctx.Err() != nil {
			return b, context.Cause(ctx)
		}
		if err != nil { // it was sealed, so it can be read; what cannot be told apart is not shown
			text, bared = "", ""
		}
		b.Shown[x.ID] = text
		if suspect {
			b.Bared[x.ID] = bared
		}
	}
	return b, nil
}

// given is the opinion that the seat gave already, where it is asked again.
func given(s court.State, at judgeTask, j court.Persona) *court.Opinion {
	for _, o := range s.Opinions {
		if o.Judge == j && o.Criterion == at.Criterion && o.Round == at.Round {
			return &o
		}
	}
	return nil
}

// speaking tells whether evidence of a brief stands in a file that speaks to who
// judges it.
func speaking(s court.State, b bench.Brief) bool {
	return slices.ContainsFunc(b.Exhibits, func(x court.Exhibit) bool {
		return slices.ContainsFunc(x.At, func(p court.Place) bool { return slices.Contains(s.Addressed, p.File()) })
	})
}

// gaping tells whether Defense and Prosecutor were more than two points apart in
// the first hearing.
func gaping(s court.State, criterion string) bool {
	score := map[court.Persona]int{}
	for _, o := range s.Opinions {
		if o.Criterion == criterion && o.Round == 1 {
			score[o.Judge] = o.Score
		}
	}
	return score[court.Defense]-score[court.Prosecutor] > 2
}

// degraded tells whether too few of the judges that were asked for spoke on some
// criterion.
func degraded(b Panel, v *court.Verdict) bool {
	return len(b.Seats) > 0 && slices.ContainsFunc(v.Rulings, func(r court.Ruling) bool { return len(r.Substituted) > 1 })
}

// names are the names and addresses of the git history where they are to be
// hidden.
func (c *nodes) names(ctx context.Context) (*safetext.Aliases, error) {
	if !c.panel.Redact || !c.scene.HasRepo() {
		return nil, nil
	}
	history, err := c.scene.History(ctx)
	if err != nil {
		return nil, fmt.Errorf("hiding names: %w", err)
	}
	return probe.Shared(c.scene, "trial.names", func() (*safetext.Aliases, error) {
		var all []string
		for _, k := range history.Commits {
			for _, who := range []repo.Signature{k.Author, k.Committer} {
				all = append(all, who.Name, who.Email)
			}
		}
		slices.Sort(all)
		return safetext.NewAliases(slices.Compact(all)...), nil
	})
}

// Seated says in words who sits: once when one sits in every seat.
func (b Panel) Seated() string { return court.Origin{Bench: b.sources()}.Seats() }

// Prompts identifies all that models are asked with besides the case.
func Prompts() string { return court.Digest([]string{bench.Prompts(), assistantPrompts()}) }
