package document

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func docProject() probe.Probe {
	return probe.Probe{
		ID: "doc.project", Version: "2", Target: court.PDFReport,
		Title:  "The document is about this repository",
		Doc:    "Looks for the names of the repository and its owner, and takes the share of the files and identifiers named in the document that are in the repository. A document that names many of which almost none is here belongs to another project; one that names several which no commit ever had counts for a quarter, as documents of one assignment name the same files and differ in the rest. A document that names nothing says nothing.",
		Remedy: ownDocument, Effort: 15,
		Args: []probe.Arg{{Name: "aspect", Type: "string", Allowed: []string{"whose", "named"}, Default: "whose", Doc: "named: the name of the repository or its owner stands in it"}},
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			l, err := account(ctx, s)
			if err != nil {
				return nil, err
			}
			if a.String("aspect") == "named" {
				at, ok := l.spells(s.Slug())
				if !ok {
					return []probe.Finding{probe.Missing(court.One, l.source(court.Token), "The document names neither the repository nor its owner.")}, nil
				}
				return []probe.Finding{l.cited(probe.Present(l.source(court.Token), nil, "The document names the repository or its owner."), at)}, nil
			}
			return []probe.Finding{project(l, s.Slug())}, nil
		},
	}
}

// What share of the names shows whose document it is, and how many are needed.
const (
	ownShare     court.Fixed = 5000
	foreignShare court.Fixed = 2000
	enoughNames              = 3
	manyNames                = 5
	// Of 36 documents of their own repositories, 35 name at most 3 files and
	// identifiers that no commit ever had; of 14 that name enough and were laid
	// beside another repository of the same assignment, all name 6 or more, at
	// least a tenth of all. The one own document above that invents 10 of 16 files.
	strangers                = 5
	strangeShare court.Fixed = 1000
	mixedShare   court.Fixed = 2500
)

func project(l *ledger, slug string) probe.Finding {
	files := l.of(ofPath)
	hit := append(with(holds, files), with(renamed, files)...)
	symbols := l.of(ofSymbol)
	own := with(holds, symbols)
	share := probe.Ratio(len(hit), len(files))
	owner, spelled := l.spells(slug)
	facts := map[string]any{"files": len(files), "files_here": len(hit), "symbols": len(symbols), "symbols_here": len(own), "named": spelled}
	strange := append(with(never, files), with(never, symbols)...)
	facts["never"] = len(strange)
	var f probe.Finding
	if at, ok := l.foreign(slug); ok {
		f := l.cited(probe.Against(l.source(court.Crossref), nil, "The document describes another program: of the %d files, identifiers and commits that it names, %d are in no commit of this repository, %s among them, and the repository's own name does not occur.",
			len(l.named()), len(at), subjects(at)), at[:1]...)
		f.Data = facts
		return f
	}
	switch {
	case len(strange) >= strangers && probe.Ratio(len(strange), len(files)+len(symbols)) >= strangeShare && share >= foreignShare:
		f = l.cited(probe.Partly(mixedShare, l.source(court.Crossref), nil, "%d of the %d files and identifiers that the document names were in no commit, %s among them. The document describes another program, or one that was never committed.",
			len(strange), len(files)+len(symbols), subjects(strange)), strange[:1]...)
	case len(files) >= enoughNames && share >= ownShare:
		f = l.cited(probe.Present(l.source(court.Crossref), nil, "%s in the repository: %s.", portion(len(hit), len(files), "named file", "is", "are"), subjects(hit)), hit[:1]...)
	case len(files) >= manyNames && share < foreignShare && len(own) < enoughNames && !spelled:
		f = l.cited(probe.Against(l.source(court.Crossref), nil, "%s in some commit of the repository, whose own name does not occur.", portion(len(hit), len(files), "named file", "is", "are")), files[:1]...)
	case len(own) >= enoughNames && probe.Ratio(len(own), len(symbols)) >= ownShare:
		f = l.cited(probe.Present(l.source(court.Crossref), nil, "The code has identifiers that the document names: %s.", subjects(own)), own[:1]...)
	case len(hit) > 0 && share >= ownShare:
		f = l.cited(probe.Present(l.source(court.Crossref), nil, "The document names %s, which %s in the repository.", subjects(hit), court.Agree(len(hit), 0, "is", "are")), hit[:1]...)
	case spelled:
		f = l.cited(probe.Present(l.source(court.Token), nil, "The document names the repository or its owner."), owner)
	default:
		return probe.Cannot(court.Conflict, nil, "The document names too little of any repository to show which one it describes.").Do("Name in the document the repository and the files that the document describes.")
	}
	f.Data = facts
	return f
}

// named lists what the document names of a repository: files, identifiers, commits.
func (l *ledger) named() []claim {
	return slices.Concat(l.of(ofPath), l.of(ofSymbol), l.of(ofCommit))
}

// foreign tells whether the document is about another repository: most of what it
// names is and was nowhere in this one, whose name it does not say.
func (l *ledger) foreign(slug string) ([]claim, bool) {
	all := l.named()
	strange := with(never, all)
	if len(strange) < manyNames || 2*len(strange) <= len(all) {
		return nil, false
	}
	_, spelled := l.spells(slug)
	return strange, !spelled
}

// ofThisProgram keeps a document about another program from earning anything by what it
// says of code.
func ofThisProgram(run func(context.Context, *probe.Scene, probe.Args) ([]probe.Finding, error)) func(context.Context, *probe.Scene, probe.Args) ([]probe.Finding, error) {
	return func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
		if s.HasRepo() && a.String("over") != "readme" {
			if l, err := account(ctx, s); err == nil {
				if at, ok := l.foreign(s.Slug()); ok {
					return []probe.Finding{l.cited(probe.Against(l.source(court.Crossref), nil, "The document is about another program: of the %d files, identifiers and commits that it names, %d are in no commit of this repository.",
						len(l.named()), len(at)).Do(ownDocument), at[:1]...)}, nil
				}
			}
		}
		return run(ctx, s, a)
	}
}

// ownDocument is asked for whatever question about a document that is another program's.
const ownDocument = "Hand in the document of this repository."

// spells finds the repository's name, or its owner's, in the text.
func (l *ledger) spells(slug string) (claim, bool) {
	name := path.Base(slug)
	for _, want := range []string{slug, name, path.Dir(slug)} {
		if len(want) < 5 {
			continue
		}
		for i := range l.passages {
			if p := &l.passages[i]; strings.Contains(fold(p.Text), fold(want)) {
				return claim{passage: p, sentence: p.Text}, true
			}
		}
	}
	return claim{}, false
}
