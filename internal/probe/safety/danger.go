package safety

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// hazardous are the conditions of the table of dangers, for calls of Python: a
// call is dangerous where the condition of its row holds.
func hazardous() map[string]func(v *survey, c *code.Call) bool {
	says := func(name string, position int, truth tri) func(v *survey, c *code.Call) bool {
		return func(v *survey, c *code.Call) bool {
			n := c.Arg(name, position)
			return n.Valid() && v.p.Eval(n).Kind == code.ValueBool && v.truth(n) == truth
		}
	}
	return map[string]func(v *survey, c *code.Call) bool{
		"loader builds objects":             unsafeYAML,
		"statement with values in its text": formatsSQL,
		"result is a secret":                namesSecret,
		"verify is off":                     says("verify", -1, no),
		"entities are resolved":             says("resolve_entities", -1, yes),
		"debug is on":                       says("debug", 2, yes),
		"of a password":                     func(_ *survey, c *code.Call) bool { return tables.MentionsPassword(c.Arg("", 0).Text()) },
		"weights_only is off":               func(v *survey, c *code.Call) bool { return v.truth(c.Arg("weights_only", -1)) == no && !c.Splat() },
		"no filter": func(_ *survey, c *code.Call) bool {
			return !c.Arg("filter", -1).Valid() && !c.Arg("members", 1).Valid() && !c.Splat()
		},
		"HTML without autoescape": func(v *survey, c *code.Call) bool {
			n := c.Arg("autoescape", -1)
			return (!n.Valid() && !c.Splat() || n.Valid() && n.Is("false")) && htmlTemplates(v, c)
		},
	}
}

// unsafeYAML tells a yaml.load whose loader builds objects.
func unsafeYAML(v *survey, c *code.Call) bool {
	if strings.Contains(c.Callee.Qualified, "unsafe") {
		return true
	}
	loader := c.Arg("Loader", 1)
	if !loader.Valid() {
		return !c.Splat()
	}
	s := v.p.Resolve(loader)
	return s.Matches("yaml.Loader", "yaml.UnsafeLoader", "yaml.CLoader", "yaml.loader.Loader", "yaml.loader.UnsafeLoader")
}

var sqlStart = regexp.MustCompile(`(?is)^\s*(select\s.*\sfrom\s|insert\s+into\s|update\s.*\sset\s|delete\s+from\s|drop\s+table\s|alter\s+table\s|create\s+table\s)`)

// formatsSQL tells a statement with values put into its text.
func formatsSQL(v *survey, c *code.Call) bool {
	text := c.Arg("", 0)
	if v.taint(text) == no {
		return false // whatever is put into it is the program's own
	}
	for _, choice := range v.p.Eval(text).Choices() {
		if known, ok := choice.Str(); ok && sqlStart.MatchString(known) && !v.constant(text) {
			return true // known only by a default
		}
		if choice.Kind != code.ValueString || len(choice.Items) == 0 || !sqlStart.MatchString(choice.Pattern()) {
			continue
		}
		for _, part := range choice.Items {
			if _, known := part.Str(); !known && part.Node.Valid() && v.taint(part.Node) != no {
				return true
			}
		}
	}
	return false
}

// namesSecret tells a call whose result is called a secret, and that is more
// than a choice among secrets.
func namesSecret(_ *survey, c *code.Call) bool {
	if c.Name == "choice" && tables.NamesUnguessable(strings.TrimRight(c.Arg("seq", 0).Text(), "sS")) {
		return false
	}
	for a := range c.Node.Around() {
		if a.Is("assignment") {
			return tables.NamesUnguessable(a.Field("left").Text())
		}
		if a.Is("block", "function_definition") {
			return false
		}
	}
	return false
}

// htmlTemplates tells a file that asks for templates of HTML pages.
func htmlTemplates(_ *survey, c *code.Call) bool {
	return slices.ContainsFunc(c.Node.Module().Calls(), func(o *code.Call) bool {
		text, _ := plain(o.Arg("name", 0))
		return o.Name == "get_template" && (strings.HasSuffix(text, ".html") || strings.HasSuffix(text, ".htm"))
	})
}

// dangers are the dangerous calls of every language, and its settings.
var dangers = setOf("safety.dangers", func(v *survey) []facts.Fact[facts.Dangerous] {
	return slices.DeleteFunc(facts.Dangers(v), func(f facts.Fact[facts.Dangerous]) bool {
		return f.Borrowed && f.Scope == code.ScopeVendor && f.Value.Severity != court.High
	})
}, func(x *foreignCode) []facts.Fact[facts.Dangerous] { return append(facts.Dangers(x), x.marks()...) })
