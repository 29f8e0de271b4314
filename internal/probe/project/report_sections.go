package project

import (
	"context"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

func reportSections() probe.Probe {
	return probe.Probe{
		ID: "report.sections", Version: "3", Target: court.GithubRepo,
		Title:  "Audit reports have all their parts",
		Doc:    "Reads the most complete audit report that the submission publishes, Markdown named a report before others, and none before one in which judges were answered: summary, criteria, three opinions each, dissent where scores lie more than two points apart, remediation, an overall score within those of the criteria, the target's address and commit. Without a published report, the headings that production code writes. What the parts say is not judged.",
		Remedy: "Render summary, criteria with three opinions, dissent, remediation, target and commit into the report.",
		Effort: 60, Recall: 9000,
		Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
			all, err := audits(ctx, s)
			if err != nil {
				return nil, err
			}
			a := mostComplete(all.read)
			if a == nil {
				return template(ctx, s, all.opaque)
			}
			have, lack := a.partsOf()
			f := probe.Partly(probe.Ratio(len(have), len(have)+len(lack)), court.Structure, []court.Place{a.file.place(1)},
				"%s has %s.%s", shown(a.file.path), safetext.List(have), but(" These parts were not found: ", lack))
			if len(lack) > 0 {
				f = f.Do("Write into the report what it lacks: %s.", safetext.List(lack))
			}
			return []probe.Finding{f}, nil
		},
	}
}

var (
	hasSummary = regexp.MustCompile(`(?i)executive[ _]summary|\bsummary\b`)
	hasRemedy  = regexp.MustCompile(`(?i)remediation|recommendation|next steps`)
	hasDissent = regexp.MustCompile(`(?i)dissent|disagree|diverg|overruled|minority`)
	hasTarget  = regexp.MustCompile(`https?://[\w.-]+/[\w.-]+/[\w.-]+`)
	hasCommit  = regexp.MustCompile(`(?i)\b(?:commit|hash|sha|revision)\b[^\n]{0,20}?\b[0-9a-f]{7,40}\b`)
)

// partsOf says which parts a published report has.
func (a *audit) partsOf() (have, lack []string) {
	note := func(ok bool, part string) {
		if ok {
			have = append(have, part)
		} else {
			lack = append(lack, part)
		}
	}
	judged, full, disputed, explained := 0, 0, 0, 0
	low, high := 1e9, -1e9
	for _, h := range a.criteria {
		if len(h.scores) < 2 && !h.full() {
			continue
		}
		judged++
		if h.full() {
			full++
		}
		if h.spread() > 2 {
			disputed++
			if hasDissent.MatchString(h.text.String()) || strings.HasSuffix(a.file.base, ".json") && hasDissent.MatchString(a.text) {
				explained++
			}
		}
		if h.final >= 0 {
			low, high = min(low, h.final), max(high, h.final)
		}
	}
	note(hasSummary.MatchString(a.text), "a summary")
	note(judged >= 2, "criteria")
	note(judged > 0 && full*10 >= judged*9, "three opinions each")
	if disputed > 0 {
		note(explained*10 >= disputed*9, "dissent where scores lie apart")
	}
	note(hasRemedy.MatchString(a.text), "remediation")
	if low <= high {
		note(slices.ContainsFunc(a.overall, func(v float64) bool { return v >= low && v <= high }), "an overall score within those of the criteria")
	}
	note(hasTarget.MatchString(a.text), "the target's address")
	note(hasCommit.MatchString(a.text), "the target's commit")
	return have, lack
}

// criterionHole is a heading whose words are a criterion's.
var criterionHole = regexp.MustCompile(`(?i)["'][^"'\n]{0,20}#{1,4}\s[^"'\n]*\{[^}\n]*\b\w*(?:criteri|dimension|crit\b|dim\b)`)

func match(re *regexp.Regexp, text string) []int {
	if re == nil {
		return nil
	}
	return re.FindStringIndex(text)
}

// template looks at the headings that production code writes; opaque are the published
// reports whose scores could not be read.
func template(ctx context.Context, s *probe.Scene, opaque int) ([]probe.Finding, error) {
	all, err := sources(ctx, s, "production")
	if err != nil {
		return nil, err
	}
	beside, err := besideCode(ctx, s)
	if err != nil {
		return nil, err
	}
	all = slices.Concat(all, beside)
	wanted := []struct {
		part  string
		words []string // without one of them the pattern is not worth a try
		re    *regexp.Regexp
		// written is tried on the source with its holes; nil where strings do.
		written *regexp.Regexp
	}{
		{"a summary", []string{"summary"}, regexp.MustCompile(`(?i)#{1,4}\s[^\n]*summary`), nil},
		{"criteria", []string{"criteri", "dimension"}, regexp.MustCompile(`(?i)#{1,4}\s[^\n]*(?:criteri|dimension)`), criterionHole},
		{"dissent", []string{"dissent", "disagree", "diverg", "overruled", "minority"}, regexp.MustCompile(`(?i)\b(?:dissent|disagree\w*|diverg\w*|overruled|minority)[^\n]{0,20}[:*]|#{1,4}\s[^\n]*(?:dissent|disagree|diverg|minority)`), nil},
		{"remediation", []string{"remediation", "recommendation"}, regexp.MustCompile(`(?i)#{1,4}\s[^\n]*(?:remediation|recommendation)|\*\*remediation`), nil},
	}
	first := make([]court.Place, len(wanted))
	for _, d := range all {
		text := d.strings()
		lower := strings.ToLower(text)
		for i, w := range wanted {
			if first[i].Path != "" {
				continue
			}
			if slices.ContainsFunc(w.words, func(word string) bool { return strings.Contains(lower, word) }) {
				if m := w.re.FindStringIndex(text); m != nil {
					first[i] = d.file.place(lineOf(text, m[0]))
					continue
				}
			}
			if m := match(w.written, d.file.text); m != nil {
				first[i] = d.file.place(lineOf(d.file.text, m[0]))
			}
		}
	}
	var have, lack []string
	var at []court.Place
	for i, w := range wanted {
		if first[i].Path != "" {
			have, at = append(have, w.part), append(at, first[i])
		} else {
			lack = append(lack, w.part)
		}
	}
	none := "The submission has no audit report with scores of the judges"
	if opaque > 0 {
		none = "The scores of the judges could not be read in " + court.Count(opaque, "published audit")
	}
	if len(have) == 0 {
		return []probe.Finding{probe.Cannot(court.NoArtifact, nil, "%s, and no code writes the headings of one.", none).Do(publish)}, nil
	}
	f := probe.Partly(probe.Ratio(len(have), len(wanted)), court.Structure, at, "%s. The code writes headings for %s.%s", none, safetext.List(have), but(" It writes none for: ", lack)).
		Do("%s%s", publish, but(" Write into the report what it lacks: ", lack))
	return []probe.Finding{f}, nil
}

// but names what lacks, and nothing when nothing does.
func but(words string, lack []string) string {
	if len(lack) == 0 {
		return ""
	}
	return words + safetext.List(lack) + "."
}

// besideCode is what writes texts of the program and is not code: its templates, each as
// one string.
func besideCode(ctx context.Context, s *probe.Scene) ([]divided, error) {
	inv, err := files(ctx, s)
	if err != nil {
		return nil, err
	}
	var out []divided
	for _, f := range inv.files {
		if f.lang == "jinja" && f.inScope("production") {
			out = append(out, divided{file: f, parts: parts{text: f.text, runs: []run{{class: inString}}}})
		}
	}
	return out, nil
}
