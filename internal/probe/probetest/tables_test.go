package probetest_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/probe/probetest"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// TestEveryRowIsHit asks for a fixture of each row of each table: one in which
// code of the row's language, or some text, writes what the row is about. A row that nothing
// hits is either wrong or not tested.
func TestEveryRowIsHit(t *testing.T) {
	open := wanted()
	err := filepath.WalkDir("..", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(file) != ".txtar" || len(open) == 0 {
			return err
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		text := string(raw)
		if !slices.ContainsFunc(open, func(r row) bool { return r.maybe(text) }) {
			return nil
		}
		seen := look(t, file, text)
		open = slices.DeleteFunc(open, func(r row) bool { return r.maybe(text) && seen.hits(r) })
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range open {
		t.Errorf("no fixture hits the row of table %s: %s of %v: %v", r.question, r.Role, r.Languages, r.Names)
	}
}

type row struct {
	tables.Row
	question string
}

func wanted() (out []row) {
	for _, question := range tables.Questions() {
		for _, r := range tables.Of(question) {
			out = append(out, row{r, question})
		}
	}
	return out
}

// maybe is a quick look whether a text has the last word of one of the names.
func (r row) maybe(text string) bool {
	if r.question == "secret" || r.question == "place" {
		text = strings.ToLower(text)
	}
	return slices.ContainsFunc(r.Names, func(name string) bool {
		words := strings.FieldsFunc(name, func(c rune) bool { return strings.ContainsRune("*.:()/", c) })
		return len(words) == 0 || strings.Contains(text, words[len(words)-1])
	})
}

// sight is what the code of one fixture calls and names, by language, and its
// words.
type sight struct {
	names map[string][]string
	words []string
	texts []string
}

func (s sight) hits(r row) bool {
	switch r.question {
	case tables.Word, "module", "brought":
		return slices.ContainsFunc(s.words, r.Matches)
	case tables.Provider:
		if r.Input != "" {
			return slices.ContainsFunc(s.texts, func(t string) bool {
				return slices.ContainsFunc(r.Names, func(n string) bool { return strings.Contains(strings.ToLower(t), n) })
			})
		}
	case "place":
		return slices.ContainsFunc(s.words, func(w string) bool { return r.Matches(strings.ToLower(w)) })
	case "secret": // a name may have words before it
		return slices.ContainsFunc(s.words, func(w string) bool {
			return slices.ContainsFunc(r.Names, func(n string) bool { return tables.Match(strings.ToLower(w), "*"+n) })
		})
	case tables.Key:
		form := regexp.MustCompile(r.Form)
		return slices.ContainsFunc(s.texts, form.MatchString)
	}
	return slices.ContainsFunc(r.Languages, func(l string) bool { return slices.ContainsFunc(s.names[l], r.Matches) })
}

func look(t *testing.T, file, text string) sight {
	t.Helper()
	fixture := probetest.Load(t, file)
	s := sight{map[string][]string{}, strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(" \t\n\"'`,()[]{}/:=", c) }), nil}
	scene := fixture.Scene(t)
	for name := range fixture.Files {
		if f, err := scene.Text(context.Background(), name); err == nil {
			text, _ := f.Text()
			s.texts = append(s.texts, text)
		}
	}
	if p, err := scene.Joined(context.Background()); err == nil {
		for _, c := range p.Calls() {
			for _, x := range c.Symbols() {
				if x.Known() {
					s.names["python"] = append(s.names["python"], x.Qualified)
				}
			}
		}
	}
	p, err := scene.Trees(context.Background())
	if err != nil {
		return s
	}
	for _, f := range p.Files {
		l := string(f.Language)
		for n := range f.Root().Walk() {
			if n.Is("call", "member", "index", "name") {
				s.names[l] = append(s.names[l], writtenName(n))
			}
		}
	}
	all, err := scene.Analyses(context.Background())
	if err != nil {
		return s
	}
	for f := range all.Program.All() {
		l := f.Module.Language
		for _, in := range f.Instructions() {
			for _, o := range in.Args {
				name, _ := all.Names.Operand(f, o).Full()
				s.names[l] = append(s.names[l], name, all.Names.Instance(f, o).Outside)
			}
		}
	}
	return s
}

// writtenName is how an expression, or what a call calls, is written.
func writtenName(n syntax.Node) string {
	if n.Is("call") {
		n = n.Child("callee")
	}
	return strings.SplitN(n.Text(), "<", 2)[0]
}
