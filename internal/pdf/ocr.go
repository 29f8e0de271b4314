package pdf

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// OCR reads pictures with the outside program tesseract, which need not be there.
type OCR struct {
	Version string // "tesseract 5.3.0", for the record: what is read depends on it

	run  runner
	path string
	own  bool // it lies where perhaps only our own user can read
}

// runner runs outside programs under limits: *sandbox.Box.
type runner interface {
	Run(ctx context.Context, c sandbox.Command) (sandbox.Result, error)
}

// Limits of one picture's reading; the time is a fence. A page of a report takes some seconds on a busy machine.
const (
	ocrTime   = 3 * time.Minute
	ocrMemory = 2 << 30 // of address space, most of which no program uses
	ocrOutput = 8 << 20
)

var ocrVersion = regexp.MustCompile(`^tesseract v?([0-9][0-9A-Za-z.\-]{0,30})`)

// FindOCR looks for tesseract on the PATH, or takes the program at path, and asks for its version. The error is
// exec.ErrNotFound when there is none.
func FindOCR(ctx context.Context, run runner, path string) (*OCR, error) {
	if path == "" {
		found, err := exec.LookPath("tesseract")
		if err != nil {
			return nil, fmt.Errorf("looking for tesseract: %w", err)
		}
		path = found
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("looking for tesseract: %w", err)
	}
	o := &OCR{run: run, path: path, own: !strings.HasPrefix(path, "/usr/")}
	res, err := o.call(ctx, nil, "--version")
	if err != nil {
		return nil, fmt.Errorf("asking tesseract for its version: %w", err)
	}
	m := ocrVersion.FindSubmatch(append(res.Stdout, res.Stderr...)) // older ones say it on stderr
	if m == nil {
		return nil, errors.New("asking tesseract for its version: an answer of another form")
	}
	o.Version = "tesseract " + string(m[1])
	return o, nil
}

// Words reads a picture that Render made. Sparse is for figures, whose words stand anywhere; otherwise the picture is
// taken for a page of running text. The program sees nothing but the picture: no network, no shell, a folder of its
// own, and no argument comes from the document.
func (o *OCR) Words(ctx context.Context, p *Picture, sparse bool) (Words, error) {
	mode := "3"
	if sparse {
		mode = "11"
	}
	res, err := o.call(ctx, p.PNG, "stdin", "stdout", "-l", "eng", "--oem", "1", "--psm", mode, "--dpi", fmt.Sprint(p.DPI),
		"-c", "tessedit_create_tsv=1", "-c", "tessedit_create_txt=0")
	if err != nil {
		return nil, fmt.Errorf("reading the picture on page %d: %w", p.Page, err)
	}
	words, err := parseWords(res.Stdout, p)
	if err != nil {
		return nil, fmt.Errorf("reading the picture on page %d: %w", p.Page, err)
	}
	return words, nil
}

func (o *OCR) call(ctx context.Context, input []byte, args ...string) (sandbox.Result, error) {
	c := sandbox.Command{Path: o.path, Args: args, Stdin: input,
		Env:    []string{"OMP_THREAD_LIMIT=1"}, // more threads take longer, and the order of sums must not change
		Limits: sandbox.Limits{Wall: ocrTime, CPU: ocrTime, Memory: ocrMemory, FileSize: 64 << 20, Stdout: ocrOutput}}
	if o.own {
		c.Private = true
		c.Read = []string{filepath.Dir(filepath.Dir(o.path))}
		if real, err := filepath.EvalSymlinks(o.path); err == nil {
			c.Read = append(c.Read, filepath.Dir(filepath.Dir(real)))
		}
	}
	return o.run.Run(ctx, c)
}
