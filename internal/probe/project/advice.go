package project

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// few names the first of many things in a remedy.
func few(names []string, most int) string {
	return court.Clean(strings.Join(names[:min(len(names), most)], ", "), 400)
}

// publish is asked for where no audit report of the program can be read.
const publish = "Commit an audit report of the program, with the scores of all three judges."
