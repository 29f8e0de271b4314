package quality

import (
	"context"
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/langgraph"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func codeStub() probe.Probe {
	return probe.Probe{
		ID: "code.stub", Version: "2", Target: court.GithubRepo,
		Title: "No function is a placeholder",
		Doc: "Looks for Python functions whose body is only pass, ..., or raise NotImplementedError, that return a constant whatever they are given and say that this is for now, and for modules without a statement. " +
			"A placeholder that a graph runs as a node or a model as a tool is a violation; of others the share counts. Interfaces are none: abstract and overridden methods, protocols, overloads, hooks of a base class, methods that implement somebody else's, decorated groups of commands, methods that begin or end things, classes that stand in for what is not installed, and bodies that say why they are empty. " +
			"In the other languages a body that only throws, panics or returns an error which says that it is not implemented, Rust's todo! and unimplemented!, an empty body that says so, and in Go and Java one without a word that nothing asks to be empty.",
		Remedy: "Write the function, or remove it with its callers.",
		Effort: 60, Recall: 8500,
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			d, err := look(ctx, s, a.Scope, every...)
			if err != nil {
				return nil, err
			}
			roles, err := roleFunctions(ctx, s, d)
			if err != nil {
				return nil, err
			}
			return []probe.Finding{d.stubs(roles)}, nil
		},
	}
}

// roleFunctions are the functions that have a role by name: nodes of a graph
// and tools of a model.
func roleFunctions(ctx context.Context, s *probe.Scene, d *codebase) (map[*code.Definition]string, error) {
	out := map[*code.Definition]string{}
	r, err := s.Graphs(ctx)
	if err != nil {
		return nil, err
	}
	if r.Main != nil {
		for _, n := range r.Main.Nodes {
			if f := langgraph.Def(n.Source); f != nil {
				out[f] = "a node of the graph"
			}
		}
	}
	d.p.Lock()
	defer d.p.Unlock()
	for _, f := range d.functions() {
		for _, x := range f.Decorators() {
			if x.Is("call") {
				x = x.Field("function")
			}
			if d.p.Resolve(x).Matches("langchain*.tool", "langgraph*.tool", "agents.function_tool", "crewai*.tool", "smolagents.tool") {
				out[f] = "a tool of the model"
			}
		}
	}
	return out, nil
}

func (d *codebase) stubs(roles map[*code.Definition]string) probe.Finding {
	total := 0
	var bad, grave []court.Place
	said := ""
	for _, f := range d.functions() {
		if strings.HasSuffix(f.Module.Path, ".pyi") { // declarations
			continue
		}
		total++
		if !d.stub(f, roles[f] != "") {
			continue
		}
		at := place(f.Node, 8)
		if bad = append(bad, at); roles[f] != "" {
			grave = append(grave, at)
			said = fmt.Sprintf("%s, %s, is a placeholder. ", shown(f.Name), roles[f])
		}
	}
	for _, m := range d.modules {
		if blank(m) {
			total++
			bad = append(bad, court.Place{Path: m.Path})
		}
	}
	t := d.unwritten()
	bad, total = append(bad, t.bad...), total+t.total
	for _, path := range d.blank {
		total++
		bad = append(bad, court.Place{Path: path})
	}
	what := "There is no function" + d.in() + "."
	switch {
	case total == 0:
	case len(bad) == 0:
		what = "No function" + d.in() + " is a placeholder, and no module is empty."
	case total == 1:
		what = "The only function or empty module" + d.in() + " is a placeholder."
	default:
		what = fmt.Sprintf("%d of %s and empty modules%s %s.", len(bad), court.Count(total, "function"), d.in(), court.Agree(len(bad), total, "is a placeholder", "are placeholders"))
	}
	if len(grave) > 0 {
		return probe.Against(d.source(), grave, "%s", d.said(said+what)).DoAt(grave, "Write these functions, or remove them with their callers: %s.")
	}
	return d.judged(bad, total, what, "Write these functions, or remove them with their callers")
}

// blank tells a module without a statement that is not a package's own.
func blank(m *code.Module) bool {
	base := m.Path[strings.LastIndexByte(m.Path, '/')+1:]
	if m.Package || base == "conftest.py" || strings.HasPrefix(base, "__") || len(m.Broken()) > 0 {
		return false
	}
	for range m.Root().Children() {
		return false
	}
	return true
}

var (
	forNow  = regexp.MustCompile(`(?i)\b(?:todo|fixme|xxx|not (?:yet )?implemented|unimplemented|placeholder|stub(?:bed)?|for now|dummy|hard-?coded|to be (?:implemented|done)|coming soon|implement(?:ed)? (?:me|this|later))\b`)
	meant   = regexp.MustCompile(`(?i)\b(?:no-?op|noop|nothing|hook|overrid\w*|subclass\w*|abstract|interface|intentional\w*|deliberate\w*|optional|default|ignored?|no \w+ to|no (?:need|action|resources?)|in-memory|not (?:needed|required|supported|used)|unused|barrier|join|sync\w*|fan-?in|fan-?out|pass-?through|compat\w*|silence|suppress|quiet|discard|null|side effects?)\b`)
	bareNow = regexp.MustCompile(`(?i)^_*(?:no_?op|null|dummy|do_nothing|nothing|identity|ignore|pass)(?:_|$)|_no_?op$|^Null|^Noop|^Dummy|^Fake|^Mock|^Stub`)
)

