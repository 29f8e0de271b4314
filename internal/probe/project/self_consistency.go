package project

import (
	"context"
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/tables"
)

func selfConsistency() probe.Probe {
	return probe.Probe{
		ID: "self.consistency", Version: "1", Target: court.GithubRepo,
		Title: "Scores that the authors give themselves agree with the facts",
		Doc: "Takes the final scores in the audit reports that a submission publishes about itself, and holds those of 4 and more against one fact each that would forbid them: at most three commits; no graph; detectives or judges in a proven chain; a plain dict as the state; a shell call by os.system; model calls without any means of structured output. " +
			"Criteria that it does not know by their headings are left out, as are reports about others. Without such a report nothing is asked.",
		Remedy: "Correct the published score, or what it claims.",
		Effort: 60, Recall: 6000,
		Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
			all, err := audits(ctx, s)
			if err != nil {
				return nil, err
			}
			facts := selfFacts(ctx, s)
			var at []court.Place
			var said []string
			reports, held := 0, 0
			for _, a := range all.read {
				if !ofItself(a.file) {
					continue
				}
				reports++
				for _, h := range a.criteria {
					if h.final < 4 || h.final > 5 {
						continue
					}
					against, known := facts(h.name)
					if !known {
						continue
					}
					held++
					if against != nil {
						at = append(at, a.place(h))
						at = append(at, against.at...)
						said = append(said, fmt.Sprintf("%s has %.1f, but %s", shown(court.Clean(h.name, 60)), h.final, against.what))
					}
				}
			}
			switch {
			case reports == 0:
				return nil, &probe.Unable{Reason: court.NoArtifact, Why: "the submission publishes no audit report about itself that can be read"}
			case held == 0:
				return nil, &probe.Unable{Reason: court.NoDetector, Why: "the published reports hold no final score of 4 and more for a criterion that is known here"}
			case len(at) > 0:
				return []probe.Finding{probe.Against(court.Crossref, at, "Published scores disagree with the facts: %s.", strings.Join(said[:min(len(said), 4)], "; ")).Do("Correct the published scores, or the program: %s.", strings.Join(said[:min(len(said), 4)], "; "))}, nil
			}
			return []probe.Finding{probe.Clean(court.One, court.Crossref, "No fact contradicts any of %s of 4 and more in %s.", court.Count(held, "published score"), court.Count(reports, "report"))}, nil
		},
	}
}

// ofItself tells a report about the submission from one about a peer's.
func ofItself(f file) bool {
	low := strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(f.path))
	return strings.Contains(low, "onself") || strings.Contains(low, "selfaudit") || strings.Contains(low, "auditself") || strings.Contains(low, "selfgenerated")
}

// contradiction is a fact that a high score cannot live with.
type contradiction struct {
	what string
	at   []court.Place
}

// selfFacts looks up the fact for a criterion by its heading. Known is false
// where the heading is not, or the fact cannot be told.
func selfFacts(ctx context.Context, s *probe.Scene) func(name string) (*contradiction, bool) {
	return func(name string) (*contradiction, bool) {
		low := strings.ReplaceAll(strings.ToLower(name), "_", " ")
		switch {
		case strings.Contains(low, "forensic analysis") && strings.Contains(low, "git"):
			return fewCommits(ctx, s)
		case strings.Contains(low, "graph orchestration"):
			return noGraph(ctx, s)
		case strings.Contains(low, "state management"):
			return plainState(ctx, s)
		case strings.Contains(low, "safe tool"):
			return shellCall(ctx, s)
		case strings.Contains(low, "structured output"):
			return unstructured(ctx, s)
		}
		return nil, false
	}
}

func fewCommits(ctx context.Context, s *probe.Scene) (*contradiction, bool) {
	all, err := s.Past(ctx)
	if err != nil || all.Answer != facts.Yes {
		return nil, false
	}
	if n := len(all.Value.Own); n <= facts.FewCommits {
		return &contradiction{"the history has " + court.Count(n, "commit"), all.At}, true
	}
	return nil, true
}

func noGraph(ctx context.Context, s *probe.Scene) (*contradiction, bool) {
	w, err := s.Wiring(ctx)
	if err != nil {
		return nil, false
	}
	switch g := w.Graph(); g.Answer {
	case agentgraph.No:
		if sheet, err := s.Facts(ctx, "graph"); err != nil || sheet.Graph.StateGraph.Present == nil { // it may be built in what is not read
			return nil, false
		}
		return &contradiction{"no StateGraph is built", nil}, true
	case agentgraph.Unknown:
		return nil, false
	}
	for _, role := range []agentgraph.Role{facts.Detective, facts.Judge} {
		if p := w.Parallel(role); p.Value.Extent == facts.Chained && len(w.Main.Unresolved) == 0 {
			return &contradiction{"nodes of the role " + string(role) + " run in a chain", p.At}, true
		}
	}
	return nil, true
}

func plainState(ctx context.Context, s *probe.Scene) (*contradiction, bool) {
	w, err := s.Wiring(ctx)
	if err != nil || w.Graph().Answer != facts.Yes {
		return nil, false
	}
	switch typed := w.Typed(); {
	case typed.Answer == facts.Unknown:
		return nil, false
	case typed.Value.Kind == agentgraph.KindDict:
		return &contradiction{"the graph's state is a plain dict", typed.At}, true
	}
	return nil, true
}

func shellCall(ctx context.Context, s *probe.Scene) (*contradiction, bool) {
	sheet, err := s.Facts(ctx, "tools")
	if err != nil || sheet.Tools.OSSystem == nil {
		return nil, false
	}
	for _, at := range sheet.Tools.OSSystem {
		return &contradiction{"os.system is called", []court.Place{at.Place}}, true
	}
	return nil, true
}

// unstructured is the case of model calls where no word of the code stands for
// an answer that is bound to a schema or checked against one.
func unstructured(ctx context.Context, s *probe.Scene) (*contradiction, bool) {
	sheet, err := s.Facts(ctx, "judges")
	if err != nil {
		return nil, false
	}
	if kind := sheet.Judges.StructuredOutput.Kind; kind == nil || *kind != "none" {
		return nil, kind != nil
	}
	p, err := s.Joined(ctx)
	if err != nil {
		return nil, false
	}
	for _, m := range p.Modules {
		text := strings.ToLower(m.Text())
		for _, w := range tables.Of(tables.Word).Names("python", "form of an answer") {
			if strings.Contains(text, w) {
				return nil, true
			}
		}
	}
	if len(sheet.Judges.ModelProviders) == 0 {
		return nil, false
	}
	return &contradiction{"nothing in the code binds an answer of a model to a schema", sheet.Proven("judges.model_providers").At}, true
}
