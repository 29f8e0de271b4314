package project

import (
	"context"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// Sections fills the facts of general hygiene.
func Sections() []probe.Section {
	return []probe.Section{{Name: "quality", Fill: fill}}
}

func fill(ctx context.Context, s *probe.Scene, sheet *probe.Sheet) error {
	inv, err := files(ctx, s)
	if err != nil {
		return err
	}
	q := &sheet.Quality
	first := func(key string, found []file) *bool {
		if len(found) > 0 {
			sheet.Prove("quality."+key, "%s", found[0].path)
		} else {
			sheet.Prove("quality."+key, "none of the files is one")
		}
		return new(len(found) > 0)
	}
	q.Lockfile = first("lockfile", inv.locks())
	q.EnvExample = first("env_example", inv.envExamples())
	q.License = first("license", inv.licenses())
	all := inv.pipelines()
	q.CI = new(len(all) > 0)
	sheet.Prove("quality.ci", "no file defines a pipeline with a job")
	if len(all) > 0 {
		sheet.Prove("quality.ci", "%s", all[0].file.place(all[0].job))
	}
	keys, coverage := inv.keys(s)
	q.SecretsCommitted = []probe.Spot{}
	for _, k := range keys {
		q.SecretsCommitted = append(q.SecretsCommitted, probe.Spot{Place: k.file.place(k.line)})
	}
	sheet.Prove("quality.secrets_committed", "%d %% of the files were read", int(coverage)/100)
	found, err := tests(ctx, s)
	if err != nil {
		return err
	}
	q.Tests = new(len(found.tests) > 0)
	sheet.Prove("quality.tests", "%s, and no test that does anything", court.Count(len(found.files), "test file"))
	if len(found.tests) > 0 {
		sheet.Prove("quality.tests", "%s", found.tests[0].at)
	}
	return nil
}
