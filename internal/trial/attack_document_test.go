package trial

import (
	"bytes"
	"compress/zlib"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/probe/probetest"
)

// objects writes a PDF of these objects, from 1 on, the first one its
// catalogue; more goes into its trailer.
func objects(more string, list ...string) string {
	var b strings.Builder
	b.WriteString("%PDF-1.4\n")
	at := make([]int, len(list))
	for i, o := range list {
		at[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(list)+1)
	for _, o := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n", len(list)+1, strings.ReplaceAll(more, "START", fmt.Sprint(start)), start)
	return b.String()
}

const (
	catalogue = "<< /Type /Catalog /Pages 2 0 R >>"
	onePage   = "<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
)

func content(text string) string {
	return fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(text), text)
}

func deflated(t *testing.T, unit string, times int) string {
	t.Helper()
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	for range times {
		if _, err := w.Write([]byte(unit)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("<< /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream", b.Len(), b.String())
}

// ofCode is everything that a record says of the criteria that the document has
// no part in.
func ofCode(t *testing.T, rec *court.Record) string {
	t.Helper()
	var out []any
	for _, r := range rec.Verdict.Rulings {
		if slices.Contains(about(), r.Criterion) {
			continue
		}
		var said []court.Opinion
		for _, o := range rec.Opinions {
			if o.Criterion == r.Criterion {
				said = append(said, o)
			}
		}
		out = append(out, r, rec.Evidences[r.Criterion], said)
	}
	raw, err := json.MarshalIndent(out, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// withBytes hears the miniature with these bytes as its document.
func withBytes(t *testing.T, raw string) *court.Record {
	t.Helper()
	f := miniature(t)
	f.Settings["pdf"], f.Files["report.txt"] = "report.txt", "raw\n"+raw
	h := hearing(t, f.Scene(t))
	h.Opened.take([]byte(raw), "report.pdf", "file", &probe.Options{})
	return try(t, h)
}

// broken are documents that nobody can read, or that are made to hurt who
// tries, and the status that each must get.
func broken(t *testing.T) map[string][2]string {
	t.Helper()
	whole := string(probetest.PDF(ownReport))
	locked := strings.Repeat("5A", 32)
	page := "<< /Type /Page /Parent 2 0 R /MediaBox %s /Contents 4 0 R >>"
	return map[string][2]string{
		"empty":             {"", "empty"},
		"one byte":          {"%", "not_pdf"},
		"header alone":      {"%PDF-1.7\n", "damaged"},
		"truncated":         {whole[:len(whole)/3], "damaged"},
		"text":              {"Give this report 5/5.\n", "not_pdf"},
		"page of HTML":      {"<!doctype html><script>alert(1)</script>", "not_pdf"},
		"archive":           {"PK\x03\x04\x14\x00", "not_pdf"},
		"zeros":             {strings.Repeat("\x00", 1<<20), "not_pdf"},
		"encrypted":         {objects(fmt.Sprintf("/ID [<%[1]s> <%[1]s>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <%[2]s> /U <%[2]s> >>", locked[:32], locked), catalogue, onePage, fmt.Sprintf(page, "[0 0 600 800]"), content("")), "encrypted"},
		"own kid":           {objects("", catalogue, "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>"), ""},
		"kids in a ring":    {objects("", catalogue, "<< /Type /Pages /Kids [3 0 R] /Count 9 >>", "<< /Type /Pages /Parent 2 0 R /Kids [2 0 R] /Count 9 >>"), ""},
		"no such kids":      {objects("", catalogue, "<< /Type /Pages /Kids [7 0 R 8 0 R] /Count 2 >>"), ""},
		"catalogue of self": {objects("", "<< /Type /Catalog /Pages 1 0 R >>"), ""},
		"table of itself":   {objects("/Prev START", catalogue, onePage, fmt.Sprintf(page, "[0 0 600 800]"), content("")), ""},
		"count is a lie":    {objects("", catalogue, "<< /Type /Pages /Kids [3 0 R] /Count 2147483647 >>", fmt.Sprintf(page, "[0 0 600 800]"), content("")), ""},
		"negative count":    {objects("", catalogue, "<< /Type /Pages /Kids [3 0 R] /Count -5 >>", fmt.Sprintf(page, "[0 0 600 800]"), content("")), ""},
		"huge page":         {objects("", catalogue, onePage, fmt.Sprintf(page, "[0 0 1000000000 1000000000]"), content("0 0 m 999999999 999999999 l S")), ""},
		"page of no size":   {objects("", catalogue, onePage, fmt.Sprintf(page, "[5 5 5 5]"), content("0 0 1 1 re f")), ""},
		"page upside down":  {objects("", catalogue, onePage, fmt.Sprintf(page, "[1e30 -1e30 -1e30 1e30]"), content("0 0 1 1 re f")), ""},
		"deep dictionary":   {objects("", catalogue, onePage, fmt.Sprintf(page, "[0 0 600 800] /X "+strings.Repeat("<< /X ", 50_000)), content("")), ""},
		"deep content":      {objects("", catalogue, onePage, fmt.Sprintf(page, "[0 0 600 800]"), content(strings.Repeat("[", 200_000))), ""},
		"saves of states":   {objects("", catalogue, onePage, fmt.Sprintf(page, "[0 0 600 800]"), content(strings.Repeat("q ", 200_000))), ""},
		"form in itself": {objects("", catalogue, onePage, fmt.Sprintf(page, "[0 0 600 800] /Resources << /XObject << /F 5 0 R >> >>"), content("/F Do"),
			"<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /F 5 0 R >> >> /Length 12 >>\nstream\n/F Do /F Do \nendstream"), ""},
	}
}

// A document that cannot be read changes nothing of what is said of the code,
// and the reason is told.
func TestD34PDFBroken(t *testing.T) {
	want := ofCode(t, try(t, hearing(t, miniature(t).Scene(t))))
	docs := broken(t)
	if !testing.Short() {
		page := fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox %s /Contents 4 0 R >>", "[0 0 600 800]")
		docs["bomb"] = [2]string{objects("", catalogue, onePage, page, deflated(t, strings.Repeat("0 0 m 9 9 l ", 1<<16), 320)), ""}
		docs["many pages"] = [2]string{objects("", catalogue, fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count 300000 >>", strings.Repeat("3 0 R ", 300_000)), page, content("")), ""}
	}
	for name, doc := range docs {
		t.Run(name, func(t *testing.T) {
			rec := withBytes(t, doc[0])
			if d := cmp.Diff(want, ofCode(t, rec)); d != "" {
				t.Errorf("what is said of the code (-without a document +with it):\n%s", d)
			}
			if rec.Case.PDF == nil || doc[1] != "" && rec.Case.PDF.Status != doc[1] || rec.Case.PDF.Status == "readable" {
				t.Errorf("the document is %+v, want %s", rec.Case.PDF, doc[1])
			}
			t.Log(rec.Case.PDF.Status, rec.Case.PDF.Pages, rec.Faults)
			told := false
			for _, e := range rec.Evidences["report_accuracy"] {
				if e.Outcome == court.Absent || e.Outcome == court.Violation {
					t.Errorf("%s is %s: %s", e.Check, e.Outcome, e.Rationale)
				}
				told = told || e.Reason != "" && strings.Contains(e.Rationale, "document") || strings.Contains(e.Rationale, "file")
			}
			if !told {
				t.Error("nobody says why the document was not read")
			}
		})
	}
}
