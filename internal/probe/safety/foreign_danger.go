package safety

import (
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/tables"
)

const python = "python"

// threatening are the conditions of the table of dangers, for calls of the
// other languages.
func threatening() map[string]func(x *foreignCode, c syntax.Node) bool {
	return map[string]func(x *foreignCode, c syntax.Node) bool{
		"loader builds objects":             plainYAML,
		"statement with values in its text": formatsStatement,
		"result is a secret":                makesSecret,
		"verify is off":                     saysTrue,
		"entities are resolved":             openXML,
		"of a password":                     ofPassword,
		"is given text":                     givesText,
	}
}

// endangered is the argument of a call that a row of the table means.
func endangered(x *foreignCode, row tables.Row, c syntax.Node) syntax.Node {
	switch row.Input {
	case "last":
		return c.Nth("arg", len(slices.Collect(c.Children("arg")))-1)
	case "stream":
		return streamOf(x, c)
	}
	return arg(c, 0)
}

// dangers are the findings about dangerous calls in the languages beside
// Python, and the places outside of the scope.
func (x *foreignCode) dangers(scope, kind string) (out []probe.Finding, elsewhere []string) {
	all, when := tables.Of(tables.Danger), threatening()
	told := map[syntax.Node]bool{}
	for _, c := range x.calls {
		full := x.callee(c)
		for _, t := range all {
			if !asked(kind, t.Role) || told[c] || !t.In(string(c.File().Language)) || !t.Matches(full) || t.When != "" && !when[t.When](x, c) {
				continue
			}
			f, ok := x.threatened(t, c, orName(full, c))
			if !ok {
				continue
			}
			told[c] = true
			if !counts(c, scope) {
				elsewhere = append(elsewhere, spotOf(c))
				continue
			}
			out = append(out, f)
		}
	}
	for _, f := range x.marks(scope) {
		is := "settings"
		if f.Security.Severity == court.High { // what senders put into a page runs there
			is = "code"
		}
		if asked(kind, is) {
			out = append(out, f)
		}
	}
	return out, elsewhere
}

func orName(full string, c syntax.Node) string {
	if full == "" || strings.HasPrefix(full, "./") {
		return c.Child("callee").Name()
	}
	return full
}

// threatened is the finding of one dangerous call; ok is false where it only
// gets constants.
func (x *foreignCode) threatened(t tables.Row, c syntax.Node, name string) (probe.Finding, bool) {
	f := probe.Against(source(c), spots(c), "%s %s", court.Clean(name, 80), t.Why)
	flaw := &court.Flaw{Severity: court.Severity(t.Severity), Tainted: "unknown", Scope: string(scopeAt(c))}
	f.Security, f.Certainty = flaw, court.Fixed(t.Certainty)
	var o origin
	switch t.Input {
	case "":
		return f, true
	case "statement":
		o = statementOrigin(x, c)
	default:
		n := endangered(x, t, c)
		if !t.Constant && (!n.Valid() || x.fixed(n)) {
			return f, false
		}
		o = x.flow(n)
	}
	flaw.Tainted = o.tainted()
	switch o {
	case bySender, byPage:
		f.Rationale += "; input from outside flows into it"
		return f, true
	case byUser:
		f.Rationale += "; what the program's own user gives flows into it"
	case ownValue:
		f.Rationale += "; it only gets values of the program's own"
		f.Certainty = half
	case unclear:
		f.Certainty = half
	}
	if flaw.Severity == court.High {
		flaw.Severity = court.Medium
	}
	return f, true
}

// fixed tells an expression that is all constant.
func (x *foreignCode) fixed(n syntax.Node) bool {
	return !slices.ContainsFunc(x.p.Value(n), func(p syntax.Part) bool { return p.Kind != "text" && p.Kind != "number" && p.Kind != "nil" })
}

// givesText tells a timer that is given text, not a function.
func givesText(x *foreignCode, c syntax.Node) bool {
	parts := x.p.Value(arg(c, 0))
	return slices.ContainsFunc(parts, func(p syntax.Part) bool { return p.Kind == "text" })
}

