package judicial

import "github.com/automaton-auditor/automaton/internal/code"

// bestScore is what the best grade of a table stands for.
const bestScore = 5

// grades are the words that the chief's code turns into scores by a table,
// {"guilty": 1, "acquitted": 5}, with the score of each out of five. A
// function that returns such a word decides a score as one that returns a
// number does.
func (b *bench) grades() map[string]float64 { return b.graded.get(b.findGrades) }

func (b *bench) findGrades() map[string]float64 {
	out := map[string]float64{}
	for _, n := range b.chief.nodes() {
		if t, ok := b.lookup(n); ok && b.givesScore(n) {
			b.gradeTable(t, out)
		}
	}
	return out
}

// lookup is the table of table[word] and table.get(word).
func (b *bench) lookup(n code.Node) (code.Node, bool) {
	var t code.Node
	switch n.Kind() {
	case "subscript":
		t = n.Field("value")
	case "call":
		if f := n.Field("function"); f.Is("attribute") && f.Field("attribute").Text() == "get" {
			t = f.Field("object")
		}
	}
	if !t.Is("identifier", "attribute") {
		return code.Node{}, false
	}
	s := b.p.Resolve(t)
	return s.Node, s.Node.Is("dictionary")
}

// givesScore reports whether a value is what a score is set to.
func (b *bench) givesScore(n code.Node) bool {
	for a := range n.Around() {
		switch a.Kind() {
		case "keyword_argument":
			return has(split(a.Field("name").Text()), "score", "scores")
		case "assignment":
			return has(split(last(a.Field("left"))), "score", "scores")
		case "return_statement":
			d := b.p.Enclosing(a)
			return d != nil && has(split(d.Name), "score", "scores")
		case "block", "module":
			return false
		}
	}
	return false
}

// gradeTable adds the words of a table from words to numbers, none below zero.
func (b *bench) gradeTable(t code.Node, into map[string]float64) {
	table, best := map[string]float64{}, 0.0
	for c := range t.Children() {
		if !c.Is("pair") {
			continue
		}
		x, ok := b.number(c.Field("value"))
		word, constant := b.p.Text(c.Field("key"))
		if !ok || x < 0 || !constant {
			return
		}
		table[word] = x
		best = max(best, x)
	}
	if len(table) < 2 || best == 0 || who(split(t.Text())) != nobody {
		return
	}
	for word, x := range table {
		into[word] = x
		if best > bestScore {
			into[word] = x * bestScore / best
		}
	}
}

// grade is the score that a constant word stands for.
func (b *bench) grade(n code.Node) (float64, bool) {
	n = n.Unparen()
	if len(b.grades()) == 0 || !n.Is("string", "identifier", "attribute") {
		return 0, false
	}
	word, _ := b.p.Text(n)
	x, ok := b.grades()[word]
	return x, ok
}
