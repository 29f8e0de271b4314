package cli

import (
	"github.com/spf13/cobra"
)

// auditFlags are the flags of audit that are no settings.
type auditFlags struct {
	commit, format      string
	pdfs                []string
	folder              string
	only                string // ids with commas between
	baseline, answers   string
	outputs             []string
	partial, wait       bool
	dry, trust, offline bool
	open                bool
	models              modelFlags
}

func (a *app) auditCommand() *cobra.Command {
	var o auditFlags
	c := &cobra.Command{
		Use: "audit REPO", Short: "Hears one case: evidence, opinions, verdict, reports",
		Example: `  automaton audit https://github.com/OWNER/NAME
  automaton audit . --pdf report.pdf -r rubric.json
  automaton audit . --pdf report.pdf --pdf annex.md
  automaton audit submission.zip
  automaton audit ../work --fail-under 3.5 -o report.html`,
		Args: one("REPO"),
		RunE: func(c *cobra.Command, args []string) error { return a.audit(c, args[0], o) },
	}
	f := c.Flags()
	pdfsFlag(c, &o.pdfs)
	f.StringP("rubric", "r", "", "built-in name, `FILE`, or - (default courtroom)")
	f.StringVar(&o.commit, "commit", "", "branch, tag or commit `REV`; default HEAD")
	folderFlag(c, &o.folder)
	f.StringVar(&o.only, "only", "", "hear only these criteria, `ID,ID`")
	formatFlag(c, &o.format, formatNames()...)
	f.StringArrayVarP(&o.outputs, "output", "o", nil, "one more rendering, `[FORMAT=]FILE`; the ending chooses the format (repeatable)")
	f.String("out", "", "`DIR` where the case folder goes (default automaton-out)")
	f.StringVar(&o.answers, "answers", "", "the `FILE` with what people decided, for criteria that wait for them")
	f.StringArray("fail-under", nil, "the gate: `SCORE` of the overall or CRITERION=SCORE (repeatable)")
	f.StringArray("fail-on", nil, "`WHAT` fails: security_override, contested, insufficient, substituted, regression (repeatable)")
	f.StringVar(&o.baseline, "baseline", "", "the `RECORD` that --fail-on regression compares with")
	f.BoolVar(&o.partial, "allow-partial", false, "an incomplete audit does not by itself exit 3")
	f.String("timeout", "", "the `TIME` for the whole case (default 10m)")
	f.BoolVar(&o.offline, "offline", false, "no network: REPO must be local")
	f.BoolVar(&o.wait, "wait", false, "wait for another run that holds this case folder")
	f.BoolVar(&o.trust, "trust-tree", false, "read configuration and rubric even inside the audited tree")
	f.BoolVarP(&o.dry, "dry-run", "n", false, "print which checks would answer which criterion; nothing is fetched or written")
	modelFlag(c, &o.models)
	openFlag(c, &o.open)
	ocrFlag(c)
	a.repoFlags(c)
	return c
}
