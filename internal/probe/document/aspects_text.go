package document

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/passage"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var (
	anyText     = regexp.MustCompile(`\S`)
	settingName = regexp.MustCompile(`^[A-Z][A-Z0-9_]{2,}$`)
	// What a template leaves to be filled in, and what stands for a text to come.
	placeholderText = regexp.MustCompile(`(?i)\[(?:insert|your|add|enter|fill|todo|tbd|name|date|describe)\b[^\]\n]{0,60}\]|<(?:insert|your|add|enter|fill|describe)\b[^>\n]{0,60}>|\blorem ipsum\b|\bTODO:|\bTBD\b|\b(?:your name here|to be written|text goes here|placeholder text|x{4,})\b`)
)

// symbolsOf keeps the names of one form: settings in capitals, flags, or all
// others.
func symbolsOf(claims []claim, aspect string) []claim {
	form := func(c claim) string {
		switch {
		case strings.HasPrefix(c.Subject, "-"):
			return "flags"
		case settingName.MatchString(c.Subject):
			return "settings"
		}
		return "names"
	}
	if aspect == "" || aspect == "all" {
		return claims
	}
	return slices.DeleteFunc(slices.Clone(claims), func(c claim) bool { return form(c) != aspect })
}

// own answers the aspects of whose words a document has that need no other text
// than the document and the README.
func own(r *reading, readme *reading, aspect string) probe.Finding {
	switch aspect {
	case "template":
		return r.unfilled()
	case "listings":
		return r.listings()
	case "readme":
		return r.copied(readme)
	}
	return r.repeated()
}

// unfilled looks for what a template left to be filled in.
func (r *reading) unfilled() probe.Finding {
	var found cited
	n := 0
	for i := range r.passages {
		p := &r.passages[i]
		if p.Kind == passage.Code || !placeholderText.MatchString(p.Text) {
			continue
		}
		n++
		found.add(r.cite(p, sentenceWith(p, placeholderText)))
	}
	if n == 0 {
		return probe.Clean(court.One, r.source(court.Token), "No place was left to be filled in.")
	}
	f := probe.Against(r.source(court.Token), found.places, "These places are still to be filled in or written: %s.", court.Count(n, "passage"))
	f.Quote = found.quote
	return f
}

// listings weighs quoted code against words of one's own: up to half of the
// document nothing is lost. A design choice.
func (r *reading) listings() probe.Finding {
	code, told := 0, 0
	var first cited
	for i := range r.passages {
		p := &r.passages[i]
		switch {
		case p.Kind == passage.Code:
			code += words(p.Text)
			first.add(r.cite(p, p.Text))
		case prose(p) || p.Kind == passage.Table:
			told += words(p.Text)
		}
	}
	share := probe.Ratio(code, code+told)
	if code+told == 0 {
		return probe.Nothing(court.One, r.source(court.Layout), "The document has no text.")
	}
	if share <= court.One/2 {
		return probe.Clean(court.One, r.source(court.Layout), "Listings hold %d of %d words.", code, code+told)
	}
	f := probe.Partly(max(2*(court.One-share), 1), r.source(court.Layout), first.places, "Listings hold %d of %d words, which is more than half.", code, code+told)
	f.Quote = first.quote
	return f
}

// copied is the share of sentences that the README has word for word; up to a
// third nothing is lost. A design choice: both describe one program.
func (r *reading) copied(readme *reading) probe.Finding {
	const third = court.One / 3
	have := map[string]bool{}
	for i := range readme.passages {
		for _, s := range passage.Sentences(readme.passages[i].Text) {
			have[strings.ToLower(passage.Squeeze(s))] = true
		}
	}
	taken, total := 0, 0
	var first cited
	for i := range r.passages {
		p := &r.passages[i]
		if !prose(p) {
			continue
		}
		for _, s := range passage.Sentences(p.Text) {
			n := words(s)
			total += n
			if n >= repeatedWords && have[strings.ToLower(passage.Squeeze(s))] {
				taken += n
				first.add(r.cite(p, s))
			}
		}
	}
	if total == 0 {
		return probe.Nothing(court.One, r.source(court.Token), "The document has no running text.")
	}
	share := probe.Ratio(taken, total)
	if share <= third {
		return probe.Clean(court.One, r.source(court.Token), "Of %d words, %d stand in sentences of the README.", total, taken)
	}
	f := probe.Partly(max((court.One-share)*3/2, 1), r.source(court.Token), first.places, "Of %d words, %d stand in sentences of the README.", total, taken)
	f.Quote = first.quote
	return f
}

// repeated is how much of the document says again what it said.
func (r *reading) repeated() probe.Finding {
	seen := map[string]bool{}
	total, again := 0, 0
	var first cited
	for i := range r.passages {
		p := &r.passages[i]
		if !prose(p) {
			continue
		}
		for _, s := range passage.Sentences(p.Text) {
			n := words(s)
			total += n
			key := strings.ToLower(passage.Squeeze(s))
			if n >= repeatedWords && seen[key] {
				again += n
				first.add(r.cite(p, s))
			}
			seen[key] = true
		}
	}
	if total == 0 {
		return probe.Nothing(court.One, r.source(court.Token), "The document has no running text.")
	}
	share := probe.Ratio(again, total)
	if share < repeatedShare {
		return probe.Clean(court.One, r.source(court.Token), "Of %d words, %d repeat an earlier sentence.", total, again)
	}
	f := probe.Partly(max(court.One-share, 1), r.source(court.Token), first.places, "Of %d words, %d repeat an earlier sentence.", total, again)
	f.Quote = first.quote
	return f
}
