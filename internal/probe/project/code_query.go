package project

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/query"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// Bounds of one query. What lies beyond them is not looked at, and said so.
const (
	maxQueried      = 4000     // files
	maxQueriedBytes = 48 << 20 // of their text
	queriesAtOnce   = 4
	maxQueryHits    = 2000 // places that are kept
)

func codeQuery() probe.Probe {
	return probe.Probe{
		ID: "code.query", Version: "1", Target: court.GithubRepo, Generic: true,
		Title:  "The code has a place that fits the query",
		Doc:    "Asks a tree-sitter query of every file of the language that is in the scope: an S-expression with captures and the predicates #eq?, #match? and #any-of?, each also with not- or any-. Every match counts by its first capture. The query sees one file at a time: no types, no calls across files, no data flow. It is compiled before anything is fetched, and runs in a locked process with bounds on time and matches.",
		Remedy: "Write the code that the rubric's query looks for.",
		Effort: 30, Recall: court.One,
		Args: []probe.Arg{
			{Name: "language", Type: "string", Required: true, Allowed: query.Languages(), Doc: "whose grammar the query is written for"},
			{Name: "query", Type: "string", Required: true, Form: "query", Doc: "at most 4096 bytes; the first @capture of a match is quoted"},
			{Name: "min", Type: "int", Default: 1, Doc: "so many matches at least"},
			{Name: "max", Type: "int", Doc: "so many matches at most; more speak against it"},
		},
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			inv, err := files(ctx, s)
			if err != nil {
				return nil, err
			}
			worker, err := s.Queries()
			if err != nil {
				return nil, err
			}
			r := &querying{language: a.String("language"), query: a.String("query"), worker: worker}
			r.choose(inv, a.Scope)
			if err := r.ask(ctx); err != nil {
				return nil, err
			}
			return []probe.Finding{r.finding(a)}, nil
		},
	}
}

// querying is one query and the files that it is asked of.
type querying struct {
	language, query string
	worker          query.Worker
	files           []file
	beyond          int // files that are not looked at

	mu   sync.Mutex
	at   []court.Place
	lost int  // files that could not be asked
	more bool // there are more matches than were counted
}

// choose takes the files of the language in a scope, by path.
func (r *querying) choose(inv *inventory, scope string) {
	size := 0
	for _, f := range inv.files {
		if f.lang != code.Language(r.language) || !f.inScope(scope) || f.blank() {
			continue
		}
		if len(r.files) == maxQueried || size+len(f.text) > maxQueriedBytes || !f.read {
			r.beyond++
			continue
		}
		size += len(f.text)
		r.files = append(r.files, f)
	}
}

// ask asks all files, several at a time. The error is a query that cannot be
// asked, or the end of the time.
func (r *querying) ask(ctx context.Context) error {
	next := make(chan file)
	var wait sync.WaitGroup
	var refused *query.Refused
	for range min(queriesAtOnce, len(r.files)) {
		wait.Go(func() {
			for f := range next {
				if err := r.one(ctx, f); err != nil {
					r.mu.Lock()
					refused = err
					r.mu.Unlock()
				}
			}
		})
	}
	for _, f := range r.files {
		next <- f
	}
	close(next)
	wait.Wait()
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("asking a query of %s: %w", court.Count(len(r.files), "file"), err)
	}
	if refused != nil {
		return &probe.Unable{Reason: court.NoDetector, Why: "the query cannot be asked, " + refused.Error()}
	}
	slices.SortFunc(r.at, comparePlaces)
	if len(r.at) > maxQueryHits {
		r.at, r.more = r.at[:maxQueryHits], true
	}
	return nil
}

// one asks one file. What a worker fails of is lost alone.
func (r *querying) one(ctx context.Context, f file) *query.Refused {
	if ctx.Err() != nil {
		return nil
	}
	m, err := query.Find(ctx, r.worker, r.language, r.query, f.path, f.text)
	r.mu.Lock()
	defer r.mu.Unlock()
	if refused, ok := errors.AsType[*query.Refused](err); ok {
		return refused
	}
	if err != nil {
		r.lost++
		return nil
	}
	r.more = r.more || m.More
	for _, s := range m.Spans {
		from, to := lineOf(f.text, s.From), lineOf(f.text, max(s.From, s.To-1))
		here := court.Place{Path: f.path, Line: from}
		if to > from {
			here.EndLine = to
		}
		if len(r.at) <= maxQueryHits*2 {
			r.at = append(r.at, here)
		}
	}
	return nil
}

func (r *querying) finding(a probe.Args) probe.Finding {
	n, want, most := len(r.at), max(a.Int("min", 1), 1), a.Int("max", 0)
	total := len(r.files) + r.beyond
	unseen := ""
	if missing := r.beyond + r.lost; missing > 0 {
		unseen = fmt.Sprintf(" %s could not be read.", court.Count(missing, "file"))
	}
	found := fmt.Sprintf("The query fits %s in %s", times(n, r.more), counted(total, r.language+" file", a.Scope))
	switch {
	case total == 0:
		return probe.Cannot(court.NoArtifact, nil, "There is no code to query: %s.", counted(0, r.language+" file", a.Scope))
	case r.lost == total:
		return probe.Cannot(court.Unparsed, nil, "No %s file could be read.", r.language)
	case most > 0 && n > most:
		return probe.Against(court.AST, r.at, "%s. At most %d are allowed.%s", found, most, unseen)
	case n >= want:
		return probe.Present(court.AST, r.at, "%s.%s", found, unseen)
	case n > 0 && a.Avoid:
		return fewEnough(n, want, court.AST, "Places that fit the query")
	case n > 0:
		return probe.Partly(probe.Ratio(n, want), court.AST, r.at, "%s. %d are asked for.%s", found, want, unseen)
	}
	return probe.Missing(probe.Ratio(len(r.files)-r.lost, total), court.AST, "The query fits nothing in %s.%s", counted(total, r.language+" file", a.Scope), unseen)
}

// times is how often something was found.
func times(n int, more bool) string {
	if more {
		return fmt.Sprintf("at least %d times", n)
	}
	return court.Count(n, "time")
}
