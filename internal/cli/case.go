package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/automaton-auditor/automaton/internal/config"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/safetext"
	"github.com/automaton-auditor/automaton/internal/sandbox"
	"github.com/automaton-auditor/automaton/internal/trial"
)

// hosts are those that may be reached.
func (a *app) hosts() []string {
	return append(sandbox.DefaultHosts(), a.config.List("allow_host")...)
}

// secure opens the submission that a command names. The returned function
// closes it.
func (a *app) secure(ctx context.Context, at aim, docs []trial.Document, models *seated) (*trial.Opened, func(), error) {
	target, err := at.target(a, a.hosts())
	if err != nil {
		return nil, nil, err
	}
	if key, value := a.tokenOf(target.Host); value != "" && len(value) < safetext.MinSecret {
		return nil, nil, usage("give the whole token, or none", "reading environment: %s has under %d characters: so short a secret could not be hidden", key, safetext.MinSecret)
	}
	box, err := a.openBox(target.Host)
	if err != nil {
		return nil, nil, err
	}
	opened, err := trial.Open(ctx, box, models.equip(trial.Submission{Target: target, Name: at.id, Revision: at.revision, Folder: at.folder, Token: a.token, Ours: a.path(a.config.Text("out")),
		Document: docs[0], Further: docs[1:], Jobs: a.jobs(), OCR: a.config.Switch("ocr"), Veil: a.veil}))
	if err != nil {
		return nil, nil, errors.Join(unopened(ctx, err), box.Close())
	}
	for _, name := range opened.Same {
		a.note("document %s has the same content as another document; it counts once", name)
	}
	a.say("case %s: %s at %q, document %q", opened.Case.ID, opened.Case.RepoURL, opened.Case.Commit, opened.Case.PDFPath)
	if opened.Case.Snapshot != "" {
		a.note("%s", opened.Case.Snapshot)
	}
	if why := opened.Scene.PDFChoice(); why != "" {
		a.note("document %s: %s; --pdf tree:PATH takes another", court.Clean(opened.Case.PDFPath, 100), why)
	}
	for _, f := range slices.Concat(opened.Faults, opened.LeftOut()) {
		a.say("fault: %s: %s: %s", f.Stage, f.Subject, f.Reason)
	}
	return opened, func() {
		s := opened.Sandbox()
		a.say("sandbox: %v, missing %v, git %s", s.Layers, s.Missing, s.Git)
		if why := box.Report().Cache; why != "" {
			a.warn("working without a cache, which takes longer: %s", why)
		}
		for _, line := range s.Egress {
			a.say("egress: %s", line)
		}
		if err := box.Close(); err != nil {
			a.warn("removing the run directory: %v", err)
		}
	}, nil
}

// unopened says what it means that a submission could not be opened: a file
// that is not there is a mistake of the one who named it, everything else kept us
// from looking.
func unopened(ctx context.Context, err error) error {
	switch {
	case errors.Is(err, trial.ErrNoSuchDocument):
		return coded(exitUsage, err, "--pdf tree:PATH names a file of the audited commit; --pdf FILE one of this machine")
	case errors.Is(err, trial.ErrNoOCR):
		return coded(exitUsage, err, "install tesseract 4 or newer with its English data, or leave --ocr out; automaton doctor shows what is there")
	case refusalCode(err) == "url_host":
		return coded(exitUsage, err, "--allow-host HOST allows one more host; or download the file and give it")
	case strings.HasPrefix(refusalCode(err), "url_"), refusalCode(err) == "document_kind":
		return coded(exitUsage, err, "download it and give the file")
	case errors.Is(context.Cause(ctx), errTimeout):
		return coded(exitUnexamined, err, "--timeout TIME allows more time")
	}
	return coded(exitUnexamined, err)
}

// An audit with one job needs 48 open files at once; each parser that runs
// beside it some more. Measured: 64 are enough for two jobs, 48 are not.
const (
	filesNeeded  = 64
	filesPerMore = 8
)

// enoughFiles refuses to begin where it would end in the middle of a case.
func (a *app) enoughFiles() error {
	need := uint64(filesNeeded + filesPerMore*min(a.jobs(), 64))
	if have, known := openFiles(); known && have < need {
		return usage(fmt.Sprintf("ulimit -n %d raises it", max(1024, need)), "preparing the sandbox: only %d files may be open at once, and %d are needed", have, need)
	}
	return nil
}