// streamOf is what an input stream of Java reads from.
func streamOf(x *foreignCode, c syntax.Node) syntax.Node {
	object := c.Child("callee").Child("object")
	if v := x.written(object); v.Is("call") && v.Has(syntax.New) {
		return arg(v, 0)
	}
	return object
}

// plainYAML tells a parser of YAML that was not told what it may build.
func plainYAML(x *foreignCode, c syntax.Node) bool {
	v := x.written(c.Child("callee").Child("object"))
	return v.Is("call") && v.Has(syntax.New) && !arg(v, 0).Valid()
}

var guardsXML = regexp.MustCompile(`setFeature|setXIncludeAware|setExpandEntityReferences|ACCESS_EXTERNAL|SUPPORT_DTD|IS_SUPPORTING_EXTERNAL|setAttribute|setProperty`)

// openXML tells a factory in a file that never says what its parsers may read.
func openXML(_ *foreignCode, c syntax.Node) bool { return !guardsXML.MatchString(c.File().Text()) }

// ofPassword tells a fast hash of what is called a password.
func ofPassword(_ *foreignCode, c syntax.Node) bool {
	if name := last(c.Child("callee").Name()); name == "getInstance" || name == "createHash" {
		algorithm := strings.ToLower(strings.ReplaceAll(arg(c, 0).Name(), "-", ""))
		if !slices.Contains([]string{"md5", "sha1"}, algorithm) {
			return false
		}
		fn := function(c)
		if fn.Is("file") {
			return false
		}
		for p := range c.Around() { // createHash("md5").update(password)
			if p.Is("block", "func") {
				break
			}
			if p.Is("call") && slices.ContainsFunc(slices.Collect(p.Children("arg")), func(a syntax.Node) bool { return tables.MentionsPassword(a.Text()) }) {
				return true
			}
		}
		return c.File().Language == "java" && tables.MentionsPassword(fn.Name())
	}
	return slices.ContainsFunc(slices.Collect(c.Children("arg")), func(a syntax.Node) bool {
		return !a.Is("func") && len(a.Text()) < 200 && tables.MentionsPassword(a.Text())
	})
}

// makesSecret tells a call whose result is called a secret.
func makesSecret(_ *foreignCode, c syntax.Node) bool {
	for p := range c.Around() {
		switch p.Kind() {
		case "assign":
			name := p.Child("target").Name()
			return tables.NamesSecret(name, tables.Unguessable)
		case "entry":
			return tables.NamesSecret(p.Name(), tables.Unguessable)
		case "return":
			fn := p.Enclosing("func")
			return tables.NamesSecret(fn.Name(), tables.Unguessable) && len(fn.Text()) < 400
		case "block", "func", "file":
			return false
		}
	}
	return false
}

func saysTrue(_ *foreignCode, c syntax.Node) bool {
	return arg(c, 0).Is("bool") && arg(c, 0).Name() == "true"
}

// marks are findings about what is no call: settings, assignments, elements.
func (x *foreignCode) marks(scope string) []probe.Finding {
	var out []probe.Finding
	for _, f := range x.p.Files {
		if !f.Parsed {
			continue
		}
		for n := range f.Root().Walk() {
			m, ok := x.mark(n)
			if ok && counts(n, scope) {
				out = append(out, m)
			}
		}
	}
	return append(out, x.unexplained(scope)...)
}

func (x *foreignCode) mark(n syntax.Node) (probe.Finding, bool) {
	switch n.Kind() {
	case "entry":
		return x.markedEntry(n)
	case "assign":
		return x.markedAssign(n)
	case "func":
		if n.File().Language == "java" && trustsAll(n) {
			return x.finding(n, court.Medium, court.One, "a TrustManager that accepts every certificate"), true
		}
	}
	return probe.Finding{}, false
}

func (x *foreignCode) finding(n syntax.Node, severity court.Severity, certainty court.Fixed, why string) probe.Finding {
	f := probe.Against(source(n), spots(n), "%s", why)
	f.Security = &court.Flaw{Severity: severity, Tainted: "unknown", Scope: string(scopeAt(n))}
	if certainty != court.One {
		f.Certainty = certainty
	}
	return f
}

