package safety

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/tables"
)

func (x *foreignCode) credentials() (out []facts.Fact[struct{}]) {
	for _, f := range x.p.Files {
		for n := range f.Root().Walk() {
			sum := n.Is("binary") && n.Detail() == "+" && !n.Parent().Is("binary")
			if (n.Is("template") || sum) && x.credentialURL(n) || n.Is("call") && (x.formatsURL(n) || x.writesSecret(n)) {
				out = append(out, lies(n))
			}
		}
	}
	return out
}

// credentialURL tells a text with a credential before the host.
func (x *foreignCode) credentialURL(n syntax.Node) bool {
	text := n.Text()
	if !strings.Contains(text, "://") || !strings.Contains(text, "@") {
		return false
	}
	var pattern strings.Builder
	var holes []syntax.Part
	for _, p := range x.p.Value(n) {
		if p.Kind == "text" {
			pattern.WriteString(p.Text)
			continue
		}
		pattern.WriteString("*")
		holes = append(holes, p)
	}
	if !withUser.MatchString(pattern.String()) {
		return false
	}
	for _, h := range holes {
		if credential(h.Node) {
			return true
		}
		for _, v := range h.Via {
			if v != n && v.Is("name", "member", "call") && credential(v) {
				return true
			}
		}
	}
	return false
}

// formatsURL tells a format with a credential before the host.
func (x *foreignCode) formatsURL(n syntax.Node) bool {
	full := x.callee(n)
	return (tables.Of(tables.Output).Has(string(n.File().Language), full, "format") || n.Child("callee").Name() == "formatted") && x.credentialURL(n)
}

// credential tells an expression that is called like a credential, or reads one
// from the environment.
func credential(n syntax.Node) bool {
	switch n.Kind() {
	case "name", "member", "param":
		return tables.NamesLogin(n.Name())
	case "call":
		return isOneOf(n.Child("callee").Name(), "Getenv", "LookupEnv", "getenv", "var", "get") && tables.NamesLogin(arg(n, 0).Name())
	case "index":
		return tables.NamesLogin(n.Child("index").Name())
	}
	return false
}

// writesSecret tells a call that prints or logs a credential from the
// environment as it is.
func (x *foreignCode) writesSecret(n syntax.Node) bool {
	if !tables.Of(tables.Output).Has(string(n.File().Language), x.callee(n), "print") {
		return false
	}
	for a := range n.Children("arg") {
		if a.Is("func") {
			continue
		}
		for _, p := range x.p.Value(a) {
			if p.Kind == "call" && tables.Of(tables.Output).Has(string(n.File().Language), p.Name, "environment") && tables.NamesLogin(arg(p.Node, 0).Name()) ||
				p.Kind == "member" && strings.HasPrefix(p.Name, "process.env.") && tables.NamesLogin(p.Name) {
				return true
			}
		}
	}
	return false
}
