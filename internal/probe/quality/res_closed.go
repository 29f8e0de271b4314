package quality

import (
	"context"
	"fmt"
	"path"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/tables"
)

func resClosed() probe.Probe {
	return probe.Probe{
		ID: "res.closed", Version: "3", Target: court.GithubRepo,
		Title: "Files, connections and locks are closed",
		Doc: "Follows what code opens (files, archives, sockets, databases, the bodies of answers in Go) through its function: something is closed when a with statement, an exit stack or Java's try holds it, or when close is called on it. " +
			"Read and thrown away, handed to a reader that does not close, or kept in a local name that nothing closes is open. What is returned, stored or handed on is somebody else's to close, and is not counted; nor is what a module opens at its top. " +
			"A lock that is acquired must be released somewhere in the same file. Rust closes what goes out of scope. JavaScript is not read. A return that comes before the close leaves open; what an exception leaves open is not asked.",
		Remedy: "Close files, connections and locks on every way out.",
		Effort: 10, Recall: 8500,
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			d, err := look(ctx, s, a.Scope, "go", "java", "rust")
			if err != nil {
				return nil, err
			}
			all, err := s.Analyses(ctx)
			if err != nil {
				return nil, err
			}
			all.Lock()
			defer all.Unlock()
			t := d.opened(all)
			what := "No code" + d.in() + " opens and keeps anything that must be closed."
			switch {
			case t.total > 0 && len(t.bad) == 0:
				what = fmt.Sprintf("The code closes every file, connection and lock that it opens%s (%d in all).", d.in(), t.total)
			case t.total > 0:
				what = fmt.Sprintf("On some way out, the code leaves open %d of the files, connections and locks that it opens%s (%d in all).", len(t.bad), d.in(), t.total)
			}
			return []probe.Finding{d.judged(t.bad, t.total, what, closing(t.bad))}, nil
		},
	}
}

// closing asks for a close in the language of the first place.
func closing(bad []court.Place) string {
	if len(bad) > 0 {
		switch path.Ext(bad[0].Path) {
		case ".py":
			return "Open these in a with statement"
		case ".go":
			return "Defer the close of these"
		case ".java":
			return "Open these in try-with-resources"
		}
	}
	return "Close these on every way out"
}

// opened counts what is opened and kept, and what of it nothing closes.
func (d *codebase) opened(all *analyse.Analyses) (t tally) {
	for f := range d.lowered(all.Program) {
		for _, in := range f.Instructions() {
			if in.Op != il.Call {
				continue
			}
			switch s := all.Names.Operand(f, in.Args[0]); {
			case s == nil:
			case tables.Of(tables.Open).Has(f.Module.Language, s.Outside, "handle"):
				if a := all.Outcome.Closed(f, in, handling(all.Names)); a.Is != analyse.Unknown {
					t.count(a.Is == analyse.No, lies(f, in.Span, 3))
				}
			case tables.Of(tables.Open).Has(f.Module.Language, s.Outside, "lock"):
				t.count(!released(f.Module), lies(f, in.Span, 3))
			}
		}
	}
	return t
}

// streams are the methods of Java's streams that give the same stream on, as its
// documentation says: whoever closes that one closes what it came from.
var streams = map[string]bool{"filter": true, "map": true, "flatMap": true, "mapToInt": true, "mapToLong": true, "mapToObj": true, "boxed": true, "sorted": true, "distinct": true, "peek": true,
	"limit": true, "skip": true, "takeWhile": true, "dropWhile": true, "onClose": true, "parallel": true, "sequential": true, "unordered": true}

// handling is what calls do with what was opened.
func handling(names *analyse.Names) analyse.Handling {
	return analyse.Handling{
		Closes: map[string]bool{"close": true, "Close": true, "__exit__": true, "detach": true, "aclose": true, "quit": true, "shutdown": true},
		Plain:  map[string]bool{"name": true, "StatusCode": true, "Status": true, "Header": true},
		Same:   streams,
		Given: func(f *il.Function, in *il.Instr) analyse.Takeover {
			s := names.Operand(f, in.Args[0])
			open := tables.Of(tables.Open)
			switch {
			case s == nil:
				return analyse.Keeps
			case open.Has(f.Module.Language, s.Outside, "reader"):
				return analyse.Reads
			case open.Has(f.Module.Language, s.Outside, "wrapper"):
				return analyse.Wraps
			case open.Has(f.Module.Language, s.Outside, "closer"):
				return analyse.Closes
			}
			return analyse.Keeps
		}}
}

// released tells a module that releases a lock somewhere.
func released(m *il.Module) bool {
	for f := range m.All() {
		for _, in := range f.Instructions() {
			if in.Op != il.Get {
				continue
			}
			if key, _ := f.Str(in.Args[1]); key == "release" {
				return true
			}
		}
	}
	return false
}
