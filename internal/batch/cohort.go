package batch

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

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
	Terms  string  `json:"terms"`           // digest of what all cases share
	Roster []Entry `json:"roster"`
}

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
	if err := os.WriteFile(filepath.Join(folder, ".gitignore"), []byte("*\n"), 0o600); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("writing the cohort: %w", err)
	}
	raw, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return fmt.Errorf("writing the cohort: %w", err)
	}
	return store.WriteFile(filepath.Join(folder, FileName), append(raw, '\n'))
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
