package rubric

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Limits of a plan: a design choice.
const (
	maxPlan  = 12
	maxExtra = 4 // what a bound criterion's own words add
)

// want is a check that words lead to.
type want struct {
	court.Check
	passage, at int
	known       bool // from a phrase, not from a single identifier
	quoted      bool
}

// plan makes checks from the words of a criterion. None of them is core, so
// that a guess about words never gates a score.
func plan(d *draft) []court.Check { return named(planned(d), nil) }

// more is the plan beside the checks that a criterion writes for itself: what
// those do not ask yet.
func more(d *draft) []court.Check {
	asked := map[string]bool{}
	for _, c := range d.Checks {
		for _, a := range c.Asks {
			asked[a.Key()] = true
		}
	}
	found := slices.DeleteFunc(planned(d), func(w want) bool { return asked[w.Asks[0].Key()] })
	return named(found[:min(len(found), max(0, maxChecks-len(d.Checks)))], d.Checks)
}

// planned are the wanted checks that a plan has room for, in order of
// appearance.
func planned(d *draft) []want {
	found := wanted(d)
	// Phrases are surer than identifiers: those give way first.
	slices.SortStableFunc(found, func(a, b want) int {
		if a.known != b.known {
			return -cmp.Compare(btoi(a.known), btoi(b.known))
		}
		return cmp.Or(cmp.Compare(a.passage, b.passage), cmp.Compare(a.at, b.at))
	})
	found = found[:min(len(found), maxPlan)]
	slices.SortStableFunc(found, func(a, b want) int {
		return cmp.Or(cmp.Compare(a.passage, b.passage), cmp.Compare(a.at, b.at))
	})
	return found
}

// wanted are all checks that the words lead to, each ask once.
func wanted(d *draft) []want {
	texts := passages(d)
	var out []want
	seen := map[string]bool{}
	add := func(w want) {
		key, answered := "", true
		for _, a := range w.Asks {
			key += a.Key() + "|"
			if d.known != nil {
				msg, _ := d.known.refuse(a)
				answered = answered && msg == ""
			}
		}
		if answered && !seen[key] {
			seen[key] = true
			out = append(out, w)
		}
	}
	covered := make([][][2]int, len(texts))
	for _, t := range topics() {
		for _, w := range t.find(d, texts, covered) {
			add(w)
		}
	}
	for i, p := range texts {
		if p.loose {
			continue
		}
		for _, w := range identifiers(d, p, covered[i]) {
			w.passage = i
			add(w)
		}
	}
	return out
}

// passages are the texts of a criterion in the order of their weight. The
// meaning of low scores describes what is wrong.
func passages(d *draft) []passage {
	var out []passage
	room := maxWords
	add := func(text string, fault, loose bool) {
		text = text[:min(len(text), maxPassage, room)]
		if strings.TrimSpace(text) != "" && len(out) < maxPassages {
			room -= len(text)
			out = append(out, newPassage(text, fault, loose))
		}
	}
	want := func(text string) {
		if n := len(out); text != "" {
			if add(text, false, false); len(out) > n {
				out[n].wanted = true
			}
		}
	}
	want(d.Instruction)
	if d.Success != d.Instruction {
		want(d.Success)
	}
	add(d.Failure, true, false)
	want(d.Scale.Anchors[5])
	for n := 4; n >= 1; n-- {
		add(d.Scale.Anchors[n], n <= 2, false)
	}
	for _, lv := range slices.Backward(d.Scale.Levels) {
		switch {
		case lv.Key() == d.Scale.Exclude:
		case lv.Points == d.Scale.Max:
			want(lv.Text)
		default:
			add(lv.Text, 2*(lv.Points-d.Scale.Min) < d.Scale.Max-d.Scale.Min, false)
		}
	}
	for _, words := range []string{d.Guidance.Shared, d.Guidance.Prosecutor, d.Guidance.Defense, d.Guidance.TechLead} {
		add(words, false, true)
	}
	return out
}

// named gives each check an id that no other has.
func named(found []want, taken []court.Check) []court.Check {
	used := map[string]bool{}
	for _, c := range taken {
		used[c.ID] = true
	}
	var out []court.Check
	for _, w := range found {
		base := w.ID
		for n := 2; used[w.ID]; n++ {
			w.ID = fmt.Sprintf("%s_%d", base, n)
		}
		used[w.ID] = true
		out = append(out, w.Check)
	}
	return out
}

// extra are the quoted identifiers of a bound criterion that none of its
// compiled checks asks about.
func extra(d *draft) []court.Check {
	var found []want
	for _, w := range wanted(d) {
		if w.known || !w.quoted || w.Asks[0].Probe == "file.exists" || covered(d.bound, w) {
			continue
		}
		w.Weight = 1
		found = append(found, w)
	}
	return named(found[:min(len(found), maxExtra)], d.Checks)
}

// covered tells whether the compiled checks ask about a name in their own way.
// So they do about every path of code: probes search the whole repository.
func covered(bound string, w want) bool {
	i := slices.IndexFunc(officials, func(o official) bool { return o.id == bound })
	return i >= 0 && officials[i].covers.MatchString(w.ID[strings.IndexByte(w.ID, '-')+1:])
}

// idFrom makes an id of parts, held to the length that ids may have.
func idFrom(parts ...string) string {
	var b strings.Builder
	for _, r := range strings.Join(parts, "-") {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '_', r == '-':
			b.WriteRune(r)
		default:
			b.WriteByte('_')
		}
	}
	id := strings.TrimRight(b.String(), "_-")
	return id[:min(len(id), 72)] // room for a number behind it
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
