package code

import (
	"slices"
	"strings"
)

// Idleness says how sure it is that no run of a program comes to some code.
type Idleness uint8

// The grades of idleness.
const (
	MayRun    Idleness = iota
	Uncalled           // nothing calls it, in a program whose way in is not known
	NotRun             // nothing that the program runs from its entry points leads there; somebody may by hand
	NeverRuns          // no run of any program can reach it
)

// Idle proves of places that no run of the program comes there, from line
// first of a file on, and says why; "" where it cannot be proven. It errs on the side of "may run": a name that running code mentions anywhere may stand
// for every function so called, and one import, getattr or child process that
// cannot be followed ends the proof. Without a way into the program every file
// may be imported by somebody, and only functions that no file, test or text
// so much as names are idle, beside what Dead says.
//
// Whole says that every file that may run was read. Said are texts beside the code that may say what is run: command lines,
// build files, notebooks. What they name may run.
func (p *Program) Idle(whole bool, said ...string) func(path string, line int) (why string, how Idleness) {
	r := &running{p: p, loaded: map[*Module]bool{}, live: map[*Definition]bool{}, words: map[string]bool{},
		waiting: map[string][]*Definition{}, alias: map[string][]string{}}
	if r.open = !whole; whole {
		r.enter(said)
		r.follow()
	}
	way := r.way()
	return func(path string, line int) (why string, how Idleness) {
		m := p.Module(path)
		switch {
		case m == nil || m.Scope != ScopeProduction:
			return "", MayRun
		case line > 0 && p.Dead(m.statementAt(line)):
			return "that code can never run", NeverRuns
		case way != "" && r.idle(m, line):
			if r.library {
				return way, Uncalled
			}
			return way, NotRun
		}
		return "", MayRun
	}
}

// enter starts with everything that may be run: the entry points, what texts
// name, and files that others than the program's own code run.
func (r *running) enter(said []string) {
	for _, e := range r.p.Entries() {
		switch {
		case e.Def != nil:
			if r.entered == "" {
				r.entered = e.Path
			}
			r.load(e.Def.Module)
			r.say(e.Target)
			if e.Def.Kind != DefModule {
				r.mention(e.Def.Name)
			} else if !e.Def.Module.acts() {
				r.offered(e.Def.Module)
			}
		case len(r.spelling()[lastPart(strings.ReplaceAll(strings.SplitN(e.Target, ":", 2)[0], "/", "."))]) > 0:
			r.open = true // it names something that nobody could follow
		}
	}
	r.library = r.entered == ""
	for _, text := range said {
		r.say(text)
	}
	for _, m := range r.p.Modules {
		switch {
		case r.library:
			r.load(m)
		case m.Scope == ScopeProduction:
			if m.served() {
				r.load(m)
			}
		case m.Scope == ScopeTest:
			if m.ownMain() {
				r.load(m)
			}
		default: // examples, scripts of the documents, setup files
			r.load(m)
		}
	}
}

// offered lets run what a file defines for the one who takes it from there, as a
// host takes a handler.
func (r *running) offered(m *Module) {
	for _, d := range m.Body().inner {
		r.mention(d.Name)
	}
}

// acts reports whether the top level of a file does more than to define and to
// set.
func (m *Module) acts() bool {
	for c := range m.Root().Children() {
		switch {
		case c.Is("expression_statement") && c.Child(0).Is("call", "await", "assignment"):
			for n := range c.Walk() {
				if n.Is("call") {
					return true
				}
			}
		case c.Is("if_statement", "for_statement", "while_statement", "with_statement", "try_statement"):
			for n := range c.WalkScope() {
				if n.Is("call") {
					return true
				}
			}
		}
	}
	return false
}

// way says how what is idle fails to be reached; "" when not everything that
// may run could be followed.
func (r *running) way() string {
	switch {
	case r.open:
		return ""
	case r.library:
		return "there is no way into the program, and nothing in it, no test and no text calls this"
	}
	return "nothing that runs leads there (the program is entered at " + r.entered + ")"
}

// idle reports whether what stands at a line is not among what may run. Line 0
// is the file as a whole.
func (r *running) idle(m *Module, line int) bool {
	if !r.loaded[m] {
		return true
	}
	for d := m.definitionAt(line); d != nil; d = d.Parent {
		if d.Kind != DefLambda && d.Kind != DefModule && !r.live[d] {
			return true
		}
	}
	return false
}

// definitionAt returns the innermost definition that holds a line, its
// decorators included; nil for the top level.
func (m *Module) definitionAt(line int) *Definition {
	var found *Definition
	for _, d := range m.Definitions() {
		whole := d.Node
		if outer := whole.Parent(); outer.Is("decorated_definition") {
			whole = outer
		}
		if d.Kind != DefLambda && whole.Line() <= line && line <= whole.EndLine() {
			found = d
		}
	}
	return found
}

// statementAt returns the outermost node that begins on a line; the zero Node
// when none does.
func (m *Module) statementAt(line int) Node {
	if m.tree == nil {
		return Node{}
	}
	for n := range m.Root().Walk() {
		if n.Parent().Valid() && n.Line() == line {
			return n
		}
	}
	return Node{}
}

// served reports whether a file uses a framework that runs what the file
// defines: a command line, a server, a user interface, a queue of tasks.
func (m *Module) served() bool {
	for _, i := range m.indexed().imps {
		top, _, _ := strings.Cut(i.module, ".")
		if i.level == 0 && isOneOf(top, "typer", "click", "fire", "gradio", "chainlit", "streamlit", "fastapi", "flask", "starlette", "quart",
			"django", "mcp", "fastmcp", "prefect", "celery", "dagster", "airflow", "modal", "textual", "socketserver", "uvicorn", "tornado",
			"sanic", "bottle", "falcon", "litestar", "aiohttp", "discord", "slack_bolt", "telegram", "mangum", "bentoml", "ray", "reflex",
			"nicegui", "panel", "dash", "luigi", "scrapy", "dramatiq", "rq", "huey", "kopf", "grpc", "marimo") {
			return true
		}
	}
	return false
}

// ownMain reports whether a test file is also a program: it has a main block
// that does more than start the tests.
func (m *Module) ownMain() bool {
	for c := range m.Root().Children() {
		if !c.Is("if_statement") || !isMainTest(c.Field("condition")) {
			continue
		}
		for n := range c.Walk() {
			if f := n.Field("function"); n.Is("call") && !isOneOf(f.Text(), "unittest.main", "pytest.main", "sys.exit", "main", "exit") {
				return true
			}
		}
	}
	return false
}

// framework reports whether a class has a base that may call its methods by
// name: any but the plain ones of data.
func (p *Program) framework(class *Definition) bool {
	return slices.ContainsFunc(p.Bases(class), func(s Symbol) bool {
		return s.Def == nil && !s.Matches("pydantic.BaseModel", "typing.*", "abc.*", "enum.*", "builtins.*", "dataclasses.*")
	})
}
