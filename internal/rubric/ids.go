package rubric

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// idForm is what an id of a criterion or check looks like.
var idForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$`)

const idWords = `an id holds letters, digits, ".", "_" and "-", begins with a letter or digit and has at most 80 characters`

// name finds the id and the name of the criterion at index i, each of which can
// stand in for the other.
func (l *loader) name(d *draft, i int) {
	idField, nameField := d.from.first("id", "dimension_id", "criterion_id", "key"), d.from.first("name", "dimension_name", "title")
	name, _ := l.str(nameField)
	d.Name, d.idAt = strings.TrimSpace(name), d.keyAt
	switch {
	case idField != nil:
		d.ID, _ = l.str(idField)
		d.idAt = idField.at
		l.testID(d)
	case d.mapped:
		d.ID = d.key
		l.testID(d)
	default:
		d.made = true
		l.feature("no_ids")
		if d.ID = slug(d.Name); d.ID != "" {
			l.note(d.from.at, "id-from-name", court.Note{Criterion: d.ID, Field: "id", Used: d.ID}, "criterion without id; using %q, from its name", d.ID)
			break
		}
		d.ID = fmt.Sprintf("dimension_%d", i+1)
		l.note(d.from.at, "id-numbered", court.Note{Criterion: d.ID, Field: "id", Used: d.ID}, "criterion without id and name; using %q", d.ID)
	}
	if d.Name == "" {
		d.Name = inWords(d.ID)
		l.note(d.from.at, "name-from-id", court.Note{Criterion: d.ID, Field: "name", Used: d.Name}, "criterion %q has no name; using %q", d.ID, d.Name)
	}
}

func (l *loader) testID(d *draft) {
	if !idForm.MatchString(d.ID) {
		l.fail(d.idAt, "id-invalid", "criterion %q: %s", court.Clean(d.ID, 100), idWords)
	}
}

// uniqueIDs refuses ids that the author wrote twice and numbers derived ones.
func (l *loader) uniqueIDs() {
	seen := map[string]*draft{}
	for _, d := range l.drafts {
		if d.made {
			continue
		}
		if first := seen[d.ID]; first != nil {
			l.fail(d.idAt, "id-duplicate", "criterion %q is already defined at line %d", court.Clean(d.ID, 100), l.doc.pos(first.idAt).Line)
			continue
		}
		seen[d.ID] = d
	}
	for _, d := range l.drafts {
		if !d.made {
			continue
		}
		was := d.ID
		for n := 2; seen[d.ID] != nil; n++ {
			suffix := fmt.Sprintf("_%d", n)
			d.ID = was[:min(len(was), 80-len(suffix))] + suffix
		}
		if d.ID != was {
			l.note(d.from.at, "id-deduplicated", court.Note{Criterion: d.ID, Field: "id", Used: d.ID}, "id %q is taken; using %q", was, d.ID)
		}
		seen[d.ID] = d
	}
}

// slug is a text as id: lower case, every run of other characters an
// underscore, at most 80 characters.
func slug(s string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(s) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			if gap && b.Len() > 0 {
				b.WriteByte('_')
			}
			gap = false
			b.WriteRune(r)
			continue
		}
		gap = true
	}
	out := b.String()
	return strings.Trim(out[:min(len(out), 80)], "_")
}

// inWords is an id as a name: "safe_tools" becomes "Safe tools".
func inWords(id string) string {
	s := strings.Join(strings.FieldsFunc(id, func(r rune) bool { return r == '_' || r == '-' || r == '.' }), " ")
	return cmp.Or(safetext.Capital(s), id)
}
