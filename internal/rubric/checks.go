package rubric

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// maxChecks is how many checks a criterion may name.
const maxChecks = 40

// checkKeys are the keys of one check; any other is an error, because checks
// are our schema and a typo would change a score.
var checkKeys = []string{"id", "weight", "facet", "polarity", "requires", "probe", "args", "asks", "text", "scope"}

// facets, polarities and scopes of a check.
var (
	facets     = []string{string(court.Core), string(court.Robust), string(court.Design), string(court.Security)}
	polarities = []string{string(court.Want), string(court.Avoid)}
	scopes     = []string{"production", "tests", "all"}
)

// check reads the checks that criteria write for themselves.
func (l *loader) check() {
	for _, d := range l.drafts {
		places := map[string]int{}
		if f := d.from.field("checks"); f != nil {
			l.eachCheck(d, f, places, l.oneCheck)
		}
		if f := d.from.field("probes"); f != nil {
			l.eachCheck(d, f, places, l.shortCheck)
		}
		if f := d.from.field("coverage_from"); f != nil {
			if s, ok := l.str(f); ok && s != "own" && s != "plan" {
				l.wrong(f.value, "type", "own or plan")
			}
		}
		if len(l.errs) == 0 {
			l.order(d, places)
		}
	}
}

// eachCheck reads a list of checks and refuses equal ids.
func (l *loader) eachCheck(d *draft, f *field, places map[string]int, read func(*draft, *value) (court.Check, bool)) {
	if f.value.kind != aList {
		l.wrong(f.value, "type", "a list")
		return
	}
	for _, item := range f.value.items {
		c, ok := read(d, item)
		if !ok {
			continue
		}
		at := item.at
		if id := item.field("id"); id != nil {
			at = id.at
		}
		if first, twice := places[c.ID]; twice {
			l.fail(at, "id-duplicate", "criterion %q: check %q is already defined at line %d", d.ID, c.ID, l.doc.pos(first).Line)
			continue
		}
		places[c.ID] = at
		if len(d.Checks) == maxChecks {
			l.fail(at, "too-many", "criterion %q has more than %d checks", d.ID, maxChecks)
			return
		}
		d.Checks = append(d.Checks, c)
	}
}

// oneCheck reads a check in full.
func (l *loader) oneCheck(d *draft, v *value) (court.Check, bool) {
	c := court.Check{Weight: 1, Facet: court.Design, Polarity: court.Want, Scope: "production"}
	if v.kind != anObject {
		l.wrong(v, "type", "an object")
		return c, false
	}
	before := len(l.errs)
	for _, m := range v.fields {
		if !slices.Contains(checkKeys, m.key) {
			l.failure(m.at, "type", "criterion %q: a check has no key %q%s", d.ID, court.Clean(m.key, 60), noCommand(m.key)).Hint = unless(noCommand(m.key), didYouMean(m.key, checkKeys))
		}
	}
	c.Asks = l.asks(v)
	c.Text, _ = l.str(v.field("text"))
	if len(c.Asks) > 0 {
		c.ID = c.Asks[0].Probe
		if p, ok := l.known.find(c.ID); ok && c.Text == "" {
			c.Text = p.Title
		}
	}
	if f := v.field("id"); f != nil {
		c.ID, _ = l.str(f)
		switch {
		case !idForm.MatchString(c.ID):
			l.fail(f.at, "id-invalid", "criterion %q: check %q: %s", d.ID, court.Clean(c.ID, 100), idWords)
		case c.ID == court.Testimony:
			l.fail(f.at, "id-invalid", "criterion %q: check %q: this id is the court's own, for passages of the document; choose another", d.ID, c.ID)
		}
	}
	if f := v.field("weight"); f != nil {
		switch {
		case f.value.kind != aNumber:
			l.wrong(f.value, "type", "a whole number from 1 to 5")
		case len(f.value.text) != 1 || f.value.text < "1" || f.value.text > "5":
			l.wrong(f.value, "weight", "a whole number from 1 to 5")
		default:
			c.Weight = int(f.value.text[0] - '0')
		}
	}
	c.Facet = court.Facet(l.choice(v, "facet", string(c.Facet), facets))
	c.Polarity = court.Polarity(l.choice(v, "polarity", string(c.Polarity), polarities))
	c.Scope = l.choice(v, "scope", c.Scope, scopes)
	if f := v.field("requires"); f != nil {
		c.Requires, _ = l.texts(f.value, "type", "a list of check ids")
	}
	return c, len(l.errs) == before
}

// shortCheck reads an entry of probes: an id, or a probe with arguments.
func (l *loader) shortCheck(_ *draft, v *value) (court.Check, bool) {
	before := len(l.errs)
	a, ok := l.ask(v)
	c := court.Check{ID: a.Probe, Weight: 1, Facet: court.Design, Polarity: court.Want, Scope: "production", Asks: []court.Ask{a}}
	if p, found := l.known.find(a.Probe); found {
		c.Text = p.Title
	}
	return c, ok && len(l.errs) == before
}

// choice reads one of a few words.
func (l *loader) choice(v *value, key, def string, allowed []string) string {
	f := v.field(key)
	if f == nil {
		return def
	}
	if f.value.kind != aString || !slices.Contains(allowed, f.value.text) {
		l.wrong(f.value, "type", strings.Join(allowed, ", "))
		return def
	}
	return f.value.text
}

// asks reads the probe of a check, or its list of several.
func (l *loader) asks(v *value) []court.Ask {
	f := v.field("asks")
	if f == nil {
		if v.field("probe") == nil {
			l.fail(v.at, "check-probe", "a check names no probe")
			return nil
		}
		if a, ok := l.ask(v); ok {
			return []court.Ask{a}
		}
		return nil
	}
	if f.value.kind != aList || len(f.value.items) == 0 {
		l.wrong(f.value, "type", "a list of probes")
		return nil
	}
	var out []court.Ask
	for _, item := range f.value.items {
		if a, ok := l.ask(item); ok {
			out = append(out, a)
		}
	}
	return out
}

// order puts required checks first and refuses those that do not exist or go
// in a circle.
func (l *loader) order(d *draft, places map[string]int) {
	for _, c := range d.Checks {
		for _, r := range c.Requires {
			if _, ok := places[r]; !ok {
				e := l.failure(places[c.ID], "check-requires", "criterion %q: check %q requires %q, which it does not have", d.ID, c.ID, court.Clean(r, 80))
				e.Hint = didYouMean(r, idsOf(d.Checks))
			}
		}
	}
	if len(l.errs) > 0 {
		return
	}
	sorted, rest := parentsFirst(d.Checks)
	if len(rest) > 0 {
		l.fail(places[rest[0].ID], "check-cycle", "criterion %q: checks require each other in a circle: %s", d.ID, strings.Join(idsOf(rest), ", "))
		return
	}
	d.Checks = sorted
}

// parentsFirst sorts checks so that each stands behind what it requires, else
// in their order; rest is what stands in or behind a circle.
func parentsFirst(checks []court.Check) (sorted, rest []court.Check) {
	rest = slices.Clone(checks)
	done := map[string]bool{}
	for {
		i := slices.IndexFunc(rest, func(c court.Check) bool {
			return !slices.ContainsFunc(c.Requires, func(r string) bool { return !done[r] })
		})
		if i < 0 {
			return sorted, rest
		}
		done[rest[i].ID] = true
		sorted = append(sorted, rest[i])
		rest = slices.Delete(rest, i, i+1)
	}
}

func idsOf(checks []court.Check) []string {
	out := make([]string, len(checks))
	for i, c := range checks {
		out[i] = c.ID
	}
	return out
}
