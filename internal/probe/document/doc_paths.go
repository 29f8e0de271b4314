package document

import (
	"context"
	"fmt"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func docPaths() probe.Probe {
	return probe.Probe{
		ID: "doc.paths", Version: "2", Target: court.PDFReport,
		Title:  "The files that the document names exist",
		Doc:    "Collects the file paths that the document names as files of this repository, joins those broken over lines and looks for each: exactly, in other case, as the end of a longer path, in earlier commits. Plans, other projects, patterns and outputs of the program are left out. named: are there at least three. exist: the share that is there. invented: those that never were. exact: those that are there are written with their path and case. stale: those that only earlier commits had. lines: numbers of lines that it gives lie within the file. commits: ids of commits that it gives are in the history. breadth: the share of the folders with most of the code of which it names a file, half of which is enough.",
		Remedy: misnamed, Effort: nameEffort,
		Args: []probe.Arg{{Name: "aspect", Type: "string", Allowed: []string{"named", "exist", "invented", "exact", "stale", "lines", "commits", "breadth"}, Default: "exist", Doc: "which question"}, overArg},
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			of := account
			if a.String("over") == "readme" {
				of = readmePaths
			}
			l, err := of(ctx, s)
			if err != nil {
				return nil, err
			}
			claims := l.of(ofPath)
			switch a.String("aspect") {
			case "named":
				return []probe.Finding{pathsNamed(l, claims)}, nil
			case "invented":
				return []probe.Finding{pathsInvented(l, claims)}, nil
			case "exact":
				return []probe.Finding{pathsExact(l)}, nil
			case "stale":
				return []probe.Finding{pathsStale(l, claims)}, nil
			case "lines":
				return []probe.Finding{pointed(l, l.of(ofLine), "line", "lie within the file")}, nil
			case "commits":
				return []probe.Finding{pointed(l, l.of(ofCommit), "commit", "are in the history")}, nil
			case "breadth":
				return []probe.Finding{pathsBreadth(l)}, nil
			}
			return []probe.Finding{pathsExist(l, claims)}, nil
		},
	}
}

const (
	misnamed   = "Correct the paths in the document."
	nameEffort = 15
)

// rename is the finding with a remedy that says which files it is about.
func rename(f probe.Finding, gone []claim) probe.Finding {
	f.Effort = nameEffort
	return f.Do("%s These do not exist: %s.", misnamed, subjects(gone))
}

func pathsNamed(l *ledger, claims []claim) probe.Finding {
	if len(claims) == 0 {
		return probe.Missing(court.One, l.source(court.Structure), "The document names no file of the repository.").Do("Name in the document the files that it describes, with their paths.")
	}
	f := probe.Partly(probe.Ratio(min(len(claims), enoughNames), enoughNames), l.source(court.Structure), nil,
		"The document names %s: %s.", court.Count(len(claims), "file"), subjects(claims))
	if len(claims) < enoughNames {
		f = f.Do("Name more of the files in the document, with their paths: those that have what it describes. It names %d, and %d are enough.", len(claims), enoughNames)
	}
	return l.cited(f, claims[:min(len(claims), 5)]...)
}

func pathsExist(l *ledger, claims []claim) probe.Finding {
	if len(claims) == 0 {
		return probe.Nothing(court.One, l.source(court.Crossref), "The document names no file that could be missing.")
	}
	good := with(holds, claims)
	var gone []claim
	for _, c := range claims {
		if c.Fate != holds {
			gone = append(gone, c)
		}
	}
	if len(gone) == 0 {
		f := probe.Present(l.source(court.Crossref), nil, "Every file that the document names exists: %s.%s", subjects(good), l.unmade())
		return l.cited(f, good[:min(len(good), 5)]...)
	}
	if l.scan != "" {
		return l.cited(probe.Cannot(court.NoTextLayer, nil, "%s. Not found, but perhaps misread: %s.", portion(len(good), len(claims), "named file", "exists", "exist"), subjects(gone)), gone...)
	}
	f := probe.Partly(probe.Ratio(len(good), len(claims)), l.source(court.Crossref), nil, "%s. Not there: %s.", portion(len(good), len(claims), "named file", "exists", "exist"), subjects(gone))
	return l.cited(rename(f, gone), gone...)
}

func pathsInvented(l *ledger, claims []claim) probe.Finding {
	if len(claims) == 0 {
		return probe.Nothing(court.One, l.source(court.Crossref), "The document names no file that could be invented.")
	}
	invented := with(never, claims)
	if len(invented) > 0 {
		f := probe.Against(l.source(court.Crossref), nil, "No commit has a file %s.", subjects(invented))
		return l.cited(rename(f, invented), invented...)
	}
	if open := with(undecided, claims); len(open) > 0 {
		if l.scan != "" {
			return l.cited(probe.Cannot(court.NoTextLayer, nil, "The text that OCR read names files that do not exist, but they may be misread: %s.", subjects(open)), open...)
		}
		return l.cited(probe.Cannot(court.ShallowHistory, nil, "The history is not complete, so it cannot show whether %s ever existed.", subjects(open)), open...)
	}
	return probe.Clean(court.One, l.source(court.Crossref), "Each file that the document names is or was in the repository (%d).%s", len(claims), l.unmade())
}

// unmade says which files that are not there are left out, because the document speaks of
// them as of a plan.
func (l *ledger) unmade() string {
	var out []claim
	for _, c := range once(l.claims) {
		if c.Kind == ofPath && c.Modality == planned && (c.Fate == never || c.Fate == renamed) {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return fmt.Sprintf(" This leaves out files that it does not claim to exist: %s.", subjects(out))
}
