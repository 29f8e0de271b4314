package craft

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// desk is the code of one scope as these probes see it.
type desk struct {
	p        *code.Program
	modules  []*code.Module // Python with a tree, in the order of paths
	coverage court.Fixed    // share of the scope's code, in bytes, that was read
	beside   string         // the languages that were not; "" when there are none
}

// least is the share of a scope's code that must be Python before these probes
// speak of the whole. A design choice: a few scripts beside a program in
// another language do not tell how the program is written.
const least court.Fixed = 2500

// look lays out the Python code of a scope. Where most of the code is in other
// languages the answer is that nothing is known.
func look(ctx context.Context, s *probe.Scene, scope string) (*desk, error) {
	return probe.Shared(s, "craft.desk."+scope, func() (*desk, error) {
		p, err := s.Python(ctx)
		if err != nil {
			return nil, err
		}
		files, err := s.Files(ctx)
		if err != nil {
			return nil, err
		}
		d := &desk{p: p}
		all, seen, unread := 0, 0, map[string]int{}
		for _, f := range files {
			if !within(scope, p.Layout.Scope(f.Path)) {
				continue
			}
			if m := p.Module(f.Path); m != nil {
				all, seen = all+m.Bytes, seen+min(m.Examined(), m.Bytes)
				if m.Parsed && !m.Shadowed {
					d.modules = append(d.modules, m)
				}
			} else if name := foreignCode(f); name != "" {
				all += len(f.Bytes)
				unread[name] += len(f.Bytes)
			}
		}
		d.coverage = probe.Ratio(seen, all)
		d.beside = strings.Join(slices.Sorted(maps.Keys(unread)), ", ")
		if all > 0 && d.coverage < least {
			return nil, &probe.Unable{Reason: court.NoDetector, Why: fmt.Sprintf("this is read in Python, which is %d %% of the code; the rest is in %s", int(d.coverage)/100, orNone(d.beside))}
		}
		return d, nil
	})
}

func orNone(s string) string {
	if s == "" {
		return "files that could not be read"
	}
	return s
}

// foreignCode names the language of code that the Python model does not hold;
// "" for what is no program.
func foreignCode(f code.File) string {
	switch lang := f.Language(); {
	case len(f.Bytes) == 0, lang == "python", lang == "sql", lang == "terraform":
		return ""
	case lang.Code():
		return string(lang)
	case lang == "" && bytes.HasPrefix(f.Bytes, []byte("#!")):
		return "scripts without an extension"
	}
	return ""
}

// within tells whether a check that asks with this scope looks at a file of
// that class.
func within(asked string, is code.Scope) bool {
	switch asked {
	case "all":
		return is != code.ScopeVendor && is != code.ScopeGenerated
	case "tests":
		return is == code.ScopeTest
	default:
		return is == code.ScopeProduction
	}
}

// functions lists the functions and methods that can run, nested ones included
// and lambdas left out.
func (d *desk) functions() []*code.Definition {
	var out []*code.Definition
	for _, m := range d.modules {
		for _, f := range m.Definitions() {
			if f.IsFunction() && f.Kind != code.DefLambda && !d.p.Dead(f.Node) {
				out = append(out, f)
			}
		}
	}
	return out
}

// judged is the finding of a probe that counts instances: which of them are
// bad, and of how many. what is a sentence about good and total.
func (d *desk) judged(bad []court.Place, total int, what string) probe.Finding {
	if total == 0 {
		return probe.Clean(d.coverage, court.AST, "%s", d.said(what))
	}
	if len(bad) == 0 {
		return probe.Clean(d.coverage, court.AST, "%s", d.said(what))
	}
	f := probe.Partly(probe.Ratio(total-len(bad), total), court.AST, bad, "%s", d.said(what))
	f.Coverage = d.coverage
	return f
}

// said adds to a sentence what was not read.
func (d *desk) said(what string) string {
	if d.beside == "" {
		return what
	}
	return what + " Code in " + d.beside + " was not read."
}

// place is the lines of a node, the first few of them.
func place(n code.Node, most int) court.Place {
	return court.Place{Path: n.Path(), Line: n.Line(), EndLine: min(n.EndLine(), n.Line()+most-1)}
}

// head is the lines of a definition up to its body.
func head(d *code.Definition) court.Place {
	return court.Place{Path: d.Module.Path, Line: d.Line(), EndLine: max(d.Line(), min(d.Body().Line()-1, d.Line()+9))}
}

// public tells a name that others may use.
func public(name string) bool { return !strings.HasPrefix(name, "_") }

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// shown is a foreign word in a sentence.
func shown(s string) string { return fmt.Sprintf("%q", court.Clean(s, 120)) }
