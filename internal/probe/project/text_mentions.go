package project

import (
	"context"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func textMentions() probe.Probe {
	return probe.Probe{
		ID: "text.mentions", Version: "1", Target: court.GithubRepo, Generic: true,
		Title:  "The named terms are mentioned",
		Doc:    "Looks for any of the terms as whole words in the files that fit the glob. A mention proves nothing about the program; it is listed so that people can look.",
		Remedy: "Explain the term where it is used.",
		Effort: 10,
		Args: []probe.Arg{
			{Name: "terms", Type: "strings", Required: true, Doc: "one of these; case does not matter"},
			{Name: "glob", Type: "string", Form: "glob", Default: "**/*", Doc: "path relative to the repository root"},
		},
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			terms := a.Strings("terms")
			if len(terms) == 0 || len(terms) > 50 {
				return nil, &probe.Unable{Reason: court.NoDetector, Why: "between 1 and 50 terms can be looked for"}
			}
			var words []string
			for _, t := range terms {
				words = append(words, regexp.QuoteMeta(t))
			}
			re, err := regexp.Compile(`(?i)(?:^|[^\w])(?:` + strings.Join(words, "|") + `)(?:[^\w]|$)`)
			if err != nil {
				return nil, &probe.Unable{Reason: court.NoDetector, Why: "the terms cannot be read"}
			}
			glob, err := globArgument(a)
			if err != nil {
				return nil, err
			}
			inv, err := files(ctx, s)
			if err != nil {
				return nil, err
			}
			var at []court.Place
			for _, f := range inv.files {
				if f.scope != code.ScopeVendor && f.scope != code.ScopeGenerated && glob.MatchString(f.path) {
					at = append(at, mentions(f, re)...)
				}
			}
			name := shown(strings.Join(terms, ", "))
			if len(at) == 0 {
				return []probe.Finding{probe.Missing(court.One, court.Mention, "No file mentions %s.", name)}, nil
			}
			return []probe.Finding{probe.Present(court.Mention, at, "%s mention %s.", court.Count(len(at), "line"), name)}, nil
		},
	}
}

// mentions lists the lines that hold a term.
func mentions(f file, re *regexp.Regexp) []court.Place {
	var at []court.Place
	n := 0
	for line := range strings.Lines(f.text) {
		n++
		if len(at) < maxHits && re.MatchString(strings.TrimRight(line, "\r\n")) {
			at = append(at, f.place(n))
		}
	}
	return at
}