// markedEntry looks at a setting in a record, or an attribute of an element.
func (x *foreignCode) markedEntry(n syntax.Node) (probe.Finding, bool) {
	v := n.Child("value")
	switch name := n.Name(); {
	case name == "InsecureSkipVerify" && n.File().Language == "go" && v.Is("bool") && v.Name() == "true",
		name == "rejectUnauthorized" && scripted(n) && v.Is("bool") && v.Name() == "false":
		return x.finding(n, court.Medium, court.One, name+" switches the check of the server's certificate off"), true
	case name == "dangerouslySetInnerHTML" && scripted(n) && v.Is("record"):
		if html := entry(v, "__html"); html.Valid() {
			return x.htmlFinding(n, html, name)
		}
	}
	return probe.Finding{}, false
}

func scripted(n syntax.Node) bool {
	return n.File().Language == "javascript" || n.File().Language == "typescript"
}

// markedAssign looks at what is given to innerHTML, and to Go's TLS settings.
func (x *foreignCode) markedAssign(n syntax.Node) (probe.Finding, bool) {
	t, v := n.Child("target"), n.Child("value")
	switch {
	case t.Is("member") && t.Name() == "InsecureSkipVerify" && n.File().Language == "go" && v.Is("bool") && v.Name() == "true":
		return x.finding(n, court.Medium, court.One, "InsecureSkipVerify switches the check of the server's certificate off"), true
	case t.Is("member") && (t.Name() == "innerHTML" || t.Name() == "outerHTML") && scripted(n):
		return x.htmlFinding(n, v, t.Name())
	}
	return probe.Finding{}, false
}

// htmlFinding is the finding of HTML that is put together.
func (x *foreignCode) htmlFinding(n, html syntax.Node, name string) (probe.Finding, bool) {
	if x.fixed(html) || escaped(html) {
		return probe.Finding{}, false
	}
	switch o := x.flow(html); o {
	case ownValue:
		return probe.Finding{}, false
	case bySender, byPage:
		f := x.finding(n, court.High, court.One, name+" is given HTML with input from outside")
		f.Security.Tainted = "yes"
		return f, true
	default:
		f := x.finding(n, court.Low, half, name+" is given HTML that is not constant")
		f.Security.Tainted = o.tainted()
		return f, true
	}
}

// escaped tells HTML that goes through a function that makes it harmless.
func escaped(n syntax.Node) bool {
	for c := range n.Walk() {
		if c.Is("call") && cleaners.MatchString(c.Child("callee").Name()) {
			return true
		}
	}
	return false
}

// trustsAll tells a checkServerTrusted without a statement.
func trustsAll(fn syntax.Node) bool {
	if fn.Name() != "checkServerTrusted" || !fn.Child("body").Is("block") {
		return false
	}
	for range fn.Child("body").Children() {
		return false
	}
	return true
}

// unexplained is the finding of Rust's unsafe blocks that do not say why they
// are safe.
func (x *foreignCode) unexplained(scope string) []probe.Finding {
	var found []syntax.Node
	all := 0
	for _, f := range x.p.Files {
		if f.Language != "rust" || !f.Parsed {
			continue
		}
		for n := range f.Root().Walk() {
			if n.Is("block") && n.Has(syntax.Unsafe) && counts(n, scope) {
				if all++; !saysSafe(n) {
					found = append(found, n)
				}
			}
		}
	}
	if len(found) == 0 {
		return nil
	}
	f := x.finding(found[0], court.Low, half, fmt.Sprintf("%d of %d unsafe blocks have no comment that says why they are safe", len(found), all))
	f.Places = spots(found[:min(len(found), 10)]...)
	return []probe.Finding{f}
}

var safeWord = regexp.MustCompile(`(?i)\bsafe(ty|ly)?\b|\bsound(ness)?\b|\binvariant`)

// saysSafe tells a block with a comment about its safety inside, on its line,
// or in the lines before it.
func saysSafe(n syntax.Node) bool {
	f := n.File()
	for _, c := range f.Comments() {
		line := f.LineAt(int(c.From))
		end := f.LineAt(int(c.To))
		if end >= n.Line()-6 && line <= n.EndLine() && safeWord.MatchString(f.Text()[c.From:c.To]) {
			return true
		}
	}
	return false
}
