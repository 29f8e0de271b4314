// Package automaton_test checks the house itself: floors, closed doors, package
// comments, budgets, and that ARCHITECTURE.md shows the rooms that there are.
package automaton_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/rubric"
)

const module = "github.com/automaton-auditor/automaton"

// floors, from the street up. A room imports only rooms below its own floor,
// but for the stairs.
var floors = [][]string{
	{"internal/lazyregexp", "internal/safetext", "internal/tables", "internal/court", "schema", "internal/attack", "internal/browsertest"},
	{"internal/manifest", "internal/graph", "internal/sandbox", "internal/repo", "internal/pdf", "internal/code", "internal/il", "internal/agentgraph", "internal/langgraph", "internal/passage", "internal/figure", "internal/command", "internal/trace", "internal/trace/otlp", "internal/llm", "internal/llm/provider", "internal/llm/llmtest", "internal/likeness"},
	{"internal/rubric", "internal/facts", "internal/probe", "internal/bench", "internal/verdict", "internal/report", "internal/store", "internal/decision", "internal/docket", "internal/calibration"},
	{"internal/trial", "internal/similar", "internal/batch", "internal/fleet"},
	{"internal/config", "internal/web", "internal/mcp", "internal/cli"},
	{"cmd/automaton"},
}

var stairs = map[string][]string{
	"internal/repo":             {"internal/sandbox"},
	"internal/pdf":              {"internal/sandbox", "internal/pdf/pixels"},
	"internal/code":             {"internal/sandbox", "internal/manifest"},
	"internal/code/syntax":      {"internal/sandbox", "internal/manifest"},
	"internal/code/query":       {"internal/sandbox"},
	"internal/code/codetest":    {"internal/sandbox"},
	"internal/il/lower":         {"internal/il", "internal/code", "internal/code/syntax", "internal/sandbox"},
	"internal/il/analyse":       {"internal/il"},
	"internal/il/intree":        {"internal/il", "internal/il/analyse", "internal/code", "internal/manifest"},
	"internal/langgraph":        {"internal/agentgraph", "internal/code", "internal/il", "internal/il/analyse", "internal/il/intree", "internal/langgraph/body", "internal/langgraph/wiring"},
	"internal/langgraph/body":   {"internal/agentgraph", "internal/il", "internal/il/analyse"},
	"internal/langgraph/script": {"internal/agentgraph", "internal/code", "internal/code/syntax", "internal/il", "internal/il/analyse", "internal/langgraph/body", "internal/langgraph/wiring"},
	"internal/langgraph/wiring": {"internal/agentgraph", "internal/il", "internal/il/analyse"},
	"internal/figure":           {"internal/pdf", "internal/pdf/pixels", "internal/passage"},
	"internal/probe":            {"internal/facts"},
	"internal/probe/safety":     {"internal/facts"},
	"internal/probe/flow":       {"internal/facts"},
	"internal/probe/judicial":   {"internal/facts"},
	"internal/probe/document":   {"internal/facts"},
	"internal/probe/project":    {"internal/facts"},
	"internal/probe/history":    {"internal/facts"},
	"internal/docket":           {"internal/decision"},
	"internal/cli":              {"internal/config", "internal/web", "internal/mcp"},
	"internal/batch":            {"internal/trial", "internal/similar"},
	"internal/fleet":            {"internal/batch"},
	"internal/court":            {"internal/safetext"},
	// what speaks to the world outside lies apart from what others import
	"internal/llm/provider": {"internal/llm"},
	"internal/trace/otlp":   {"internal/trace"},
}

