package rubric

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// Drafted is what came of one sentence.
type Drafted struct {
	Line     int // in the list of sentences
	ID       string
	Checks   int      // that its words lead to; of none, a person marks it
	Taken    string   // the criterion before it that asks what its words lead to
	NotAsked []string // parts that no check asks
}

// Bounds of a drafted criterion.
const (
	maxSentence = 2000 // bytes
	nameLength  = 60   // characters of a name
	wordsOfID   = 4
	labelWords  = 3 // a longer label says something that the sentence does not
)

// schemaID names the schema of what Draft writes.
const schemaID = "https://github.com/automaton-auditor/automaton/schema/rubric-v1.json"

var (
	bullet   = regexp.MustCompile(`^(?:[-*•–]|\(?\d{1,3}[.)])(?:\s+|$)`)
	heading  = regexp.MustCompile(`^#+\s*(.+)$`)
	labelled = regexp.MustCompile(`^([^:.!?]{2,40}):\s+(\S.*)$`)
	ofPDF    = regexp.MustCompile(`(?i)\b(?:report|document|pdf|essay|thesis|write-?up)\b`)
	ofFigure = regexp.MustCompile(`(?i)\b(?:diagrams?|figures?)\b`)
	small    = regexp.MustCompile(`^(?:a|an|the|is|are|be|of|in|on|to|and|or|with|for|it|its|has|have|there|that|this|each|every|all|must|should|no|not|by|at|as|from)$`)
)

// Draft writes a rubric in the native form from sentences, one a line: each
// becomes a criterion with the checks that its words lead to, for its author to
// go on with. One whose words lead to none waits for a person. A line "# TITLE" names the rubric, "NAME: SENTENCE" a criterion;
// bullets and numbers are left out. The same sentences give the same draft.
func Draft(name string, r io.Reader, known Catalogue) ([]byte, []Drafted, error) {
	raw, err := readAll(name, r)
	if err != nil {
		return nil, nil, err
	}
	title, list := "", []Drafted(nil)
	used, asked := map[string]bool{}, map[string]string{}
	var dims []any
	lines := bufio.NewScanner(strings.NewReader(strings.ToValidUTF8(strings.TrimPrefix(string(raw), "\ufeff"), "�")))
	lines.Buffer(nil, MaxBytes+1)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(bullet.ReplaceAllString(strings.TrimSpace(lines.Text()), ""))
		if m := heading.FindStringSubmatch(text); m != nil {
			if title == "" {
				title = m[1]
			}
			continue
		}
		if text == "" {
			continue
		}
		if len(text) > maxSentence {
			return nil, nil, fmt.Errorf("reading %s: line %d has %d bytes; a sentence has at most %d", name, n, len(text), maxSentence)
		}
		if len(dims) == maxCriteria {
			return nil, nil, fmt.Errorf("reading %s: line %d is sentence %d; a rubric has at most %d criteria", name, n, maxCriteria+1, maxCriteria)
		}
		d := sentenceDraft(text, used, &known)
		checks, taken := draftChecks(d, asked)
		left := notAsked(d)
		if len(checks) == 0 {
			d.Artifacts = []court.Artifact{court.Manual}
		}
		dims = append(dims, draftForm(d, checks))
		list = append(list, Drafted{n, d.ID, len(checks), taken, left})
	}
	if err := lines.Err(); err != nil {
		return nil, nil, fmt.Errorf("reading %s: %w", name, err)
	}
	if len(dims) == 0 {
		return nil, nil, fmt.Errorf("reading %s: there is no sentence in it", name)
	}
	if title == "" {
		title = "My rubric"
	}
	out, err := emit(members{{"$schema", schemaID}, {"rubric_metadata", members{{"rubric_name", title}, {"version", "0.1.0"}}}, {"dimensions", dims}})
	return out, list, err
}

// sentenceDraft is the criterion of a sentence. An id is taken once.
func sentenceDraft(text string, used map[string]bool, known *Catalogue) *draft {
	d := &draft{known: known}
	if m := labelled.FindStringSubmatch(text); m != nil {
		if d.Name = m[1]; len(strings.Fields(m[1])) <= labelWords {
			text = m[2]
		}
	}
	d.Instruction = text
	if d.Name == "" {
		d.Name = shortened(strings.TrimRight(text, ".!? "))
	}
	var words []string
	for w := range strings.FieldsSeq(strings.ReplaceAll(slug(d.Name), "_", " ")) {
		if !small.MatchString(w) && len(words) < wordsOfID {
			words = append(words, w)
		}
	}
	base := strings.Join(words, "_")
	if base == "" {
		base = "criterion"
	}
	for d.ID = base; used[d.ID]; d.ID = fmt.Sprintf("%s_%d", base, len(used)+1) {
	}
	used[d.ID] = true
	d.Artifacts = []court.Artifact{artifactOf(text)}
	return d
}

// draftChecks are the checks that the words of a drafted criterion lead to and no
// criterion before it asks: what is asked twice counts twice. The surest is core, so
// that something limits the score; its author sees to it whether that is right.
func draftChecks(d *draft, asked map[string]string) (out []court.Check, taken string) {
	var found []want
	sound, core := false, 0
	for _, w := range planned(d) {
		before := ""
		for _, a := range w.Asks {
			before = cmp.Or(before, asked[a.Key()])
		}
		if before != "" {
			taken = cmp.Or(taken, before)
			continue
		}
		if w.known && (len(found) == 0 || !found[core].known) {
			core = len(found)
		}
		sound = sound || slices.ContainsFunc(w.Asks, func(a court.Ask) bool { return a.Probe != "text.mentions" })
		found = append(found, w)
	}
	if !sound { // a mere mention speaks for nothing
		return nil, taken
	}
	found[core].Facet = court.Core
	for _, w := range found {
		for _, a := range w.Asks {
			asked[a.Key()] = d.ID
		}
	}
	return named(found, nil), taken
}

// artifactOf is where a sentence probably wants one to look.
func artifactOf(text string) court.Artifact {
	switch {
	case ofFigure.MatchString(text):
		return court.PDFImages
	case ofPDF.MatchString(text):
		return court.PDFReport
	}
	return court.GithubRepo
}

// shortened is a sentence as a name: cut behind a word.
func shortened(s string) string {
	r := []rune(s)
	if len(r) <= nameLength {
		return s
	}
	cut := string(r[:nameLength])
	if i := strings.LastIndexByte(cut, ' '); i > nameLength/2 {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, " ,;:") + " …"
}

// draftForm is a drafted criterion.
func draftForm(d *draft, checks []court.Check) members {
	out := members{{"id", d.ID}, {"name", d.Name}, {"target_artifact", string(d.Artifacts[0])}, {"weight", 1}, {"forensic_instruction", d.Instruction}}
	if len(checks) == 0 {
		return out
	}
	var list []any
	for _, c := range slices.Clone(checks) {
		list = append(list, checkForm(c))
	}
	out.add("checks", list)
	return out
}
