package code

// Import is one name bound by an import statement or by
// importlib.import_module and __import__ with a literal.
type Import struct {
	Node     Node    // the statement, or the call
	Local    string  // name bound in the file; "" for a star import that could not be expanded
	Target   string  // qualified name of what it stands for: a module or a member of one
	Module   *Module // first-party module it names or takes from; nil for others
	External bool    // not first-party
	Inner    bool    // inside a function
	TypeOnly bool    // under "if TYPE_CHECKING"
	Missing  bool    // a relative or first-party import whose target does not exist
}
