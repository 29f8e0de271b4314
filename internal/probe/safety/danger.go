package safety

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/tables"
)

const python = "python"

// conditions are those of the table of dangers, by their names: a call is dangerous
// where the condition of its row holds.
func conditions() map[string]func(x *lowered, c call) bool {
	says := func(name string, position int, truth bool) func(x *lowered, c call) bool {
		return func(x *lowered, c call) bool {
			o, ok := c.in.Argument(name, position)
			if !ok {
				return false
			}
			v := x.values.Of(c.f, o)
			return !v.Other && (truth && v.True || !truth && v.False && !v.True)
		}
	}
	return map[string]func(x *lowered, c call) bool{
		"loader builds objects":             unsafeYAML,
		"statement with values in its text": formatsSQL,
		"result is a secret":                makesSecret,
		"verify is off": func(x *lowered, c call) bool {
			if c.f.Module.Language == "rust" {
				return says("", 0, true)(x, c)
			}
			return says("verify", -1, false)(x, c)
		},
		"entities are resolved": openXML,
		"debug is on":           says("debug", 2, true),
		"of a password":         ofPassword,
		"weights_only is off": func(x *lowered, c call) bool {
			o, ok := c.in.Argument("weights_only", -1)
			return !ok && !c.spreads() || ok && !x.values.Of(c.f, o).True && !x.values.Of(c.f, o).Other
		},
		"no filter": func(_ *lowered, c call) bool {
			_, filter := c.in.Argument("filter", -1)
			_, members := c.in.Argument("members", 1)
			return !filter && !members && !c.spreads()
		},
		"HTML without autoescape": func(x *lowered, c call) bool {
			o, ok := c.in.Argument("autoescape", -1)
			return (!ok && !c.spreads() || ok && says("autoescape", -1, false)(x, c) && o.Kind == il.Constant) && htmlTemplates(x, c)
		},
		"goes to a model": func(x *lowered, c call) bool {
			return strings.HasPrefix(c.method(), "create_") || x.handled(c.f, c.in).open
		},
		"is given text": func(x *lowered, c call) bool {
			o, _ := c.in.Argument("", 0)
			v := x.values.Of(c.f, o)
			return !v.Other && (v.AnyStr || len(v.Strs) > 0) || c.f.Module.Language == python && composed(c.f, o)
		},
	}
}

// composed tells a text that is put together.
func composed(f *il.Function, o il.Operand) bool {
	def := f.Def(f.Root(o))
	if def == nil || def.Op != il.Bind && def.Op != il.Make {
		return false
	}
	return def.Op == il.Make && def.Kind == "text" || (def.Kind == "+" || def.Kind == "%") && slices.ContainsFunc(def.Args, func(a il.Operand) bool {
		_, ok := f.Str(f.Root(a))
		return ok || composed(f, a)
	})
}

// unsafeYAML tells a parser of YAML that builds objects: told so, or not told what
// it may build.
func unsafeYAML(x *lowered, c call) bool {
	if c.f.Module.Language == "java" {
		object, _ := c.receiver()
		made := c.f.Def(c.f.Root(object))
		return made != nil && made.Op == il.Call && len(made.Args) == 1
	}
	if strings.Contains(c.name, "unsafe") {
		return true
	}
	loader, ok := c.in.Argument("Loader", 1)
	if !ok {
		return !c.spreads()
	}
	s := x.Names.Operand(c.f, loader)
	return s != nil && slices.Contains([]string{"yaml.Loader", "yaml.UnsafeLoader", "yaml.CLoader", "yaml.loader.Loader", "yaml.loader.UnsafeLoader"}, s.Outside)
}

var guardsXML = map[string]bool{"setFeature": true, "setXIncludeAware": true, "setExpandEntityReferences": true, "setAttribute": true, "setProperty": true}

// openXML tells a parser that reads outside entities: told so, or in a file of Java
// that never says what its parsers may read.
func openXML(x *lowered, c call) bool {
	if c.f.Module.Language == python {
		o, ok := c.in.Argument("resolve_entities", -1)
		return ok && x.values.Of(c.f, o).True && !x.values.Of(c.f, o).Other
	}
	for f := range c.f.Module.All() {
		for _, in := range f.Instructions() {
			if in.Op == il.Call && guardsXML[last(in.Kind)] {
				return false
			}
		}
	}
	return true
}

// ofPassword tells a fast hash of what is called a password.
func ofPassword(x *lowered, c call) bool {
	switch c.method() {
	case "getInstance", "createHash":
		o, _ := c.in.Argument("", 0)
		algorithm, _ := c.f.Str(c.f.Root(o))
		if a := strings.ToLower(strings.ReplaceAll(algorithm, "-", "")); a != "md5" && a != "sha1" || c.f.Kind == il.Top {
			return false
		}
		// createHash("md5").update(password)
		return x.mentions(c.f, c.f.Versions[c.in.Dst].Uses, 4) || c.f.Module.Language == "java" && tables.MentionsPassword(last(c.f.Name))
	case "update":
		return false // told of what made the hash
	}
	return x.mentions(c.f, []*il.Instr{c.in}, 0)
}

