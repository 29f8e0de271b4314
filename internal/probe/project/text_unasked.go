package project

import (
	"context"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func textUnasked() probe.Probe {
	return probe.Probe{
		ID: "text.unasked", Version: "1", Target: court.GithubRepo, Generic: true,
		Title: "The submission does what these words ask",
		Doc:   "Looks for nothing and answers unknown. A plan that is made from the words of a rubric asks it for every part of them that no other probe can look for, so that such a part is in doubt and neither held nor blamed. A model that investigates, or a person, can answer it.",
		Args:  []probe.Arg{{Name: "words", Type: "string", Required: true, Doc: "the words, as the rubric has them"}},
		Run: func(_ context.Context, _ *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			return []probe.Finding{probe.Cannot(court.NoDetector, nil, "No probe looks for %s. A person can, or a model that investigates.", shown(a.String("words")))}, nil
		},
	}
}
