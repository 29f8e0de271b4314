package code

// Scope is the class of a path: what a file is for.
type Scope string

// Scope classes, in the order in which the rules are tried. Other is a file
// that fits no rule.
const (
	ScopeVendor     Scope = "vendor"
	ScopeGenerated  Scope = "generated"
	ScopeTest       Scope = "test"
	ScopeExample    Scope = "example"
	ScopeDocs       Scope = "docs"
	ScopeAudit      Scope = "audit"
	ScopeConfig     Scope = "config"
	ScopeProduction Scope = "production"
	ScopeOther      Scope = "other"
)

// Layout is what the paths of a repository tell about it.
type Layout struct {
	root string
}

// Survey classifies files. Only the first lines of contents are looked at, and
// line counts to find the project root; files without bytes are classified by
// path alone.
func Survey(files []File) *Layout { return &Layout{} }

// Scope returns the scope class of a path. A path that is not in the
// repository is classified by its name.
func (l *Layout) Scope(path string) Scope { return ScopeOther }

// Root returns the project root: the folder, at most three deep, with a
// manifest that holds most production lines; "" is the repository itself.
func (l *Layout) Root() string { return l.root }

// Find resolves a path as a document writes it: against the project root,
// then against the repository root. It reports the path in the repository.
func (l *Layout) Find(path string) (string, bool) { return "", false }
