package safety

import (
	"fmt"
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

var codePath = probe.Probe{
	ID: "code.path", Version: "2", Target: court.GithubRepo,
	Title:  "No request chooses which file or address is opened",
	Doc:    "Looks at every call that opens, writes, sends or removes a file, or fetches an address, in Python, Go, JavaScript, TypeScript, Java, Rust and C#, and asks whether a part of an HTTP request is known to flow into the path or the address, with nothing on its way that tests or cuts it. What the program's own user names on the command line is that user's business; a value that is compared, looked up, resolved and tested, or cut to its last part is none.",
	Remedy: "Resolve the path and refuse what lies outside of the folder that is meant.", Effort: 30,
	Run: probe.None[facts.Opened]{
		Of: opened,
		Is: func(o facts.Opened, _ probe.Args) facts.Answer { return o.Request },
		Violation: func(f facts.Fact[facts.Opened]) probe.Finding {
			out := probe.Finding{Rationale: f.Value.Name + " opens a path that a request names, and nothing keeps the path inside of a folder.",
				Security: &court.Flaw{Severity: court.High, Tainted: "yes"}}
			if f.Value.Address {
				out.Rationale = f.Value.Name + " fetches an address that a request names."
				out.Security.Severity = court.Medium
				return out.Do("Test the address at %s against a list of hosts before it is fetched.", at(f.At))
			}
			return out.Do("Resolve the path at %s and refuse a path outside of the folder that is meant.", at(f.At))
		},
		Nothing: "no call opens a file or fetches an address",
		Clean: func(_ probe.Args, n int) string {
			return fmt.Sprintf("no part of a request is known to flow untested into any of %d calls that open a file or fetch an address", n)
		},
	}.Run,
}

// opened are the calls of every language that open a file or an address.
var opened = valuesOf("safety.opened", func(x *lowered) (out []facts.Fact[facts.Opened]) {
	for row, c := range x.named(tables.Open, "path", "address") {
		o, given := c.input(row)
		for _, key := range []string{"file", "path", "url", "path_or_file"} {
			if v, ok := c.in.Argument(key, -1); ok && row.Input == "" {
				o, given = v, true
			}
		}
		out = append(out, x.opens(c, o, given, row.Role == "address"))
	}
	for c := range x.calls() {
		if o, ok := x.sentFile(c); ok {
			c.name = c.method()
			out = append(out, x.opens(c, o, true, false))
		}
	}
	return out
})

// opens is the fact of a call that opens what an operand names.
func (x *lowered) opens(c call, o il.Operand, given, address bool) facts.Fact[facts.Opened] {
	fact := facts.Opened{Name: court.Clean(c.name, 80), Address: address, Request: facts.No}
	if given && !(address && (inBrowser(c) || x.hostFixed(c, o))) && x.requested(c, o) {
		fact.Request = facts.Yes
	}
	return facts.With(x.lies(c.f, c.in.Span), fact)
}

// requested tells a value into which a part of a request is known to flow untested,
// more than the last part of a path.
func (x *lowered) requested(c call, o il.Operand) bool {
	return slices.ContainsFunc(x.origins.Of(c.f, o, c.in), func(from analyse.Origin) bool {
		return x.weigh(c.f, from) == facts.Sender && x.ofRequest(from) && !slices.ContainsFunc(from.Steps(), lastPartOnly)
	})
}

// ofRequest tells an origin that is a part of an HTTP request, and not what somebody
// types or a model says.
func (x *lowered) ofRequest(from analyse.Origin) bool {
	f := from.Function
	if f.Module.Language != python {
		return true
	}
	if from.Kind != analyse.FromParameter {
		name := from.Symbol.Outside
		return named(name, "flask.request*") || requests.MatchString(name)
	}
	if _, named := x.djangoRequest(from, f.Params[from.Param]); named || from.Param == 0 && f.Class != "" || requests.MatchString(x.Names.Instance(f, from.Operand).Outside) {
		return true
	}
	return slices.ContainsFunc(x.decorations(f), func(c call) bool {
		return named(c.name, "fastapi.*", "flask.*", "starlette.*", "quart.*")
	})
}

// requests are the types of requests in Python.
var requests = regexp.MustCompile(`^(fastapi|starlette|django|rest_framework|aiohttp|sanic)\..*Request\b`)

// lastPartOnly tells a step that takes the last part of a path alone.
func lastPartOnly(s analyse.Step) bool {
	if s.Use == nil {
		return false
	}
	switch s.Use.Op {
	case il.Get:
		key, _ := s.Function.Str(s.Use.Args[1])
		return s.Function.Module.Language == python && s.Use.Kind == "attr" && (key == "name" || key == "stem" || key == "suffix")
	case il.Call:
		return takesLastPart.MatchString(s.Use.Kind)
	default:
		return false
	}
}

var takesLastPart = regexp.MustCompile(`basename$|secure_filename|\bpath\.Base$|\bfilepath\.Base$|\.[gG]etFileName(WithoutExtension)?$|\.file_name$`)

// inBrowser tells a file that runs in a browser: what is fetched there is the
// visitor's own business.
func inBrowser(c call) bool {
	return c.method() == "fetch" && slices.ContainsFunc([]string{".jsx", ".tsx", ".vue"}, func(ext string) bool { return strings.HasSuffix(c.f.Module.Path, ext) })
}

// hostFixed tells an address that begins with a constant host.
func (x *lowered) hostFixed(c call, o il.Operand) bool {
	shapes := x.values.Shapes(c.f, o, c.in)
	return len(shapes) > 0 && !slices.ContainsFunc(shapes, func(s analyse.Shape) bool {
		if s.Kind != analyse.Text || len(s.Parts) == 0 || !s.Parts[0].Known {
			return true
		}
		_, rest, ok := strings.Cut(s.Parts[0].Text, "://")
		return !(ok && strings.Contains(rest, "/") || strings.HasPrefix(s.Parts[0].Text, "/") && c.f.Module.Language != python)
	})
}

// sentFile is the path of a file that a response of express is told to send without a
// root that it may not leave.
func (x *lowered) sentFile(c call) (il.Operand, bool) {
	lang := c.f.Module.Language
	if lang != "javascript" && lang != "typescript" || c.method() != "sendFile" && c.method() != "download" {
		return il.Operand{}, false
	}
	_, rooted, _ := by{lowered: x}.option(c.arguments(0), "root")
	object, ok := c.receiver()
	if !ok || rooted || !responseWord.MatchString(spelled(c.f, object, 2)) {
		return il.Operand{}, false
	}
	return c.in.Argument("", 0)
}
