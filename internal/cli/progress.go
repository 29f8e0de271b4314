package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/trace"
)

// progress is what stderr shows of a run; nil: nothing.
func (a *app) progress() func(trace.Event) error {
	if a.flags.quiet {
		return nil
	}
	switch a.config.Text("progress") {
	case "none":
		return nil
	case "json":
		return trace.Lines(a.Stderr)
	}
	return plain(a.Stderr)
}

// plain writes one line a finished step, in UTC; nothing is redrawn.
func plain(w io.Writer) func(trace.Event) error {
	return func(e trace.Event) error {
		text, took := e.Text, time.Duration(e.Ms)*time.Millisecond
		switch {
		case e.Kind == trace.NodeEnd:
			return line(w, e.At, e.Node, fmt.Sprintf("%-58s %5.1fs", court.Clean(text, 58), took.Seconds()))
		case e.Kind == trace.Evidence && e.Grave:
			return line(w, e.At, e.Node, court.Clean(text, 120))
		case e.Kind == trace.Fault:
			return line(w, e.At, e.Node, "fault: "+court.Clean(text, 120))
		case e.Kind == trace.Route && text == "re-evaluate":
			return line(w, e.At, e.Node, "criteria in dispute are heard again")
		}
		return nil
	}
}

func line(w io.Writer, at, node, text string) error {
	when, err := time.Parse("2006-01-02T15:04:05.000Z", at)
	if err != nil {
		return fmt.Errorf("reading the time of an event: %w", err)
	}
	_, err = fmt.Fprintf(w, "%s %-19s %s\n", when.Format("15:04:05Z"), node, text)
	return err
}

// width is the terminal's, 80 when unknown.
func (a *app) width() int {
	if n, err := strconv.Atoi(a.getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	return 80
}

// printJSON writes data as one JSON value.
func (a *app) printJSON(v any) error {
	raw, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("encoding the result: %w", err)
	}
	return a.print(append(raw, '\n'))
}