// doors that stay closed, on any path of imports. Standard library packages
// are named as they are imported.
var doors = []struct {
	room string
	no   []string
}{
	{"internal/probe", []string{"internal/bench", "internal/verdict", "internal/llm", "internal/llm/provider"}},
	{"internal/bench", []string{"internal/probe", "internal/repo", "internal/pdf", "internal/code", "internal/il", "internal/agentgraph", "internal/langgraph", "internal/figure", "internal/sandbox", "internal/llm/provider", "os/exec"}},
	{"internal/verdict", []string{"internal/llm", "internal/bench", "internal/probe", "internal/trace", "os", "net/http", "math/rand", "math/rand/v2", "log/slog", "time"}},
	{"internal/court", []string{"os", "net", "net/http", "time", "log", "log/slog"}},
	{"schema", []string{"os", "net/http"}},
	{"internal/batch", []string{"internal/fleet", "go.temporal.io/sdk/client", "go.temporal.io/sdk/worker", "go.temporal.io/sdk/workflow"}},
	{"internal/trial", []string{"internal/likeness", "internal/similar", "internal/fleet", "internal/docket", "internal/decision", "database/sql"}},
	{"internal/decision", []string{"internal/verdict", "internal/store", "os", "net/http", "database/sql"}},
	{"internal/report", []string{"internal/likeness", "internal/docket", "internal/calibration", "internal/rubric", "internal/probe", "internal/bench", "internal/verdict", "internal/store", "internal/graph", "internal/sandbox", "internal/repo",
		"internal/pdf", "internal/code", "internal/il", "internal/agentgraph", "internal/langgraph", "internal/passage", "internal/figure", "internal/trace", "os", "net/http", "time"}},
}

// room is one package of ours.
type room struct {
	dir     string
	files   map[string]*ast.File // by path, tests left out
	imports []string             // of ours as folders, others as they are
	doc     string
}

// house is the packages, read once for all tests.
func house(t *testing.T) (map[string]*room, *token.FileSet) {
	t.Helper()
	h, err := readHouse()
	if err != nil {
		t.Fatal(err)
	}
	return h.rooms, h.set
}

type plan struct {
	rooms map[string]*room
	set   *token.FileSet
}

// readHouse reads every package by its files, so that the test cache cannot
// hide a change.
var readHouse = sync.OnceValues(func() (plan, error) {
	rooms, set := map[string]*room{}, token.NewFileSet()
	err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && p != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "tools" || d.Name() == "automaton-out") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(set, p, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		dir := filepath.ToSlash(filepath.Dir(p))
		r := rooms[dir]
		if r == nil {
			r = &room{dir: dir, files: map[string]*ast.File{}}
			rooms[dir] = r
		}
		r.files[p] = f
		if f.Doc != nil {
			r.doc += f.Doc.Text()
		}
		for _, i := range f.Imports {
			name, _ := strconv.Unquote(i.Path.Value)
			name = strings.TrimPrefix(name, module+"/")
			if !slices.Contains(r.imports, name) {
				r.imports = append(r.imports, name)
			}
		}
		return nil
	})
	return plan{rooms, set}, err
})

// support holds packages that only tests import.
func support(dir string) bool {
	return path.Base(dir) == "probetest" || dir == "internal/code/codetest" || dir == "internal/attack" || dir == "internal/browsertest" || dir == "internal/llm/llmtest"
}

// home is the room that a folder belongs to: a probe's group belongs to probe,
// the readers of other languages to code, what lowers and what analyses to il, and
// the reader of pixels to pdf.
func home(dir string) string {
	for _, room := range []string{"internal/probe", "internal/code", "internal/il", "internal/langgraph", "internal/pdf"} {
		if strings.HasPrefix(dir, room+"/") {
			return room
		}
	}
	return dir
}

func floorOf(dir string) int {
	return slices.IndexFunc(floors, func(f []string) bool { return slices.Contains(f, home(dir)) })
}

func TestFloors(t *testing.T) {
	rooms, _ := house(t)
	for _, dir := range slices.Sorted(maps.Keys(rooms)) {
		if floorOf(dir) < 0 && dir != "." {
			t.Errorf("%s stands on no floor: put it on one in all_test.go and ARCHITECTURE.md", dir)
		}
		for _, to := range rooms[dir].imports {
			if rooms[to] == nil || support(dir) {
				continue
			}
			if support(to) {
				t.Errorf("%s imports %s, which is for tests", dir, to)
			}
			same := home(dir) == home(to)
			group := same && to == home(dir)
			stair := slices.Contains(stairs[dir], to)
			if !group && !stair && floorOf(to) >= floorOf(dir) {
				t.Errorf("%s (floor %d) imports %s (floor %d)", dir, floorOf(dir), to, floorOf(to))
			}
		}
	}
}

func TestClosedDoors(t *testing.T) {
	rooms, _ := house(t)
	for _, door := range doors {
		for _, dir := range slices.Sorted(maps.Keys(rooms)) {
			if home(dir) != door.room || support(dir) {
				continue
			}
			for _, no := range door.no {
				if way := wayTo(rooms, dir, no, map[string]bool{}); way != nil {
					t.Errorf("%s reaches %s: %s", dir, no, strings.Join(way, " -> "))
				}
			}
		}
	}
}