// openBox makes the run directory and finds out which layers hold here. host is
// where the submission is, "" when it is here.
func (a *app) openBox(host string) (*sandbox.Box, error) {
	if err := a.enoughFiles(); err != nil {
		return nil, err
	}
	proxy, err := a.upstream(host)
	if err != nil {
		return nil, err
	}
	o := sandbox.Options{AllowHosts: a.config.List("allow_host"), Require: a.config.Switch("require_sandbox"), CAFile: a.getenv("SSL_CERT_FILE"), Upstream: proxy}
	if cache, err := a.cacheDir(); err == nil {
		o.CacheDir = filepath.Join(cache, "workers")
	}
	box, err := sandbox.Open(o)
	if err != nil {
		return nil, coded(exitUsage, fmt.Errorf("preparing the sandbox: %w", err), "automaton doctor shows what is missing")
	}
	return box, nil
}

// unreachable explains why there is no repository.
func (a *app) unreachable(ctx context.Context, at aim, err error) error {
	code := exitUnexamined
	if refusalCode(err) != "" && at.local != "" {
		code = exitUsage
	}
	if ctx.Err() != nil { // it may be there
		return coded(code, err)
	}
	return coded(code, err, a.openHint(at, err))
}

func (a *app) openHint(at aim, err error) string {
	switch c := refusalCode(err); {
	case c == "upstream_proxy":
		return "HTTPS_PROXY names the proxy; NO_PROXY lists hosts that are reached without it"
	case c == "git_empty":
		return "commit something first; an audit reads a commit, not the files as they lie"
	case c == "local_missing" || c == "not_git":
		return "give the folder of a git repository: the one that holds .git"
	case c == "local_inside":
		return "give the repository's own folder, and --path for a part of it; a copy elsewhere is read as files without history"
	case c == "path_missing", c == "path_outside":
		return "--path names a folder of the audited commit, seen from the top of the repository"
	case c == "ref_missing" && strings.Contains(at.revision, "/") && at.local == "":
		return "the address of a folder is given by --commit REV --path DIR"
	case c == "local_closed":
		return "the files must be readable by who audits them"
	case c == "archive_encrypted", c == "archive_method", c == "archive_kind":
		return "unpack it and give the folder"
	case c == "bundle_part":
		return "git bundle create FILE.bundle --all makes a whole one"
	case c == "archive_damaged":
		return "ask for it once more, or download it again"
	case c == "archive_empty":
		return "give the archive or folder that holds the submission's files"
	case at.local != "" && (c == "limit_unpacked" || c == "limit_files" || c == "limit_ratio"):
		return "the limit protects this machine; leave out what was not written by hand: installed packages, environments, data"
	case strings.HasPrefix(c, "limit_") && at.local == "":
		return "the limit protects this machine; a local clone is read in place"
	case strings.HasPrefix(c, "limit_"):
		return "the limit protects this machine; git count-objects -v and git fsck show what is so large"
	case at.local == "" && strings.Contains(err.Error(), "cannot be reached"):
		return "look at the network, the name servers and HTTPS_PROXY, or give a local clone"
	case at.local == "":
		return "set GITHUB_TOKEN to a token that can read it, or give a local clone"
	}
	return ""
}

// doubtDocument warns of a document that was named and cannot be read, or that was asked
// for and not found: it may be the wrong file, and that is not the submission's fault.
func (a *app) doubtDocument(rec *court.Record) {
	c := rec.Case
	if c.PDF == nil {
		asked := func(x court.Exhibit) bool {
			return x.Reason == court.NotSubmitted && x.Detective != court.RepoInvestigator
		}
		for _, list := range rec.Evidences {
			if slices.ContainsFunc(list, asked) {
				a.warn("no document was found, so its checks count as not handed in; --pdf FILE names it, --pdf none leaves its criteria out")
				break
			}
		}
	}
	if c.PDF == nil || c.PDF.From != "file" && c.PDF.From != "tree" {
		return
	}
	first := *c.PDF
	first.Path = c.PDFPath
	for _, d := range append([]court.PDF{first}, c.Further...) {
		if what := map[string]string{"not_pdf": "is no PDF", "empty": "is empty", "encrypted": "is encrypted", "damaged": "is a damaged PDF"}[d.Status]; what != "" {
			a.warn("%s %s, and counts as no document; --pdf FILE names another one", court.Clean(d.Path, 100), what)
		}
	}
}

