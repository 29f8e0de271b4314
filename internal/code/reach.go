package code

// Entry is a way into the program.
type Entry struct {
	Kind string      // script, main, server, ui, langgraph, file
	Path string      // file that declares it
	Line int         // line of the declaration
	Name string      // command, route or graph name
	Def  *Definition // function, or the module's Body; nil when it names nothing that exists
	// Target is what the declaration names, as written.
	Target string
}

// Entries returns the entry points: console scripts of pyproject.toml and
// setup files, "__main__" blocks and __main__.py, main.py and app.py,
// modules that make a FastAPI, Flask or Streamlit application, and the graphs
// of langgraph.json. Tests and examples have none.
func (p *Program) Entries() []Entry { return nil }

// Callees returns the first-party definitions that a definition calls or
// passes on as a value, and the calls that could not be resolved.
func (p *Program) Callees(d *Definition) (defs []*Definition, unresolved []*Call) { return nil, nil }

// Callers returns the calls that may call a definition; for a class, the
// constructions.
func (p *Program) Callers(d *Definition) []*Call { return nil }

// Reachable returns what may run when the given definitions run: what they
// call, pass on, construct, import and define by decorator, transitively. The
// starting points are included. Dead code is not followed.
func (p *Program) Reachable(from ...*Definition) map[*Definition]bool { return nil }

// Live is Reachable from all Entries. Without an entry it is empty.
func (p *Program) Live() map[*Definition]bool { return nil }
