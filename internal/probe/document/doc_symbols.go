package document

import (
	"context"
	"fmt"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func docSymbols() probe.Probe {
	return probe.Probe{
		ID: "doc.symbols", Version: "4", Target: court.PDFReport,
		Title:  "The functions, classes and settings that the document names exist",
		Doc:    "Collects identifiers from running text and tables: names with underscores, names of several humps, names in capitals, calls and flags. Each is looked for in every file of the repository that is neither a document nor data nor prose, without regard to case and underscores. Names of several humps that no code uses are only counted, because products are written so too; but for those that end in State, and those that the document calls a node of a graph which is known in full. What every class of pydantic has is there where a class is one. A name that only an earlier commit had is not there, nor is one of Python's library or of a class that asks a model, which no code has and a claim of which the code contradicts.",
		Remedy: "Name functions, classes and settings as the code does.", Effort: 15, Recall: 8500,
		Args: []probe.Arg{{Name: "aspect", Type: "string", Allowed: []string{"all", "names", "settings", "flags"}, Default: "all", Doc: "all, or only names in capitals (settings), flags of commands, or the other names"}},
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			l, err := account(ctx, s)
			if err != nil {
				return nil, err
			}
			return []probe.Finding{symbolsFinding(l, symbolsOf(l.of(ofSymbol), a.String("aspect")))}, nil
		},
	}
}

func symbolsFinding(l *ledger, claims []claim) probe.Finding {
	good, bad := with(holds, claims), gone(claims)
	switch {
	case len(good)+len(bad) == 0:
		return probe.Nothing(court.One, l.source(court.Crossref), "The document names no function, class or setting.")
	case len(bad) == 0:
		f := probe.Present(l.source(court.Crossref), nil, "Every name that could be recognised as a name of code occurs in the repository: %s.", subjects(good))
		if n := len(l.other); n > 0 {
			f.Rationale += fmt.Sprintf(" This leaves out %s that may not be %s of code.", court.Count(n, "name"), court.Agree(n, 0, "one", "names"))
		}
		return l.cited(f, good[:min(len(good), 5)]...)
	}
	f := probe.Partly(probe.Ratio(len(good), len(good)+len(bad)), l.source(court.Crossref), nil, "%s in the repository. Not there: %s.", portion(len(good), len(good)+len(bad), "identifier", "occurs", "occur"), subjects(bad)).
		Do("Correct these names in the document, as no file of code has them: %s.", subjects(bad))
	return l.cited(f, bad...)
}
