// Package tables holds what the checks know about names: which calls are
// dangerous, start a process, open something or fail, where values come from,
// what folders and variables are called. It is data, one JSON file a question
// and one row an answer, for every language alike; what code means is asked
// elsewhere. A row that no fixture of a probe hits fails a test.
package tables

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
)

//go:embed *.json
var files embed.FS

// The questions that there are tables for.
const (
	Danger   = "danger"   // calls that are dangerous, by kind
	Process  = "process"  // calls that start a process, by what is handed to them
	Open     = "open"     // calls that open a file or an address
	Flow     = "flow"     // where values come from, and what keeps or cleans them
	Output   = "output"   // calls that print, format, or read the environment
	Fetch    = "fetch"    // calls that get a repository
	Fail     = "fail"     // calls that fail when the world does not play along
	Word     = "word"     // words and folders that mean something
	Provider = "provider" // who serves a model, by the class of a client, or the argument that tells
	Key      = "key"      // forms of keys that are known by how they begin
	Look     = "look"     // calls that look at a repository or a document, and those that look at nothing

	secret  = "secret"  // names of secrets, by kind
	place   = "place"   // names of folders, and of files that tools look for
	module  = "module"  // packages of Python that bring a module
	brought = "brought" // packages of Python that bring along a module of another
)

// Questions are all of them.
func Questions() []string {
	return []string{Danger, Process, Open, Flow, Output, Fetch, Fail, Word, Provider, Key, Look, secret, place, module, brought}
}

// Row is one answer to the question of its table.
type Row struct {
	Languages []string `json:"languages"`
	Role      string   `json:"role"`
	// Names are patterns of full names, or words; "*" is any run of characters.
	Names []string `json:"names"`
	// Severity and Certainty weigh a dangerous call: certainty in ten
	// thousandths, 0 for certain.
	Severity  string `json:"severity,omitempty"`
	Certainty int    `json:"certainty,omitempty"`
	Why       string `json:"why,omitempty"`     // what the call does, after its name
	Instead   string `json:"instead,omitempty"` // what is done in place of a dangerous call
	Input     string `json:"input,omitempty"`   // the argument that matters; "" is the first, or none
	When      string `json:"when,omitempty"`    // a condition that code has to meet, by its name
	Constant  bool   `json:"constant,omitempty"`
	Form      string `json:"form,omitempty"` // the pattern of a whole text that begins with one of the names
	Source    string `json:"source"`         // pages, or "design choice"
}

// Matches tells whether a full name, or a word, is one of the row's.
func (r *Row) Matches(name string) bool {
	return slices.ContainsFunc(r.Names, func(glob string) bool { return Match(name, glob) })
}

// In tells whether the row is about a language.
func (r *Row) In(language string) bool { return slices.Contains(r.Languages, language) }

// Table is the rows that answer one question, the first that fits first.
type Table []Row

// Of is the table of a question.
func Of(question string) Table { return load()[question] }

// Find is the first row of a language, and of one of the roles where some are
// given, that a name matches.
func (t Table) Find(language, name string, roles ...string) (Row, bool) {
	for i := range t {
		if r := &t[i]; (len(roles) == 0 || slices.Contains(roles, r.Role)) && r.In(language) && r.Matches(name) {
			return *r, true
		}
	}
	return Row{}, false
}

// Has tells whether some row of a language and role has the name.
func (t Table) Has(language, name string, roles ...string) bool {
	_, ok := t.Find(language, name, roles...)
	return ok
}

// Rows are the rows of a language, and of one of the roles where some are given.
func (t Table) Rows(language string, roles ...string) (out Table) {
	for _, r := range t {
		if (len(roles) == 0 || slices.Contains(roles, r.Role)) && r.In(language) {
			out = append(out, r)
		}
	}
	return out
}

// Names are all names of those rows.
func (t Table) Names(language string, roles ...string) (out []string) {
	for _, r := range t.Rows(language, roles...) {
		out = append(out, r.Names...)
	}
	return out
}

// Match tells whether a name fits a pattern in which "*" is any run of
// characters, dots included.
func Match(name, glob string) bool {
	if name != "" && glob != "" && glob[0] != name[0] && glob[0] != '*' {
		return false // nearly always
	}
	head, rest, star := strings.Cut(glob, "*")
	if !star {
		return name == glob
	}
	if !strings.HasPrefix(name, head) {
		return false
	}
	name = name[len(head):]
	for {
		part, more, star := strings.Cut(rest, "*")
		if !star {
			return strings.HasSuffix(name, part)
		}
		i := strings.Index(name, part)
		if i < 0 {
			return false
		}
		name, rest = name[i+len(part):], more
	}
}

// load reads all tables once. They are part of the program, and a test reads
// them: a mistake in one never reaches a run.
var load = sync.OnceValue(func() map[string]Table {
	out := map[string]Table{}
	for _, question := range Questions() {
		raw, err := files.ReadFile(question + ".json")
		if err != nil {
			panic(err)
		}
		t, err := read(raw)
		if err != nil {
			panic(fmt.Errorf("reading table %s: %w", question, err))
		}
		out[question] = t
	}
	return out
})

// read decodes one table and refuses what is surely a slip: unknown keys, empty
// fields, a name twice for one language and role.
func read(raw []byte) (Table, error) {
	var t Table
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&t); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something stands after the table")
	}
	seen := map[string]bool{}
	for i, r := range t {
		if len(r.Languages) == 0 || len(r.Names) == 0 || r.Role == "" || r.Source == "" {
			return nil, fmt.Errorf("row %d: languages, role, names and source are wanted", i+1)
		}
		for _, name := range r.Names {
			if name == "" {
				return nil, fmt.Errorf("row %d: an empty name", i+1)
			}
			for _, language := range r.Languages {
				key := strings.Join([]string{language, r.Role, name}, "\x00")
				if seen[key] && name != "*" {
					return nil, fmt.Errorf("row %d: %s stands twice under %s of %s", i+1, name, r.Role, language)
				}
				seen[key] = true
			}
		}
	}
	return t, nil
}