// mentions tells whether one of some calls, or of the calls made on what they give,
// is given what is called a password.
func (x *lowered) mentions(f *il.Function, calls []*il.Instr, deep int) bool {
	return slices.ContainsFunc(calls, func(in *il.Instr) bool {
		if in.Op == il.Call && slices.ContainsFunc(in.Args[1:], func(o il.Operand) bool { return tables.MentionsPassword(spelled(f, o, 4)) }) {
			return true
		}
		return deep > 0 && in.Dst != il.NoDst && x.mentions(f, f.Versions[in.Dst].Uses, deep-1)
	})
}

// spelled are the names that an operand is made of, as they are written.
func spelled(f *il.Function, o il.Operand, deep int) string {
	switch def := f.Def(o); {
	case deep == 0:
		return ""
	case o.Kind == il.Free:
		return f.Word(o)
	case o.Kind != il.Local:
		text, _ := f.Str(o)
		return text
	case f.Versions[o.ID].Var[0] != '%':
		return f.Versions[o.ID].Var
	case def != nil && def.Op != il.Call && def.Op != il.Define:
		var parts []string
		for _, a := range def.Args {
			parts = append(parts, spelled(f, a, deep-1))
		}
		return strings.Join(parts, ".")
	case def != nil && def.Op == il.Call:
		parts := []string{def.Kind}
		for _, a := range def.Args[1:] {
			parts = append(parts, spelled(f, a, deep-1))
		}
		return strings.Join(parts, ".")
	}
	return ""
}

// makesSecret tells a call whose result is called a secret, and that is more than a
// choice among secrets.
func makesSecret(_ *lowered, c call) bool {
	if o, ok := c.in.Argument("seq", 0); ok && c.method() == "choice" && tables.NamesUnguessable(strings.TrimRight(spelled(c.f, o, 3), "sS")) {
		return false
	}
	return secretOf(c.f, c.in, map[*il.Instr]bool{})
}

// secretOf follows a value to the names that it is bound, set and given back under.
func secretOf(f *il.Function, in *il.Instr, seen map[*il.Instr]bool) bool {
	if seen[in] || in.Dst == il.NoDst {
		return false
	}
	seen[in] = true
	v := f.Versions[in.Dst]
	if v.Var[0] != '%' {
		return tables.NamesUnguessable(v.Var)
	}
	return slices.ContainsFunc(v.Uses, func(use *il.Instr) bool {
		switch use.Op {
		case il.Return:
			return tables.NamesUnguessable(last(f.Name)) && f.Span.To-f.Span.From < 400
		case il.Set:
			if key, _ := f.Str(use.Args[1]); use.Args[2].Is(in.Dst) && tables.NamesUnguessable(key) {
				return true
			}
		case il.Make:
			if i := slices.IndexFunc(use.Args, func(o il.Operand) bool { return o.Is(in.Dst) }); use.Kind == "map" && i < len(use.Names) && tables.NamesUnguessable(use.Names[i]) {
				return true
			}
		case il.Get:
			if tables.NamesUnguessable(strings.TrimRight(spelled(f, use.Args[0], 3), "sS")) {
				return false // one of the secrets that there are
			}
		case il.Define, il.Branch, il.Loop:
			return false
		default:
		}
		return secretOf(f, use, seen)
	})
}

// htmlTemplates tells a file that asks for templates of HTML pages.
func htmlTemplates(x *lowered, c call) bool {
	for f := range c.f.Module.All() {
		for _, in := range f.Instructions() {
			if in.Op != il.Call || last(in.Kind) != "get_template" {
				continue
			}
			o, _ := in.Argument("name", 0)
			if text, _ := f.Str(f.Root(o)); strings.HasSuffix(text, ".html") || strings.HasSuffix(text, ".htm") {
				return true
			}
		}
	}
	return false
}

var dangers = valuesOf("safety.dangers", func(x *lowered) []facts.Fact[facts.Dangerous] {
	out := slices.DeleteFunc(x.dangers(), func(f facts.Fact[facts.Dangerous]) bool {
		return f.Borrowed && f.Scope == code.ScopeVendor && f.Value.Severity != court.High
	})
	if x.own == nil {
		out = append(append(out, x.settings()...), x.unsafeBlocks()...)
	}
	return out
})

