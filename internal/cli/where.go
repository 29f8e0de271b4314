package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/safetext"
	"github.com/automaton-auditor/automaton/internal/store"
)

// mostFolders is how many folders are looked into for cases.
const mostFolders = 500

// whereRecord says what to give instead of a path that has no record: an output
// folder has them in its case folders, and a submission has its case in the output
// folder.
func (a *app) whereRecord(path, name string) string {
	if latest, err := latestIn(path); err == nil {
		return "the folder holds cases: give one of them, such as " + safetext.Shell(filepath.Join(name, filepath.Base(latest))) + ", or --out " + safetext.Shell(name) + " for the latest one"
	}
	if isFolder(path) {
		if of := a.caseOf(filepath.Base(path)); of != "" {
			return "the case of this folder may be " + safetext.Shell(of)
		}
	}
	return "give a case folder, a record.json or a report.html"
}

// caseOf is the last case in the output folder whose name begins as that of a
// submission does; empty: there is none.
func (a *app) caseOf(submission string) string {
	begins := store.SafeName(submission) + "-"
	list, _ := os.ReadDir(a.path(a.config.Text("out"))) // what cannot be read has none
	for _, e := range slices.Backward(list[:min(len(list), mostFolders)]) {
		dir := a.inOut(e.Name())
		if strings.HasPrefix(e.Name(), begins) && isFile(filepath.Join(a.path(dir), caseFiles["json"])) {
			return dir
		}
	}
	return ""
}

// noCase says that the output folder has no case, and what to do: another folder
// beside it may have some.
func (a *app) noCase() error {
	return usage(a.whereCases(), "finding the latest case: there is none in %s", a.config.Text("out"))
}

func (a *app) whereCases() string {
	list, _ := os.ReadDir(a.Dir) // what cannot be read has none
	for _, e := range list[:min(len(list), mostFolders)] {
		if !e.IsDir() {
			continue
		}
		if _, err := latestIn(a.path(e.Name())); err == nil {
			return "--out " + safetext.Shell(e.Name()) + " reads the latest case of that folder"
		}
	}
	return "automaton audit REPO makes one; --out DIR names another folder, RECORD names one case"
}

// latestIn is the path of the latest case of an output folder. The error wraps
// fs.ErrNotExist when there is none.
func latestIn(dir string) (string, error) {
	shelf, err := store.OpenToRead(dir)
	if err != nil {
		return "", err
	}
	defer func() { _ = shelf.Close() }() // only read
	return shelf.Latest()
}

// tellReplaced says that the result of an earlier run gives way to this one. Two
// submissions of one commit are kept apart by a name.
func (a *app) tellReplaced(folder *store.Folder, c court.Case) {
	if !folder.Replaces() || folder.Resumed() {
		return
	}
	apart := ""
	if c.Name == "" {
		apart = " (--id NAME gives another submission of this commit a case of its own)"
	}
	a.note("%s holds the result of an earlier run of the same commit, rubric and document; this run replaces it%s", a.inOut(folder.Name()), apart)
}
