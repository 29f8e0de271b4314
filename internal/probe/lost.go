package probe

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// Unread lists the production Python files that nobody could look into: their
// content is not to be had, is too large and something leads to it, or the parser died of
// it or gave up; and functions of any language that were left out because a bound was reached.
// Files that cannot be parsed count where much of the code is lost with them. A probe that has
// found nothing in the others cannot say that there is nothing. The reason is that of the first.
func (s *Scene) Unread(ctx context.Context) ([]court.Place, court.Reason, error) {
	at, why, err := s.unread(ctx, code.ScopeProduction)
	if err != nil || len(at) > 0 {
		return at, why, err
	}
	if at, err = s.beyond(ctx); err != nil || len(at) > 0 {
		return at, court.Limit, err
	}
	p, err := s.Python(ctx)
	if err != nil || Ratio(p.Examined()) >= enoughRead {
		return nil, "", err
	}
	at, err = s.brokenIn(ctx, code.ScopeProduction)
	return at, court.Unparsed, err
}

// beyond are the functions of production code that were left out because a bound was reached.
func (s *Scene) beyond(ctx context.Context) (out []court.Place, err error) {
	l, err := s.lowering(ctx)
	if unable, ok := errors.AsType[*Unable](err); err != nil {
		if ok && unable.Reason == court.NoDetector {
			err = nil
		}
		return nil, err
	}
	layout, err := s.Layout(ctx)
	if err != nil {
		return nil, err
	}
	for f := range l.all.Program.All() {
		if f.Beyond() && layout.Scope(f.Module.Path) == code.ScopeProduction {
			out = append(out, placeOf(f.Place(f.Span)))
		}
	}
	return out, nil
}

// lost is the files of some scopes that were not read, and why the first.
type lost struct {
	at  []court.Place
	why court.Reason
}

func (s *Scene) unread(ctx context.Context, scopes ...code.Scope) ([]court.Place, court.Reason, error) {
	p, err := s.Python(ctx)
	if err != nil {
		return nil, "", err
	}
	files, err := s.Files(ctx)
	if err != nil {
		return nil, "", err
	}
	l, err := Shared(s, fmt.Sprint("probe.unread ", scopes), func() (lost, error) { return s.lost(p, files, scopes), nil })
	return slices.Clone(l.at), l.why, err
}

func (s *Scene) lost(p *code.Program, files []code.File, scopes []code.Scope) (out lost) {
	dead := map[string]bool{}
	for _, f := range p.Faults {
		if m := p.Module(f.Path); m != nil && hides(m) {
			dead[f.Path] = true
		}
	}
	for _, f := range files {
		e, _ := s.Entry(f.Path)
		gone := f.Bytes == nil && e.Size != 0 && f.Language() == "python"
		if !gone && !dead[f.Path] || !slices.Contains(scopes, p.Layout.Scope(f.Path)) || gone && e.Size > maxText && !p.Linked(f.Path) {
			continue
		}
		switch {
		case len(out.at) > 0:
		case dead[f.Path]:
			out.why = court.Unparsed
		case e.Size > maxText:
			out.why = court.TooLarge
		default:
			out.why = court.MissingBlob
		}
		out.at = append(out.at, court.Place{Path: f.Path, Blob: e.OID})
	}
	return out
}

// doing begins the lines without which a file defines nothing and uses nothing
// but what is built in: a table of data has none.
var doing = regexp.MustCompile(`(?m)^[ \t]*(?:async[ \t]+)?(?:def|class|import|from)[ \t]|\b(?:eval|exec|compile|__import__)[ \t]*\(`)

// hides tells whether a module that could not be parsed may hold code.
func hides(m *code.Module) bool { return !m.Parsed && doing.MatchString(m.Text()) }

// doubted is a finding of a search through code after a look at what the search
// could not see: what may stand in a file that was not read is neither absent
// nor clean. A file that cannot be parsed is read in part: it counts where much of the
// scope is lost with it.
func (s *Scene) doubted(ctx context.Context, a Args, f Finding) Finding {
	if !f.scarce && (!f.searched || f.Source != court.AST || f.Security != nil) {
		return f
	}
	scopes := []code.Scope{code.ScopeProduction}
	if a.Scope == "tests" || f.Outcome == court.Absent {
		scopes = append(scopes, code.ScopeTest)
	}
	at, why, err := s.unread(ctx, scopes...)
	switch {
	case err != nil:
		return f
	case len(at) > 0 && !f.scarce:
		return Cannot(why, at, "%s But %s could not be read.", safetext.Sentence(f.Rationale), court.Clean(at[0].Path, 120))
	case !f.scarce && f.Coverage >= enoughRead:
		return f
	}
	if at, err = s.brokenIn(ctx, scopes...); err != nil || len(at) == 0 {
		return f
	}
	out := Cannot(court.Unparsed, at, "%s But %s.", safetext.Sentence(f.Rationale), cannotParse(at[0]))
	return out.Do("%s", repair(at...))
}