// wayTo finds a path of imports through our own rooms. The standard library is
// not followed: what it uses inside is not our doing.
func wayTo(rooms map[string]*room, from, to string, seen map[string]bool) []string {
	seen[from] = true
	for _, next := range rooms[from].imports {
		if next == to || home(next) == to && home(from) != to {
			return []string{from, next}
		}
		if rooms[next] != nil && !seen[next] {
			if way := wayTo(rooms, next, to, seen); way != nil {
				return append([]string{from}, way...)
			}
		}
	}
	return nil
}

func TestInstrumentsKnowNoCourt(t *testing.T) {
	rooms, _ := house(t)
	for _, dir := range floors[1] {
		if rooms[dir] == nil {
			continue
		}
		if way := wayTo(rooms, dir, "internal/court", map[string]bool{}); way != nil {
			t.Errorf("%s: %s", dir, strings.Join(way, " -> "))
		}
	}
}

// ordinary are the words of the profile that code which reads the graphs of
// any program needs as well.
var ordinary = []string{"analyse", "analyses", "argument", "code", "final", "found", "goal", "id", "inspect", "lead", "repository", "result"}

// own lists the words of a profile that are of its court alone: what layers,
// models, their fields and the outcome are called. Words of handlers, of what
// joins and of what only leads on are those of any graph.
func own(p *agentgraph.Profile) []string {
	texts := []string{string(p.Workers), string(p.Reviewers), string(p.Decider), p.Outcome.Noun}
	for _, m := range []agentgraph.Product{p.Material, p.Reviews} {
		texts = append(texts, m.Noun, m.Singular, m.Plural, m.Class)
		texts = append(texts, slices.Concat(m.Fields...)...)
	}
	texts = slices.Concat(texts, slices.Concat(p.Outcome.Is...), p.Outcome.MayBe, p.Choice.OfOne, p.Choice.OfAll)
	for _, v := range p.Roles {
		if v.Role == agentgraph.RoleHandler || v.Role == agentgraph.RoleAggregator {
			continue
		}
		texts = slices.Concat(texts, v.Exact, v.Starts, v.Doers)
		for _, two := range v.Pairs {
			texts = append(texts, two[:]...)
		}
		for _, x := range v.Parts {
			texts = slices.Concat(texts, []string{x.Part}, x.Exact, x.Starts, x.With)
		}
	}
	return slices.DeleteFunc(agentgraph.Words(strings.Join(texts, " ")), func(w string) bool { return slices.Contains(ordinary, w) })
}

// TestGraphsKnowNoCourtroom refuses the words of the profile, in texts and
// names, where graphs are held and read: they are handed over.
func TestGraphsKnowNoCourtroom(t *testing.T) {
	p, err := rubric.Profile()
	if err != nil {
		t.Fatal(err)
	}
	words := own(p)
	refused := func(text string) bool {
		return slices.ContainsFunc(agentgraph.Words(text), func(w string) bool {
			return !slices.Contains(ordinary, w) && slices.ContainsFunc(words, func(r string) bool { return w == r || len(r) > 4 && strings.HasPrefix(w, r) })
		})
	}
	if !refused("JudicialOpinion") || !refused("evidences_of") {
		t.Errorf("the profile lacks words of the courtroom: %v", words)
	}
	rooms, set := house(t)
	for _, dir := range []string{"internal/agentgraph", "internal/langgraph", "internal/langgraph/body", "internal/langgraph/script", "internal/langgraph/wiring"} {
		for _, path := range slices.Sorted(maps.Keys(rooms[dir].files)) {
			ast.Inspect(rooms[dir].files[path], func(n ast.Node) bool {
				text := ""
				switch x := n.(type) {
				case *ast.ImportSpec:
					return false
				case *ast.Ident:
					text = x.Name
				case *ast.BasicLit:
					text = x.Value
				}
				if refused(text) {
					t.Errorf("%s: %s is a word of the courtroom: readers and analyses are handed its profile", set.Position(n.Pos()), text)
				}
				return true
			})
		}
	}
}

