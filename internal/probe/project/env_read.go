package project

import (
	"context"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func envRead() probe.Probe {
	return probe.Probe{
		ID: "env.read", Version: "1", Target: court.GithubRepo, Generic: true,
		Title:  "The code reads the named variable from the environment",
		Doc:    "Looks for calls and subscripts that read the environment, and for settings classes. Names that are put together at run time are not seen; where the name stands in a string elsewhere, the answer is unknown.",
		Remedy: "Read the variable from the environment.",
		Effort: 10,
		Args:   []probe.Arg{{Name: "name", Type: "string", Required: true, Doc: "of the variable"}},
		Run: beyond(func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			name := a.String("name")
			vars, err := environment(ctx, s, a.Scope)
			if err != nil {
				return nil, err
			}
			var at []court.Place
			for _, v := range vars {
				if v.name == name {
					at = append(at, v.at)
				}
			}
			if at = slices.Compact(at); len(at) > 0 {
				return []probe.Finding{probe.Present(sourceAt(at), at, "The code reads %s from the environment.", shown(name))}, nil
			}
			all, err := sources(ctx, s, a.Scope)
			if err != nil {
				return nil, err
			}
			for _, d := range all {
				text := d.both()
				if i := wordIn(text, name); i >= 0 {
					here := []court.Place{d.file.place(lineOf(text, i))}
					return []probe.Finding{probe.Cannot(court.Dynamic, here, "The code names %s here, but no read of the environment was understood.", shown(name))}, nil
				}
			}
			return []probe.Finding{probe.Missing(court.One, court.Structure, "Nothing reads %s from the environment in %s.", shown(name), counted(len(all), "source file", a.Scope)).OfNothing(len(all) == 0).Do("Read %s from the environment.", shown(name))}, nil
		}),
	}
}

// wordIn is where a word stands by itself, or -1.
func wordIn(text, word string) int {
	if word == "" {
		return -1
	}
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return -1
		}
		i += from
		if !wordByte(text, i-1) && !wordByte(text, i+len(word)) {
			return i
		}
		from = i + 1
	}
}

func wordByte(text string, i int) bool {
	return i >= 0 && i < len(text) && (text[i] == '_' || text[i] >= '0' && text[i] <= '9' || text[i] >= 'a' && text[i] <= 'z' || text[i] >= 'A' && text[i] <= 'Z' || text[i] >= 0x80)
}
