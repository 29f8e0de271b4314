package judicial

import (
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var cjMarkdown = probe.Probe{
	ID: "cj.markdown", Version: "6", Target: court.GithubRepo,
	Title:  "The verdict is written as Markdown",
	Doc:    "Looks for a production function that builds text with Markdown headings from the results and returns, stores or writes it; the chief justice's code first. A report without anything of the scores, or with an overall score that stands in its text, is none.",
	Remedy: "Render the verdict as a Markdown file with headings.", Effort: 60, Recall: 9500,
	Run: ofChief(markdown),
}

func markdown(b *bench, _ probe.Args) probe.Finding {
	all := b.renderings()
	for _, r := range all {
		if r.kept {
			if at, ok := b.literalScore(r.fn); ok {
				return probe.Against(court.AST, spots(at, r.at), "%s writes a constant overall score, whatever the court decides.", court.Clean(r.fn.Name, 60)).
					Do("Write the computed score at %s instead of the constant.", facts.Line(spot(at)))
			}
			f := probe.Present(court.AST, spots(r.at), "%s builds a report with headings from the results.", court.Clean(r.fn.Name, 60))
			f.Data = map[string]any{"justice.markdown_report": true}
			return f
		}
	}
	if len(all) > 0 {
		return probe.Against(court.AST, spots(all[0].at), "The report with headings is only printed.").Do("Write the report at %s to a file, for example path.write_text(report).", facts.Line(spot(all[0].at)))
	}
	return probe.Missing(probe.Ratio(b.p.Examined()), court.AST, "No production function builds a report with Markdown headings from the results.")
}
