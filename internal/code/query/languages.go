package query

import (
	"slices"
	"strings"
	"sync"

	sitter "github.com/tree-sitter/go-tree-sitter"
	java "github.com/tree-sitter/tree-sitter-java/bindings/go"
	javascript "github.com/tree-sitter/tree-sitter-javascript/bindings/go"
	python "github.com/tree-sitter/tree-sitter-python/bindings/go"
	rust "github.com/tree-sitter/tree-sitter-rust/bindings/go"
	typescript "github.com/tree-sitter/tree-sitter-typescript/bindings/go"
)

// dialect is a grammar and the files that it reads.
type dialect struct {
	language string // as rubrics call it, and code.Language
	ending   string // of the files that it reads, where one language has several grammars
	grammar  func() *sitter.Language
}

// dialects are the grammars that this build has. Go is not among them: it is
// read by its own parser.
var dialects = []dialect{
	{"python", "", sync.OnceValue(func() *sitter.Language { return sitter.NewLanguage(python.Language()) })},
	{"javascript", "", sync.OnceValue(func() *sitter.Language { return sitter.NewLanguage(javascript.Language()) })},
	{"typescript", ".tsx", sync.OnceValue(func() *sitter.Language { return sitter.NewLanguage(typescript.LanguageTSX()) })},
	{"typescript", "", sync.OnceValue(func() *sitter.Language { return sitter.NewLanguage(typescript.LanguageTypescript()) })},
	{"java", "", sync.OnceValue(func() *sitter.Language { return sitter.NewLanguage(java.Language()) })},
	{"rust", "", sync.OnceValue(func() *sitter.Language { return sitter.NewLanguage(rust.Language()) })},
}

// Languages are those in which queries can be asked.
func Languages() []string {
	var out []string
	for _, d := range dialects {
		if !slices.Contains(out, d.language) {
			out = append(out, d.language)
		}
	}
	return out
}

// dialectOf is the number of the grammar for a file; -1 when there is none.
func dialectOf(language, path string) int {
	return slices.IndexFunc(dialects, func(d dialect) bool {
		return d.language == language && strings.HasSuffix(strings.ToLower(path), d.ending)
	})
}
