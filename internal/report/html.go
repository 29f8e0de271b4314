package report

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"

	"github.com/automaton-auditor/automaton/internal/court"
)

//go:embed page
var pageFiles embed.FS

// pageTemplates are read when the first page is written: most processes of a
// run write none.
var pageTemplates = sync.OnceValue(func() *template.Template { return template.Must(template.ParseFS(pageFiles, "page/*.tmpl")) })

// maxPage is the size above which evidence that nobody cites loses its quote.
const maxPage = 8 << 20

// writeHTML writes the report as one page that needs nothing else: no request,
// no font, no image from elsewhere, readable without its script. All text goes
// through html/template; only our own style and script and the record, which is
// escaped here, go in as they are.
func writeHTML(w io.Writer, rec *court.Record) error { return Page(w, rec, nil, nil) }

// Page writes the report as a page in which remedies can be tried out, from numbers
// that hold no text; nil: they can only be ticked off. Around is what the web app puts there, and the record is then left
// out; nil: the page is a file of its own.
func Page(w io.Writer, rec *court.Record, numbers []byte, around *Around) error {
	raw, err := renderPage(rec, numbers, around, maxPage)
	if err != nil {
		return err
	}
	return put(w, raw)
}

func renderPage(rec *court.Record, numbers []byte, around *Around, limit int) ([]byte, error) {
	raw, err := executePage(rec, numbers, around, false)
	if err == nil && len(raw) > limit {
		raw, err = executePage(rec, numbers, around, true)
	}
	return raw, err
}

// frame is a page with what is not text of the record.
type frame struct {
	*page
	Around  *Around // nil: the page is a file of its own
	CSP     string
	CSS     template.CSS
	JS      template.JS
	Record  template.JS
	Numbers template.JS
}

func executePage(rec *court.Record, numbers []byte, around *Around, trimmed bool) ([]byte, error) {
	p := newPage(rec, around, trimmed)
	css, js, err := inlineBlocks(p.Models)
	if err != nil {
		return nil, err
	}
	record := ""
	if around != nil {
		css, js = css+around.CSS, js+around.JS
		p.within(around)
	} else if record, err = embeddedRecord(rec); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = pageTemplates().ExecuteTemplate(&b, "report.tmpl", frame{
		page:    p,
		Around:  around,
		CSP:     around.policy(css, js),
		CSS:     template.CSS(css),                              // #nosec G203 -- our own file
		JS:      template.JS(js),                                // #nosec G203 -- our own files
		Record:  template.JS(record),                            // #nosec G203 -- holds no "<"
		Numbers: template.JS(noMarkup.Replace(string(numbers))), // #nosec G203 -- likewise
	})
	if err != nil {
		return nil, fmt.Errorf("rendering the page: %w", err)
	}
	return b.Bytes(), nil
}

// inlineBlocks are the page's one style and one script.
func inlineBlocks(models bool) (css, js string, err error) {
	files := []string{"page/report.css", "page/portrait.css"}
	if models {
		files = append(files, "page/models.css")
	}
	if css, err = ownFiles(files...); err == nil {
		js, err = ownFiles("page/report.js", "page/whatif.js", "page/tick.js")
	}
	return css, js, err
}

// ownFiles are files of the page's own, one after the other.
func ownFiles(names ...string) (string, error) {
	var b strings.Builder
	for _, name := range names {
		raw, err := pageFiles.ReadFile(name)
		if err != nil {
			return "", fmt.Errorf("reading the page's own files: %w", err)
		}
		b.Write(raw)
	}
	return b.String(), nil
}

// sourceDigest is the CSP source of an inline block.
func sourceDigest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// embeddedRecord is the record's JSON without a character that could end its
// element. plainEscapes undoes exactly this, so that record.json can be made
// from the page byte for byte.
func embeddedRecord(rec *court.Record) (string, error) {
	raw, err := plainJSON(rec)
	if err != nil {
		return "", err
	}
	return noMarkup.Replace(string(raw)), nil
}

// noMarkup makes JSON that can end no element of a page.
var noMarkup = strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`)