func TestPackageComments(t *testing.T) {
	rooms, _ := house(t)
	for _, dir := range slices.Sorted(maps.Keys(rooms)) {
		if len(rooms[dir].doc) < 80 {
			t.Errorf("%s has no package comment that says what it is for and what it must not do", dir)
		}
	}
}

// Budgets. court is the vocabulary: it has more names than a room with work to
// do, see docs/decisions.
const (
	maxFunction = 70
	maxFile     = 400
	maxMethods  = 4
	maxNames    = 30
	maxRooms    = 41
	maxDepth    = 10
	maxDirect   = 36
)

var moreNames = map[string]int{"internal/batch": 35, "internal/docket": 35, "internal/report": 53, "internal/court": 115, "internal/tables": 31, "internal/code": 45, "internal/agentgraph": 40, "internal/probe": 54, "internal/trial": 40, "internal/il/analyse": 40}

func TestBudgets(t *testing.T) {
	rooms, set := house(t)
	count := 0
	for _, dir := range slices.Sorted(maps.Keys(rooms)) {
		if !support(dir) && dir != "." && home(dir) == dir {
			count++
		}
		names := 0
		for _, p := range slices.Sorted(maps.Keys(rooms[dir].files)) {
			f := rooms[dir].files[p]
			if n := set.Position(f.End()).Line; n > maxFile {
				t.Errorf("%s has %d lines, over %d", p, n, maxFile)
			}
			names += exported(f)
			ast.Inspect(f, func(n ast.Node) bool {
				switch x := n.(type) {
				case *ast.FuncDecl:
					if lines := set.Position(x.End()).Line - set.Position(x.Pos()).Line + 1; lines > maxFunction {
						t.Errorf("%s: %s has %d lines, over %d", p, x.Name.Name, lines, maxFunction)
					}
					if x.Name.Name == "init" && x.Recv == nil {
						t.Errorf("%s: init functions hide what happens at start", p)
					}
				case *ast.InterfaceType:
					if n := len(x.Methods.List); n > maxMethods {
						t.Errorf("%s:%d: an interface with %d methods, over %d", p, set.Position(x.Pos()).Line, n, maxMethods)
					}
				}
				return true
			})
		}
		if most := max(maxNames, moreNames[dir]); names > most && !support(dir) {
			t.Errorf("%s exports %d names, over %d", dir, names, most)
		}
	}
	if count > maxRooms {
		t.Errorf("%d packages, over %d", count, maxRooms)
	}
	for _, dir := range slices.Sorted(maps.Keys(rooms)) {
		if d := depth(rooms, dir, map[string]int{}); d > maxDepth {
			t.Errorf("%s is %d imports deep, over %d", dir, d, maxDepth)
		}
	}
}

// exported counts top-level names; the constants of an exported type belong to
// the type.
func exported(f *ast.File) (n int) {
	for _, d := range f.Decls {
		switch x := d.(type) {
		case *ast.FuncDecl:
			if x.Recv == nil && x.Name.IsExported() {
				n++
			}
		case *ast.GenDecl:
			typed := false
			for _, s := range x.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					if s.Name.IsExported() {
						n++
					}
				case *ast.ValueSpec:
					typed = typed || s.Type != nil
					for _, name := range s.Names {
						if name.IsExported() && (x.Tok == token.VAR || !typed) {
							n++
						}
					}
				}
			}
		}
	}
	return n
}

func depth(rooms map[string]*room, dir string, memo map[string]int) int {
	if d, ok := memo[dir]; ok {
		return d
	}
	d := 0
	for _, to := range rooms[dir].imports {
		if rooms[to] != nil {
			d = max(d, 1+depth(rooms, to, memo))
		}
	}
	memo[dir] = d
	return d
}

