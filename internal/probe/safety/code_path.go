package safety

import (
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/tables"
)

var codePath = probe.Probe{
	ID: "code.path", Version: "1", Target: court.GithubRepo,
	Title:  "No request chooses which file or address is opened",
	Doc:    "Looks at every call that opens, writes, sends or removes a file, or fetches an address, in Python, Go, JavaScript, TypeScript, Java and Rust, and asks whether a part of an HTTP request is known to flow into the path or the address, with nothing on its way that tests or cuts it. What the program's own user names on the command line is that user's business; a value that is compared, looked up, resolved and tested, or cut to its last part is none.",
	Remedy: "Resolve the path and refuse what lies outside of the folder that is meant", Effort: 30,
	Run: probe.None[facts.Opened]{
		Of: opened,
		Is: func(o facts.Opened, _ probe.Args) facts.Answer { return o.Request },
		Violation: func(f facts.Fact[facts.Opened]) probe.Finding {
			out := probe.Finding{Rationale: f.Value.Name + " opens a path that a request names, and nothing on its way keeps it inside of a folder",
				Security: &court.Flaw{Severity: court.High, Tainted: "yes"}}
			if f.Value.Address {
				out.Rationale = f.Value.Name + " fetches an address that a request names"
				out.Security.Severity = court.Medium
			}
			return out
		},
		Nothing: "no call opens a file or fetches an address",
		Clean: func(_ probe.Args, n int) string {
			return fmt.Sprintf("into none of %d calls that open a file or fetch an address, a part of a request is known to flow untested", n)
		},
	}.Run,
}

// opened are the calls of every language that open a file or an address.
var opened = setOf("safety.opened", (*survey).opens, (*foreignCode).opens)

func (v *survey) opens() (out []facts.Fact[facts.Opened]) {
	for row, c := range v.Named(tables.Open, "path", "address") {
		n, _ := v.Input(row, c)
		for _, key := range []string{"file", "path", "url", "path_or_file"} {
			if x := c.Arg(key, -1); x.Valid() && row.Input == "" {
				n = x
			}
		}
		if k := v.p.Call(n.Unparen()); row.Input != "" && k != nil && k.Callee.Matches("pathlib.Path") {
			n = k.Node
		}
		name, f := v.Lies(c)
		o := facts.Opened{Name: court.Clean(name, 80), Address: row.Role == "address", Request: facts.No}
		if n.Valid() && v.fromRequest(n) && !(o.Address && v.fixedHost(n)) {
			o.Request = facts.Yes
		}
		out = append(out, facts.With(f, o))
	}
	return out
}

// fromRequest tells a value into which a part of a request is known to flow
// untested.
func (v *survey) fromRequest(n code.Node) bool {
	if k := v.p.Call(n); k != nil && k.Callee.Matches("pathlib.Path") {
		return slices.ContainsFunc(k.Args, func(a code.Argument) bool { return v.fromRequest(a.Value) })
	}
	if v.taint(n) != yes {
		return false
	}
	for _, o := range v.p.Origins(n) {
		if v.requestOrigin(o, 0) && v.weigh(o, 0) == yes && !slices.ContainsFunc(o.Path, v.lastPartOnly) {
			return true
		}
	}
	return false
}

// lastPartOnly tells an expression that gives the last part of a path alone.
func (v *survey) lastPartOnly(n code.Node) bool {
	if n.Is("attribute") {
		return isOneOf(n.Field("attribute").Text(), "name", "stem", "suffix")
	}
	c := v.p.Call(n)
	return c != nil && (c.Callee.Matches("os.path.basename", "posixpath.basename", "ntpath.basename") || strings.Contains(c.Name, "secure_filename"))
}

