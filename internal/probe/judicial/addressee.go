package judicial

import (
	"github.com/automaton-auditor/automaton/internal/code"
)

// addressee is the judge that a text is for: by the key, the name or the
// branch that it stands under, by the function or class around it, or because
// it begins by saying so.
func (b *bench) addressee(n code.Node, text string) persona {
	for a := range n.Around() {
		switch a.Kind() {
		case "pair":
			if p := b.keyOf(a); p != nobody {
				return p
			}
		case "assignment":
			if p := who(split(a.Field("left").Text())); p != nobody {
				return p
			}
		case "if_statement", "elif_clause":
			if a.Field("consequence").Contains(n) {
				if p := who(split(a.Field("condition").Text())); p != nobody {
					return p
				}
			}
		case "else_clause":
			if p := remaining(a); p != nobody {
				return p
			}
		case "conditional_expression":
			if a.Child(0).Contains(n) {
				if p := who(split(a.Child(1).Text())); p != nobody {
					return p
				}
			}
		case "function_definition", "class_definition":
			if p := who(split(a.Field("name").Text())); p != nobody {
				return p
			}
		}
	}
	return addressed(text)
}

// keyOf is the judge that the key of a dictionary's entry names.
func (b *bench) keyOf(pair code.Node) persona {
	key := pair.Field("key")
	if p := who(split(key.Text())); p != nobody || !key.Is("identifier", "attribute") {
		return p
	}
	text, _ := b.p.Text(key)
	return who(split(text))
}

// remaining is the judge that an else branch is for: the one that none of the
// conditions before it names.
func remaining(clause code.Node) persona {
	named := map[persona]bool{}
	for c := range clause.Parent().Children() {
		if c.Is("elif_clause") {
			named[who(split(c.Field("condition").Text()))] = true
		}
	}
	named[who(split(clause.Parent().Field("condition").Text()))] = true
	delete(named, nobody)
	if len(named) != 2 {
		return nobody
	}
	for p := range personas {
		if !named[persona(p)] {
			return persona(p)
		}
	}
	return nobody
}

// addressed reads "You are the Prosecutor" at the beginning of a text.
func addressed(text string) persona {
	words := split(text)
	if len(words) < 4 || words[0] != "you" || words[1] != "are" {
		return nobody
	}
	return who(words[:min(len(words), 8)])
}
