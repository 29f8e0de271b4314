package decision

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/automaton-auditor/automaton/internal/court"
)

// FilingSchema is the version of an appeal as a file.
const FilingSchema = "automaton/appeal/1"

// MaxFiling bounds an appeal as a file, in bytes.
const MaxFiling = 1 << 20

// Filing is an appeal as its file has it: which criterion of which record, where to look, and why. It sets no score.
type Filing struct {
	Schema    string   `json:"schema"`
	Record    string   `json:"record"` // digest
	Criterion string   `json:"criterion_id"`
	Points    []string `json:"points"`
	Reason    string   `json:"reason"`
	By        string   `json:"by"`
}

// Check says what is wrong with an appeal.
func (f Filing) Check() error {
	if f.Schema != FilingSchema {
		return fmt.Errorf("its schema is %q, not %q", court.Clean(f.Schema, 60), FilingSchema)
	}
	return f.Entry("-").Check()
}

// Entry is the decision that files the appeal for a submission.
func (f Filing) Entry(submission string) Entry {
	return Entry{By: f.By, Kind: Appeal, Submission: submission, Record: f.Record, Criterion: f.Criterion, Points: f.Points, Reason: f.Reason}
}

// ReadFiling reads an appeal, which the audited side wrote: what it does not know it refuses.
func ReadFiling(raw []byte) (f Filing, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return f, errors.New("it is not an appeal: " + court.Clean(err.Error(), 200))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return f, errors.New("it is not an appeal: something follows after its end")
	}
	return f, f.Check()
}
