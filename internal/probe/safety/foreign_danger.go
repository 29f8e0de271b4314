package safety

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
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

// ofPassword tells a fast hash of what is called a password; of a chain of calls
// it is the one that makes the hash.
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
	made := c.Child("callee").Child("object")
	return !(made.Is("call") && last(made.Child("callee").Name()) == "createHash" && ofPassword(nil, made)) && slices.ContainsFunc(slices.Collect(c.Children("arg")), func(a syntax.Node) bool {
		return !a.Is("func") && len(a.Text()) < 200 && tables.MentionsPassword(a.Text())
	})
}

// makesSecret tells a call whose result is called a secret.
func makesSecret(_ *foreignCode, c syntax.Node) bool {
	for p := range c.Around() {
		switch p.Kind() {
		case "assign":
			name := p.Child("target").Name()
			return tables.NamesUnguessable(name)
		case "entry":
			return tables.NamesUnguessable(p.Name())
		case "return":
			fn := p.Enclosing("func")
			return tables.NamesUnguessable(fn.Name()) && len(fn.Text()) < 400
		case "index": // one of the keys that there are
			if tables.NamesUnguessable(strings.TrimRight(p.Child("object").Text(), "sS")) {
				return false
			}
		case "block", "func", "file":
			return false
		}
	}
	return false
}

func saysTrue(_ *foreignCode, c syntax.Node) bool {
	return arg(c, 0).Is("bool") && arg(c, 0).Name() == "true"
}

// marks are the dangers that are no call: settings, assignments, elements.
func (x *foreignCode) marks() (out []facts.Fact[facts.Dangerous]) {
	unsafe := map[code.Scope][]syntax.Node{}
	for _, f := range x.p.Files {
		if !f.Parsed {
			continue
		}
		for n := range f.Root().Walk() {
			switch d, ok := x.mark(n); {
			case ok:
				out = append(out, facts.With(lies(n), d))
			case f.Language == "rust" && n.Is("block") && n.Has(syntax.Unsafe):
				unsafe[scopeAt(n)] = append(unsafe[scopeAt(n)], n)
			}
		}
	}
	for _, scope := range slices.Sorted(maps.Keys(unsafe)) {
		out = append(out, unexplained(unsafe[scope])...)
	}
	return out
}

// mark is the danger of a setting or an element; what senders put into a page
// runs there.
func (x *foreignCode) mark(n syntax.Node) (facts.Dangerous, bool) {
	switch n.Kind() {
	case "entry":
		return x.markedEntry(n)
	case "assign":
		return x.markedAssign(n)
	case "func":
		if n.File().Language == "java" && trustsAll(n) {
			return setting("a TrustManager", "that accepts every certificate"), true
		}
	}
	return facts.Dangerous{}, false
}

func setting(name, why string) facts.Dangerous {
	return facts.Dangerous{Kind: "settings", Name: name, Why: why, From: facts.Unclear, Severity: court.Medium}
}

// markedEntry looks at a setting in a record, or an attribute of an element.
func (x *foreignCode) markedEntry(n syntax.Node) (facts.Dangerous, bool) {
	v := n.Child("value")
	switch name := n.Name(); {
	case name == "InsecureSkipVerify" && n.File().Language == "go" && v.Is("bool") && v.Name() == "true",
		name == "rejectUnauthorized" && scripted(n) && v.Is("bool") && v.Name() == "false":
		return setting(name, "switches the check of the server's certificate off"), true
	case name == "dangerouslySetInnerHTML" && scripted(n) && v.Is("record"):
		if html := entry(v, "__html"); html.Valid() {
			return x.putIn(html, name)
		}
	}
	return facts.Dangerous{}, false
}

func scripted(n syntax.Node) bool {
	return n.File().Language == "javascript" || n.File().Language == "typescript"
}

// markedAssign looks at what is given to innerHTML, and to Go's TLS settings.
func (x *foreignCode) markedAssign(n syntax.Node) (facts.Dangerous, bool) {
	t, v := n.Child("target"), n.Child("value")
	switch {
	case t.Is("member") && t.Name() == "InsecureSkipVerify" && n.File().Language == "go" && v.Is("bool") && v.Name() == "true":
		return setting(t.Name(), "switches the check of the server's certificate off"), true
	case t.Is("member") && (t.Name() == "innerHTML" || t.Name() == "outerHTML") && scripted(n):
		return x.putIn(v, t.Name())
	}
	return facts.Dangerous{}, false
}

// putIn is the danger of HTML that is put together.
func (x *foreignCode) putIn(html syntax.Node, name string) (facts.Dangerous, bool) {
	if x.fixed(html) || escaped(html) {
		return facts.Dangerous{}, false
	}
	switch o := x.flow(html); o {
	case facts.Own:
		return facts.Dangerous{}, false
	case facts.Sender, facts.Page:
		return facts.Dangerous{Kind: "code", Name: name, Why: "is given HTML with input from outside", From: o, Severity: court.High}, true
	default:
		return facts.Dangerous{Kind: "settings", Name: name, Why: "is given HTML that is not constant", From: o, Severity: court.Low, Certainty: half}, true
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

// unexplained is the danger of Rust's unsafe blocks that do not say why they are
// safe.
func unexplained(all []syntax.Node) []facts.Fact[facts.Dangerous] {
	found := slices.DeleteFunc(slices.Clone(all), saysSafe)
	if len(found) == 0 {
		return nil
	}
	f := facts.With(lies(found[0]), facts.Dangerous{Kind: "settings", Name: fmt.Sprintf("%d of %d unsafe blocks", len(found), len(all)),
		Why: "have no comment that says why they are safe", From: facts.Unclear, Severity: court.Low, Certainty: half})
	f.At = places(found[:min(len(found), 10)]...)
	return []facts.Fact[facts.Dangerous]{f}
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
