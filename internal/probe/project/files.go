package project

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il/intree"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/repo"
)

// file is one regular file of the commit with its scope class. Its text is
// decoded; it is empty when the file was not read.
type file struct {
	path  string
	base  string // lower case
	scope code.Scope
	lang  code.Language
	size  int64
	read  bool
	text  string
}

// inventory is every regular file, by path.
type inventory struct {
	files    []file
	symlinks []string // paths of symbolic links
	layout   *code.Layout
}

func files(ctx context.Context, s *probe.Scene) (*inventory, error) {
	return probe.Shared(s, "project.files", func() (*inventory, error) {
		layout, program, err := modelled(ctx, s)
		if err != nil {
			return nil, err
		}
		texts, err := s.Texts(ctx)
		if err != nil {
			return nil, err
		}
		entries, err := s.Entries()
		if err != nil {
			return nil, err
		}
		inv := &inventory{layout: layout}
		for _, e := range entries {
			if e.Kind != repo.File && e.Kind != repo.Executable {
				if e.Kind == repo.Symlink {
					inv.symlinks = append(inv.symlinks, e.Path)
				}
				continue
			}
			raw, ok := texts[e.Path]
			f := file{path: e.Path, base: strings.ToLower(path.Base(e.Path)), scope: inv.layout.Scope(e.Path), size: e.Size, read: ok}
			f.lang = code.File{Path: e.Path}.Language()
			if ok && !binary(raw) {
				f.text = decoded(program, f.scope, e.Path, raw)
			}
			inv.files = append(inv.files, f)
		}
		return inv, nil
	})
}

// modelled is the layout, and the program where this run reads code.
func modelled(ctx context.Context, s *probe.Scene) (*code.Layout, *intree.Program, error) {
	layout, err := s.Layout(ctx)
	if err != nil || !s.Reads().Has(probe.Code) {
		return layout, nil, err
	}
	program, err := s.Joined(ctx)
	return layout, program, err
}

// decoded is the text of a file; one text serves the program's files, too.
func decoded(p *intree.Program, scope code.Scope, path string, raw []byte) string {
	if p == nil && scope != code.ScopeVendor && scope != code.ScopeGenerated {
		return code.File{Path: path, Bytes: raw}.Source()
	}
	if p != nil {
		if m := p.Module(path); m != nil {
			return m.Text()
		}
	}
	text, _ := code.File{Path: path, Bytes: raw}.Text()
	return text
}

// binary tells bytes that are not text, as git does: a zero byte near the
// beginning. UTF-16 has them too, but begins with its mark.
func binary(b []byte) bool {
	if len(b) >= 2 && (b[0] == 0xff && b[1] == 0xfe || b[0] == 0xfe && b[1] == 0xff) {
		return false
	}
	return slices.Contains(b[:min(len(b), 8000)], 0)
}

// blank tells a file without any text; one that could not be read is not blank.
func (f file) blank() bool { return f.read && strings.TrimSpace(f.text) == "" || f.size == 0 }

// foreign tells what others wrote or what only shows something.
func (f file) foreign() bool {
	return f.scope == code.ScopeVendor || f.scope == code.ScopeTest || f.scope == code.ScopeExample
}

// dir is the folder of the file, "" for the repository root.
func (f file) dir() string {
	if d := path.Dir(f.path); d != "." {
		return d
	}
	return ""
}

func (f file) place(line int) court.Place { return court.Place{Path: f.path, Line: line} }

// inScope tells whether a check that asks with this scope looks at the file.
func (f file) inScope(scope string) bool {
	switch scope {
	case "all":
		return f.scope != code.ScopeVendor && f.scope != code.ScopeGenerated
	case "tests":
		return f.scope == code.ScopeTest
	default:
		return f.scope == code.ScopeProduction
	}
}

// shown is a foreign word in a sentence.
func shown(s string) string { return fmt.Sprintf("%q", court.Clean(s, 120)) }

// lineOf is the 1-based line of a position in a text.
func lineOf(text string, at int) int { return 1 + strings.Count(text[:at], "\n") }
