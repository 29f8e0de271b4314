package repo

// Kind is what a tree entry is.
type Kind string

// The kinds.
const (
	File       Kind = "file"
	Executable Kind = "executable"
	Symlink    Kind = "symlink"   // its blob is the link's text; it is never followed
	Submodule  Kind = "submodule" // has no blob here and is never fetched
)

// Entry is one file of the tree.
type Entry struct {
	Path string // slash-separated, raw bytes; never join it to a path of this machine
	Mode string // six octal digits as git prints them
	OID  string // object id, 40 or 64 hex digits
	Size int64  // bytes; -1 when there is no blob (submodule, missing object)
	Kind Kind
	// Flags names what is odd about the path, sorted: absolute, bidi, control_char, deep (over 64 levels),
	// dotgit_or_dots, invalid_utf8, leading_dash.
	Flags []string
}
