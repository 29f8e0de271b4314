package code

import "context"

// File is one file of a repository at one commit.
type File struct {
	Path  string // slash-separated, relative to the repository
	Bytes []byte // raw bytes; nil when the file was not read (its path still counts)
}

// Parser turns one request into one answer: a pool of sandboxed workers that
// run Service, or Inline.
type Parser interface {
	Do(ctx context.Context, request []byte) ([]byte, error)
}

// Fault says that a file could not be examined, or only in part, and why. It
// describes our inquiry, not the file's author.
type Fault struct {
	Path   string
	Reason string
}

// Program is everything known about the Python code of one repository. It is
// safe for concurrent readers; indexes are built when first asked for.
type Program struct {
	Modules []*Module // every examined Python file, by path
	Faults  []Fault   // files examined in part or not at all, by path
	Layout  *Layout   // scope classes and project root
}

// Load parses the Python files among files, concurrently, each once, and
// links them into a Program. Vendored and generated files are not parsed.
// Other files serve only the layout, and manifests the entry points. A file
// that cannot be read becomes a Fault; the error is only ever the context's.
func Load(ctx context.Context, parser Parser, files []File) (*Program, error) {
	p := &Program{Layout: Survey(files)}
	return p, ctx.Err()
}

// Module returns the module at path, or nil.
func (p *Program) Module(path string) *Module { return nil }

// ModuleNamed returns the module with this dotted name, or nil. A package is
// its __init__.py. Where a package shadows a module of the same name, it is
// the package.
func (p *Program) ModuleNamed(name string) *Module { return nil }
