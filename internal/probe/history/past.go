package history

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/repo"
)

// past is the history as the probes of this group read it.
type past struct {
	facts.Past
	layout *code.Layout
	main   code.Language // language of the project when it is Python, else ""
	paths  map[string]bool
}

// ever tells whether some commit had a file of that path.
func (p *past) ever(path string) bool { return p.paths[path] }

// read is the history, if it is complete: a copy that was cut cannot say how
// many commits there are, nor which came first.
func read(ctx context.Context, s *probe.Scene) (*past, error) {
	return probe.Shared(s, "history.past", func() (*past, error) {
		all, err := s.Past(ctx)
		if err != nil {
			return nil, err
		}
		if all.Answer != facts.Yes {
			return nil, &probe.Unable{Reason: all.Why.Code, Why: all.Why.Text}
		}
		layout, err := s.Layout(ctx)
		if err != nil {
			return nil, err
		}
		main, err := mainLanguage(ctx, s, layout)
		if err != nil {
			return nil, err
		}
		paths := map[string]bool{}
		for _, c := range all.Value.Commits {
			for _, ch := range c.Changes {
				paths[ch.Path] = true
			}
		}
		return &past{Past: all.Value, layout: layout, main: main, paths: paths}, nil
	})
}

// mainLanguage is "python" when most lines of production code are Python's.
func mainLanguage(ctx context.Context, s *probe.Scene, layout *code.Layout) (code.Language, error) {
	files, err := s.Files(ctx)
	if err != nil {
		return "", err
	}
	lines := map[bool]int{}
	for _, f := range files {
		if lang := f.Language(); programming(lang) && layout.Scope(f.Path) == code.ScopeProduction {
			lines[lang == "python"] += f.Lines()
		}
	}
	if lines[true] > 0 && lines[true] >= lines[false] {
		return "python", nil
	}
	return "", nil
}

// holds gives a finding back, unless it could be another one if all changes
// were known: of some commit they cannot be read, and the finding is none of the
// outcomes that stand whatever the commit changed, or rests on having seen all.
func (p *past) holds(f probe.Finding, stand ...court.Outcome) ([]probe.Finding, error) {
	if f.Exhaustive() || !slices.Contains(stand, f.Outcome) {
		if err := p.allRead(); err != nil {
			return nil, err
		}
	}
	return []probe.Finding{f}, nil
}

// allRead says which commit's changes cannot be read.
func (p *past) allRead() error {
	for _, i := range p.Own {
		if c := &p.Commits[i]; c.Partial && len(c.Changes) == 0 {
			return unreadable(p, i)
		}
	}
	return nil
}

// source tells whether a path is production code; of a Python project only
// Python is.
func (p *past) source(path string) bool {
	lang := code.File{Path: path}.Language()
	return (p.main == "" || lang == p.main) && programming(lang) && p.layout.Scope(path) == code.ScopeProduction
}

// notebook tells a notebook that is the program, or runs it. Its lines are not counted
// with those of code: most of them are what it printed.
func (p *past) notebook(path string) bool {
	return code.File{Path: path}.Language() == "notebook" && p.layout.Scope(path) == code.ScopeProduction
}

// programming tells the languages that programs are written in from those that
// stand beside every program: scripts of a shell, queries, pages.
func programming(lang code.Language) bool {
	switch lang {
	case "shell", "powershell", "sql", "vue", "svelte", "terraform", "docker", "make", "groovy":
		return false
	}
	return lang.Code()
}

func (p *past) place(i int) court.Place { return court.Place{Commit: p.Commits[i].ID} }

func (p *past) places(at []int) []court.Place {
	out := make([]court.Place, 0, len(at))
	for _, i := range at {
		out = append(out, p.place(i))
	}
	return out
}

// name is a commit in a sentence.
func (p *past) name(i int) string { return "commit " + p.short(i) }

// short is the beginning of a commit's id.
func (p *past) short(i int) string { return p.Commits[i].ID[:min(10, len(p.Commits[i].ID))] }

// regular tells a file from a link or a submodule, and from one that is gone.
func regular(ch repo.Change) bool {
	return ch.Status != repo.Deleted && ch.OID != "" && strings.HasPrefix(ch.Mode, "100")
}

// percent is a share, cut to whole percents.
func percent(f court.Fixed) string {
	return fmt.Sprintf("%d %%", (int(f)*100+int(court.One)/2)/int(court.One))
}

// lowKey is how surely a trace in the commit data means that a history was not
// made step by step: each has harmless explanations.
const lowKey court.Fixed = 6000
