package cli

import (
	"bytes"
	"os"

	"github.com/spf13/cobra"

	"github.com/automaton-auditor/automaton/internal/rubric"
	"github.com/automaton-auditor/automaton/internal/safetext"
	"github.com/automaton-auditor/automaton/internal/store"
	"github.com/automaton-auditor/automaton/internal/trial"
	"github.com/automaton-auditor/automaton/schema"
)

func (a *app) rubricInit() *cobra.Command {
	var out string
	var force bool
	c := &cobra.Command{Use: "init FILE", Short: "Drafts a rubric from a list of sentences, one per line", Args: one("FILE"),
		Long: "Each sentence becomes a criterion with the checks that its words lead to. A line \"# TITLE\" names the rubric, \"NAME: SENTENCE\" names a criterion; - reads standard input. A criterion for which no check is found waits for a person, and standard error says so. The draft is a beginning: read it, and change it.",
		RunE: func(c *cobra.Command, args []string) error {
			if err := a.settle(c, "", false); err != nil {
				return err
			}
			if err := a.vacant(out, force); err != nil {
				return err
			}
			raw, list, err := a.draft(args[0])
			if err != nil {
				return coded(exitUsage, err)
			}
			if err := a.emitTo(out, raw); err != nil {
				return err
			}
			a.tellDraft(out, list)
			return nil
		}}
	c.Flags().StringVarP(&out, "output", "o", "", "`FILE` file to write")
	c.Flags().BoolVar(&force, "force", false, "overwrite the file if it exists")
	return c
}

// draft reads sentences from a file or standard input.
func (a *app) draft(name string) ([]byte, []rubric.Drafted, error) {
	from := name
	if name != "-" {
		from = a.path(name)
	}
	file, err := rubric.Read(from, a.Stdin)
	if err != nil {
		return nil, nil, err
	}
	return rubric.Draft(name, bytes.NewReader(file.Bytes), trial.Catalogue(trial.Probes()))
}

// tellDraft says what each sentence came to, and what of it no check asks.
func (a *app) tellDraft(out string, list []rubric.Drafted) {
	without := 0
	for _, d := range list {
		switch {
		case d.Checks == 0 && d.Taken != "":
			without++
			a.note("line %d: %s: criterion %s has its checks already, so a person marks it until you write others", d.Line, d.ID, d.Taken)
			continue
		case d.Checks == 0:
			without++
			a.note("line %d: %s: no check was found, so a person marks it until you write some", d.Line, d.ID)
			continue
		}
		a.note("line %d: %s: %s", d.Line, d.ID, count(d.Checks, "check"))
		for _, part := range d.NotAsked {
			a.note("line %d: %s: no check asks %q", d.Line, d.ID, part)
		}
	}
	a.note("%s drafted, %d without a check", criteria(len(list)), without)
	if out != "" && out != "-" {
		a.note("check the draft: automaton rubric lint %s", safetext.Shell(out))
	}
}

// vacant refuses to overwrite a file.
func (a *app) vacant(out string, force bool) error {
	if out == "" || out == "-" || force {
		return nil
	}
	if _, err := os.Lstat(a.path(out)); err == nil {
		return usage("--force overwrites it, or name another file", "writing %s: the file exists", out)
	}
	return nil
}

// emitTo writes to a file, or to standard output when none is named.
func (a *app) emitTo(out string, raw []byte) error {
	if out == "" || out == "-" {
		return a.print(raw)
	}
	if err := store.WriteFile(a.path(out), raw); err != nil {
		return coded(exitUsage, err)
	}
	return nil
}

func (a *app) rubricSchema() *cobra.Command {
	return &cobra.Command{Use: "schema", Short: "Prints the JSON Schema of rubrics, for editors", Args: none,
		RunE: func(_ *cobra.Command, _ []string) error {
			raw, err := schema.File("rubric-v1.json")
			if err != nil {
				return coded(exitBug, err)
			}
			return a.print(raw)
		}}
}
