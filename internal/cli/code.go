package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/trial"
)

func (a *app) codeCommand() *cobra.Command {
	var commit, folder, format string
	c := &cobra.Command{
		Use: "code REPO|FILE [NAME]", Short: "Shows what the analyses know of the code: of all of it, of a file, a function or a variable",
		Long: "Without NAME the command counts what was read and lists what could not be read, imports that lead nowhere, unbound names, and functions that never return.\n\n" +
			"NAME is the path of a file (\"src/judge.py\"), which lists its functions, or one of these:\n" +
			"  a function or class (\"Judge.run\", \"src/judge.py:Judge.run\"): its callers, how a run reaches it, what its handlers do with exceptions, which of its conditions are never true, or only with another value of a flag, and its listing;\n" +
			"  a variable of a function (\"Judge.run#score\"): its versions, their possible values, where each is bound and read, and which calls and results its value reaches, with the places on the way, or the reason why it cannot be followed.",
		Example: "  automaton code .\n  automaton code . src/graph.py\n  automaton code . ChiefJustice.rule#score",
		Args:    cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error {
			all, done, err := a.lowered(c, args[0], commit, folder)
			if err != nil {
				return err
			}
			defer done()
			all.Lock()
			defer all.Unlock()
			var shown codeView
			if len(args) < 2 {
				shown = surveyOf(all)
			} else if shown, err = viewOf(all, args[1]); err != nil {
				return err
			}
			if format == "json" {
				return a.printJSON(shown)
			}
			return a.print([]byte(shown.text()))
		},
	}
	folderFlag(c, &folder)
	commitFlag(c, &commit)
	formatFlag(c, &format, "text", "json")
	a.repoFlags(c)
	return c
}

// lowered lowers the code of a repository, or one file.
func (a *app) lowered(c *cobra.Command, arg, commit, folder string) (*analyse.Analyses, func(), error) {
	clean := func() {}
	if info, err := os.Stat(a.path(arg)); err == nil && info.Mode().IsRegular() && sourceFile(arg) {
		dir, err := alone(a.path(arg))
		if err != nil {
			return nil, nil, coded(exitUnexamined, err)
		}
		arg, clean = dir, func() { _ = os.RemoveAll(dir) } // it is in the folder for such things
	}
	at, err := a.aimAt(arg, commit, folder)
	if err != nil {
		clean()
		return nil, nil, err
	}
	if err := a.settle(c, at.local, false); err != nil {
		clean()
		return nil, nil, err
	}
	opened, closed, err := a.secure(c.Context(), at, []trial.Document{{From: "none"}}, nil)
	if err != nil {
		clean()
		return nil, nil, err
	}
	done := func() { closed(); clean() }
	if opened.Failure != nil {
		done()
		return nil, nil, a.unreachable(c.Context(), at, opened.Failure)
	}
	all, err := opened.Scene.Analyses(c.Context())
	if err != nil {
		done()
		return nil, nil, coded(exitUnexamined, err)
	}
	return all, done, nil
}

// sourceFile tells a file that is not an archive of a repository.
func sourceFile(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".zip", ".tar", ".gz", ".tgz", ".bundle", "":
		return false
	}
	return true
}

// maxAlone bounds a file that is looked at alone, in bytes.
const maxAlone = 1 << 20

// alone puts one file into a folder of its own.
func alone(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("reading %s: %w", path, err)
	}
	if info.Size() > maxAlone {
		return "", fmt.Errorf("reading %s: it has %d bytes; at most %d are read", path, info.Size(), maxAlone)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("reading %s: %w", path, err)
	}
	dir, err := os.MkdirTemp("", "automaton-code-")
	if err != nil {
		return "", fmt.Errorf("making a folder for one file: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, filepath.Base(path)), raw, 0o600); err != nil {
		return "", fmt.Errorf("copying %s: %w", path, err)
	}
	return dir, nil
}
