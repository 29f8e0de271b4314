package code

// Language names a language by its lower-case name, such as "python",
// "typescript" or "markdown"; "" is not text that we know.
type Language string

// Language names the language of the file by its path alone; the bytes are not
// needed.
func (f File) Language() Language { return "" }

// Level returns how well a language can be read: 'A' full parse, 'B'
// structure, 'C' lines only, 0 for an unknown one.
func (l Language) Level() byte { return 0 }

// Code reports whether the language is a programming language, as opposed to
// prose, data and markup.
func (l Language) Code() bool { return false }
