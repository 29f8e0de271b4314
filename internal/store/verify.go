package store

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Result is what became of one check of a record.
type Result string

// The results.
const (
	OK      Result = "ok"
	No      Result = "no"
	Skipped Result = "skipped"
)

// Line is one check of a record: what was checked, what came of it, and why.
type Line struct {
	Check  string `json:"check"`
	Result Result `json:"result"`
	Text   string `json:"text"`
}

// Tools are the checks that need more than the record. One that is nil is
// skipped.
type Tools struct {
	// Rubric computes the digests of a rubric's content and of its checks.
	Rubric func(court.Rubric) (rubric, checks string, err error)
	// Rule hears the chief justice again on what the record holds.
	Rule func(*court.Record) (*court.Verdict, error)
	// Speak is what the embedded judge of a seat says on the evidence that
	// stands. It is for records of the same program: another says it in other
	// words.
	Speak func(c court.Criterion, round int, seat court.Persona, exhibits []court.Exhibit) (court.Opinion, error)
}

// worded tells whether the record was worded by the program that checks it. Under an
// older law the judges and the chief justice said the same in other words.
func (t Tools) worded(rec *court.Record) bool { return t.Speak != nil && rec.Origin.Law == court.Law }

// Verify checks everything about a record that follows from the record: its
// version, its digest, the rubric's, the ids of the evidence, the citations with
// their quotes, the opinions, and the verdict. The lines come in this order, always all of
// them. It shows accidents, not forgery: nothing in a record is signed.
func Verify(rec *court.Record, t Tools) []Line {
	return []Line{
		verifySchema(rec), verifyDigest(rec), verifyRubric(rec, t), verifyEvidence(rec), verifyCitations(rec), verifyOpinions(rec, t), verifyVerdict(rec, t),
	}
}

// Holds tells whether no check says no.
func Holds(lines []Line) bool {
	return !slices.ContainsFunc(lines, func(l Line) bool { return l.Result == No })
}

func verifySchema(rec *court.Record) Line {
	exact, err := known(rec.Schema)
	switch {
	case err != nil:
		return Line{"schema", No, err.Error()}
	case !exact:
		return Line{"schema", OK, court.Clean(rec.Schema, 80) + ": newer than this program; what it adds is not checked"}
	default:
		return Line{"schema", OK, rec.Schema}
	}
}

func verifyDigest(rec *court.Record) Line {
	if exact, _ := known(rec.Schema); !exact {
		return Line{"digest", Skipped, "the record may hold more than this program knows"}
	}
	if !rec.Intact() {
		return Line{"digest", No, fmt.Sprintf("the content does not have the digest %s", court.Clean(rec.Digest, 80))}
	}
	if rec.Run.Digest == "" {
		return Line{"digest", OK, rec.Digest + "; the run has no digest"}
	}
	if !rec.Run.Intact() {
		return Line{"digest", No, fmt.Sprintf("the run does not have the digest %s", court.Clean(rec.Run.Digest, 80))}
	}
	return Line{"digest", OK, rec.Digest}
}

func verifyRubric(rec *court.Record, t Tools) Line {
	const name = "rubric, checks"
	if t.Rubric == nil {
		return Line{name, Skipped, "not computed"}
	}
	rubric, checks, err := t.Rubric(rec.Rubric)
	switch {
	case err != nil:
		return Line{name, No, court.Clean(err.Error(), 200)}
	case rubric != rec.Rubric.Digest:
		return Line{name, No, fmt.Sprintf("the content of the rubric does not have the digest %s", court.Clean(rec.Rubric.Digest, 80))}
	case checks != rec.Rubric.Checks:
		return Line{name, Skipped, fmt.Sprintf("the checks are not those of this program: %s, here %s", head12(rec.Rubric.Checks), head12(checks))}
	default:
		return Line{name, OK, head12(rubric) + ", " + head12(checks)}
	}
}

func head12(digest string) string { return court.Clean(digest[:min(12, len(digest))], 80) }

// findings collects what is wrong, and says how much it was when it is more
// than a line can hold.
type findings []string

func (f *findings) add(format string, a ...any) {
	*f = append(*f, court.Clean(fmt.Sprintf(format, a...), 200))
}

func (f findings) line(check, ok string) Line {
	const shown = 5
	switch {
	case len(f) == 0:
		return Line{check, OK, ok}
	case len(f) <= shown:
		return Line{check, No, strings.Join(f, "; ")}
	default:
		return Line{check, No, fmt.Sprintf("%s; and %d more", strings.Join(f[:shown], "; "), len(f)-shown)}
	}
}

