package document

import (
	"context"
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/figure"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// charts are the diagrams in files of the repository. They are not part of the document.
type charts struct {
	count int
	read  int // those whose boxes and arrows are known
	by    map[string]int
	first court.Place
}

// Bounds of the search for diagrams in files.
const (
	maxChartFiles = 300
	maxChartBytes = 1 << 20
)

// atlas looks for diagrams in the files of the repository, the document's twin left out, once per scene.
func atlas(ctx context.Context, s *probe.Scene) (*charts, error) {
	return probe.Shared(s, "document.atlas", func() (*charts, error) {
		c := &charts{by: map[string]int{}}
		if !s.HasRepo() {
			return c, nil
		}
		entries, err := s.Entries()
		if err != nil {
			return nil, fmt.Errorf("looking for diagrams in files: %w", err)
		}
		layout, err := s.Layout(ctx)
		if err != nil {
			return nil, err
		}
		twin, files := twinOf(s), 0
		for _, e := range entries {
			if !figure.HasFigures(e.Path) || e.Path == twin || e.Size > maxChartBytes || foreign(layout.Scope(e.Path)) {
				continue
			}
			if files++; files > maxChartFiles {
				break
			}
			f, err := s.Text(ctx, e.Path)
			if err != nil {
				continue // a file that cannot be had shows nothing
			}
			text, _ := f.Text()
			for _, x := range figure.FromFile(e.Path, text) {
				c.add(e.Path, x)
			}
		}
		return c, nil
	})
}

// foreign: files that somebody or something else has made.
func foreign(scope code.Scope) bool {
	return scope == code.ScopeVendor || scope == code.ScopeGenerated || scope == code.ScopeAudit
}

func (c *charts) add(path string, f figure.Figure) {
	if c.count == 0 {
		c.first = court.Place{Path: path, Line: max(f.Line, 1), EndLine: max(f.Line, 1)}
	}
	c.count++
	c.by[string(f.Origin)]++
	if f.Readable {
		c.read++
	}
}

// beside names the diagrams of the repository in a finding about the document.
func (c *charts) beside(f *probe.Finding) {
	if c.count == 0 {
		return
	}
	f.Rationale += fmt.Sprintf(" Outside of the document, the repository has %s, the first at %s; they are not counted.", court.Count(c.count, "diagram"), court.Clean(strings.TrimSpace(c.first.String()), 120))
	if data, ok := f.Data.(map[string]any); ok {
		data["repository"] = map[string]any{"diagrams": c.count, "readable": c.read, "origins": c.by}
	}
}

// source says whether a diagram is kept in a form that can be changed.
func (c *charts) source() probe.Finding {
	if c.count == 0 {
		return probe.Missing(court.One, court.Structure, "No file of the repository holds the source of a diagram.")
	}
	return probe.Present(court.Structure, []court.Place{c.first}, "Files of the repository hold the source of %s.", court.Count(c.count, "diagram"))
}
