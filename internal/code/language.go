package code

// Language names a language by its lower-case name, such as "python",
// "typescript" or "markdown"; "" is not text that we know.
type Language string

// LanguageOf names the language of a path by its name alone.
func LanguageOf(path string) Language { return "" }

// Level returns how well a language can be read: 'A' full parse, 'B'
// structure, 'C' lines only, 0 for an unknown one.
func (l Language) Level() byte { return 0 }

// Code reports whether the language is a programming language, as opposed to
// prose, data and markup.
func (l Language) Code() bool { return false }
