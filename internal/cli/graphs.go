package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/graph"
	"github.com/automaton-auditor/automaton/internal/probe/flow"
	"github.com/automaton-auditor/automaton/internal/trial"
)

func (a *app) graphCommand() *cobra.Command {
	var commit, folder, format string
	c := &cobra.Command{
		Use: "graph [REPO]", Short: "Draws the audit's own state graph, or the LangGraph graph of REPO with its faults marked",
		Example: "  automaton graph\n  automaton graph . -f dot",
		Args:    atMostOne,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				drawing, err := a.ownGraph()
				if err != nil {
					return err
				}
				return a.draw(drawing, nil, format)
			}
			g, err := a.foundGraph(c, args[0], commit, folder)
			if err != nil {
				return err
			}
			return a.draw(found(g), markLines(g), format)
		},
	}
	folderFlag(c, &folder)
	commitFlag(c, &commit)
	formatFlag(c, &format, "mermaid", "dot", "json")
	a.repoFlags(c)
	return c
}

func (a *app) ownGraph() (graph.Drawing, error) {
	g, err := trial.Graph()
	if err != nil {
		return graph.Drawing{}, coded(exitBug, err)
	}
	return g.Draw(), nil
}

// draw prints a drawing; what is wrong with the graph stands in comments below
// it, or beside it in JSON.
func (a *app) draw(d graph.Drawing, faults []string, format string) error {
	switch format {
	case "dot":
		return a.print([]byte(d.DOT() + comments("// ", faults)))
	case "json":
		return a.printJSON(struct {
			graph.Drawing
			Faults []string `json:"faults"`
		}{d, append([]string{}, faults...)})
	default:
		return a.print([]byte(d.Mermaid() + comments("%% ", faults)))
	}
}

func comments(mark string, lines []string) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(mark + strings.ReplaceAll(l, "%%", "% %") + "\n") // Mermaid obeys %%{directives} in comments, too
	}
	return b.String()
}

// foundGraph reads the graph that a submission's program runs.
func (a *app) foundGraph(c *cobra.Command, arg, commit, folder string) (*court.Wiring, error) {
	at, err := a.aimAt(arg, commit, folder)
	if err != nil {
		return nil, err
	}
	if err := a.settle(c, at.local, false); err != nil {
		return nil, err
	}
	opened, done, err := a.secure(c.Context(), at, []trial.Document{{From: "none"}}, nil)
	if err != nil {
		return nil, err
	}
	defer done()
	if opened.Failure != nil {
		return nil, a.unreachable(c.Context(), at, opened.Failure)
	}
	w, err := flow.Portrait(c.Context(), opened.Scene, true)
	if err != nil {
		return nil, coded(exitUnexamined, err)
	}
	if w.Lacking != "" {
		return nil, coded(exitFailed, fmt.Errorf("drawing %s: no StateGraph was found in its Python, TypeScript or JavaScript code", opened.Case.Slug))
	}
	return w, nil
}
