package cli

import (
	"github.com/spf13/cobra"
)

// auditFlags are the flags of audit that are not settings.
type auditFlags struct {
	id, commit, format  string
	pdfs                []string
	folder              string
	only                string // ids with commas between
	baseline, answers   string
	calibration         string
	outputs             []string
	partial, wait       bool
	dry, trust, offline bool
	open                bool
	models              modelFlags
}

func (a *app) auditCommand() *cobra.Command {
	var o auditFlags
	c := &cobra.Command{
		Use: "audit REPO", Short: "Judges one submission by a rubric and writes the reports",
		Long: "REPO is a web address, OWNER/NAME on github.com, or on this machine a folder, a git bundle, or a zip or tar file. REPO@REV names a branch, tag or commit.",
		Example: `  automaton audit https://github.com/OWNER/NAME
  automaton audit . --pdf report.pdf -r rubric.json
  automaton audit . --pdf report.pdf --pdf annex.md
  automaton audit submission.zip
  automaton audit ../work --fail-under 3.5 -o report.html`,
		Args: one("REPO"),
		RunE: func(c *cobra.Command, args []string) error { return a.audit(c, args[0], o) },
	}
	f := c.Flags()
	a.judgingFlags(c, &o)
	f.StringVar(&o.id, "id", "", "`NAME` name of the submission in its folder and reports; tells two submissions of one commit apart")
	commitFlag(c, &o.commit)
	folderFlag(c, &o.folder)
	formatFlag(c, &o.format, formatNames()...)
	f.StringArrayVarP(&o.outputs, "output", "o", nil, "`[FORMAT=]FILE` further file to write; its ending chooses the format (repeatable)")
	outFlag(c)
	f.StringVar(&o.baseline, "baseline", "", "`RECORD` record to compare with, for --fail-on regression")
	partialFlag(c, &o.partial)
	f.BoolVar(&o.offline, "offline", false, "use no network; REPO must be on this machine")
	f.BoolVar(&o.wait, "wait", false, "wait while another run uses the case folder")
	f.BoolVarP(&o.dry, "dry-run", "n", false, "show which checks answer which criterion; fetch and write nothing")
	openFlag(c, &o.open)
	return c
}

// judgingFlags are those that one audit and a class of them have in common.
func (a *app) judgingFlags(c *cobra.Command, o *auditFlags) {
	f := c.Flags()
	pdfsFlag(c, &o.pdfs)
	f.StringP("rubric", "r", "", "`RUBRIC` rubric: a built-in name, a file, or - for standard input (default courtroom)")
	f.StringVar(&o.only, "only", "", "`ID,ID` criteria to judge, with commas between (default all)")
	f.StringVar(&o.answers, "answers", "", "`FILE` marks that people gave, for criteria that need a person")
	f.StringVar(&o.calibration, "calibration", "", "`FILE` calibration that calibrate wrote; the calibrated scores stand beside the court's")
	f.StringArray("fail-under", nil, "`SCORE` lowest score that passes: SCORE for the total, CRITERION=SCORE for one criterion, or none (repeatable)")
	f.StringArray("fail-on", nil, "`WHAT` condition that fails: security_override, contested, insufficient, substituted, regression, or none (repeatable)")
	f.String("timeout", "", "`TIME` time limit for one case as a whole (default 10m)")
	f.BoolVar(&o.trust, "trust-tree", false, "read configuration and rubric even from inside the audited tree")
	modelFlag(c, &o.models)
	ocrFlag(c)
	a.repoFlags(c)
}

// partialFlag is of what ends with a code for its gate.
func partialFlag(c *cobra.Command, into *bool) {
	c.Flags().BoolVar(into, "allow-partial", false, "do not exit 3 only because the audit is incomplete")
}
