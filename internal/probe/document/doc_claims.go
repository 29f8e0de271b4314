package document

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/passage"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func docClaims() probe.Probe {
	return probe.Probe{
		ID: "doc.claims", Version: "6", Target: court.PDFReport,
		Title:  "The document's statements about the code are true",
		Doc:    "Takes sentences that claim a known feature (parallel layers, fan-in, routes, reducers, syntax trees, temporary folders, structured output, Pydantic, retries, time limits, tests, CI, containers, calls of Python's library, classes that ask a model, packages that are imported) as a fact of this submission, or say that it has none, and asks the checks that look for it. Plans, past states, other projects and general statements are left out. What a check surely does not find, and what no run gets by, does not hold. What is there holds in part where it has no effect, because no run gets past a place before it, or because nothing is ever written into what it reads. false: features that the code contradicts, lines that no version of a file had, and names that no version of the code had where the authors say what they did to a node, class or function of that name.",
		Remedy: "Correct the sentence, or build what it says.", Effort: 30, Recall: 7000,
		Args: []probe.Arg{{Name: "scope", Type: "string", Allowed: []string{"all", "terms"}, Default: "all", Doc: "all claims, or those of passages that explain a concept"},
			{Name: "aspect", Type: "string", Allowed: []string{"hold", "false"}, Default: "hold", Doc: "hold: the share of features that are in the code. false: those that the code contradicts"}},
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			l, err := account(ctx, s)
			if err != nil {
				return nil, err
			}
			claims := l.of(ofCapability)
			if a.String("scope") == "terms" {
				all, err := explained(ctx, s)
				if err != nil {
					return nil, err
				}
				claims = inTerms(claims, all)
			}
			if a.String("aspect") == "false" {
				if a.String("scope") != "terms" {
					claims = slices.Concat(claims, l.of(ofLine), l.workedOn())
				}
				return []probe.Finding{falsely(l, claims)}, nil
			}
			return []probe.Finding{claimed(l, claims)}, nil
		},
	}
}

const (
	untold    = "Correct what the document says of %s, or build it."
	unlacking = "Say in the document that the code has %s."
	unclaimed = "Say in the document what the program does, feature by feature, and name the file of each."
)

// falsely asks for features of which the code has the contrary.
func falsely(l *ledger, claims []claim) probe.Finding {
	all := once(claims)
	bad := once(with(untrue, claims))
	decided := slices.DeleteFunc(slices.Clone(all), func(c claim) bool { return c.Fate == undecided })
	switch {
	case len(bad) > 0:
		return l.cited(l.corrected(probe.Against(l.source(court.Crossref), nil, "%s", refuted(bad, "The document claims %s, but the code contradicts %s.")), bad), bad...)
	case len(claims) == 0:
		return probe.Cannot(court.NoArtifact, nil, "No sentence claims a feature that can be looked up in the code.").Do(unclaimed)
	case len(decided) == 0:
		return l.cited(probe.Cannot(court.Dynamic, nil, "None of the claims could be decided: %s.", subjects(all)), all[:1]...)
	}
	return probe.Clean(court.One, l.source(court.Crossref), "%s.", tally(claims))
}

// workedOn lists the names that no version of the code had, of which the authors say that they worked on what has them.
func (l *ledger) workedOn() []claim {
	var out []claim
	for _, c := range with(never, l.of(ofSymbol)) {
		if before, after, ok := strings.Cut(c.sentence, c.Subject); ok && work.MatchString(before) && part.MatchString(after) {
			c.Fate = untrue
			out = append(out, c)
		}
	}
	return out
}

var (
	work = regexp.MustCompile(`(?i)\b(?:I|we)(?: have|['’]ve)?(?: also)? (?:updated|implemented|added|created|wrote|built|refactored|extended|introduced|modified|rewrote|fixed) (?:the|an?|our|my)?\s*["'\x60]*$`)
	part = regexp.MustCompile(`^["'\x60]*(?:\(\)["'\x60]*)? (?:nodes?|class|function|method|agent|tool|judge|detective|model)\b`)
)

// sides parts what the document says to be there from what it says that the code lacks.
func sides(claims []claim) (there, lacking []claim) {
	for _, c := range claims {
		if c.lacking {
			c.Subject = strings.TrimPrefix(c.Subject, "no ")
			lacking = append(lacking, c)
		} else {
			there = append(there, c)
		}
	}
	return there, lacking
}

