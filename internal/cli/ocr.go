package cli

import (
	"cmp"
	"context"
	"errors"
	"os/exec"

	"github.com/automaton-auditor/automaton/internal/pdf"
	"github.com/automaton-auditor/automaton/internal/probe/document"
	"github.com/automaton-auditor/automaton/internal/sandbox"
	"github.com/automaton-auditor/automaton/internal/trial"
)

// tryOCR says whether pictures could be read here. Nothing needs it.
func tryOCR(ctx context.Context, box *sandbox.Box) examination {
	ocr, err := pdf.FindOCR(ctx, box, "")
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return examination{"ocr", "not there; used with --ocr only", "install tesseract to read pictures of pages and figures", false}
	case err != nil:
		return examination{"ocr", "not working: " + err.Error(), "install tesseract 4 or newer with its English data", false}
	}
	return examination{"ocr", "ok, " + ocr.Version + ", used with --ocr only", "", false}
}

// hintOCR says that --ocr would read what nobody read, where that is so and the
// program is there.
func (a *app) hintOCR(ctx context.Context, opened *trial.Opened) {
	if a.config.Switch("ocr") || ctx.Err() != nil {
		return
	}
	what := ""
	for _, d := range opened.Scene.Documents() {
		what = cmp.Or(what, document.Unread(ctx, d))
	}
	if what == "" {
		return
	}
	if _, err := exec.LookPath("tesseract"); err == nil {
		a.note("--ocr would read %s", what)
	}
}
