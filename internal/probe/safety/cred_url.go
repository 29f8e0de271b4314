package safety

import (
	"context"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/tables"
)

var credURL = probe.Probe{
	ID: "cred.url", Version: "2", Target: court.GithubRepo,
	Title:  "No credential stands in a URL, a log or an error",
	Doc:    "Looks for URLs into which a token or password is put before the host, and for credentials from the environment that are printed, logged or raised. Git and its libraries repeat the URL in their errors.",
	Remedy: "Hand credentials to git through a credential helper or an http.extraHeader setting in its environment.", Effort: 30,
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
			return []probe.Finding{probe.Against(src, facts.Sorted(where), "The code puts a credential into a URL or writes it out. Git repeats URLs in its errors.").
				Do("Take the credential out of the text at %s: hand it to git through a credential helper or an http.extraHeader setting in its environment.", at(facts.Sorted(where)))}, nil
		case set.Empty:
			return []probe.Finding{probe.Nothing(court.One, set.Source, "There is no file of code.")}, nil
		}
		return []probe.Finding{probe.Clean(set.Coverage, set.Source, "No code puts a credential into a URL, a log or an error.")}, nil
	},
}

// withUser is a URL with something put in before its host.
var withUser = regexp.MustCompile(`^(https?|git|ssh)://[^/\s@]*\*[^/\s@]*@`)

// credentials are the places in every language where a credential is put into a
// URL or written out; those of what is imported are the business of the one who wrote it.
var credentials = valuesOf("safety.credentials", func(x *lowered) (out []facts.Fact[struct{}]) {
	if x.own != nil {
		return nil
	}
	var urls map[*il.Module]bool
	for f := range x.functions() {
		if _, known := urls[f.Module]; !known { // of the one that is read
			urls = map[*il.Module]bool{f.Module: slices.ContainsFunc(f.Module.Consts, func(c il.Const) bool { return strings.Contains(c.Text, "://") })}
		}
		for _, in := range f.Instructions() {
			if urls[f.Module] && x.userURL(f, in) || in.Op == il.Call && x.writesOut(call{f: f, in: in}) {
				out = append(out, x.lies(f, in.Span))
			}
		}
	}
	return out
})

// userURL tells a text that is a URL into which a credential is put. Of a sum it is
// the whole.
func (x *lowered) userURL(f *il.Function, in *il.Instr) bool {
	makes := in.Op == il.Make && in.Kind == "text" || in.Op == il.Bind && (in.Kind == "+" || in.Kind == "%") || in.Op == il.Call && x.formats(f, in)
	if !makes || in.Op == il.Bind && slices.ContainsFunc(f.Versions[in.Dst].Uses, func(u *il.Instr) bool { return u.Op == il.Bind && u.Kind == in.Kind }) {
		return false
	}
	for _, s := range x.values.Shapes(f, il.Operand{Kind: il.Local, ID: in.Dst}, nil) {
		if s.Kind == analyse.Text && withUser.MatchString(strings.ReplaceAll(pattern(s), " ? ", "*")) && slices.ContainsFunc(s.Parts, x.credential) {
			return true
		}
	}
	return false
}

// formats tells a call that puts values into a text.
func (x *lowered) formats(f *il.Function, in *il.Instr) bool {
	name, outside := x.callee(f, in)
	return outside && (tables.Of(tables.Output).Has(f.Module.Language, name, "format") || last(in.Kind) == "format" || last(in.Kind) == "formatted")
}

// credential tells a part of a text that is called like a credential on its way, or
// is one from the environment.
func (x *lowered) credential(p analyse.Part) bool {
	if p.Known || p.In == nil {
		return false
	}
	if tables.NamesLogin(lastWord(spelled(p.In, p.Of, 3))) {
		return true
	}
	return slices.ContainsFunc(x.origins.Of(p.In, p.Of, nil), func(o analyse.Origin) bool {
		return x.secret(o) || slices.ContainsFunc(o.Steps(), func(s analyse.Step) bool { return tables.NamesLogin(lastWord(spelled(s.Function, s.Operand, 2))) })
	})
}

// lastWord is the part of written names behind the last dot.
func lastWord(s string) string { return last(strings.TrimSuffix(s, ".")) }

// secret tells an origin that is a credential of the environment.
func (x *lowered) secret(o analyse.Origin) bool {
	outside := o.Symbol.Outside
	switch lang := o.Function.Module.Language; {
	case o.Part:
		return false
	case o.At != nil && o.At.Op == il.Call && tables.Of(tables.Output).Has(lang, outside, "environment"):
		key, _ := o.At.Argument("key", 0)
		text, _ := o.Function.Str(o.Function.Root(key))
		return tables.NamesLogin(text)
	case outside == "os.environ" || outside == "process.env":
		return len(o.Keys) > 0 && tables.NamesLogin(o.Keys[0])
	default:
		return strings.HasPrefix(outside, "process.env.") && tables.NamesLogin(last(outside))
	}
}

// writesOut tells a call that prints, logs or raises a credential from the
// environment as it is.
func (x *lowered) writesOut(c call) bool {
	name, outside := x.callee(c.f, c.in)
	if !outside || !tables.Of(tables.Output).Has(c.f.Module.Language, name, "print") {
		return false
	}
	for _, o := range c.in.Args[1:] {
		for _, w := range x.holes(c.f, o, c.in) {
			if slices.ContainsFunc(x.origins.Of(w.f, w.o, w.use), x.secret) {
				return true
			}
		}
	}
	return false
}

// holes are what is put into a text as it is, else the value itself.
func (x *lowered) holes(f *il.Function, o il.Operand, use *il.Instr) (out []operand) {
	def := f.Def(f.Root(o))
	if def == nil || def.Op != il.Make || def.Kind != "text" {
		return []operand{{f: f, o: o, use: use}}
	}
	for _, a := range def.Args {
		out = append(out, operand{f: f, o: a, use: def})
	}
	return out
}
