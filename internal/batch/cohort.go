package batch

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/automaton-auditor/automaton/internal/store"
)

// FileName is the name of a cohort's own file in its folder. It is the only one with names and addresses of people.
const FileName = "cohort.json"

// CasesName is the folder of a cohort in which its cases lie.
const CasesName = "cases"

// Cohort is what a cohort's folder says of it.
type Cohort struct {
	Schema string  `json:"schema"`
	ID     string  `json:"id"`
	Store  string  `json:"store,omitempty"` // URL of the database; empty: a file beside this one
	Tool   string  `json:"tool"`            // version of the program that its cases are judged with
	Shared Shared  `json:"shared"`
	Roster []Entry `json:"roster"` // replaced or added to by Enlist alone

	mu sync.Mutex
	at map[string]int // places in the roster, by id; nil: not looked for yet
}

// Entry is the submission of an id; one that is not on the roster has nothing but the id.
func (c *Cohort) Entry(id string) Entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.at == nil {
		c.at = make(map[string]int, len(c.Roster))
		for i, e := range c.Roster {
			c.at[e.ID] = i
		}
	}
	if i, ok := c.at[id]; ok {
		return c.Roster[i]
	}
	return Entry{ID: id}
}

// Enlist makes the roster what it is given. It may be called while others ask for entries.
func (c *Cohort) Enlist(roster []Entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.Roster, c.at = roster, nil
}

// Shared is what all cases of a cohort are judged with, as it was asked for: a later run goes on with the same.
type Shared struct {
	Settings map[string][]string `json:"settings"`          // those that were not left to the program
	Only     string              `json:"only,omitempty"`    // criteria, with commas between
	PDFs     []string            `json:"pdfs,omitempty"`    // of submissions that name none
	Answers  string              `json:"answers,omitempty"` // a file with marks of people for all
	Trust    bool                `json:"trust_tree,omitempty"`
	// Calibration is a file of maps.
	Calibration string `json:"calibration,omitempty"`
	// Similarity compares the submissions when all have ended.
	Similarity *Similarity `json:"similarity,omitempty"`
}

// Similarity is what submissions of a cohort are compared with besides each other.
type Similarity struct {
	Base []string `json:"base,omitempty"` // folders and archives with what everybody was given
	Old  []string `json:"old,omitempty"`  // folders of earlier cohorts
}

// RubricName is the folder of a cohort that holds its rubric, when that is a file.
const RubricName = "rubric"

// Schema is the version of cohort.json.
const Schema = "automaton/cohort/1"

// mostCohort bounds cohort.json, in bytes.
const mostCohort = 256 << 20

// ReadCohort reads the cohort of a folder. The error wraps fs.ErrNotExist when there is none.
func ReadCohort(folder string) (*Cohort, error) {
	path := filepath.Join(folder, FileName)
	info, err := os.Lstat(path)
	if err != nil {
		return nil, fmt.Errorf("reading the cohort: %w", err)
	}
	if !info.Mode().IsRegular() || info.Size() > mostCohort {
		return nil, fmt.Errorf("reading the cohort: %q is not a file of ours", path)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading the cohort: %w", err)
	}
	var c Cohort
	if err := json.Unmarshal(raw, &c); err != nil {
		return nil, fmt.Errorf("reading the cohort: %q: %w", path, err)
	}
	if c.Schema != Schema || c.ID == "" {
		return nil, fmt.Errorf("reading the cohort: %q has schema %q, not %q", path, c.Schema, Schema)
	}
	return &c, nil
}

// Write puts the cohort into its folder, which is made when it is not there.
func (c *Cohort) Write(folder string) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("writing the cohort: %w", err)
	}
	if err := store.WriteFile(filepath.Join(folder, ".gitignore"), []byte("*\n")); err != nil {
		return fmt.Errorf("writing the cohort: %w", err)
	}
	raw, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return fmt.Errorf("writing the cohort: %w", err)
	}
	return store.WriteFile(filepath.Join(folder, FileName), append(raw, '\n'))
}

// NewID is the id of a cohort that begins: 12 random hex digits.
func NewID() (string, error) {
	raw := make([]byte, 6)
	if _, err := rand.Read(raw); err != nil {
		return "", fmt.Errorf("naming the cohort: %w", err)
	}
	return hex.EncodeToString(raw), nil
}

// Folders gives each entry a folder's name: its id made safe, and, where two come to the same name but for case, all but
// the first with six hex digits of the id's digest behind it.
func Folders(roster []Entry) []string {
	taken := map[string]bool{}
	out := make([]string, len(roster))
	for i, e := range roster {
		name := store.SafeName(e.ID)
		if key := strings.ToLower(name); taken[key] {
			sum := sha256.Sum256([]byte(e.ID))
			name += "-" + hex.EncodeToString(sum[:3])
		}
		taken[strings.ToLower(name)] = true
		out[i] = name
	}
	return out
}
