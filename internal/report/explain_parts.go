package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// FindEvidence looks evidence up by its label, in any case or as a mere number,
// its id, or an unambiguous beginning of the id.
func FindEvidence(rec *court.Record, name string) (court.Exhibit, error) {
	d := newDocket(rec)
	if labelled := strings.ToUpper(name); len(name) < 10 && labelWord.FindString(labelled) == labelled {
		name = labelled
	} else if strings.Trim(name, "0123456789") == "" {
		name = "E" + name
	}
	if x := d.byID[name]; x != nil && name != "" {
		return *x, nil
	}
	var hits []court.Exhibit
	for _, x := range slices.Concat(d.exhibits, d.testimony) {
		if len(name) > len("ev-") && strings.HasPrefix(x.ID, name) {
			hits = append(hits, x)
		}
	}
	switch {
	case len(hits) == 1:
		return hits[0], nil
	case len(hits) > 1:
		return court.Exhibit{}, fmt.Errorf("finding evidence %q: %d pieces of evidence begin so", name, len(hits))
	case len(d.exhibits) == 0:
		return court.Exhibit{}, fmt.Errorf("finding evidence %q: this record holds no evidence", name)
	default:
		return court.Exhibit{}, fmt.Errorf("finding evidence %q: not in this record (have %s to %s)", name,
			clean(d.exhibits[0].Label), clean(d.exhibits[len(d.exhibits)-1].Label))
	}
}

// ExplainEvidence writes one piece of evidence with its quote, its id, the blob
// it was read from and its permalink.
func ExplainEvidence(w io.Writer, rec *court.Record, name string, o TextOptions) error {
	x, err := FindEvidence(rec, name)
	if err != nil {
		return err
	}
	d := newDocket(rec)
	var b strings.Builder
	b.WriteString(caseLine(rec, o))
	linked := func(key, value, url string) {
		if value != "" {
			fmt.Fprintf(&b, "  %s  %s\n", left(key, 10), o.link(url, clean(value)))
		}
	}
	line := func(key, value string) { linked(key, value, "") }
	fmt.Fprintf(&b, "%s  %s\n\n", paint(o.Color).bold(clean(cmp.Or(x.Label, x.ID))), clean(x.Goal))
	line("outcome", outcomeWords(x))
	line("says", rationale(x))
	line("criterion", d.name(x.Criterion)+" ("+x.Criterion+"), check "+x.Check)
	line("found by", fmt.Sprintf("%s with %s (%s)", x.Detective, x.Probe, x.Source))
	line("model", d.byModel(x))
	line("numbers", numbersOf(x))
	line("security", securityOf(x.Security))
	for _, p := range x.At {
		linked("at", p.String(), Permalink(rec.Case, p))
		line("blob", p.Blob)
		line("link", Permalink(rec.Case, p))
	}
	if x.More > 0 {
		line("", fmt.Sprintf("and %s more", plural(x.More, "place")))
	}
	if x.Superseded != "" {
		line("superseded", "by "+d.label(x.Superseded))
	}
	line("struck", x.Struck)
	line("remedy", x.Remedy)
	line("id", x.ID)
	if x.Content != "" {
		b.WriteString("\n")
		for l := range strings.SplitSeq(strings.TrimSuffix(x.Content, "\n"), "\n") {
			fmt.Fprintf(&b, "  | %s\n", clean(l))
		}
	}
	return put(w, []byte(trimRight(b.String())))
}

func numbersOf(x court.Exhibit) string {
	s := fmt.Sprintf("strength %s, confidence %s, %s of the scope examined", x.Strength.Shown(), x.Confidence.Shown(), percent(x.Coverage))
	if x.Outcome == court.Partial {
		s += ", " + percent(x.Share) + " complies"
	}
	if x.Verified {
		s += ", read again at the end"
	}
	return s
}

func securityOf(f *court.Flaw) string {
	if f == nil {
		return ""
	}
	s := fmt.Sprintf("severity %s, tainted %s, %s", f.Severity, f.Tainted, f.Scope)
	switch {
	case f.Dismissed:
		return s + ", dismissed by a person"
	case f.Confirmed:
		return s + ", confirmed"
	default:
		return s + ", not confirmed, so no cap follows"
	}
}

// ExplainRun writes the run as a tree with times: its nodes in the order in
// which they started, and under each its tasks.
func ExplainRun(w io.Writer, rec *court.Record, o TextOptions) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n", paint(o.Color).bold(clean(subject(rec))), seconds(rec.Run.Millis))
	if words := newDocket(rec).asked(); words != "" {
		for _, l := range wrapItems(strings.Split("models: "+clean(words), ", "), o.width()-2) {
			fmt.Fprintf(&b, "  %s\n", l)
		}
	}
	if len(rec.Run.Spans) == 0 {
		b.WriteString("  no events were kept\n")
		return put(w, []byte(b.String()))
	}
	for _, g := range spanGroups(rec.Run.Spans) {
		fmt.Fprintf(&b, "  %s  %s  %s\n", left(clean(g.node), 20), right(seconds(g.start), 8), right(seconds(g.end-g.start), 8))
		for _, s := range g.items {
			fmt.Fprintf(&b, "    %s  %s  %s\n", left(cut(clean(s.Item), 36), 36), right(seconds(s.Start), 8), right(seconds(s.End-s.Start), 8))
		}
	}
	return put(w, []byte(trimRight(b.String())))
}

// spanGroup is what one node did.
type spanGroup struct {
	node       string
	start, end int64
	items      []court.Span
}

func spanGroups(spans []court.Span) []spanGroup {
	var groups []spanGroup
	for _, s := range spans {
		i := slices.IndexFunc(groups, func(g spanGroup) bool { return g.node == s.Node })
		if i < 0 {
			i, groups = len(groups), append(groups, spanGroup{node: s.Node, start: s.Start, end: s.End})
		}
		g := &groups[i]
		g.start, g.end = min(g.start, s.Start), max(g.end, s.End)
		if s.Item != "" {
			g.items = append(g.items, s)
		}
	}
	slices.SortStableFunc(groups, func(a, b spanGroup) int { return cmp.Compare(a.start, b.start) })
	for i := range groups {
		slices.SortStableFunc(groups[i].items, func(a, b court.Span) int { return cmp.Compare(a.Start, b.Start) })
	}
	return groups
}
