package document

import (
	"context"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/passage"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var (
	limitHeading  = regexp.MustCompile(`(?i)\b(?:limitations?|limits|known (?:gaps?|issues?|limitations?)|gaps?|risks?|weaknesses|shortcomings|future work|open (?:issues|questions|problems)|remediation|technical debt|what is missing|caveats)\b`)
	reference     = regexp.MustCompile(`[(\[][A-Z]{2,}[-_ ]?\d+\b[^)\]]*[)\]]`)                                     // what a heading refers to, as "(RISK-1)"
	codeName      = regexp.MustCompile(`\b\w[\w.-]*/\w[\w./-]*|\b[a-z]+_[a-z_]+\b|\b[A-Z][a-z]+[A-Z]\w*|\b\w+\(\)`) // a path, a name, a call
	limitSentence = regexp.MustCompile(`(?i)\b(?:limitation|known gap|not yet (?:implemented|supported|covered|wired)|does not (?:yet )?(?:support|handle|cover|implement|verify)|remaining (?:gap|risk)|is missing|are missing|shortcoming|caveat|currently (?:only|limited|does not)|(?:is|are|remains?|stays?) (?:disabled|unfinished|incomplete|a stub)|not (?:yet )?production[- ]ready|lack(?:s|ing)?|missing (?:explicit|support)|gap:)`)
)

func docLimits() probe.Probe {
	return probe.Probe{
		ID: "doc.limits", Version: "4", Target: court.PDFReport,
		Title:  "The document states the limits of the program",
		Doc:    "Looks for a section on limits, gaps, risks or remaining work that names a part of the program, and for sentences that say what does not work yet. It cannot tell whether the list is complete.",
		Remedy: "Add a section on limits: name each part that does not work yet, and what is missing.", Effort: 20, Recall: 9000,
		Args: []probe.Arg{overArg},
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			of := read
			if a.String("over") == "readme" {
				of = readReadme
			}
			r, err := of(ctx, s)
			if err != nil {
				return nil, err
			}
			return []probe.Finding{limits(r)}, nil
		},
	}
}

// readmeLimits are the headings under which a README says where it ends.
var readmeLimits = regexp.MustCompile(`(?i)\b(?:troubleshooting|caveats?|known|compatib\w+|supported (?:versions?|platforms?|features?)|requirements|non-goals|disclaimer|not supported|faq|status)\b`)

func limits(r *reading) probe.Finding {
	var named, vague cited
	for i := range r.passages {
		p := &r.passages[i]
		if !prose(p) && p.Kind != passage.Table || under(p, peerHeading.MatchString) {
			continue
		}
		limit := limitOf(p)
		told := under(p, headsLimits) || limit != "" || r.own && under(p, readmeLimits.MatchString)
		if !told {
			continue
		}
		if limit == "" {
			limit = p.Text
			if all := passage.Sentences(p.Text); len(all) > 0 {
				limit = all[0]
			}
		}
		at, said := r.cite(p, limit)
		if r.own || component.MatchString(p.Text) || codeName.MatchString(p.Text) {
			named.add(at, said)
		} else {
			vague.add(at, said)
		}
	}
	var f probe.Finding
	switch {
	case len(named.places) > 0:
		f = probe.Present(r.source(court.Token), named.places, "The document says which parts are limited or missing.")
		f.Quote = named.quote
	case len(vague.places) > 0:
		f = probe.Partly(court.One/2, r.source(court.Token), vague.places, "The document speaks of limits, but does not name the part of the program that they concern.")
		f.Quote = vague.quote
	default:
		f = probe.Missing(court.One, r.source(court.Token), "No section and no sentence that states a limit of the program was recognised.")
	}
	return f
}

// headsLimits tells the heading of a section on limits, whatever label stands in it.
func headsLimits(heading string) bool {
	return limitHeading.MatchString(reference.ReplaceAllString(heading, ""))
}

// limitOf is the first sentence of a passage that states a limit of the program, and not what
// the program or a judge looks for in others, nor what would be if something lacked; "" when
// none does.
func limitOf(p *passage.Passage) string {
	for _, one := range passage.Sentences(p.Text) {
		m := limitSentence.FindStringIndex(one)
		if m == nil || lookedFor(one, m[0]) {
			continue
		}
		if start, _, _ := clause(one, m[0], m[1]); condition.MatchString(one[start:m[0]]) {
			continue
		}
		before := p.Text[:max(strings.Index(p.Text, one), 0)] + one[:m[0]]
		if !judgeNamed.MatchString(before) || !judgeArgues.MatchString(lastPart(one[:m[0]])) {
			return one
		}
	}
	return ""
}

// lastPart is what follows the last coordinate clause of a text.
func lastPart(text string) string {
	if all := coordinates.FindAllStringIndex(text, -1); len(all) > 0 {
		return text[all[len(all)-1][1]:]
	}
	return text
}

// What a judge argues from is lacking in what is judged, and not in the program.
var (
	judgeNamed  = regexp.MustCompile(`(?i)\b(?:prosecut\w+|defen[cs]e|tech ?lead|judges?|personas?)\b`)
	judgeArgues = regexp.MustCompile(`(?i)\b(?:argu(?:e[sd]?|ing)|stance|assum(?:es?|ing)|(?:prompted|permitted|told|allowed|tends?) to|advocates?|insists?)\b`)
	coordinates = regexp.MustCompile(`(?i);|, (?:and|but|so)\b`)
)

// cited is up to five passages, of which the first is quoted.
type cited struct {
	places []court.Place
	quote  string
}

func (c *cited) add(at court.Place, said string) {
	if len(c.places) == 0 {
		c.quote = said
	}
	if len(c.places) < 5 {
		c.places = append(c.places, at)
	}
}
