package document

import (
	"context"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// Layers that a document says are still to be built: what it says of them while they are there is untrue, and nothing
// else that it says of them is a claim worth holding.
const (
	judgesBuilt = `judges?(?:\.py)?|judge nodes?|judicial (?:and \w+ )?(?:layers?|bench|nodes?|panel)`
	chiefBuilt  = `chief[ _]?justice(?:[ _]?node)?|justice\.py|(?:judicial and )?synthesis (?:layers?|engine|node)`
	unstarted   = `["'\x60]?[:\s]+(?:(?:is|are) )?(?:still |currently )?(?:not (?:yet )?(?:implemented|wired|built|coded|started|written)|unimplemented|stubbed|remains? (?:to be (?:implemented|built|written)|unimplemented))\b`
	noLayer     = `^\W*no (?:\w+ )?(?:judicial (?:layer|bench|nodes?|panel)|judge nodes?)\b`
	noChief     = `^\W*no chief[ _]?justice(?:[ _]?node)?(?:\s+(?:or|and|node|implementation)\b|[.\s]*$)`
)

// unbuilt tells a row of a table that says of a layer that it is still to be built.
var unbuilt = regexp.MustCompile(`(?i)\b(?:` + judgesBuilt + `|` + chiefBuilt + `)` + unstarted)

// assessing is a heading over what somebody found in an audit.
var assessing = regexp.MustCompile(`(?i)\b(?:audit|criteri|rubric|scor|feedback|reflection|peer|strengths|evaluation)`)

// layers are the claims that a layer is still to be built.
func layers() []capability {
	layer := func(name, words, none string, truth truth) capability {
		re := regexp.MustCompile(`(?i)\b(?:` + words + `)` + unstarted + `|` + none)
		return capability{name: name, says: re, contrary: re, truth: truth, unsaid: true, still: true}
	}
	return []capability{
		layer("nodes of the judges that ask a model", judgesBuilt, noLayer, builtJudges),
		layer("rules of the chief justice", chiefBuilt, noChief, builtChief),
	}
}

// builtJudges is sure where judges are nodes of the graph and ask a model for an opinion.
func builtJudges(ctx context.Context, s *probe.Scene, _ *against) (fate, []court.Place, string) {
	graph, err := s.Facts(ctx, "graph")
	if err != nil || !sure(graph.Graph.JudgesPresent) {
		return undecided, nil, "whether the judges are built could not be seen"
	}
	sheet, err := s.Facts(ctx, "judges")
	if err != nil || sheet.Judges.StructuredOutput.At == nil {
		return undecided, nil, "whether the judges ask a model could not be seen"
	}
	return holds, []court.Place{sheet.Judges.StructuredOutput.At.Place}, "they are there"
}

// builtChief is sure where the chief justice's code has a rule, or writes the report.
func builtChief(ctx context.Context, s *probe.Scene, _ *against) (fate, []court.Place, string) {
	sheet, err := s.Facts(ctx, "justice")
	if err != nil {
		return undecided, nil, "the facts could not be had: " + court.Clean(err.Error(), 120)
	}
	if j := sheet.Justice; j.At == nil || !sure(j.Present) || !sure(j.SecurityCap) && !sure(j.FactSupremacy) && !sure(j.Variance) && !sure(j.Dissent) && !sure(j.MarkdownReport) {
		return undecided, nil, "whether the chief justice is built could not be seen"
	}
	return holds, []court.Place{sheet.Justice.At.Place}, "they are there"
}

func sure(b *bool) bool { return b != nil && *b }
