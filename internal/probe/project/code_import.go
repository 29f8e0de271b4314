package project

import (
	"context"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func codeImport() probe.Probe {
	return probe.Probe{
		ID: "code.import", Version: "1", Target: court.GithubRepo, Generic: true,
		Title:  "The code imports the named module",
		Doc:    "Looks for imports of a module or of something in it: in Python, Go, JavaScript, TypeScript, Java and Rust in every form, in other languages by the import statement. Whether what was imported is used is not asked.",
		Remedy: "Import the module and use it.",
		Effort: 15,
		Args:   []probe.Arg{{Name: "module", Type: "strings", Required: true, Doc: "one of these"}},
		Run: beyond(func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			modules := a.Strings("module")
			if len(modules) == 0 || len(modules) > 50 {
				return nil, &probe.Unable{Reason: court.NoDetector, Why: "between 1 and 50 modules can be looked for"}
			}
			p, err := s.Joined(ctx)
			if err != nil {
				return nil, err
			}
			at := imports(p, modules, a.Scope)
			others, err := otherImports(ctx, s, modules, a.Scope)
			if err != nil {
				return nil, err
			}
			source := sourceAt(at)
			if len(at) == 0 && (len(others) == 0 || sourceAt(others) != court.AST) {
				source = court.Structure
			}
			at = append(at, others...)
			slices.SortFunc(at, comparePlaces)
			return enough(ctx, s, at, source, a, "Imports of", shown(strings.Join(modules, ", ")), "")
		}),
	}
}

func otherImports(ctx context.Context, s *probe.Scene, modules []string, scope string) ([]court.Place, error) {
	all, err := sources(ctx, s, scope)
	if err != nil {
		return nil, err
	}
	var quotedNames []string
	for _, m := range modules {
		quotedNames = append(quotedNames, regexp.QuoteMeta(m))
	}
	names := strings.Join(quotedNames, "|")
	inString, err := regexp.Compile("(?m)(?:\\bfrom|\\brequire\\(|\\bimport\\(?|^\\s*(?:[\\w.]+\\s+)?)\\s*[\"'`](?:[\\w.@-]+/)*(?:" + names + ")(?:/[^\"'`]*)?[\"'`]")
	if err != nil {
		return nil, &probe.Unable{Reason: court.NoDetector, Why: "the modules that were asked for cannot be read"}
	}
	byName, err := regexp.Compile("(?m)^\\s*(?:import|use|pub use|extern crate)\\s+(?:static\\s+)?(?:" + names + ")(?:\\b|::)")
	if err != nil {
		return nil, &probe.Unable{Reason: court.NoDetector, Why: "the modules that were asked for cannot be read"}
	}
	others, err := trees(ctx, s)
	if err != nil {
		return nil, err
	}
	at := treeImports(others, modules, scope)
	for _, d := range all {
		if !d.byLines() {
			continue
		}
		re := inString
		switch d.file.lang {
		case "java", "kotlin", "rust", "scala":
			re = byName
		}
		text := d.both()
		for _, m := range re.FindAllStringIndex(text, 50) {
			if here := d.file.place(lineOf(text, m[0]+leading(text[m[0]:m[1]]))); len(at) == 0 || at[len(at)-1] != here {
				at = append(at, here)
			}
		}
	}
	return at, nil
}

// leading is how much white space a text begins with.
func leading(s string) int { return len(s) - len(strings.TrimLeft(s, " \t\r\n")) }
