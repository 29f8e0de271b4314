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
	var named, vague limited
	for i := range r.passages {
		p := &r.passages[i]
		if !prose(p) && p.Kind != passage.Table || under(p, peerHeading.MatchString) || under(p, bygone.MatchString) {
			continue
		}
		limit := limitOf(p)
		heads := under(p, headsLimits) || r.own && under(p, readmeLimits.MatchString)
		rank := onlyMissing
		switch {
		case limit != "" && (heads || ownLimit.MatchString(limit)):
			rank = surely
		case heads && limit == "":
			if under(p, func(h string) bool { return ownLimit.MatchString(h) && !remedies.MatchString(h) }) {
				rank = onlyHeaded
			}
			limit = p.Text
			if all := passage.Sentences(p.Text); len(all) > 0 {
				limit = all[0]
			}
		case limit == "":
			continue
		}
		at, said := r.cite(p, limit)
		if r.own || component.MatchString(p.Text) || codeName.MatchString(p.Text) {
			named[rank].add(at, said)
		} else {
			vague[rank].add(at, said)
		}
	}
	var f probe.Finding
	switch n, v := named.all(), vague.all(); {
	case len(n.places) > 0:
		f = probe.Present(r.source(court.Token), n.places, "The document says which parts are limited or missing.")
		f.Quote = n.quote
	case len(v.places) > 0:
		f = probe.Partly(court.One/2, r.source(court.Token), v.places, "The document speaks of limits, but does not name the part of the program that they concern.")
		f.Quote = v.quote
	default:
		f = probe.Missing(court.One, r.source(court.Token), "No section and no sentence that states a limit of the program was recognised.")
	}
	return f
}

// How sure it is that a passage states a limit: by its words, if they are words
// for a limit or stand under such a heading; by its heading alone; by words for
// what is missing, which may be missing in anything, or by a heading for what is to be done.
const (
	surely = iota
	onlyHeaded
	onlyMissing
	limitRanks
)

// ownLimit are words for a limit of what one has made.
var ownLimit = regexp.MustCompile(`(?i)\b(?:limitations?|gaps?|risk|shortcoming|caveat|yet|currently|remains?|production[- ]ready)\b`)

// remedies are words in headings for what is to be done.
var remedies = regexp.MustCompile(`(?i)\b(?:plans?|remediation|next steps)\b`)

// limited is what states limits, by how sure that is.
type limited [limitRanks]cited

// all is the surest of it.
func (l limited) all() cited {
	var out cited
	for _, c := range l {
		for _, at := range c.places {
			out.add(at, c.quote)
		}
	}
	return out
}

// bygone begins the heading of what was a limit once.
var bygone = regexp.MustCompile(`(?i)^[\W\d]*(?:(?:gaps?|issues?|items?|work|already) )*(?:addressed|resolved|completed|closed|fixed|done|implemented)\b`)

// headsLimits tells the heading of a section on limits, whatever label stands in it.
func headsLimits(heading string) bool {
	return limitHeading.MatchString(reference.ReplaceAllString(heading, ""))
}

// limitOf is the first sentence of a passage that states a limit of the program, and not what
// the program or a judge looks for in others, nor what is said of a peer's program, nor what
// would be if something lacked; "" when none does.
func limitOf(p *passage.Passage) string {
	for _, one := range passage.Sentences(p.Text) {
		m := limitSentence.FindStringIndex(one)
		if m == nil || lookedFor(one, m[0]) || peerWords.MatchString(one) {
			continue
		}
		if start, _, _ := clause(one, m[0], m[1]); supposed.MatchString(one[start:m[0]]) {
			continue
		}
		before := p.Text[:max(strings.Index(p.Text, one), 0)] + one[:m[0]]
		if !judgeNamed.MatchString(before) || !judgeArgues.MatchString(lastPart(one[:m[0]])) {
			return one
		}
	}
	return ""
}

// supposed leads to what may be in what is judged.
var supposed = regexp.MustCompile(`(?i)^\W*(?:were|suppose)\b|\b(?:if|unless|when(?:ever)?|where(?:ver)?|in case)\b`)

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
