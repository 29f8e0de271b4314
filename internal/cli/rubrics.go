package cli

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/automaton-auditor/automaton/internal/config"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/rubric"
)

// loadRubric loads a built-in rubric, a file or standard input. A file inside
// the audited tree is refused: its author could be the one under audit.
func (a *app) loadRubric(ctx context.Context, name string) (*court.Rubric, error) {
	file, err := a.rubricFile(name)
	if err != nil {
		return nil, err
	}
	return a.loadFile(ctx, file)
}

// loadFile loads a rubric that was read.
func (a *app) loadFile(ctx context.Context, file rubric.File) (*court.Rubric, error) {
	known, done := a.catalogue(ctx)
	defer done()
	r, err := file.Load(known)
	if err != nil {
		return nil, coded(exitUsage, err, "automaton rubric lint "+file.Name+" shows notes, too")
	}
	return r, nil
}

// rubricFile reads a rubric from where it was named.
func (a *app) rubricFile(name string) (rubric.File, error) {
	builtins := rubric.Builtins()
	if slices.Contains(builtins, name) || name == "-" {
		file, err := rubric.Read(name, a.Stdin)
		if err != nil {
			return file, coded(exitUsage, err)
		}
		return file, nil
	}
	path := a.path(name)
	if err := a.outsideTree(path, "loading rubric "+name); err != nil {
		return rubric.File{}, err
	}
	if _, err := os.Stat(path); err != nil {
		if filepath.Base(name) == name && filepath.Ext(name) == "" {
			return rubric.File{}, usage(cmp.Or(meant(name, builtins), "give one of these names, or a file, as in "+name+".json"), "loading rubric: no built-in rubric %q (have %s), and no such file", name, strings.Join(builtins, ", "))
		}
		return rubric.File{}, usage(cmp.Or(meant(name, builtins), "automaton rubric show lists the built-in rubrics"), "reading rubric %q: %w", name, config.Cause(err))
	}
	file, err := rubric.Read(path, a.Stdin)
	if err != nil {
		return file, coded(exitUsage, err)
	}
	file.Name = name
	return file, nil
}

// chosenRubric is the rubric that the settings name. A path in a settings file
// is seen from that file.
func (a *app) chosenRubric() string {
	s, name := a.config.Get("rubric"), a.config.Text("rubric")
	if s.Dir == "" || s.Dir == filepath.Clean(a.Dir) || name == "-" || filepath.IsAbs(name) || slices.Contains(rubric.Builtins(), name) {
		return name
	}
	return filepath.Join(s.Dir, name)
}

func (a *app) rubricCommand() *cobra.Command {
	c := &cobra.Command{Use: "rubric", Short: "Drafts, shows, checks and converts rubrics",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage("automaton rubric --help lists show, lint, convert, init and schema", "reading arguments: unknown command %q", args[0])
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() }}
	c.AddCommand(a.rubricShow(), a.rubricInit(), a.rubricLint(), a.rubricConvert(), a.rubricSchema())
	return c
}
