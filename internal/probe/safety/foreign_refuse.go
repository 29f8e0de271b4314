package safety

import (
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// testers are functions that tell good values from bad ones.
var testers = regexp.MustCompile(`(?i)^(match\w*|is_?match|test|includes|contains\w*|has\w*|index_?of|starts_?with|ends_?with|is_?[a-z]\w*|valid\w*|allow\w*|check\w*|verif\w*|rel|some|find|exec|lookup|assert\w*|ensure\w*|equals\w*|in_?array|permit\w*|some|every|any)$`)

// refused tells a use of a variable that stands behind a test of it: bad values
// are refused before, or the use is in the branch of the good ones.
func (x *foreignCode) refused(use syntax.Node) bool {
	if !use.Is("name", "member", "index") {
		return false
	}
	return x.guard(use, x.asks).Valid()
}

// guard is the test of a variable, by what asks tells of a condition, that
// keeps bad values from a place.
func (x *foreignCode) guard(use syntax.Node, asks func(cond syntax.Node, text string) bool) syntax.Node {
	text := use.Text()
	if at := around(use, text, asks); at.Valid() {
		return at
	}
	fn := function(use)
	for n := range fn.Walk() {
		if n.Start() >= use.Start() {
			break
		}
		switch n.Kind() {
		case "if":
			tested := asks(n.Child("cond"), text) || n.Child("init").Valid() && asks(n.Child("init"), text)
			if tested && n.End() <= use.Start() && (leavesBlock(n.Child("then")) || leavesBlock(n.Child("else")) || mends(n.Child("then"), text)) {
				return n
			}
		case "call":
			if n.End() <= use.Start() && stands(n) && refuses(n, text) {
				return n
			}
		case "assign":
			if n.End() <= use.Start() && cleans(n, text) {
				return n
			}
		}
	}
	return syntax.Node{}
}

// around is the condition that a place stands under.
func around(use syntax.Node, text string, asks func(syntax.Node, string) bool) syntax.Node {
	below := use
	for p := range use.Around() {
		switch p.Kind() {
		case "if", "ternary", "loop":
			if below.Role() != "cond" && below.Role() != "init" && p.Child("cond").Valid() && asks(p.Child("cond"), text) {
				return p
			}
			if p.Is("if") && below.Role() != "init" && p.Child("init").Valid() && asks(p.Child("init"), text) && below.Role() != "cond" {
				return p
			}
		case "binary":
			if below.Role() == "right" && (p.Detail() == "&&" || p.Detail() == "||") && asks(p.Child("left"), text) {
				return p
			}
		case "case":
			if s := p.Parent(); below.Role() == "body" && p.Child("match").Valid() && s.Child("subject").Text() == text && constants(p) {
				return s
			}
		case "func", "file":
			return syntax.Node{}
		}
		below = p
	}
	return syntax.Node{}
}

func constants(c syntax.Node) bool {
	for m := range c.Children("match") {
		if m.Is("string", "number") {
			return true
		}
	}
	return false
}

// asks tells a condition that tests which values a variable may have, more than
// whether there is one.
func (x *foreignCode) asks(cond syntax.Node, text string) bool {
	for n := range cond.Walk() {
		switch n.Kind() {
		case "call":
			if !testers.MatchString(n.Child("callee").Name()) {
				continue
			}
			if mentioned(n, text) {
				return true
			}
		case "binary":
			switch n.Detail() {
			case "==", "===", "!=", "!==":
				l, r := n.Child("left"), n.Child("right")
				if l.Text() == text && strong(r) || r.Text() == text && strong(l) {
					return true
				}
			case "in":
				if n.Child("left").Text() == text {
					return true
				}
			}
		case "index":
			if n.Child("index").Text() == text {
				return true
			}
		}
	}
	return false
}

// strong tells a value that more than emptiness is compared with.
func strong(n syntax.Node) bool {
	return n.Is("string") && n.Name() != "" || n.Is("member") || n.Is("name") && n.Name() != "err" && n.Name() != "undefined"
}

// mentioned tells whether a variable is among the arguments of a call, or what
// it is called on.
func mentioned(call syntax.Node, text string) bool {
	for n := range call.Walk() {
		if n.Is("name", "member", "index") && n.Text() == text {
			return true
		}
	}
	return false
}

var exits = regexp.MustCompile(`^(os\.Exit|process\.exit|panic|log\.(Fatal|Panic)\w*|System\.exit|std::process::exit|exit|bail|next|reject|\w*\.(Fatal|send|end|json|sendStatus|status|abort\w*)\w*)$`)

// leaves tells a block that ends the way.
func leavesBlock(b syntax.Node) bool {
	if !b.Valid() {
		return false
	}
	if b.Is("return", "throw", "continue", "break") {
		return true
	}
	for c := range b.Children() {
		if c.Is("return", "throw", "continue", "break") || c.Is("call") && exits.MatchString(c.Child("callee").Text()) {
			return true
		}
	}
	return false
}

// mends tells a block that gives the variable another value.
func mends(b syntax.Node, text string) bool {
	for c := range b.Children() {
		if c.Is("assign") && c.Child("target").Text() == text {
			return true
		}
	}
	return false
}

// stands tells a call that is a statement of its own.
func stands(n syntax.Node) bool {
	for p := n.Parent(); p.Is("unary"); p = p.Parent() {
		n = p
	}
	return n.Role() == "" && n.Parent().Is("block", "file")
}

var refusers = regexp.MustCompile(`(?i)^(valid|assert|check|ensure|verif|require|guard|reject)`)

// refuses tells a call that raises when it is given a bad value.
func refuses(n syntax.Node, text string) bool {
	return refusers.MatchString(n.Child("callee").Name()) && mentioned(n, text)
}

// cleans tells an assignment that makes a variable harmless.
func cleans(n syntax.Node, text string) bool {
	if n.Child("target").Text() != text || n.Has(syntax.Declare) {
		return false
	}
	v := n.Child("value")
	return v.Is("call") && cleaners.MatchString(v.Child("callee").Name()) && mentioned(v, text)
}
