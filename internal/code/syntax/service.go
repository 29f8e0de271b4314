package syntax

import (
	"errors"
	"fmt"

	sitter "github.com/tree-sitter/go-tree-sitter"
	csharp "github.com/tree-sitter/tree-sitter-c-sharp/bindings/go"
	java "github.com/tree-sitter/tree-sitter-java/bindings/go"
	javascript "github.com/tree-sitter/tree-sitter-javascript/bindings/go"
	python "github.com/tree-sitter/tree-sitter-python/bindings/go"
	rust "github.com/tree-sitter/tree-sitter-rust/bindings/go"
	typescript "github.com/tree-sitter/tree-sitter-typescript/bindings/go"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// reader turns the text of one language into a tree.
type reader struct {
	language string // of code.Language, or "tsx"
	grammar  func() *grammar
	// read writes the tree of text; root is the grammar's, nil where the reader
	// has a parser of its own.
	read func(w *writer, text []byte, root *sitter.Node) error
	// second is tried on text that grammar cannot parse whole.
	second func() *grammar
	// cut is what is tried of text that cannot be parsed whole, and what it lacks.
	cut func(text []byte) ([]byte, []flaw)
}

// brackets are the signs of JavaScript that its reader does not ask for.
var brackets = []string{"(", ")", "{", "}", "[", "]", "</", "/>", ";", ":", ".", "\"", "'", "`", "${", "=>"}

// pythonBrackets are the signs of Python that its reader does not ask for.
var pythonBrackets = []string{"(", ")", "{", "}", "[", "]", ":", ".", "=", "->", "if", "elif", "while", "def", "class", "return", "import"}

// javaBrackets are the signs of Java that its reader does not ask for.
var javaBrackets = []string{"(", ")", "{", "}", "[", "]", ";", ",", ".", ":", "::", "?", "->", "@", "\"", `"""`, "class", "interface"}

// csharpBrackets are the signs of C# that its reader does not ask for, and the
// directives that declare nothing and may stand anywhere.
var csharpBrackets = []string{"(", ")", "{", "}", "[", "]", ";", ".", "=>", "\"", "@", "preproc_region", "preproc_endregion", "preproc_line",
	"preproc_pragma", "preproc_nullable", "preproc_error", "preproc_warning", "preproc_define", "preproc_undef", "shebang_directive"}

var (
	scriptGrammar = once(javascript.Language, brackets...)
	typeGrammar   = once(typescript.LanguageTypescript, brackets...)
	tsxGrammar    = once(typescript.LanguageTSX, brackets...)
	javaGrammar   = once(java.Language, javaBrackets...)
	rustGrammar   = once(rust.Language)
	pythonGrammar = once(python.Language, pythonBrackets...)
	csharpGrammar = once(csharp.Language, csharpBrackets...)
)

// readers are the languages that can be read. A request names one by its number.
// Flow's types in JavaScript are mostly TypeScript's.
var readers = []reader{
	{language: "go", read: readGo},
	{language: "javascript", grammar: scriptGrammar, read: readScript, second: tsxGrammar},
	{language: "typescript", grammar: typeGrammar, read: readScript},
	{language: "tsx", grammar: tsxGrammar, read: readScript},
	{language: "java", grammar: javaGrammar, read: readJava},
	{language: "rust", grammar: rustGrammar, read: readRust},
	{language: "python", grammar: pythonGrammar, read: readPython},
	{language: "c#", grammar: csharpGrammar, read: readCSharp, cut: firstSides},
}

// ForCode comes before a request of package code: one worker answers both.
const ForCode = 0xff

// Service is what a worker does: a request is the number of a reader and a
// text, the answer a tree; or it is one of package code.
func Service() sandbox.Service {
	python := code.Service()
	return sandbox.Service{
		Warm: func() error {
			for i := range readers {
				if _, err := handle([]byte{byte(i)}); err != nil {
					return err
				}
			}
			return python.Warm()
		},
		Handle: func(request []byte) ([]byte, error) {
			if len(request) > 0 && request[0] == ForCode {
				return python.Handle(request[1:])
			}
			return handle(request)
		},
	}
}

func handle(request []byte) ([]byte, error) {
	if len(request) == 0 || int(request[0]) >= len(readers) {
		return nil, errors.New("parsing source: no such language")
	}
	if len(request) > maxSource+1 {
		return nil, fmt.Errorf("parsing source: larger than %d bytes", maxSource)
	}
	answer, err := parse(readers[request[0]], request[1:])
	if err != nil {
		return nil, fmt.Errorf("parsing source: %w", err)
	}
	return answer, nil
}

// Parse reads one file in this process. The parser is C and the text may be
// hostile: only workers and tests may call it.
func Parse(f code.File) (*File, error) {
	n := number(f)
	file := newFile(f, code.ScopeProduction)
	if n < 0 || file.Reason != "" {
		return nil, fmt.Errorf("parsing %s: no language that is read, or too large", f.Path)
	}
	answer, err := parse(readers[n], []byte(file.text))
	if err == nil {
		err = file.fill(answer)
	}
	if err != nil {
		return nil, fmt.Errorf("parsing %s: %w", f.Path, err)
	}
	return file, nil
}

func parse(r reader, text []byte) ([]byte, error) {
	work := &code.Work{}
	w, err := r.parse(r.grammar, text, work)
	if err != nil {
		return nil, err
	}
	if r.second != nil && len(w.flaws) > 0 {
		if other, err := r.parse(r.second, text, work); err == nil && other.lost() < w.lost() {
			w = other
		}
	}
	if r.cut != nil && len(w.flaws) > 0 {
		side, gone := r.cut(text)
		if other, err := r.parse(r.grammar, side, work); err == nil && other.lost() < w.lost() {
			w = other
			w.flaws = append(w.flaws, gone...)
		}
	}
	return w.bytes()
}

// parse reads text by one grammar.
func (r reader) parse(grammar func() *grammar, text []byte, work *code.Work) (*writer, error) {
	w := newWriter()
	if grammar == nil {
		return w, r.read(w, text, nil)
	}
	w.grammar, w.work = grammar(), work
	tree, err := work.NewTree(w.grammar.language, text)
	if err != nil {
		return nil, err
	}
	defer tree.Close()
	return w, r.read(w, text, tree.RootNode())
}
