package document

import (
	"context"
	"path"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// enoughDrawn is the share of boxes that must be known in the repository; the
// others are people, other systems and ideas. A design choice.
const enoughDrawn court.Fixed = 5000

// namedBoxes is the share of a figure's boxes whose words are names of this
// repository: of files, folders, or of what code defines and uses. It is for
// programs without a graph of their own to compare with.
func namedBoxes(ctx context.Context, s *probe.Scene, g *gallery, read []drawing) (probe.Finding, error) {
	a, err := repository(ctx, s)
	if err != nil {
		return probe.Finding{}, err
	}
	best, right, of := -1, 0, 0
	var strange []string
	for i, d := range read {
		n := 0
		var open []string
		for _, box := range d.graph.Nodes {
			if a.knows(box.Label) {
				n++
			} else if len(open) < 5 {
				open = append(open, court.Clean(box.Label, 40))
			}
		}
		if len(d.graph.Nodes) > 0 && (best < 0 || n*of > right*len(d.graph.Nodes)) {
			best, right, of, strange = i, n, len(d.graph.Nodes), open
		}
	}
	if best < 0 {
		return probe.Cannot(court.NoDetector, g.places(), "No box of a figure could be read.").Do(asText), nil
	}
	share := min(court.One, probe.Ratio(right*int(court.One), of*int(enoughDrawn)))
	if right == 0 {
		return probe.Cannot(court.NoDetector, g.places(), "None of the %d boxes has a name that occurs in the repository. The boxes may stand for ideas, or for another program.", of).Do(asText), nil
	}
	f := probe.Partly(share, g.source(court.Crossref), nil, "%[2]d of the %[1]d boxes have names of this repository; half is enough.", of, right)
	if len(strange) > 0 {
		f.Rationale += " The repository does not have: " + strings.Join(strange, ", ") + "."
	}
	return read[best].shown(f), nil
}

// knows tells whether a label, as a whole or one longer word of it, names
// something of the repository.
func (a *against) knows(label string) bool {
	if a.known.folded[fold(label)] || a.foundFolder(label) {
		return true
	}
	for _, w := range strings.FieldsFunc(label, func(r rune) bool { return r == ' ' || r == '\n' || r == '/' || r == '(' || r == ')' || r == ',' }) {
		if len(w) >= 5 && (a.known.folded[fold(w)] || len(a.present[strings.ToLower(w)]) > 0) {
			return true
		}
	}
	return false
}

// foundFolder tells whether a folder has that name.
func (a *against) foundFolder(label string) bool {
	want := fold(label)
	for _, e := range a.entries {
		for dir := path.Dir(e.Path); dir != "."; dir = path.Dir(dir) {
			if fold(path.Base(dir)) == want {
				return true
			}
		}
	}
	return false
}