// advise tells what would make the audit a better one.
func (a *app) advise(ctx context.Context, at aim, models *seated, opened *trial.Opened, rec *court.Record) {
	a.hintOCR(ctx, opened)
	a.hintModels(models)
	a.unanswered(rec)
	a.doubtDocument(rec)
	a.doubtHistory(ctx, at, opened, rec)
}

// doubtHistory says how the history is completed that a check could not read.
func (a *app) doubtHistory(ctx context.Context, at aim, opened *trial.Opened, rec *court.Record) {
	cut := func(list []court.Exhibit) bool {
		return slices.ContainsFunc(list, func(x court.Exhibit) bool { return x.Reason == court.ShallowHistory })
	}
	if ctx.Err() != nil || a.flags.quiet || !slices.ContainsFunc(slices.Collect(maps.Values(rec.Evidences)), cut) {
		return
	}
	if h, err := opened.Scene.History(ctx); err == nil && h.Shallow {
		a.tell(message{Kind: "warning", Text: "the clone is shallow: its older commits are missing, so checks of the history have no answer",
			Hints: []string{"git -C " + safetext.Shell(at.raw) + " fetch --unshallow gets them; then run the audit again"}})
	}
}

// pdfsFlag is the flag of a command that reads several documents.
func pdfsFlag(c *cobra.Command, into *[]string) {
	c.Flags().StringArrayVar(into, "pdf", nil, "`FILE` document of the submission: a PDF, DOCX, HTML or Markdown file, its https address, tree:PATH for one in the commit, auto or none (default auto; files are repeatable)")
}

// maxDocuments is how many documents a case has at most. A design choice: a
// report with its annexes; each may take as long to read as the first.
const maxDocuments = 8

// documents reads the --pdf flags.
func (a *app) documents(flags []string) ([]trial.Document, error) {
	if len(flags) == 0 {
		flags = []string{"auto"}
	}
	if len(flags) > maxDocuments {
		return nil, usage("put the annexes into one document", "reading flags: --pdf is given %d times; a case has at most %d documents", len(flags), maxDocuments)
	}
	var docs []trial.Document
	for _, flag := range flags {
		d, err := a.document(flag)
		if err != nil {
			return nil, err
		}
		if len(flags) > 1 && d.From != "file" && d.From != "tree" && d.From != trial.Address {
			return nil, usage("name every document", "reading flags: --pdf %s cannot be combined with another document", d.From)
		}
		docs = append(docs, d)
	}
	return docs, nil
}

// document reads the --pdf flag.
func (a *app) document(flag string) (trial.Document, error) {
	switch {
	case flag == "" || flag == "auto":
		return trial.Document{From: "auto"}, nil
	case flag == "none":
		return trial.Document{From: "none"}, nil
	case strings.HasPrefix(flag, "tree:"):
		return trial.Document{From: "tree", Path: strings.TrimPrefix(flag, "tree:")}, nil
	case strings.HasPrefix(flag, "https://"):
		return trial.Document{From: trial.Address, Path: flag}, nil
	case strings.Contains(flag, "://"):
		return trial.Document{}, usage("give an address that begins with https://, or download the file", "reading flags: --pdf %q: documents are fetched over https only", discreet(flag))
	}
	path := a.path(flag)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return trial.Document{}, usage("--pdf tree:PATH names a file of the audited commit", "reading document %q: no such file", flag)
	case err != nil:
		return trial.Document{}, usage("", "reading document %q: %w", flag, config.Cause(err))
	case !info.Mode().IsRegular():
		return trial.Document{}, usage("", "reading document %q: not a regular file", flag)
	case info.Size() > trial.MaxPDF:
		return trial.Document{}, usage("export it with smaller pictures; --pdf none examines the repository alone", "reading document %q: it has %d bytes; at most %d MiB are read", flag, info.Size(), trial.MaxPDF>>20)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return trial.Document{}, usage("", "reading document %q: %w", flag, config.Cause(err))
	}
	d := trial.Document{From: "file", Path: filepath.Base(path), Bytes: raw}
	if what := d.Refused(); what != "" {
		return d, usage("export it as PDF, DOCX, HTML or Markdown; --pdf none examines the repository alone", "reading document %q: %s", flag, what)
	}
	return d, nil
}
