package safety

import (
	"context"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/tables"
)

var credURL = probe.Probe{
	ID: "cred.url", Version: "1", Target: court.GithubRepo,
	Title:  "No credential stands in a URL, a log or an error",
	Doc:    "Looks for URLs into which a token or password is put before the host, and for credentials from the environment that are printed, logged or raised. Git and its libraries repeat the URL in their errors.",
	Remedy: "Hand credentials to git through a credential helper or an http.extraHeader setting in its environment", Effort: 30,
	Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
		set, err := credentials(ctx, s)
		switch {
		case err != nil:
			return nil, err
		case set.Blind.Text != "" && a.Scope != "tests":
			return nil, &probe.Unable{Reason: set.Blind.Code, Why: set.Blind.Text}
		}
		src := court.AST
		var where []court.Place
		for _, f := range set.Facts {
			if f.In(a.Scope) && f.Live == facts.Yes {
				where = append(where, f.At...)
				if f.Source == court.Structure {
					src = court.Structure
				}
			}
		}
		switch {
		case len(where) > 0:
			return []probe.Finding{probe.Against(src, facts.Sorted(where), "a credential is put into a URL or written out; git repeats URLs in its errors")}, nil
		case set.Empty:
			return []probe.Finding{probe.Nothing(court.One, set.Source, "There is no file of code.")}, nil
		}
		return []probe.Finding{probe.Clean(set.Coverage, set.Source, "no credential is put into a URL, a log or an error")}, nil
	},
}

var withUser = regexp.MustCompile(`^(https?|git|ssh)://[^/\s@]*\*[^/\s@]*@`)

// credentials are the places in every language where a credential is put into a
// URL or written out.
var credentials = setOf("safety.credentials", (*survey).credentials, (*foreignCode).credentials)

func (v *survey) credentials() (out []facts.Fact[struct{}]) {
	for _, m := range v.p.Modules {
		if v.own != nil {
			break // they are the business of whoever wrote it
		}
		for n := range m.Root().Walk() {
			if n.Is("string", "binary_operator") && v.userURL(n) || n.Is("call") && v.writesOut(n) {
				out = append(out, v.lies(n))
			}
		}
	}
	return out
}

// userURL tells a URL into which a credential is put.
func (v *survey) userURL(n code.Node) bool {
	if n.Is("string") && !strings.Contains(n.Text(), "://") || n.Is("binary_operator") && n.Parent().Is("binary_operator") ||
		n.Is("binary_operator") && !strings.Contains(n.Text(), "://") {
		return false
	}
	if !withUser.MatchString(v.pattern(n)) {
		return false
	}
	for x := range n.Walk() {
		if x.Is("identifier", "attribute", "call", "subscript") && v.credential(x) {
			return true
		}
	}
	return false
}

// pattern is the text of a string with "*" for every hole, whatever fills it;
// of a sum as far as it is known.
func (v *survey) pattern(n code.Node) string {
	if n.Is("binary_operator") {
		if n.Field("operator").Text() != "+" {
			return v.p.Eval(n).Pattern()
		}
		return v.pattern(n.Field("left").Unparen()) + v.pattern(n.Field("right").Unparen())
	}
	if !n.Is("string") {
		return "*"
	}
	var text strings.Builder
	for c := range n.Children() {
		switch c.Kind() {
		case "string_content":
			text.WriteString(c.Text())
		case "interpolation":
			text.WriteString("*")
		}
	}
	return text.String()
}

// credential tells an expression that is called like one, or reads one from the
// environment.
func (v *survey) credential(n code.Node) bool {
	if n.Is("identifier", "attribute") {
		return tables.NamesLogin(n.Text())
	}
	return tables.NamesLogin(key(n)) || v.environment(n)
}

// environment tells a read of a credential from the environment.
func (v *survey) environment(n code.Node) bool {
	if c := v.p.Call(n); c != nil && c.Callee.In(tables.Of(tables.Output), "environment") {
		text, _ := plain(c.Arg("", 0))
		return tables.NamesLogin(text)
	}
	if n.Is("subscript") && v.p.Resolve(n.Field("value")).Matches("os.environ") {
		return tables.NamesLogin(key(n))
	}
	return false
}

// writesOut tells a call that prints, logs or raises a credential from the
// environment as it is.
func (v *survey) writesOut(n code.Node) bool {
	c := v.p.Call(n)
	if c == nil || !c.Callee.In(tables.Of(tables.Output), "print") {
		return false
	}
	for _, a := range c.Args {
		for _, x := range shown(a.Value) {
			if !x.Is("identifier") || !tables.NamesLogin(x.Text()) {
				continue
			}
			for _, o := range v.p.Origins(x) {
				if !o.Part && o.Kind == code.OriginCall && v.environment(o.Node) || o.Kind == code.OriginSymbol && o.Symbol.Matches("os.environ") {
					return true
				}
			}
		}
	}
	return false
}

// shown are the expressions whose text an argument shows in full: itself, or
// what stands in the holes of a string.
func shown(n code.Node) []code.Node {
	if !n.Is("string", "concatenated_string") {
		return []code.Node{n}
	}
	var out []code.Node
	for x := range n.Walk() {
		if x.Is("interpolation") {
			out = append(out, x.Field("expression"))
		}
	}
	return out
}