// Every direct dependency is argued for in docs/decisions.
func TestDependenciesAreArgued(t *testing.T) {
	raw, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	var argued strings.Builder
	records, err := filepath.Glob("docs/decisions/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range records {
		b, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		argued.Write(b)
	}
	direct := 0
	counted := map[string]bool{} // the grammars of one parser, and the modules of one repository and release, count once
	for line := range strings.Lines(string(raw)) {
		m := regexp.MustCompile(`^\s*(?:require )?([a-z0-9.]+\.[a-z]+/\S+|golang\.org/\S+) v\S+$`).FindStringSubmatch(strings.TrimRight(line, "\n"))
		if m == nil {
			continue
		}
		family := m[1]
		for _, f := range []string{"github.com/tree-sitter/tree-sitter-", "go.opentelemetry.io/otel", "go.temporal.io"} {
			if strings.HasPrefix(m[1], f) {
				family = f
			}
		}
		if !counted[family] {
			counted[family] = true
			direct++
		}
		if !strings.Contains(argued.String(), m[1]) {
			t.Errorf("%s is argued for nowhere in docs/decisions", m[1])
		}
	}
	if direct == 0 || direct > maxDirect {
		t.Errorf("%d direct dependencies, wanted 1 to %d", direct, maxDirect)
	}
}

