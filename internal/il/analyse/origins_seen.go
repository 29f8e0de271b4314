package analyse

import (
	"slices"
)

// trace answers one question, or several of which each adds to what was found before.
type trace struct {
	*Origins
	out  []Origin
	few  []inquiry            // that were seen, while they are few
	seen map[inquiry]struct{} // all that were, once they are many; empty before
	work int
}

// fewSeen is how many inquiries are looked for one by one: most questions have no more.
const fewSeen = 12

// first notes an inquiry, and tells one that was not seen before.
func (t *trace) first(q inquiry) bool {
	if len(t.seen) == 0 {
		if slices.Contains(t.few, q) {
			return false
		}
		if len(t.few) < fewSeen {
			t.few = append(t.few, q)
			return true
		}
		if t.seen == nil {
			t.seen = map[inquiry]struct{}{}
		}
		for _, q := range t.few {
			t.seen[q] = struct{}{}
		}
	}
	n := len(t.seen)
	t.seen[q] = struct{}{}
	return len(t.seen) > n
}

// end makes it ready for another question.
func (t *trace) end() {
	clear(t.out)
	clear(t.few)
	clear(t.seen)
	t.few = t.few[:0]
	t.spare = append(t.spare, t)
}
