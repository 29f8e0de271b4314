package project

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il/intree"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func archEntry() probe.Probe {
	return probe.Probe{
		ID: "arch.entry", Version: "1", Target: court.GithubRepo,
		Title: "The program has an entry point",
		Doc: "Looks for what starts the program: console scripts, __main__ blocks and servers of Python; main functions of Go, Rust, Java, Kotlin, C and C#; bin, main and start in package.json; executable scripts with an interpreter line; what a container file starts. " +
			"Tests, examples and vendored code have none. Whether it starts is not tried. A library has none, which is said; asked for its public entry, the file that others import counts as well: the package at the root in Go, lib.rs, the module that package.json names, the package's __init__.py, the module descriptor or the published artifact in Java.",
		Remedy: "Give the program a console script or a main function.",
		Effort: 15, Recall: 9500,
		Args: []probe.Arg{{Name: "of", Type: "string", Allowed: []string{"program", "project"}, Default: "program", Doc: "project: the public entry of a library counts, too"}},
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			inv, err := files(ctx, s)
			if err != nil {
				return nil, err
			}
			p, err := s.Joined(ctx)
			if err != nil {
				return nil, err
			}
			others, err := trees(ctx, s)
			if err != nil {
				return nil, err
			}
			at := pythonEntries(p)
			code, known := 0, 0
			for _, f := range inv.files {
				if f.scope == "vendor" || f.foreign() || aside(f) {
					continue
				}
				if line := starts(f, others.File(f.path)); line > 0 {
					at = append(at, f.place(line))
				}
				if f.lang.Code() && f.scope == productionScope {
					code++
					if mains[f.lang] != nil || f.lang == "python" || f.lang == "javascript" || f.lang == "typescript" || f.lang == "shell" {
						known++
					}
				}
			}
			if a.String("of") == "project" {
				n, err := projectKindOf(ctx, s)
				if err != nil {
					return nil, err
				}
				if f, ok := inv.libraryEntry(n, at); ok {
					return []probe.Finding{f}, nil
				}
				slices.SortStableFunc(at, func(a, b court.Place) int { return strings.Count(a.Path, "/") - strings.Count(b.Path, "/") })
			}
			switch {
			case len(at) > 0:
				return []probe.Finding{probe.Present(court.Structure, at, "The program has %s.", strings.Replace(court.Count(len(at), "way"), "way", "entry point", 1))}, nil
			case code > 0 && known == 0:
				return []probe.Finding{probe.Cannot(court.NoDetector, nil, "The audit does not know how programs in these languages start.")}, nil
			}
			return []probe.Finding{probe.Missing(probe.Ratio(known, code), court.Structure, "Nothing starts a program: %s of code have no console script, main function, server or script.", court.Count(code, "file"))}, nil
		},
	}
}

const productionScope = code.ScopeProduction

// pythonEntries are the entry points that the Python model knows.
func pythonEntries(p *intree.Program) []court.Place {
	var at []court.Place
	for _, e := range p.Entries() {
		if e.Def != nil || e.Kind != "script" { // a script that names nothing starts nothing
			at = append(at, court.Place{Path: e.Path, Line: e.Line})
		}
	}
	return at
}

// mains is what starts a program, by language.
var mains = map[code.Language]*regexp.Regexp{
	"go":     regexp.MustCompile(`(?m)^func main\(\)`),
	"rust":   regexp.MustCompile(`(?m)^\s*(?:pub )?(?:async )?fn main\(\)`),
	"java":   regexp.MustCompile(`\bstatic\s+(?:final\s+)?void\s+main\s*\(|\bvoid\s+main\s*\(\s*\)\s*\{|@SpringBootApplication|@QuarkusMain`),
	"kotlin": regexp.MustCompile(`(?m)^\s*(?:suspend )?fun main\(`),
	"c":      regexp.MustCompile(`(?m)^\s*(?:int|void)\s+main\s*\(`),
	"c++":    regexp.MustCompile(`(?m)^\s*(?:int|void|auto)\s+main\s*\(`),
	"c#":     regexp.MustCompile(`\bstatic\s+(?:async\s+)?(?:void|int|Task(?:<int>)?)\s+Main\s*\(|\bWebApplication\.CreateBuilder\(`),
	"dart":   regexp.MustCompile(`(?m)^\s*(?:void )?main\(`),
	"swift":  regexp.MustCompile(`(?m)^@main\b`),
	"scala":  regexp.MustCompile(`\bdef main\(|\bextends App\b|@main\b`),
}

var (
	serves      = regexp.MustCompile(`\.listen\s*\(|\bcreateRoot\s*\(|\bReactDOM\.render\s*\(|\bcreateApp\s*\(|\bbootstrapApplication\s*\(`)
	startsImage = regexp.MustCompile(`(?m)^\s*(?i:CMD|ENTRYPOINT)\s+\S`)
	packageMain = regexp.MustCompile(`(?m)^package main\b`)
)

// starts is the line by which a file starts a program, 0 when it does not.
func starts(f file, tree *syntax.File) int {
	at := func(re *regexp.Regexp, text string) int {
		if m := re.FindStringIndex(text); m != nil {
			return lineOf(text, m[0]+len(text[m[0]:m[1]])-len(strings.TrimLeft(text[m[0]:m[1]], " \t\n")))
		}
		return 0
	}
	switch {
	case f.base == "package.json":
		return packageStart(f)
	case f.lang == "docker":
		return at(startsImage, f.text)
	case f.lang == "" && f.dir() == "" && strings.HasPrefix(f.text, "#!"):
		return 1
	case f.scope != productionScope && f.base != "cargo.toml":
		return 0
	case f.base == "cargo.toml":
		return at(regexp.MustCompile(`(?m)^\[\[bin\]\]`), f.text)
	case tree != nil && tree.Parsed:
		return treeStart(tree)
	case f.lang == "go" && !packageMain.MatchString(split(f.lang, f.text).code()):
		return 0
	case mains[f.lang] != nil:
		return at(mains[f.lang], split(f.lang, f.text).code())
	case f.lang == "javascript" || f.lang == "typescript":
		if strings.HasPrefix(f.text, "#!") {
			return 1
		}
		return at(serves, split(f.lang, f.text).code())
	case f.lang == "shell" && strings.HasPrefix(f.text, "#!") && f.dir() == "":
		return 1
	}
	return 0
}

// packageStart is the line of what starts a package of JavaScript.
func packageStart(f file) int {
	var m struct {
		Bin     json.RawMessage            `json:"bin"`
		Scripts map[string]json.RawMessage `json:"scripts"`
	}
	if json.Unmarshal([]byte(f.text), &m) != nil {
		return 0
	}
	key := ""
	switch {
	case m.Bin != nil:
		key = "bin"
	case m.Scripts["start"] != nil:
		key = "start"
	case m.Scripts["dev"] != nil:
		key = "dev"
	case m.Scripts["serve"] != nil:
		key = "serve"
	default:
		return 0
	}
	line := 0
	each(f, func(text string, n int) {
		if line == 0 && strings.Contains(text, `"`+key+`"`) {
			line = n
		}
	})
	return max(line, 1)
}
