package rubric

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// maxCriteria is how many criteria a rubric may have.
const maxCriteria = 200

// loader carries one file through the steps.
type loader struct {
	doc    *document
	known  *Catalogue // nil for our own tables: they are held against it where they are used
	tables map[string]*court.Rubric
	out    *court.Rubric
	drafts []*draft
	base   string // built-in whose ids bind here, beside the courtroom's
	errs   Errors
}

// draft is a criterion on its way, with the value that it comes from.
type draft struct {
	court.Criterion
	from   *value // an object, or a string in a map of texts
	key    string // its key in a map of criteria
	keyAt  int
	idAt   int
	made   bool   // the id is ours, not the author's
	bound  string // the built-in criterion whose checks it gets, "ID" or ""
	mapped bool
	known  *Catalogue // what the words may lead to; nil: anything
}

// load reads a file step by step: each step needs what those before it found.
func load(f File, known *Catalogue) (*court.Rubric, error) {
	doc, err := decode(f.Name, f.Bytes)
	if err != nil {
		return nil, err
	}
	if err := parse(doc); err != nil {
		return nil, err
	}
	l := &loader{doc: doc, known: known, out: &court.Rubric{Notes: doc.notes, Source: f.source()}}
	steps := []func(){l.shape, l.head, l.criteria, l.rules, l.check, func() { l.bind(f) }, l.fraudBasis}
	for _, step := range steps {
		step()
		if err := doc.refuse(l.errs); err != nil {
			return nil, err
		}
	}
	for _, d := range l.drafts {
		l.out.Criteria = append(l.out.Criteria, d.Criterion)
	}
	slices.SortStableFunc(l.out.Notes, func(a, b court.Note) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
	if l.out.Digest, l.out.Checks, err = digests(l.out, known); err != nil {
		return nil, fmt.Errorf("sealing rubric %q: %w", f.Name, err)
	}
	return l.out, nil
}

// fail notes an error at a byte offset.
func (l *loader) fail(at int, code, format string, args ...any) {
	_ = l.failure(at, code, format, args...) // noted
}

// failure notes an error at a byte offset and returns it, for a hint to be added.
func (l *loader) failure(at int, code, format string, args ...any) *Error {
	e := l.doc.fail(at, code, fmt.Sprintf(format, args...))
	if len(l.errs) < maxCollected {
		l.errs = append(l.errs, e)
	}
	return e
}

// wrong notes that v is not of the wanted type.
func (l *loader) wrong(v *value, code, want string) {
	what := string(v.kind)
	if v.kind == aString || v.kind == aNumber || v.kind == aTruth {
		what = court.Clean(string(l.doc.raw(v)), 40)
	}
	e := l.failure(v.at, code, "%s must be %s, not %s", l.subject(v), want, what)
	switch {
	case v.kind == aNull:
		e.Hint = "leave the key out when there is no value"
	case want == "a string" && (v.kind == aNumber || v.kind == aTruth):
		e.Hint = "put it in quotes"
	}
}

// subject is how messages name a value.
func (l *loader) subject(v *value) string {
	n, err := strconv.Atoi(v.name)
	switch {
	case v == l.doc.root:
		return "the file"
	case v.name == "":
		return "the value"
	case err == nil && v.parent != nil && v.parent.kind == aList:
		return fmt.Sprintf("item %d", n+1)
	}
	return court.Clean(v.name, 80)
}

// note tells of something filled in, borrowed or not used.
func (l *loader) note(at int, code string, n court.Note, format string, args ...any) {
	n.Code, n.Pos, n.Text = code, l.doc.pos(at), fmt.Sprintf(format, args...)
	l.out.Notes = append(l.out.Notes, n)
}

// str is the string of a field; "" and false when it is missing or no string.
func (l *loader) str(f *field) (string, bool) {
	if f == nil {
		return "", false
	}
	if f.value.kind != aString {
		l.wrong(f.value, "type", "a string")
		return "", false
	}
	return f.value.text, true
}

// lines is a string, or a list of strings joined with newlines.
func (l *loader) lines(v *value) (s string, joined bool) {
	switch v.kind {
	case aString:
		return v.text, false
	case aList:
		var parts []string
		for _, item := range v.items {
			if item.kind != aString {
				l.wrong(item, "type", "a string")
				continue
			}
			parts = append(parts, item.text)
		}
		return strings.Join(parts, "\n"), true
	default:
		l.wrong(v, "type", "a string or a list of strings")
		return "", false
	}
}

// num is a number in basis points; false when it is none.
func (l *loader) num(v *value, code string) (court.Fixed, bool) {
	if v.kind != aNumber {
		l.wrong(v, code, "a number")
		return 0, false
	}
	n, err := v.number()
	if err != nil {
		l.wrong(v, code, "a number between -1e12 and 1e12")
		return 0, false
	}
	return n, true
}

// stem is the file name without folder and extension.
func stem(name string) string {
	base := filepath.Base(name)
	return strings.TrimSuffix(base, filepath.Ext(base))
}
