package document

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/passage"
)

var (
	commitWord = regexp.MustCompile(`(?i)\b(?:commits?|hash|sha|revision|HEAD)\b`)
	commitHash = regexp.MustCompile(`\b[0-9a-f]{7,40}\b`)
	elsewhere  = regexp.MustCompile(`(?i)\b(?:branch|fork|upstream|target|audited|peer|example|sample|submission)`)
	commitHead = regexp.MustCompile(`(?i)\b(?:commit|hash|sha)\b`)
)

// commits looks for the commits that the document names.
func (l *ledger) commits() {
	for i := range l.passages {
		p := &l.passages[i]
		table := false
		if p.Kind == passage.Table {
			head, _, _ := strings.Cut(p.Text, "\n")
			table = commitHead.MatchString(head)
		}
		for _, st := range statements(p) {
			if !table && !commitWord.MatchString(st.text) {
				continue
			}
			for _, at := range commitHash.FindAllStringIndex(st.text, -1) {
				id := st.text[at[0]:at[1]]
				if strings.HasPrefix(st.text[at[1]:], "-") || strings.HasSuffix(st.text[:at[0]], "-") {
					continue // a part of another id
				}
				if len(l.claims) > 2*maxClaims || !strings.ContainsAny(id, "0123456789") || !strings.ContainsAny(id, "abcdef") {
					continue
				}
				c := claim{Kind: ofCommit, Subject: id, Modality: mood(p, st.around), Page: p.Page, passage: p, sentence: st.text}
				c.Fate, c.Why, c.proof = l.repo.commit(id)
				if c.Fate == never && (elsewhere.MatchString(st.around) || hearsay(p, st.text) || inSample(st.text, id)) {
					c.Fate, c.Why = undecided, "No commit of this history has the id. It may belong to another repository."
				}
				l.claims = append(l.claims, c)
			}
		}
	}
}

// commit finds a commit by the beginning of its id.
func (a *against) commit(id string) (fate, string, []court.Place) {
	for i := range a.history.Commits {
		if c := &a.history.Commits[i]; strings.HasPrefix(c.ID, id) {
			return holds, "The commit is in the history.", []court.Place{{Commit: c.ID}}
		}
	}
	if !a.history.Complete() {
		return undecided, "The history is not complete.", nil
	}
	return never, "No commit that the audited one descends from has this id.", nil
}
