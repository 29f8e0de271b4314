package project

import (
	"context"
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func fileContains() probe.Probe {
	return probe.Probe{
		ID: "file.contains", Version: "1", Target: court.GithubRepo, Generic: true,
		Title:  "The named files contain the text",
		Doc:    "Looks for a text or pattern in the files that fit the glob: in code, in strings, in comments (docstrings among them), or anywhere. Found elsewhere than asked, it is a mention and proves nothing.",
		Remedy: "Write what the rubric asks for into the file.",
		Effort: 15,
		OneOf:  []string{"text", "pattern"},
		Args: []probe.Arg{
			{Name: "glob", Type: "string", Form: "glob", Default: "**/*", Doc: "path relative to the repository root; ** crosses folders"},
			{Name: "text", Type: "string", Doc: "as it stands; case does not matter"},
			{Name: "pattern", Type: "string", Form: "pattern", Doc: "RE2, instead of text"},
			{Name: "where", Type: "string", Allowed: []string{"code", "string", "comment", "any"}, Default: "any"},
		},
		Run: beyond(func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			re, err := textPattern(a)
			if err != nil {
				return nil, err
			}
			glob, err := globArgument(a)
			if err != nil {
				return nil, err
			}
			name := shown(a.String("text") + a.String("pattern"))
			if where := a.String("where"); where != "" && where != "any" {
				return inParts(ctx, s, a, re, glob, where, name)
			}
			return anywhere(ctx, s, re, glob, name)
		}),
	}
}

const maxPattern = 1000 // bytes

func textPattern(a probe.Args) (*regexp.Regexp, error) {
	text, pattern := a.String("text"), a.String("pattern")
	if text == "" && pattern == "" || len(text)+len(pattern) > maxPattern {
		return nil, &probe.Unable{Reason: court.NoDetector, Why: "a text or a pattern of at most 1000 bytes is needed"}
	}
	if pattern == "" {
		pattern = "(?i)" + regexp.QuoteMeta(text)
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, &probe.Unable{Reason: court.NoDetector, Why: "the pattern cannot be read: " + err.Error()}
	}
	return re, nil
}

func globArgument(a probe.Args) (*regexp.Regexp, error) {
	pattern := a.String("glob")
	if pattern == "" {
		pattern = "**/*"
	}
	glob, err := probe.Glob(pattern)
	if err != nil {
		return nil, &probe.Unable{Reason: court.NoDetector, Why: err.Error()}
	}
	return glob, nil
}

// inParts looks in one part of the source files of a scope.
func inParts(ctx context.Context, s *probe.Scene, a probe.Args, re, glob *regexp.Regexp, where, name string) ([]probe.Finding, error) {
	all, err := sources(ctx, s, a.Scope)
	if err != nil {
		return nil, err
	}
	var at, elsewhere []court.Place
	n := 0
	for _, d := range all {
		if !glob.MatchString(d.file.path) {
			continue
		}
		n++
		asked := map[string]class{"code": inCode, "string": inString, "comment": inComment}[where]
		hits := lines(d.file, d.only(asked), re)
		at = append(at, hits...)
		if len(hits) == 0 {
			for _, c := range []class{inCode, inString, inComment} {
				elsewhere = append(elsewhere, lines(d.file, d.only(c), re)...)
			}
		}
	}
	slices.SortFunc(elsewhere, comparePlaces)
	elsewhere = slices.Compact(elsewhere)
	switch {
	case len(at) > 0:
		return []probe.Finding{probe.Present(court.Token, at, "%s occurs in %s of %s.", name, kindOfPart(where), shown(at[0].Path))}, nil
	case len(elsewhere) > 0:
		return []probe.Finding{probe.Present(court.Mention, elsewhere, "%s occurs in %s, but not in %s.", name, shown(elsewhere[0].Path), kindOfPart(where))}, nil
	}
	return []probe.Finding{probe.Missing(court.One, court.Token, "%s occurs nowhere in %s.", name, counted(n, "source file", a.Scope)).OfNothing(n == 0)}, nil
}

func kindOfPart(where string) string {
	switch where {
	case "string":
		return "the strings"
	case "comment":
		return "the comments"
	}
	return "the code"
}

// anywhere looks in all files, vendored and generated ones apart.
func anywhere(ctx context.Context, s *probe.Scene, re, glob *regexp.Regexp, name string) ([]probe.Finding, error) {
	inv, err := files(ctx, s)
	if err != nil {
		return nil, err
	}
	var at []court.Place
	n, read := 0, 0
	source := court.Layout
	for _, f := range inv.files {
		if f.scope == code.ScopeVendor || f.scope == code.ScopeGenerated || picture(f.base) || !glob.MatchString(f.path) {
			continue
		}
		n++
		if f.read {
			read++
		}
		hits := lines(f, f.text, re)
		if len(hits) > 0 && f.lang.Code() {
			source = court.Token
		}
		at = append(at, hits...)
	}
	if len(at) > 0 {
		return []probe.Finding{probe.Present(source, at, "%s occurs in %s.", name, shown(at[0].Path))}, nil
	}
	if n == 0 {
		return []probe.Finding{probe.Missing(court.One, court.Layout, "There is no file in which %s could occur.", name).OfNothing(true)}, nil
	}
	return []probe.Finding{probe.Missing(probe.Ratio(read, n), court.Token, "%s occurs nowhere in %s.", name, court.Count(n, "file"))}, nil
}

// maxHits bounds the places in one file.
const maxHits = 20

// lines lists the lines of a text where a pattern fits.
func lines(f file, text string, re *regexp.Regexp) []court.Place {
	var at []court.Place
	for _, m := range re.FindAllStringIndex(text, maxHits) {
		if here := f.place(lineOf(text, m[0])); len(at) == 0 || at[len(at)-1] != here {
			at = append(at, here)
		}
	}
	return at
}