// dangers are the dangerous calls of every language.
func (x *lowered) dangers() (out []facts.Fact[facts.Dangerous]) {
	for row, c := range x.named(tables.Danger) {
		d := facts.Dangerous{Kind: row.Role, Name: court.Clean(c.name, 80), Why: row.Why, Instead: row.Instead, From: facts.Unclear,
			Severity: court.Severity(row.Severity), Certainty: court.Fixed(row.Certainty)}
		if row.Input == "script" && x.plain(c) {
			continue
		}
		if row.Input != "" {
			o, ok := c.input(row)
			if !row.Constant && (c.f.Module.Language != python || row.Input == "name") && row.Input != "statement" && (!ok || x.constant(c.f, o, c.in)) {
				continue
			}
			d.Input, d.From = true, x.inputFlow(row, c, o)
		}
		out = append(out, facts.With(x.lies(c.f, c.in.Span), d))
	}
	return out
}

// input is the argument that a row means.
func (c call) input(row tables.Row) (il.Operand, bool) {
	switch row.Input {
	case "statement":
		return il.Operand{}, false
	case "last":
		if len(c.in.Args) < 2 {
			return il.Operand{}, false
		}
		return c.in.Args[len(c.in.Args)-1], true
	case "receiver", "stream":
		return c.receiver()
	}
	return c.in.Argument("", 0)
}

// inputFlow is where what a row means comes from; of a statement, what is put into
// its text.
func (x *lowered) inputFlow(row tables.Row, c call, o il.Operand) facts.Origin {
	if row.Input == "statement" {
		worst, _ := x.statement(c)
		return worst
	}
	if row.Input == "script" {
		return x.scriptFlow(c.f, o, c.in)
	}
	return x.flow(c.f, o, c.in)
}

// settings are the dangers that are not a call: what is switched off, and HTML that is
// put together.
func (x *lowered) settings() (out []facts.Fact[facts.Dangerous]) {
	for f := range x.functions() {
		if f.Module.Language == "java" && last(f.Name) == "checkServerTrusted" && f.Kind != il.Declared && idle(f) {
			out = append(out, facts.With(x.lies(f, f.Span), setting("a TrustManager", "that accepts every certificate")))
		}
		for _, in := range f.Instructions() {
			args := in.Args
			if in.Op == il.Call {
				args = args[1:]
			}
			for i, name := range in.Names {
				if in.Op == il.Make && in.Kind == "map" || in.Op == il.Call && in.Mode == il.New {
					out = append(out, x.setting(f, in, name, args[i])...)
				}
			}
			if in.Op == il.Set && in.Kind == "attr" {
				name, _ := f.Str(in.Args[1])
				out = append(out, x.setting(f, in, name, in.Args[2])...)
			}
		}
	}
	return out
}

// idle tells a function without a statement.
func idle(f *il.Function) bool {
	for _, in := range f.Instructions() {
		if in.Op != il.Return && in.Op != il.Jump {
			return false
		}
	}
	return true
}

func setting(name, why string) facts.Dangerous {
	return facts.Dangerous{Kind: "settings", Name: name, Why: why, Instead: "check the certificate of the server", From: facts.Unclear, Severity: court.Medium}
}

// setting is the danger of a name that is given a value; what senders put into a
// page runs there.
func (x *lowered) setting(f *il.Function, in *il.Instr, name string, o il.Operand) []facts.Fact[facts.Dangerous] {
	lang := f.Module.Language
	script := lang == "javascript" || lang == "typescript"
	truth, constant := f.Const(f.Root(o))
	constant = constant && truth.Type == il.BoolConst
	switch {
	case name == "InsecureSkipVerify" && lang == "go" && constant && truth.Num != 0, name == "rejectUnauthorized" && script && constant && truth.Num == 0:
		return []facts.Fact[facts.Dangerous]{facts.With(x.lies(f, in.Span), setting(name, "switches the check of the server's certificate off"))}
	case !script || name != "innerHTML" && name != "outerHTML" && name != "__html":
		return nil
	case name == "__html":
		name = "dangerouslySetInnerHTML"
	}
	if x.constant(f, o, in) || escaped(x.origins.Of(f, o, in)) {
		return nil
	}
	d := facts.Dangerous{Kind: "settings", Name: name, Why: "is given HTML that is not constant", Instead: "set text instead of HTML, or clean the HTML first", Severity: court.Low, Certainty: half}
	switch d.From = x.flow(f, o, in); d.From {
	case facts.Own:
		return nil
	case facts.Sender, facts.Page:
		d.Kind, d.Why, d.Severity, d.Certainty = "code", "is given HTML with input from outside", court.High, 0
	default:
	}
	return []facts.Fact[facts.Dangerous]{facts.With(x.lies(f, in.Span), d)}
}

// escaped tells a way through a function that makes HTML harmless.
func escaped(from []analyse.Origin) bool {
	return slices.ContainsFunc(from, func(o analyse.Origin) bool {
		return slices.ContainsFunc(o.Steps(), func(s analyse.Step) bool {
			return s.Use != nil && s.Use.Op == il.Call && cleaners.MatchString(last(s.Use.Kind))
		}) ||
			o.Kind == analyse.FromCall && o.At != nil && cleaners.MatchString(last(o.At.Kind))
	})
}
