package quality

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var (
	docTypes = regexp.MustCompile(`@(?:param|type|returns?|typedef)\s*\{`)
	hushed   = regexp.MustCompile(`@ts-(?:ignore|nocheck)\b`)
)

// typed are the languages in which one can ask for types. JavaScript has none;
// it is asked where somebody writes them in comments.
func typed(ctx context.Context, s *probe.Scene) []code.Language {
	out := []code.Language{"go", "typescript", "java", "rust"}
	others, err := s.Syntax(ctx)
	if err != nil { // then nothing of them is read
		return out
	}
	for _, f := range others.Files {
		if f.Language != "javascript" || f.Scope != code.ScopeProduction {
			continue
		}
		if docTypes.MatchString(remarks(f, 0, len(f.Text()))) {
			return append(out, "javascript")
		}
	}
	return out
}

// slots counts the parameters and results of offered functions of the other
// languages, and those whose type says something.
func (d *codebase) slots() (slots, typed int, bad []court.Place) {
	for _, f := range d.files {
		if f.Language == "javascript" && !docTypes.MatchString(remarks(f, 0, len(f.Text()))) {
			continue // nobody asks for types here
		}
		held := f.Language == "typescript" && d.others.Strict(f)
		for n := range nodes(f) {
			if !n.Is("func") || n.Has(syntax.Lambda) && !script(f) || !outward(n) {
				continue
			}
			some, ok := typesOf(n, held)
			slots, typed = slots+some, typed+ok
			if ok < some {
				bad = append(bad, above(n))
			}
		}
	}
	return slots, typed, bad
}

// outward tells a function that others may use: exported, like the class that
// it is a method of.
func outward(n syntax.Node) bool {
	exported := n.Has(syntax.Exported)
	if p := n.Parent(); n.Has(syntax.Lambda) && p.Is("assign") && n.Role() == "value" {
		exported = exported || p.Has(syntax.Exported)
	}
	if n.Enclosing("func").Valid() {
		return false
	}
	for a := range n.Around() {
		if a.Is("class") && a.Detail() != "impl" && !a.Has(syntax.Exported) {
			return false
		}
	}
	if c := n.Enclosing("class"); c.Valid() && script(n.File()) {
		return n.Role() == "member" && !strings.HasPrefix(n.Name(), "#") && !strings.HasPrefix(n.Name(), "_") && !private(n)
	}
	return exported
}

// typesOf counts the parameters of a function with its results, and those with
// a type that says something.
func typesOf(n syntax.Node, held bool) (slots, typed int) {
	switch n.File().Language {
	case "go":
		return plainTypes(n, anyGo)
	case "java":
		for x := range n.Children("decorator") {
			if x.Name() == "Override" { // as another has it
				return 0, 0
			}
		}
		return plainTypes(n, anyJava)
	case "rust":
		return plainTypes(n, func(string) bool { return false })
	case "javascript":
		return docTyped(n)
	}
	for p := range n.Children("param") {
		t := p.Child("type")
		slots++
		if t.Valid() && !anyScript(t.Name()) || !t.Valid() && (held || p.Child("value").Valid()) {
			typed++
		}
	}
	if r := n.Child("result"); r.Valid() { // what is not said is worked out by the compiler
		slots++
		if !anyScript(r.Name()) {
			typed++
		}
	}
	return slots, typed
}

func plainTypes(n syntax.Node, empty func(string) bool) (slots, typed int) {
	for p := range n.Children("param", "result") {
		name := p.Name()
		if p.Is("param") {
			name = p.Child("type").Name()
		}
		slots++
		if !empty(name) {
			typed++
		}
	}
	return slots, typed
}

// anyGo tells a type that everything is of. A list of any, as printing takes it,
// says what it is for.
func anyGo(t string) bool { return t == "any" || t == "interface{}" }

// generic are the classes of java.util and java.lang that have arguments.
var generic = []string{"List", "ArrayList", "LinkedList", "Map", "HashMap", "LinkedHashMap", "TreeMap", "ConcurrentHashMap", "Set", "HashSet", "LinkedHashSet", "TreeSet", "Collection", "Iterator", "Iterable",
	"Optional", "Queue", "Deque", "Supplier", "Consumer", "Function", "Predicate", "BiFunction", "Callable", "Future", "CompletableFuture", "Stream", "Comparator", "Enumeration", "Vector", "Hashtable"}

func anyJava(t string) bool {
	return t == "Object" || slices.Contains(generic, t)
}

func anyScript(t string) bool {
	return slices.Contains([]string{"any", "any[]", "Function", "Object", "Array<any>", "Promise<any>"}, strings.TrimSpace(strings.TrimPrefix(t, ":")))
}

// docTyped counts the parameters of a JavaScript function, typed where its
// comment gives types.
func docTyped(n syntax.Node) (slots, typed int) {
	said := leading(n)
	if p := n.Parent(); said == "" && p.Is("assign") {
		said = leading(p)
	}
	for range n.Children("param") {
		slots++
	}
	if strings.Contains(said, "@type {") || strings.Contains(said, "@type{") {
		return slots, slots
	}
	return slots, min(slots, strings.Count(said, "@param {")+strings.Count(said, "@param{"))
}

// silenced says how often TypeScript's compiler is told to look away.
func (d *codebase) silenced() string {
	n := 0
	for _, f := range d.files {
		if f.Language == "typescript" {
			n += len(hushed.FindAllString(remarks(f, 0, len(f.Text())), -1))
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" Comments switch the compiler's check off %s.", times(n))
}