// requestOrigin tells an origin that is a part of an HTTP request.
func (v *survey) requestOrigin(o code.Origin, depth int) bool {
	switch {
	case depth < maxCuts && o.Kind == code.OriginCall && o.Call.Callee.Matches("re.findall", "re.split"):
		return slices.ContainsFunc(v.p.Origins(o.Call.Arg("string", 1)), func(o code.Origin) bool { return v.requestOrigin(o, depth+1) })
	case v.requested(o.Node):
		return true
	case o.Kind == code.OriginCall && o.Call.Callee.Matches("flask.request.*"), o.Kind == code.OriginSymbol && o.Symbol.Matches("flask.request", "flask.request.*"):
		return true
	case o.Kind == code.OriginParam && o.Def != nil:
		return slices.ContainsFunc(o.Def.Decorators(), func(n code.Node) bool {
			if n.Is("call") {
				n = n.Field("function")
			}
			return v.p.Resolve(n).Matches("fastapi.*", "flask.*", "starlette.*", "quart.*")
		})
	}
	return false
}

// readsRequested tells a call that reads what a file or an address holds that a
// request names.
func (v *survey) readsRequested(c *code.Call) bool {
	if !isOneOf(c.Name, "read", "readlines") {
		return false
	}
	from := []code.Node{c.Receiver.Unparen()}
	if from[0].Is("conditional_expression") {
		from = []code.Node{from[0].Child(0).Unparen(), from[0].Child(2).Unparen()}
	}
	return slices.ContainsFunc(from, func(n code.Node) bool {
		k := v.p.Call(n)
		return k != nil && k.Callee.Matches("builtins.open", "urllib.request.urlopen") && v.fromRequest(k.Arg("", 0))
	})
}

// fixedHost tells an address whose host is constant.
func (v *survey) fixedHost(n code.Node) bool {
	for _, c := range v.p.Eval(n).Choices() {
		text := c.Pattern()
		_, rest, ok := strings.Cut(text, "://")
		host, _, path := strings.Cut(rest, "/")
		if !ok || !path || strings.Contains(host, "*") {
			return false
		}
	}
	return true
}

func (x *foreignCode) opens() (out []facts.Fact[facts.Opened]) {
	add := func(c, n syntax.Node, name string, address bool) {
		o := facts.Opened{Name: court.Clean(name, 80), Address: address, Request: facts.No}
		if n.Valid() && !n.Is("func") && !(address && (serverless(c) || x.hostFixed(n))) && x.flow(n) == facts.Sender {
			o.Request = facts.Yes
		}
		out = append(out, facts.With(lies(c), o))
	}
	for row, c := range x.Named(tables.Open, "path", "address") {
		n, _ := x.Input(row, c)
		add(c, n, x.callee(c), row.Role == "address")
	}
	for _, c := range x.calls {
		if n := x.sentFile(c); n.Valid() {
			add(c, n, c.Child("callee").Name(), false)
		}
	}
	return out
}

// serverless tells a file that runs in a browser: what is fetched there is the
// visitor's own business.
func serverless(c syntax.Node) bool {
	return c.Child("callee").Name() == "fetch" && slices.ContainsFunc([]string{".jsx", ".tsx", ".vue"}, func(ext string) bool { return strings.HasSuffix(c.Path(), ext) })
}

// hostFixed tells an address that begins with a constant host.
func (x *foreignCode) hostFixed(n syntax.Node) bool {
	parts := x.p.Value(n)
	if len(parts) == 0 || parts[0].Kind != "text" {
		return false
	}
	_, rest, ok := strings.Cut(parts[0].Text, "://")
	return ok && strings.Contains(rest, "/") || strings.HasPrefix(parts[0].Text, "/")
}

// sentFile is the path of a file that a response of express is told to send
// without a root that it may not leave.
func (x *foreignCode) sentFile(c syntax.Node) syntax.Node {
	callee := c.Child("callee")
	if !scripted(c) || !callee.Is("member") || callee.Name() != "sendFile" && callee.Name() != "download" || option(c, "root").Valid() {
		return syntax.Node{}
	}
	if responseWord.MatchString(callee.Child("object").Name()) {
		return arg(c, 0)
	}
	return syntax.Node{}
}
