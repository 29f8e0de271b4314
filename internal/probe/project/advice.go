package project

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// firsts names the first three places of a finding in its remedy.
func firsts(at []court.Place) string {
	var out []string
	for _, p := range at[:min(len(at), 3)] {
		out = append(out, court.Clean(p.String(), 120))
	}
	return strings.Join(out, ", ")
}

// few names the first of many things in a remedy.
func few(names []string, most int) string {
	return court.Clean(strings.Join(names[:min(len(names), most)], ", "), 400)
}

// publish is asked for where no audit report of the program can be read.
const publish = "Commit an audit report of the program, with the scores of all three judges."
