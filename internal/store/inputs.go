package store

import (
	"maps"
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Inputs is what a case was heard from. Two runs with equal inputs are runs of
// one case and share a folder; another rubric, PDF or bench gets its own.
type Inputs struct {
	Name            string // that was given for the submission
	RepoURL, Commit string
	Path            string // the folder that was audited alone; empty: all
	PDF             string // SHA-256 of the documents, with commas between; empty: none
	Rubric          string // digest
	Bench           map[court.Persona]string
	Prompts         string                     // digest of what models are asked with; empty: none sits
	Detectives      map[court.Detective]string // models that look or investigate
	Only            []string                   // criteria heard; empty: all
}

// InputsOf reads the inputs from a record.
func InputsOf(rec *court.Record) Inputs {
	in := Inputs{Name: rec.Case.Name, RepoURL: rec.Case.RepoURL, Commit: rec.Case.Commit, Path: rec.Case.Path, Rubric: rec.Rubric.Digest, Bench: rec.Origin.Bench,
		Prompts: rec.Origin.Prompts, Detectives: rec.Origin.Detectives, Only: rec.Case.Only}
	in.PDF = rec.Case.PDFDigests()
	return in
}

// Equal tells whether two runs are of one case.
func (a Inputs) Equal(b Inputs) bool {
	return a.Name == b.Name && a.RepoURL == b.RepoURL && a.Commit == b.Commit && a.Path == b.Path && a.PDF == b.PDF && a.Rubric == b.Rubric &&
		maps.Equal(a.Bench, b.Bench) && a.Prompts == b.Prompts && maps.Equal(a.Detectives, b.Detectives) && slices.Equal(a.Only, b.Only)
}
