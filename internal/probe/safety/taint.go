package safety

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// taint says whether a value carries what comes from outside: yes only when the
// flow is known and no test stands in its way, no only when every part of it is
// known to be the program's own.
func (v *survey) taint(nodes ...code.Node) tri {
	answer := no
	for _, n := range nodes {
		if !n.Valid() {
			continue
		}
		t := v.taintOne(n, 0)
		if t == yes && (v.tested(n, lead{calls: map[*code.Definition][]code.Node{v.function(n): {n}}}).Valid() || v.replaced(n) || v.screened(n)) {
			t = unsure
		}
		if answer = max(answer, t); answer == yes {
			break
		}
	}
	return answer
}

// taintOne is the worst of the origins of one expression. What tests pass is no
// way into the product: where nothing else is known, the parameter itself is
// the origin.
func (v *survey) taintOne(n code.Node, depth int) tri {
	answer, known := no, false
	var others []code.Origin
	for _, o := range v.p.Origins(n) {
		if v.production(n) && v.wayRank(o.Path) == 3 {
			others = append(others, o)
			continue
		}
		known = true
		if answer = max(answer, v.weigh(o, depth)); answer == yes {
			return yes
		}
	}
	if known {
		return answer
	}
	for _, o := range others {
		var last code.Node
		for _, x := range o.Path {
			if !v.production(x) {
				break
			}
			last = x
		}
		if !last.Valid() {
			continue
		}
		switch fn := v.function(last); {
		case isParameter(fn, last):
			answer = max(answer, v.paramTaint(code.Origin{Kind: code.OriginParam, Node: last, Def: fn, Param: last.Text(), Path: o.Path[:slices.Index(o.Path, last)+1]}))
		case outsideKeys.MatchString(key(last)) && v.wired[fn]:
			return yes
		default:
			answer = max(answer, unsure)
		}
	}
	return answer
}

// weigh classifies one origin, by what it is and what happens to the value on
// its way.
func (v *survey) weigh(o code.Origin, depth int) tri {
	t := v.taintOf(o, depth)
	if t == no {
		return no
	}
	return min(t, v.cleaned(o.Path).opposite())
}

// outsideKeys are names under which a state, a record or a parameter carries
// the submission or a question of somebody's.
var outsideKeys = regexp.MustCompile(`^(repo|repository|git|github|clone|remote|target|submission|peer|project|source)?_?(url|uri)$|^(user_(input|query|text)|pdf_(path|url))$`)

// taintOf classifies one origin.
func (v *survey) taintOf(o code.Origin, depth int) tri {
	if v.requested(o.Node) {
		return yes
	}
	if t, ok := v.argument(o.Node); ok {
		return t
	}
	switch o.Kind {
	case code.OriginLiteral:
		return no
	case code.OriginCall:
		switch {
		case o.Call.Callee.In(tables.Of(tables.Flow), "own"):
			return no
		case o.Call.Callee.In(tables.Of(tables.Flow), "sender"):
			return yes
		case v.arguments(o.Call):
			for i := len(o.Path) - 2; i >= 0; i-- {
				if n := o.Path[i]; n.Is("attribute") && n.Field("object") == o.Path[i+1] {
					return v.argumentTaint(n)
				}
			}
			return unsure
		case v.model(o.Call), depth == 0 && v.readsRequested(o.Call):
			return yes
		case o.Call.Callee.Matches("re.findall", "re.split") && depth < maxCuts:
			return v.cut(o.Call, depth+1)
		}
	case code.OriginSymbol:
		switch {
		case o.Symbol.Matches("sys.argv", "flask.request", "flask.request.*"):
			return yes
		case o.Def != nil, o.Symbol.Matches("sys.executable", "os.sep", "os.linesep", "os.devnull", "os.name", "sys.platform"), o.Symbol.Module != nil:
			return no
		}
	case code.OriginParam:
		if o.Param == "self" || o.Param == "cls" {
			return no
		}
		return v.paramTaint(o)
	case code.OriginAttribute:
		if t, ok := v.fieldTaint(o.Node); ok {
			return t
		}
		if outsideKeys.MatchString(key(o.Node)) && v.given(o) {
			return yes
		}
		if strings.HasPrefix(o.Symbol.Qualified, "tempfile.") {
			return no
		}
	default:
	}
	return unsure
}

// maxCuts bounds how often a text is cut out of another.
const maxCuts = 3

var anyText = regexp.MustCompile(`\[\^|\.[*+]|\\S`)

// cut is what the parts of a text carry that match a pattern: that of the text
// when the pattern lets anything pass.
func (v *survey) cut(c *code.Call, depth int) tri {
	t := v.taintOne(c.Arg("string", 1), depth)
	if t == yes && c.Name == "findall" && !anyText.MatchString(v.p.Eval(c.Arg("pattern", 0)).Pattern()) {
		return unsure
	}
	return t
}

// arguments tells a call that reads the command line.
func (v *survey) arguments(c *code.Call) bool {
	return c.Callee.Matches("argparse.ArgumentParser*.parse_args", "argparse.ArgumentParser*.parse_known_args") ||
		!c.Callee.Known() && isOneOf(c.Name, "parse_args", "parse_known_args")
}

// model tells a call of a language model of a known library.
func (v *survey) model(c *code.Call) bool {
	return isOneOf(c.Name, "invoke", "ainvoke", "predict", "generate_content") &&
		c.Callee.Matches("langchain*", "openai.*", "anthropic.*", "google.*")
}

// argument is what a value carries that is read from the arguments of the
// command line; ok is false for any other.
func (v *survey) argument(n code.Node) (t tri, ok bool) {
	root := n.Field("object")
	if !n.Is("attribute") || !root.Is("identifier") || !slices.ContainsFunc(v.p.Origins(root), func(r code.Origin) bool {
		return r.Kind == code.OriginCall && v.arguments(r.Call)
	}) {
		return no, false
	}
	return v.argumentTaint(n), true
}

// rooted is the name that an attribute or element is taken from.
func rooted(n code.Node) code.Node {
	for n.Is("attribute", "subscript", "call") {
		switch n.Kind() {
		case "attribute":
			n = n.Field("object")
		case "subscript":
			n = n.Field("value")
		default:
			n = n.Field("function")
		}
	}
	return n
}

// given tells an attribute or element of the state that the graph hands to a
// node.
func (v *survey) given(o code.Origin) bool {
	root := rooted(o.Node)
	if !root.Is("identifier") || root.Text() == "self" || root.Text() == "settings" || root.Text() == "config" {
		return false
	}
	return slices.ContainsFunc(v.p.Origins(root), func(r code.Origin) bool {
		return r.Kind == code.OriginParam && v.wired[r.Def]
	})
}

// constant tells an expression that is fully known.
func (v *survey) constant(n code.Node) bool {
	if !n.Valid() {
		return false
	}
	if slices.ContainsFunc(v.p.Origins(n), func(o code.Origin) bool { return o.Kind == code.OriginParam }) {
		return false // a default is only one of the values that it may have
	}
	for _, c := range v.p.Eval(n).Choices() {
		switch c.Kind {
		case code.ValueString, code.ValueBytes:
			if len(c.Items) > 0 {
				return false
			}
		case code.ValueList, code.ValueTuple:
			for _, item := range c.Items {
				if _, ok := item.Str(); !ok {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}