// stub tells a function that only holds the place of one. What has a role is
// handed on and decorated because of it.
func (d *codebase) stub(f *code.Definition, role bool) bool {
	if f.Kind == code.DefMethod && d.anInterface(f) || f.Kind == code.DefFunction && f.Parent.Kind != code.DefModule || bareNow.MatchString(f.Name) || meant.MatchString(strings.ReplaceAll(f.Name, "_", " ")) || strings.HasPrefix(f.Name, "__") {
		return false
	}
	what := form(f)
	if what == "" {
		return false
	}
	said := words(f)
	switch what {
	case "pass":
		return forNow.MatchString(said) || !meant.MatchString(said) && !hasComment(f) && (role || len(f.Decorators()) == 0 && !d.p.PassedOn(f))
	case "raise":
		return forNow.MatchString(said) || !meant.MatchString(said) && (role || len(f.Decorators()) == 0)
	case "constant":
		return forNow.MatchString(said)
	}
	return false
}

// form is what a body comes to: "pass", "raise" for not implemented,
// "constant" for a constant that no parameter has a part in, or "".
func form(f *code.Definition) string {
	out := "pass"
	n := 0
	for st := range f.Body().Children() {
		switch {
		case st.Is("pass_statement"), st.Is("expression_statement") && st.Child(0).Is("string", "concatenated_string", "ellipsis"):
			continue
		case st.Is("raise_statement") && strings.HasPrefix(st.Child(0).Text(), "NotImplementedError"):
			out = "raise"
		case st.Is("return_statement") && len(f.Params()) > 0 && constant(st.Child(0)):
			out = "constant"
		default:
			return ""
		}
		n++
	}
	if n > 1 {
		return ""
	}
	return out
}

// constant tells a literal without a name in it.
func constant(n code.Node) bool {
	if !n.Valid() {
		return false
	}
	for x := range n.Walk() {
		if x.Is("identifier", "call", "attribute", "lambda", "interpolation") {
			return false
		}
	}
	return true
}

// words are the docstring, the comments and the message of a function.
func words(f *code.Definition) string {
	text, _ := f.Docstring()
	var b strings.Builder
	b.WriteString(text)
	for _, c := range f.Module.Comments() {
		if c.Line >= f.Line() && c.Line <= f.Node.EndLine() {
			b.WriteString(" " + c.Text)
		}
	}
	for st := range f.Body().Children() {
		if st.Is("raise_statement") {
			b.WriteString(" " + strings.TrimPrefix(st.Child(0).Text(), "NotImplementedError"))
		}
	}
	return b.String()
}

func hasComment(f *code.Definition) bool {
	for _, c := range f.Module.Comments() {
		if c.Line >= f.Line() && c.Line <= f.Node.EndLine() {
			return true
		}
	}
	return false
}

// atTop tells a class that no condition and no try statement decides about: the
// others stand in for what is not installed.
func atTop(c *code.Definition) bool {
	at := c.Node.Parent()
	if at.Is("decorated_definition") {
		at = at.Parent()
	}
	return at.Is("module")
}

// endsThings tells the methods that many interfaces ask for and few classes
// need.
func endsThings(name string) bool {
	switch name {
	case "close", "aclose", "release", "shutdown", "flush", "reset", "setup", "teardown", "setUp", "tearDown", "start", "stop", "cleanup", "dispose", "finish", "begin", "connect", "disconnect":
		return true
	}
	return false
}

var baseName = regexp.MustCompile(`(?i)base|abstract|interface|protocol|mixin|null|noop|dummy|fake|mock|stub|hook|callback|visitor|listener`)

// anInterface tells whether a method declares what others implement, or
// implements what another's class declares.
func (d *codebase) anInterface(f *code.Definition) bool {
	for _, x := range f.Decorators() {
		if strings.Contains(x.Text(), "abstract") || strings.HasSuffix(x.Text(), "overload") {
			return true
		}
	}
	c := f.Class()
	if c == nil || c.Parent.Kind != code.DefModule || !atTop(c) || endsThings(f.Name) || bareNow.MatchString(c.Name) || baseName.MatchString(c.Name) {
		return true
	}
	if len(d.p.Subclasses(c)) > 0 {
		return true
	}
	for _, b := range d.p.Bases(c) {
		if b.Def == nil && !b.Matches("builtins.object", "pydantic.BaseModel") || b.Def != nil && d.p.Method(b.Def, f.Name) != nil {
			return true
		}
	}
	return c.Node.Field("superclasses").Valid() && strings.Contains(c.Node.Field("superclasses").Text(), "metaclass")
}