// ARCHITECTURE.md names every room on its floor, and no others.
func TestArchitectureIsFresh(t *testing.T) {
	rooms, _ := house(t)
	raw, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z/]+)` \\|").FindAllStringSubmatch(string(raw), -1) {
		named[m[1]] = true
	}
	for _, dir := range slices.Sorted(maps.Keys(rooms)) {
		if dir != "." && !support(dir) && !named[strings.TrimPrefix(dir, "internal/")] {
			t.Errorf("ARCHITECTURE.md has no row for %s", dir)
		}
	}
	for name := range named {
		if rooms[name] == nil && rooms["internal/"+name] == nil {
			t.Errorf("ARCHITECTURE.md names %s, which is not there", name)
		}
	}
}

// The way from main to a ruling that ARCHITECTURE.md names can be read in one
// sitting, and no two things that are declared on it have one name.
func TestReadingPath(t *testing.T) {
	const maxFiles, maxLines = 12, 1200
	raw, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(raw), "Follow it in this order:")
	list, _, _ = strings.Cut(list, "\n\n")
	files := regexp.MustCompile("`([a-z/]+\\.go)`").FindAllStringSubmatch(list, -1)
	lines, named := 0, map[string]string{}
	for _, m := range files {
		file := m[1]
		if !strings.HasPrefix(file, "cmd/") {
			file = "internal/" + file
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		lines += set.Position(f.FileEnd).Line
		for name := range declared(f) {
			if other := named[strings.ToLower(name)]; other != "" && other != file {
				t.Errorf("%s and %s both declare %s", other, file, name)
			}
			named[strings.ToLower(name)] = file
		}
	}
	if len(files) == 0 || len(files) > maxFiles || lines > maxLines {
		t.Errorf("the reading path has %d files and %d lines, wanted 1 to %d and at most %d", len(files), lines, maxFiles, maxLines)
	}
}

// declared are the names of a file's functions, methods and types.
func declared(f *ast.File) map[string]bool {
	names := map[string]bool{}
	for _, d := range f.Decls {
		switch x := d.(type) {
		case *ast.FuncDecl:
			names[x.Name.Name] = true
		case *ast.GenDecl:
			for _, s := range x.Specs {
				if ty, ok := s.(*ast.TypeSpec); ok {
					names[ty.Name.Name] = true
				}
			}
		}
	}
	return names
}

// Messages follow the house's form, and nothing prints, exits or asks the clock
// behind the callers' backs.
func TestHabits(t *testing.T) {
	rooms, set := house(t)
	allowed := map[string][]string{
		"os.Exit":      {"cmd/automaton", "internal/sandbox"},
		"time.Now":     {"cmd/automaton", "internal/sandbox", "internal/code"},
		"fmt.Print":    {},
		"fmt.Printf":   {},
		"fmt.Println":  {},
		"exec.Command": {"internal/sandbox"}, "exec.CommandContext": {"internal/sandbox"},
		"log.Print": {}, "log.Printf": {}, "log.Fatal": {}, "slog.Info": {},
	}
	for _, dir := range slices.Sorted(maps.Keys(rooms)) {
		for p, f := range rooms[dir].files {
			ast.Inspect(f, func(n ast.Node) bool {
				switch x := n.(type) {
				case *ast.BasicLit:
					if s, err := strconv.Unquote(x.Value); err == nil && x.Kind == token.STRING && (strings.HasPrefix(s, "failed to ") || strings.HasPrefix(s, "unable to ")) {
						t.Errorf("%s:%d: %q: say what was being done, to what, and why it failed", p, set.Position(x.Pos()).Line, s)
					}
				case *ast.SelectorExpr:
					id, ok := x.X.(*ast.Ident)
					if !ok {
						return true
					}
					name := fmt.Sprintf("%s.%s", id.Name, x.Sel.Name)
					if rooms, known := allowed[name]; known && !slices.Contains(rooms, dir) && !support(dir) {
						t.Errorf("%s:%d: %s belongs into %v", p, set.Position(x.Pos()).Line, name, rooms)
					}
				}
				return true
			})
		}
	}
}

// Lazy patterns are compiled when they are first used, so what is none would
// be seen by the one who meets it first. Each that is written in constants is
// compiled here; the others are made by functions, and compiled by Compile or
// used by the tests of their package.
func TestPatterns(t *testing.T) {
	rooms, set := house(t)
	read, made := 0, 0
	for _, dir := range slices.Sorted(maps.Keys(rooms)) {
		words := map[string]ast.Expr{}
		for _, f := range rooms[dir].files {
			for name, o := range f.Scope.Objects {
				if s, ok := o.Decl.(*ast.ValueSpec); ok && o.Kind == ast.Con {
					for i, n := range s.Names {
						if n.Name == name && i < len(s.Values) {
							words[name] = s.Values[i]
						}
					}
				}
			}
		}
		for _, f := range rooms[dir].files {
			if !slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return strings.Contains(i.Path.Value, "lazyregexp") }) {
				continue
			}
			ast.Inspect(f, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok || len(call.Args) != 1 {
					return true
				}
				if to, ok := call.Fun.(*ast.SelectorExpr); !ok || to.Sel.Name != "MustCompile" {
					return true
				}
				text, ok := spelled(call.Args[0], words)
				if !ok {
					made++
					return true
				}
				read++
				if _, err := regexp.Compile(text); err != nil {
					t.Errorf("%s: %v", set.Position(call.Pos()), err)
				}
				return true
			})
		}
	}
	if read < 10*made {
		t.Errorf("%d patterns are written in constants, and %d are not", read, made)
	}
}

// spelled is the text that an expression of constants has.
func spelled(x ast.Expr, words map[string]ast.Expr) (string, bool) {
	switch x := x.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(x.Value)
		return text, err == nil
	case *ast.ParenExpr:
		return spelled(x.X, words)
	case *ast.Ident:
		if at := words[x.Name]; at != nil {
			return spelled(at, words)
		}
	case *ast.BinaryExpr:
		a, first := spelled(x.X, words)
		b, second := spelled(x.Y, words)
		return a + b, first && second && x.Op == token.ADD
	}
	return "", false
}

// Packages whose code starts goroutines or holds locks are tested with the race
// detector, and no others: the Makefile names them. A value that is computed
// once by sync.OnceValue has nothing to race for.
func TestRaceListIsFresh(t *testing.T) {
	rooms, _ := house(t)
	raw, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^(?:RACE|WHOLE) *=(.*)$`).FindAllStringSubmatch(string(raw), -1) {
		for dir := range strings.FieldsSeq(m[1]) {
			if listed[dir] {
				t.Errorf("the Makefile lists %s twice", dir)
			}
			listed[dir] = true
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(rooms)) {
		if at := concurrent(rooms[dir]); (at != "") != listed["./"+dir] && !support(dir) {
			t.Errorf("%s: the Makefile lists it for the race detector: %t; goroutines or locks: %q", dir, listed["./"+dir], at)
		}
		delete(listed, "./"+dir)
	}
	for dir := range listed {
		t.Errorf("the Makefile lists %s, which is not there", dir)
	}
}

// concurrent is the first file of a room that starts a goroutine, makes a
// channel or holds a lock; "" when none does.
func concurrent(r *room) (at string) {
	for _, p := range slices.Sorted(maps.Keys(r.files)) {
		ast.Inspect(r.files[p], func(n ast.Node) bool {
			switch x := n.(type) {
			case *ast.GoStmt, *ast.ChanType, *ast.SelectStmt:
				at = p
			case *ast.SelectorExpr:
				id, ok := x.X.(*ast.Ident)
				if ok && (id.Name == "atomic" || id.Name == "sync" && !strings.HasPrefix(x.Sel.Name, "OnceValue")) {
					at = p
				}
			}
			return at == ""
		})
		if at != "" {
			return at
		}
	}
	return ""
}
