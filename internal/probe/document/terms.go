package document

import (
	"context"
	"slices"
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/passage"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// concept is an idea that the document should explain by what the project does.
type concept struct {
	id        string
	variants  *regexp.Regexp   // names of the idea
	mechanism []*regexp.Regexp // words of how it works, one each
	unnamed   *regexp.Regexp   // explains it without the name; nil: needs the name
}

// besides tells whether a heading names another concept.
func (c concept) besides(heading string) bool {
	return slices.ContainsFunc(concepts(), func(o concept) bool { return o.id != c.id && o.variants.MatchString(heading) })
}

func mechanisms(list ...string) []*regexp.Regexp {
	var out []*regexp.Regexp
	for _, w := range list {
		out = append(out, regexp.MustCompile(`(?i)`+w))
	}
	return out
}

const hyphen = `[\s\-‐‑–/]*`

// What merges the writes of nodes that run at once, and what it is good for.
const (
	merger = `(?:\breducers?\b|\boperator\.(?:add|ior)\b)`
	hazard = `(?:\boverwr|\bclobber|\brace\b|\brace` + hyphen + `condition|\blo(?:st|ss)\b|\bcollision|\bwithout conflict|\bconcurren|\bsimultaneous|\bsynchroni[sz]|\bparallel (?:nodes?|writes?|updates?|branches|agents?)\b)`
)

// concepts are the four ideas of the challenge, with the words that reports use for them.
func concepts() []concept {
	re := regexp.MustCompile
	return []concept{
		{"dialectical_synthesis", re(`(?i)\bdialectic(?:s|al|ally)?\b|\bthesis\b.{0,40}\bantithesis\b|\badversarial (?:debate|deliberation|judg|review|evaluation)`),
			mechanisms(`\bprosecut`, `\bdefen[sc]e\b`, `\btech[\s_]?lead`, `\bpersonas?\b`, `\bconflict`, `\bchief[\s_]?justice`, `\bopinions?\b`, `\bdissent`, `\bspread\b`, `\bvariance\b`), nil},
		{"fan_in_fan_out", re(`(?i)\bfan(?:s|ned|ning)?` + hyphen + `(?:in|out)\b|\bscatter` + hyphen + `gather\b`),
			mechanisms(`\b(?:in )?parallel|\bconcurrent`, `\bbranch`, `\bedges?\b|add_edge`, `\bnodes?\b`, `aggregat`, `\bjoins?\b`, `\bSTART\b`, `\bsuper`+hyphen+`step`, `\bSend\b`, `synchroni[sz]|→`), nil},
		{"metacognition", re(`(?i)\bmeta` + hyphen + `cogniti(?:on|ve|vely)\b|\bthink(?:ing)? about (?:its |their |our )?(?:own )?thinking\b`),
			mechanisms(`\bre`+hyphen+`evaluat`, `\bvariance\b`, `\bself`+hyphen+`(?:audit|evaluat|assess|check)|\baudit(?:s|ing)? (?:itself|its own)|against (?:its|our|my) own`, `\bconfidence\b`, `\boverrul|\boverrid`, `\bits own (?:output|judg|reason|evaluation|conclusion|report|rules|prompt|source)|\btheir own (?:prompt|output|reason)`), nil},
		{"state_synchronization", re(`(?i)\bstate` + hyphen + `(?:level )?(?:synchroni[sz]ation|sync\b|synchrony)|\bsynchroni[sz](?:e|ed|es|ing|ation of)(?: \w+){0,2} state\b|\bconcurrent state (?:update|write|mutation)|\bstate is synchroni`),
			mechanisms(`\breducers?\b`, `\boperator\.add\b`, `\boperator\.ior\b`, `\bAnnotated\b`, `\bmerg(?:e|es|ed|ing)\b`, `\boverwr`, `\brace\b|\brace`+hyphen+`condition`),
			re(`(?is)` + merger + `.*` + hazard + `|` + hazard + `.*` + merger)},
	}
}

// grade is how well a concept is explained.
type grade string

const (
	substantive grade = "substantive"
	mention     grade = "mention"
	missing     grade = "absent"
)

// explanation is what the document does with one concept.
type explanation struct {
	concept  concept
	grade    grade
	anchored bool       // the best passage names something of this repository
	best     *stretch   // what explains it, else what names it
	all      []*stretch // every passage that names it in prose
}

// minWords is how long a passage is at least that explains something: a design choice.
const minWords = 25

// stretch is one passage of prose with what belongs to it: a lead with the
// items of its list.
type stretch struct {
	head  *passage.Passage
	parts []*passage.Passage
	text  string
	shown string // listings between the parts of a topic
}

// stretches puts the items of a list to the paragraph that leads to them.
func stretches(passages []passage.Passage) []*stretch {
	var out []*stretch
	var open *stretch
	for i := range passages {
		p := &passages[i]
		if !explains(p) {
			open = nil
			continue
		}
		joins := open != nil && p.Kind == passage.List && len(open.parts) < 12 &&
			(open.head.Kind == passage.List && len(open.parts) > 0 || strings.HasSuffix(strings.TrimSpace(open.head.Text), ":") || len(open.parts) > 1)
		if joins && strings.Join(p.Section, "\x1f") == strings.Join(open.head.Section, "\x1f") && open.head.Kind == passage.Body {
			open.parts = append(open.parts, p)
			open.text += "\n" + p.Text
			continue
		}
		open = &stretch{head: p, parts: []*passage.Passage{p}, text: p.Text}
		out = append(out, open)
	}
	return out
}

// maxTopic bounds what is put together, in bytes.
const maxTopic = 32 << 10

// topics puts all prose under one heading that names a concept together: there
// the heading says what it is about.
func topics(passages []passage.Passage, c concept) []*stretch {
	var out []*stretch
	var open *stretch
	under := ""
	for i := range passages {
		p := &passages[i]
		if p.Kind == passage.Code && open != nil && strings.HasPrefix(strings.Join(p.Section, "\x1f"), under) {
			open.shown += "\n" + p.Text
		}
		if !explains(p) {
			continue
		}
		heading := ""
		for d, h := range p.Section {
			if c.variants.MatchString(h) {
				heading = strings.Join(p.Section[:d+1], "\x1f")
			}
		}
		switch {
		case heading == "":
			open = nil
		case open != nil && heading == under && len(open.text) < maxTopic:
			open.parts = append(open.parts, p)
			open.text += "\n" + p.Text
		default:
			open = &stretch{head: p, parts: []*passage.Passage{p}, text: p.Text}
			out = append(out, open)
		}
		under = heading
	}
	return out
}

var (
	shallow  = regexp.MustCompile(`(?i)^\W*(?:[\d.]+\s*)?(?:executive summary|summary|abstract|introduction|overview|table of contents|contents|background|problem statement|key terms|glossary|conclusions?|references?|appendix.*)\s*:?\s*$`)
	table    = regexp.MustCompile(`(?i)\b(?:self[\s-]audit|criterion|criteria|rubric|score ?card|scores?|feedback|reflection|peer|strengths identified|weaknesses|remediation|deliverables|evaluation summary|next steps|future|plan for|known gaps)\b`)
	doing    = regexp.MustCompile(`(?i)\b\w+(?:s|ed|es)\b|\b(?:run|execute|merge|combine|apply|detect|trigger|start|launch|use|judge|evaluate|write|collect|resolve|produce)\b`)
	reciting = regexp.MustCompile(`(?i)^\W*(?:the )?(?:rubric|assignment|challenge|brief|criterion)\b|\b(?:checks?|search(?:es)?|looks?|scans?) for (?:the |critical |key )?(?:\w+ )?(?:terms?|keywords?|concepts?)\b|\bterms like\b`)
)

// explained grades every concept, once per scene.
func explained(ctx context.Context, s *probe.Scene) ([]explanation, error) {
	return probe.Shared(s, "document.terms", func() ([]explanation, error) {
		r, err := read(ctx, s)
		if err != nil {
			return nil, err
		}
		by, err := graders(ctx, s)
		if err != nil {
			return nil, err
		}
		runs := stretches(r.passages)
		var out []explanation
		for _, c := range concepts() {
			out = append(out, explain(r, runs, c, by))
		}
		return out, nil
	})
}

// graders is what explanations of a scene are graded with.
func graders(ctx context.Context, s *probe.Scene) (grading, error) {
	from, err := assigned(s)
	if err != nil {
		return grading{}, err
	}
	by := grading{anchors: func(string) bool { return false }, from: from, least: minWords}
	if s.HasRepo() {
		l, err := account(ctx, s)
		if err != nil {
			return by, err
		}
		by.anchors = l.anchor
	}
	return by, nil
}

// grading is what explanations are graded with.
type grading struct {
	anchors func(string) bool // names something of the repository
	from    base              // what is not the authors' own
	least   int               // words of an explanation
	near    *regexp.Regexp    // what it must have, too; nil: nothing
}

func explain(r *reading, runs []*stretch, c concept, by grading) explanation {
	e := explanation{concept: c, grade: missing}
	about := topics(r.passages, c)
	best := 0
	for i, s := range slices.Concat(about, runs, unnamed(r.passages, c), gathered(r.passages, c)) {
		if i >= len(about) && !c.variants.MatchString(s.text) && s.without(c) == nil {
			continue
		}
		if c.variants.MatchString(s.text) && e.grade == missing {
			e.grade, e.best = mention, s
		}
		anchored, ok := mechanism(s, c, by)
		if !ok {
			continue
		}
		if i >= len(about) || under(s.head, c.besides) {
			if own := s.item(c); own != s {
				if named, does := mechanism(own, c, by); does {
					s, anchored = own, named
				}
			}
		}
		e.all = append(e.all, s)
		rank := 1
		for i, better := range []bool{!under(s.head, shallow.MatchString), anchored, s.speaks(c)} {
			if better {
				rank += 2 << i
			}
		}
		if rank > best {
			e.grade, e.best, e.anchored, best = substantive, s, anchored, rank
		}
	}
	if e.grade == missing {
		for i := range r.passages {
			if p := &r.passages[i]; c.variants.MatchString(p.Text) {
				e.grade, e.best = mention, &stretch{head: p, parts: []*passage.Passage{p}, text: p.Text}
				break
			}
		}
	}
	return e
}

// unnamed puts the prose and listings of each section together in which one
// passage explains the concept without its name: what parallel nodes do, what
// the code of a reducer is and what it is good for are often a paragraph each.
func unnamed(passages []passage.Passage, c concept) []*stretch {
	if c.unnamed == nil {
		return nil
	}
	var out []*stretch
	var open *stretch
	for i := range passages {
		p := &passages[i]
		switch {
		case !explains(p) && p.Kind != passage.Code:
		case open != nil && slices.Equal(p.Section, open.head.Section) && len(open.text) < maxTopic:
			open.parts = append(open.parts, p)
			open.text += "\n" + p.Text
		default:
			open = &stretch{head: p, parts: []*passage.Passage{p}, text: p.Text}
			out = append(out, open)
		}
	}
	return slices.DeleteFunc(out, func(s *stretch) bool { return s.without(c) == nil })
}

// gathered puts the prose of each section together in which some paragraph names
// the concept: what it is, the parts of a list and what it is good for are often
// a paragraph each. It is for concepts that are explained without the name; the
// names of others stand in sections of many things.
func gathered(passages []passage.Passage, c concept) []*stretch {
	const most = 250 // words
	if c.unnamed == nil {
		return nil
	}
	var out []*stretch
	var open *stretch
	for i := range passages {
		p := &passages[i]
		switch {
		case !prose(p):
		case open != nil && slices.Equal(p.Section, open.head.Section):
			open.parts = append(open.parts, p)
			open.text += "\n" + p.Text
		default:
			open = &stretch{head: p, parts: []*passage.Passage{p}, text: p.Text}
			out = append(out, open)
		}
	}
	return slices.DeleteFunc(out, func(s *stretch) bool {
		return len(s.parts) < 2 || !c.variants.MatchString(s.text) || words(s.text) > most
	})
}

// without is the passage of a stretch that explains the concept without its
// name; nil when there is none.
func (s *stretch) without(c concept) *passage.Passage {
	for _, p := range s.parts {
		if c.unnamed != nil && explains(p) && c.unnamed.MatchString(p.Text) {
			return p
		}
	}
	return nil
}

// speaks tells whether a stretch speaks of the concept: what stands between
// quotation marks is looked for in others, or said by them.
func (s *stretch) speaks(c concept) bool {
	text := quotation.ReplaceAllString(s.text, "")
	return c.variants.MatchString(text) || c.unnamed != nil && c.unnamed.MatchString(text) || under(s.head, c.variants.MatchString)
}

// item is what a list says of the concept, where it has items of their own for
// it, which begin with its name and are long enough; else the stretch as it is.
func (s *stretch) item(c concept) *stretch {
	const beginning = 12 // characters
	own := &stretch{}
	for _, p := range s.parts {
		if at := c.variants.FindStringIndex(p.Text); at != nil && at[0] < beginning && p.Kind == passage.List {
			own.parts = append(own.parts, p)
			own.text += "\n" + p.Text
		}
	}
	if len(own.parts) == len(s.parts) || words(own.text) < minWords {
		return s
	}
	own.head = own.parts[0]
	return own
}

// summing tells whether a passage stands under a heading of a summary. Its own
// heading counts, not those around it: a document's structure is read from the
// sizes of letters, and a summary's heading is often larger than what follows.
func summing(p *passage.Passage) bool {
	return len(p.Section) > 0 && shallow.MatchString(p.Section[len(p.Section)-1])
}

// aside is what a heading says in brackets.
var aside = regexp.MustCompile(`\([^)]*\)`)

// rubric tells whether a heading announces what a rubric asks, not what is built.
func rubric(heading string) bool { return table.MatchString(aside.ReplaceAllString(heading, "")) }

// mechanism tells whether a stretch says how the project does it.
func mechanism(s *stretch, c concept, by grading) (anchored, ok bool) {
	if words(s.text) < by.least || summing(s.head) || under(s.head, rubric) || reciting.MatchString(s.text) {
		return false, false
	}
	text := s.told(by.from)
	if words(text) < by.least || by.near != nil && !by.near.MatchString(text) || !doing.MatchString(text) || stuffed(text, c.variants) {
		return false, false
	}
	n := 0
	for _, re := range c.mechanism {
		if re.MatchString(text) {
			n++
		}
	}
	anchored = by.anchors(text + s.shown)
	return anchored, n >= 2 || anchored
}
