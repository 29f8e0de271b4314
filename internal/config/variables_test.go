package config

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write .env.example anew")

// example is .env.example: every variable, commented, one line each, in groups.
func example() string {
	var b strings.Builder
	b.WriteString("# What automaton reads of the environment. Copy this file to .env in the folder you\n" +
		"# work in, take the # from what you set, and keep it to yourself: it holds keys.\n" +
		"# A variable that is set wins over this file; an audited repository's file is not read.\n")
	line := func(name, value, doc string) { fmt.Fprintf(&b, "#%-44s # %s\n", name+"="+value, doc) }
	b.WriteString("\n# Settings, as flags and automaton.yaml have them; lists with commas\n")
	for _, k := range Keys {
		doc := k.Doc
		if len(k.Allowed) > 0 {
			doc += ": " + strings.Join(k.Allowed, ", ")
		}
		line(k.Env(), k.Default, doc)
	}
	group := ""
	for _, v := range Variables {
		if v.Group != group {
			group = v.Group
			b.WriteString("\n# " + group + "\n")
		}
		line(v.Name, v.Example, v.Doc)
	}
	return b.String()
}

// The file at the top shows every variable, and nothing else; with every # taken
// away it is a .env file of which all is taken but what belongs to the machine.
func TestExampleIsFresh(t *testing.T) {
	const path = "../../.env.example"
	if *update {
		if err := os.WriteFile(path, []byte(example()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(example(), string(raw)); d != "" {
		t.Errorf("go test ./internal/config -run Example -update writes it anew:\n%s", d)
	}
	got, err := DotEnv(write(t, regexp.MustCompile(`(?m)^#([A-Z])`).ReplaceAllString(string(raw), "$1")), ".env", true)
	if err != nil {
		t.Fatal(err)
	}
	want, ignored := map[string]string{}, []string(nil)
	for _, k := range Keys {
		want[k.Env()] = k.Default
	}
	for _, v := range Variables {
		if v.Group == Machine {
			ignored = append(ignored, v.Name)
		} else {
			want[v.Name] = v.Example
		}
	}
	if d := cmp.Diff(EnvFile{Read: true, Values: want, Ignored: ignored}, got); d != "" {
		t.Error(d)
	}
}

// readers are the rooms that read the environment for people. What others read
// belongs to children and to code under audit.
var readers = []string{"../cli", "../config", "../fleet", "../llm", "../trace"}

// elsewhere are variables that every machine has, and words that look like some.
var elsewhere = []string{"HOME", "LANG", "LC_ALL", "LC_CTYPE", "AUTOMATON_", "SPAN_ONLY", "SPAN_AND_EVENT"}

// Every variable whose name stands in the code is listed, and every one that is
// listed stands in the code.
func TestVariablesAreRead(t *testing.T) {
	found := map[string]string{}
	for _, room := range readers {
		err := filepath.WalkDir(room, func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(p) != ".go" || strings.HasSuffix(p, "_test.go") || d.Name() == "variables.go" {
				return err
			}
			f, err := parser.ParseFile(token.NewFileSet(), p, nil, 0)
			if err != nil {
				return err
			}
			for _, name := range variablesIn(f) {
				found[name] = p
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	found["BROWSER"] = "the sandbox, which starts it"
	for name, p := range found {
		if !slices.ContainsFunc(Variables, func(v Variable) bool { return v.Name == name }) && !slices.Contains(elsewhere, name) {
			t.Errorf("%s names %s, which Variables does not list; a word that is no variable belongs into elsewhere", p, name)
		}
	}
	seen := map[string]bool{}
	for _, v := range Variables {
		if found[v.Name] == "" {
			t.Errorf("nothing reads %s", v.Name)
		}
		if seen[v.Name] || v.Doc == "" || v.Group == "" {
			t.Errorf("%s appears twice, or without a word", v.Name)
		}
		seen[v.Name] = true
	}
}

// variablesIn are the names in a file that are, or look like, variables: words in
// capitals with an underscore, and whatever a function that reads variables is
// given.
func variablesIn(f *ast.File) (names []string) {
	word := regexp.MustCompile(`^[A-Z][A-Z0-9]*_[A-Z0-9_]*$|^[A-Z][A-Z0-9]+$`)
	take := func(n ast.Node, bare bool) {
		if x, ok := n.(*ast.BasicLit); ok && x.Kind == token.STRING {
			if s, err := strconv.Unquote(x.Value); err == nil && word.MatchString(s) && (bare || strings.Contains(s, "_")) {
				names = append(names, s)
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		take(n, false)
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if fun, ok := call.Fun.(*ast.SelectorExpr); ok && slices.Contains([]string{"getenv", "Getenv", "first", "on", "off"}, fun.Sel.Name) {
			for _, arg := range call.Args {
				take(arg, true)
			}
		}
		return true
	})
	return names
}