// refuted says what is not as the document says; of what it says to be there, in the words of form.
func refuted(bad []claim, form string) string {
	var out []string
	there, lacking := sides(bad)
	if len(there) > 0 {
		out = append(out, fmt.Sprintf(form, subjects(there), court.Agree(len(there), 0, "it", "them")))
	}
	if len(lacking) > 0 {
		out = append(out, fmt.Sprintf("The document says that the code lacks %s.", subjects(lacking)))
	}
	return strings.Join(append(out, whys(append(there, lacking...))), " ")
}

// corrected is what to do about claims that the code does not bear out. What keeps a feature from its effect is to be
// mended in the code, as the check that found it asks, too: it stands here where nothing else does.
func (l *ledger) corrected(f probe.Finding, claims []claim) probe.Finding {
	words := slices.DeleteFunc(slices.Clone(claims), func(c claim) bool { return l.repo.mends[c.Why] != "" })
	switch there, lacking := sides(words); {
	case len(words) == 0:
		return f.Do("%s", l.repo.mends[claims[0].Why])
	case len(lacking) == 0:
		return f.Do(untold, subjects(there))
	case len(there) == 0:
		return f.Do(unlacking, subjects(lacking))
	default:
		return f.Do(untold+" "+unlacking, subjects(there), subjects(lacking))
	}
}

// partial says what the code has in part only, and what it has without an effect: that with each of its causes.
func (l *ledger) partial(claims []claim) string {
	var out []string
	var causes []string
	of := map[string][]claim{}
	for _, c := range claims {
		cause := ""
		if l.repo.mends[c.Why] != "" {
			cause = c.Why
		}
		if of[cause] == nil {
			causes = append(causes, cause)
		}
		of[cause] = append(of[cause], c)
	}
	for _, cause := range causes {
		if cause == "" {
			out = append(out, fmt.Sprintf("The code has only a part of %s. %s", subjects(of[""]), whys(of[""])))
		} else {
			out = append(out, fmt.Sprintf("What the document says of %s is in the code, but has no effect: %s.", subjects(of[cause]), cause))
		}
	}
	return strings.Join(out, " ")
}

// tally says how many claims hold, each feature once: what is untrue of one in one
// place is not made up for in another.
func tally(claims []claim) string {
	n := map[fate]int{}
	for _, c := range once(slices.Concat(with(untrue, claims), with(inPart, claims), with(holds, claims), claims)) {
		n[c.Fate]++
	}
	return court.Held(n)
}

// inTerms keeps the claims that stand in explanations.
func inTerms(claims []claim, all []explanation) []claim {
	in := map[*passage.Passage]bool{}
	for _, e := range all {
		for _, s := range e.all {
			for _, p := range s.parts {
				in[p] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(claims), func(c claim) bool { return !in[c.passage] })
}

// claimed weighs each feature once, however often it is claimed.
func claimed(l *ledger, claims []claim) probe.Finding {
	good, some, bad := once(with(holds, claims)), once(with(inPart, claims)), once(with(untrue, claims))
	decided := len(good) + len(some) + len(bad)
	f := probe.Partly(probe.Ratio(2*len(good)+len(some), 2*decided), l.source(court.Crossref), nil, "%s: %s.", tally(claims), subjects(good))
	switch {
	case decided == 0 && len(claims) > 0:
		return l.cited(probe.Cannot(court.Dynamic, nil, "None of the claims could be decided: %s.", subjects(once(claims))), claims[:1]...)
	case decided == 0:
		return probe.Cannot(court.NoArtifact, nil, "No sentence claims a feature that can be looked up in the code.").Do(unclaimed)
	case len(bad)+len(some) > 0:
		f.Rationale = tally(claims) + "."
		if len(bad) > 0 {
			f.Rationale += " " + refuted(bad, "The code does not have %[1]s.")
		}
		if len(some) > 0 {
			f.Rationale += " " + l.partial(some)
		}
		f = l.cited(l.corrected(f, slices.Concat(bad, some)), slices.Concat(bad, some)...)
	default:
		f = l.cited(f, good[:min(len(good), 5)]...)
	}
	f.Data = map[string]any{"claims": slices.Concat(bad, some, good)}
	return f
}

// once keeps the first claim about each subject.
func once(claims []claim) []claim {
	var out []claim
	seen := map[string]bool{}
	for _, c := range claims {
		if !seen[c.Subject] {
			seen[c.Subject] = true
			out = append(out, c)
		}
	}
	return out
}
