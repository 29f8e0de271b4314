package report

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Format is one way to render a record.
type Format struct {
	Name  string // what -f takes
	Ext   string // file ending with its dot; empty: no ending tells it
	Doc   string // one line for the help
	Write func(w io.Writer, rec *court.Record) error
}

// Formats lists every format, in the order of the help.
var Formats = []Format{
	{Name: "text", Ext: ".txt", Doc: "the summary of the terminal", Write: writeText},
	{Name: "md", Ext: ".md", Doc: "the full report as Markdown", Write: writeMarkdown},
	{Name: "json", Ext: ".json", Doc: "the record itself", Write: writeJSON},
	{Name: "html", Ext: ".html", Doc: "the full report as one page that holds its record", Write: writeHTML},
	{Name: "short.html", Ext: ".short.html", Doc: "two printed pages for the person who is judged", Write: writeShort},
	{Name: "sarif", Ext: ".sarif", Doc: "findings with a place in the repository, for code scanning", Write: writeSARIF},
	{Name: "junit", Ext: ".xml", Doc: "each criterion as a test case", Write: writeJUnit},
	{Name: "csv", Ext: ".csv", Doc: "each criterion as a row", Write: writeCSV},
	{Name: "github", Doc: "findings as workflow commands, which a job shows beside the lines", Write: writeAnnotations},
	{Name: "github-summary", Doc: "the Markdown report as far as the summary of a job takes it", Write: writeStepSummary},
	{Name: "github-comment", Doc: "the Markdown report without evidence, as a comment takes it", Write: writeComment},
	{Name: "gitlab", Doc: "findings as the code quality of a merge request", Write: writeGitLab},
	{Name: "badge", Doc: "the total as the endpoint badge of shields.io takes it", Write: writeBadge},
}

// FormatNamed is the format of a name; false when there is none.
func FormatNamed(name string) (Format, bool) {
	i := slices.IndexFunc(Formats, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return Format{}, false
	}
	return Formats[i], true
}

func writeText(w io.Writer, rec *court.Record) error {
	return Summary(w, rec, TextOptions{})
}

// writeJSON writes the record with two spaces and a final newline, keys in the
// order of the structs.
func writeJSON(w io.Writer, rec *court.Record) error {
	return putJSON(w, rec)
}

// put writes a finished rendering.
func put(w io.Writer, b []byte) error {
	if _, err := w.Write(b); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

// dataJSON writes any value the way records are written.
func dataJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	return nil
}
