package code

// Module is one Python file.
type Module struct {
	Path     string // path in the repository
	Name     string // dotted name by which first-party code imports it
	Package  bool   // an __init__.py
	Shadowed bool   // a package of the same name wins over this file (Python's rule): it is dead
	Scope    Scope  // scope class of the path
	Note     string // how the text was decoded, when not plain UTF-8
	Bytes    int    // size of the decoded text
	Lines    int    // lines of the file
	Parsed   bool   // false: the file has no tree (too large, parser crashed); only Text is known
}

// Root returns the node of the whole file. It is the zero Node for a file
// without a tree.
func (m *Module) Root() Node { return Node{} }

// Body returns the module itself as a definition: the scope of its top level.
func (m *Module) Body() *Definition { return nil }

// Text returns the decoded text, with "\n" as the only line end.
func (m *Module) Text() string { return "" }

// Line returns the text of line n (from 1) without its line end, "" outside.
func (m *Module) Line(n int) string { return "" }

// Broken returns the stretches that no statement could be made of, in order.
// Each is an ERROR or MISSING node.
func (m *Module) Broken() []Node { return nil }

// Examined returns how many bytes of the file belong to well-formed
// statements; for coverage it is divided by Bytes.
func (m *Module) Examined() int { return 0 }

// Definitions returns the classes, functions and lambdas of the file, nested
// ones included, in source order.
func (m *Module) Definitions() []*Definition { return nil }

// Calls returns the calls of the file in source order.
func (m *Module) Calls() []*Call { return nil }

// Imports returns what the file imports, wherever the import stands, in source
// order. Star imports of first-party modules are expanded.
func (m *Module) Imports() []Import { return nil }
