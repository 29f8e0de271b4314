package tool

import (
	"regexp"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
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
		switch v.taintOne(n) {
		case yes:
			if v.tested(n, lead{calls: map[*code.Definition][]code.Node{v.function(n): {n}}}).Valid() {
				answer = unsure
				continue
			}
			return yes
		case unsure:
			answer = unsure
		case no:
		}
	}
	return answer
}

// taintOne is the worst of the origins of one expression. What tests pass is no
// way into the product: where nothing else is known, the parameter itself is
// the origin.
func (v *survey) taintOne(n code.Node) tri {
	answer, known := no, false
	var others []code.Origin
	for _, o := range v.p.Origins(n) {
		if v.production(n) && v.wayRank(o.Path) == 3 {
			others = append(others, o)
			continue
		}
		known = true
		switch v.taintOf(o) {
		case yes:
			return yes
		case unsure:
			answer = unsure
		case no:
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
		if outsideKeys.MatchString(key(last)) || last.Is("identifier") && outsideKeys.MatchString(last.Text()) {
			return yes
		}
		answer = unsure
	}
	return answer
}

// ownCalls give values of the program's own.
var ownCalls = []string{"tempfile.*", "uuid.*", "time.*", "datetime.*", "os.getpid", "os.getcwd", "pathlib.Path.cwd", "shlex.quote", "pipes.quote",
	"builtins.len", "builtins.id", "builtins.hash", "builtins.range", "builtins.bool", "builtins.int", "builtins.float", "builtins.round",
	"random.*", "secrets.*", "hashlib.*", "shutil.which", "os.cpu_count", "platform.*", "sys.executable", "multiprocessing.cpu_count"}

// outsideCalls give what somebody else wrote.
var outsideCalls = []string{"builtins.input", "flask.request.*", "streamlit.text_input", "streamlit.text_area", "streamlit.chat_input",
	"streamlit.file_uploader", "click.prompt", "typer.prompt", "questionary.text().ask", "rich.prompt.Prompt.ask"}

// outsideKeys are names under which a state, a record or a parameter carries
// the submission or a question of somebody's.
var outsideKeys = regexp.MustCompile(`^(repo|repository|git|github|clone|remote|target|submission|peer|project|source)?_?(url|uri)$|^(user_(input|query|text)|pdf_(path|url))$`)

// taintOf classifies one origin.
func (v *survey) taintOf(o code.Origin) tri {
	switch o.Kind {
	case code.OriginLiteral:
		return no
	case code.OriginCall:
		switch {
		case o.Call.Callee.Matches(ownCalls...):
			return no
		case o.Call.Callee.Matches(outsideCalls...), v.arguments(o.Call):
			return yes
		case v.model(o.Call):
			return yes
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
		if v.outsideParam(o) {
			return yes
		}
	case code.OriginAttribute:
		if k := key(o.Node); outsideKeys.MatchString(k) && v.given(o) {
			return yes
		}
		if strings.HasPrefix(o.Symbol.Qualified, "tempfile.") {
			return no
		}
	default:
	}
	return unsure
}

// arguments tells a call that reads the command line.
func (v *survey) arguments(c *code.Call) bool {
	return c.Callee.Matches("argparse.ArgumentParser().parse_args", "argparse.ArgumentParser().parse_known_args") ||
		!c.Callee.Known() && isOneOf(c.Name, "parse_args", "parse_known_args")
}

// model tells a call of a language model of a known library.
func (v *survey) model(c *code.Call) bool {
	return isOneOf(c.Name, "invoke", "ainvoke", "predict", "generate_content") &&
		c.Callee.Matches("langchain*", "openai.*", "anthropic.*", "google.*")
}

// outsideParam tells a parameter that a command line, a web route, or a caller
// that the program does not show fills with something of somebody's.
func (v *survey) outsideParam(o code.Origin) bool {
	if o.Def == nil {
		return false
	}
	for _, d := range o.Def.Decorators() {
		target := d
		if d.Is("call") {
			target = d.Field("function")
		}
		if v.p.Resolve(target).Matches("click.*", "typer.*", "fastapi.*", "flask.*", "starlette.*", "quart.*") &&
			isOneOf(lastPart(target.Text()), "command", "argument", "option", "get", "post", "put", "delete", "patch", "route", "websocket") {
			return true
		}
	}
	return outsideKeys.MatchString(o.Param) && len(o.Def.Params()) > 0
}

// given tells an attribute or element of a parameter: a state or a request.
func (v *survey) given(o code.Origin) bool {
	root := o.Node
	for root.Is("attribute", "subscript", "call") {
		switch root.Kind() {
		case "attribute":
			root = root.Field("object")
		case "subscript":
			root = root.Field("value")
		default:
			root = root.Field("function")
		}
	}
	if !root.Is("identifier") || root.Text() == "self" || root.Text() == "settings" || root.Text() == "config" {
		return false
	}
	return slices.ContainsFunc(v.p.Origins(root), func(r code.Origin) bool {
		return r.Kind == code.OriginParam || r.Kind == code.OriginCall && v.arguments(r.Call)
	})
}

// constant tells an expression that is fully known.
func (v *survey) constant(n code.Node) bool {
	if !n.Valid() {
		return false
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
