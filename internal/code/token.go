package code

// Token is a word, number, operator, comment or string of a source file.
type Token struct {
	Text string
	Line int
	Pos  int // byte offset in the module's text
}

// Tokens returns the code tokens in order: words, numbers and operators,
// without comments and strings. Strings inside annotations and expressions
// inside f-strings count as code. A file without a tree is read by a lexer.
func (m *Module) Tokens() []Token { return nil }

// Words returns where a word occurs among the code tokens.
func (m *Module) Words(word string) []Token { return nil }

// Comments returns the comments, "#" included, in order.
func (m *Module) Comments() []Token { return nil }

// Strings returns the string literals, docstrings included, as written, in
// order. Adjacent literals are apart.
func (m *Module) Strings() []Token { return nil }

// Docstrings returns the docstrings of the module, its classes and functions,
// as written, in order.
func (m *Module) Docstrings() []Token { return nil }

// Bare returns the text of lines from..to (from 1, inclusive) with comments
// and docstrings blanked out. The number of lines is kept.
func (m *Module) Bare(from, to int) string { return "" }

// Mentions returns the files of a scope class in whose code tokens a word
// occurs, by path: the sentinel that keeps "not found" from meaning "not
// understood".
func (p *Program) Mentions(word string, scope Scope) []*Module { return nil }