// sorted lists the exhibits by criterion in the order of their names.
func sorted(rec *court.Record) []court.Exhibit {
	var keys []string
	for k := range rec.Evidences {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	var all []court.Exhibit
	for _, k := range keys {
		all = append(all, rec.Evidences[k]...)
	}
	return all
}

func verifyEvidence(rec *court.Record) Line {
	var bad findings
	ids, labels, testimony := map[string]bool{}, map[string]bool{}, 0
	for _, x := range sorted(rec) {
		if x.Check == court.Testimony {
			testimony++
		}
		if wrong := misplaced(rec.Case, x.At...); wrong != "" {
			bad.add("%s: %s", x.ID, wrong)
		}
		sealed := x.Sealed()
		switch {
		case sealed.ID != x.ID:
			bad.add("%s: its content gives %s", x.ID, sealed.ID)
		case sealed.Found != x.Found, sealed.Location != x.Location:
			bad.add("%s: found or location do not follow from the rest", x.ID)
		}
		if err := x.Validate(); err != nil && sealed.ID == x.ID {
			bad.add("%s", err)
		}
		if ids[x.ID] || x.Label != "" && labels[x.Label] {
			bad.add("%s: its id or label %s is there twice", x.ID, x.Label)
		}
		ids[x.ID], labels[x.Label] = true, true
	}
	for key, list := range rec.Evidences {
		for _, x := range list {
			if x.Criterion != key {
				bad.add("%s: it stands under another criterion", x.ID)
			}
		}
	}
	bad = append(bad, misplacedClaims(rec.Case)...)
	slices.Sort(bad)
	return bad.line("evidence", fmt.Sprintf("%d pieces, and %d statements of the document", len(sorted(rec))-testimony, testimony))
}

// misplacedClaims looks at the claims of each document: they stand in it.
func misplacedClaims(c court.Case) (bad findings) {
	if c.PDF == nil || len(c.Further) == 0 {
		return nil
	}
	for _, d := range append([]court.PDF{*c.PDF}, c.Further...) {
		for _, x := range d.Claims {
			if wrong := misplaced(c, x.At); wrong != "" || x.At.Digest != "" && x.At.Digest != d.SHA256 {
				bad.add("claim %s: %s", x.Subject, cmp.Or(wrong, "it stands in another document"))
			}
		}
	}
	return bad
}

// misplaced says what is wrong with places in documents: where the case has
// several, each names the one that has its digest, and no other.
func misplaced(c court.Case, places ...court.Place) string {
	names := map[string]string{}
	if c.PDF != nil {
		names[c.PDF.SHA256] = c.PDFPath
	}
	for _, d := range c.Further {
		names[d.SHA256] = d.Path
	}
	for _, p := range places {
		switch name, known := names[p.Digest]; {
		case p.Digest == "" && p.Page > 0 && len(c.Further) > 0:
			return "a page of none of the documents"
		case p.Digest == "":
		case len(c.Further) > 0 && !known:
			return "a place in no document of the case"
		case len(c.Further) > 0 && p.Path == "" && p.Document != court.Clean(name, 200), len(c.Further) == 0 && p.Document != "":
			return "a page of another document than it names"
		}
	}
	return ""
}

// quotable is the text of evidence that a judge can quote: its content, or what
// the search came to when nothing was located. White space does not count.
func quotable(e court.Evidence) string {
	if e.Found && strings.TrimSpace(e.Content) != "" {
		return collapse(e.Content)
	}
	return collapse(e.Rationale)
}

func collapse(s string) string { return strings.Join(strings.Fields(s), " ") }

// verifyCitations checks that opinions, rulings and remedies rest on evidence
// that is there, and that each quote stands in it word by word.
func verifyCitations(rec *court.Record) Line {
	var bad findings
	content, n := map[string]string{}, 0
	for _, x := range sorted(rec) {
		content[x.ID] = quotable(x.Evidence)
	}
	exists := func(where string, ids []string) {
		for _, id := range ids {
			if n++; !has(content, id) {
				bad.add("%s: %s is not in the record", where, id)
			}
		}
	}
	for _, o := range rec.Opinions {
		exists(o.Key(), o.Cited)
		for _, c := range o.Citations {
			exists(o.Key(), []string{c.ID})
			if has(content, c.ID) && !strings.Contains(content[c.ID], collapse(c.Quote)) {
				bad.add("%s: the quote is not in %s", o.Key(), c.ID)
			}
			if !slices.Contains(o.Cited, c.ID) {
				bad.add("%s: %s is quoted and not cited", o.Key(), c.ID)
			}
		}
	}
	if rec.Verdict != nil {
		for _, r := range rec.Verdict.Rulings {
			for _, h := range r.Holdings {
				exists(r.Criterion+"/"+h.Rule, h.Evidence)
			}
		}
	}
	for _, m := range rec.Remedies {
		exists("remedy "+m.Check, m.Evidence)
	}
	if n == 0 && len(bad) == 0 {
		return Line{"citations", OK, "nothing is cited"}
	}
	return bad.line("citations", fmt.Sprintf("%d, every quote found", n))
}

func has(m map[string]string, key string) bool {
	_, ok := m[key]
	return ok
}

func verifyVerdict(rec *court.Record, t Tools) Line {
	switch {
	case rec.Verdict == nil && rec.Status == court.Mistrial:
		return Line{"verdict", OK, "none, as in every mistrial"}
	case t.Rule == nil:
		return Line{"verdict", Skipped, "not computed again"}
	case rec.Origin.Law > court.Law:
		return Line{"verdict", Skipped, fmt.Sprintf("the record was made by version %d of the rules, and this program has version %d", rec.Origin.Law, court.Law)}
	}
	again, err := t.Rule(rec)
	if err != nil {
		return Line{"verdict", No, court.Clean(err.Error(), 200)}
	}
	differs := Differences(rec.Verdict, again, t.worded(rec))
	switch {
	case len(differs) > 0:
	case t.worded(rec):
		return Line{"verdict", OK, "the same when it is computed again"}
	default:
		return Line{"verdict", OK, "the same when it is computed again; another version worded it"}
	}
	return Line{"verdict", No, strings.Join(differs[:min(5, len(differs))], "; ")}
}
