package project

import (
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func judgeSpread() probe.Probe {
	return probe.Probe{
		ID: "judge.spread", Version: "2", Target: court.GithubRepo,
		Title:  "The judges of published audits disagree",
		Doc:    "Reads the scores of the three judges in the audit reports of the submission (Markdown and JSON) and takes the share of criteria on which they differ. Reports received from others are left out, as are opinions that stand for a call that failed. Agreement can also mean that the case was clear.",
		Remedy: "Let the three personas judge by their own words, and publish a run that shows it.",
		Effort: 30, Recall: 9000,
		Run: probe.Of(audits, spreads),
	}
}

func spreads(all published) probe.Finding {
	var apart, alike []court.Place
	sum, failed, answered, open := 0.0, 0, 0, 0
	for _, a := range all.read {
		if !a.genuine() {
			failed++
			continue
		}
		answered++
		for _, h := range a.criteria {
			if !h.full() || len(h.failed) > 0 {
				if len(h.scores) > 0 {
					open++
				}
				continue
			}
			sum += h.spread()
			if h.spread() > 0 {
				apart = append(apart, a.place(h))
			} else {
				alike = append(alike, a.place(h))
			}
		}
	}
	n := len(apart) + len(alike)
	if all.opaque > 0 && len(apart) == 0 {
		return probe.Cannot(court.NoDetector, nil, "The scores of the judges could not be read in %s.", court.Count(all.opaque, "published audit"))
	}
	if n == 0 && failed > 0 {
		return probe.Cannot(court.NoArtifact, nil, "No judge was answered in %s: the opinions stand for calls that failed.", court.Count(failed, "published audit")).Do(publish)
	}
	if n == 0 {
		return probe.Cannot(court.NoArtifact, nil, "The submission publishes no audit with the scores of three judges.").Do(publish)
	}
	at := apart
	if len(apart) == 0 {
		at = alike
	}
	others := ""
	if open > 0 {
		others = " For " + court.Count(open, "other criterion") + " an opinion is missing or stands for a call that failed."
	}
	f := probe.Partly(probe.Ratio(len(apart), n), court.Structure, at, "The judges differ on %s in %s. Their scores are %.1f points apart on average.%s",
		court.Of(len(apart), n, "criterion"), court.Count(answered, "published audit"), sum/float64(n), others)
	f.Coverage = probe.Ratio(len(all.read), len(all.read)+all.opaque)
	f.Data = map[string]any{"triples": n, "differing": len(apart), "audits": answered}
	return f
}
