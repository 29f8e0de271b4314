package judicial

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
)

// filledFromData reports whether a prompt of the judges has a hole for what is looked up,
// by a key that the judge's call gives, in data that is read from a file: what that data
// says of each judge was not seen.
func (b *bench) filledFromData() bool {
	for _, n := range b.judges.nodes() {
		text := n.Parent()
		if text.Parent().Is("concatenated_string") {
			text = text.Parent()
		}
		if !n.Is("interpolation") || len(strings.Fields(spoken(text))) < minPrompt {
			continue
		}
		for x := range n.Field("expression").Walk() {
			if x.Is("identifier") && x.FieldName() != "attribute" && b.lookedUpByJudge(x) {
				return true
			}
		}
	}
	return false
}

// lookedUpByJudge reports whether a name is set to an entry, under a parameter, of data
// that is read.
func (b *bench) lookedUpByJudge(n code.Node) bool {
	d := b.p.Enclosing(n)
	return slices.ContainsFunc(b.weighs.settings(n), func(s setting) bool {
		for x := range s.value.Walk() {
			var key code.Node
			switch {
			case x.Is("subscript"):
				key = x.Field("subscript")
			case x.Is("call") && last(x) == "get":
				key = x.Field("arguments").Child(0)
			}
			if key.Is("identifier") && slices.ContainsFunc(d.Params(), func(p code.Param) bool { return p.Name == key.Text() }) {
				return b.isRead(s.value, 0)
			}
		}
		return false
	})
}

// loaders are the last names of calls that read data.
var loaders = []string{"load", "loads", "safe_load", "read_text", "read", "open"}

// isRead reports whether a value comes from a call that reads data, also through a
// function of the project and through names.
func (b *bench) isRead(v code.Node, depth int) bool {
	if depth > maxLead {
		return false
	}
	for x := range v.Walk() {
		switch {
		case x.Is("call"):
			c := b.p.Call(x)
			if c == nil {
				continue
			}
			if slices.Contains(loaders, c.Name) {
				return true
			}
			if def := c.Callee.Def; def != nil && def.IsFunction() && slices.ContainsFunc(b.p.CallsIn(def), func(in *code.Call) bool { return slices.Contains(loaders, in.Name) }) {
				return true
			}
		case x.Is("identifier") && x.FieldName() != "attribute":
			for _, s := range b.weighs.settings(x) {
				if b.isRead(s.value, depth+1) {
					return true
				}
			}
		}
	}
	return false
}
