package court

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Testimony is the check of passages of the document that bear on a criterion:
// what it says, not what is so. No criterion has a check of this name, so no
// ledger hears it and no score rests on it.
const Testimony = "testimony"

// Evidence is one fact about a submission, for one check. It carries no score.
// Its id follows from what it says and where, so that it cannot be altered
// unnoticed and two detectives who find the same thing find one thing.
type Evidence struct {
	ID         string          `json:"id"` // set by Sealed
	Criterion  string          `json:"criterion_id"`
	Check      string          `json:"check"`
	Ask        string          `json:"ask"`   // which of the check's questions it answers
	Probe      string          `json:"probe"` // id/version of the probe
	Detective  Detective       `json:"detective"`
	Goal       string          `json:"goal"`
	Found      bool            `json:"found"` // derived from Outcome
	Outcome    Outcome         `json:"outcome"`
	Reason     Reason          `json:"reason,omitempty"`   // of unknown
	Withheld   bool            `json:"withheld,omitempty"` // of unknown: the submission made it so, and it counts against it; never in records of law 1
	Content    string          `json:"content,omitempty"`  // verbatim, bounded, secrets masked
	Location   string          `json:"location"`           // derived from At
	At         []Place         `json:"at,omitempty"`
	More       int             `json:"more,omitempty"` // places beyond those listed
	Rationale  string          `json:"rationale"`
	Confidence Fixed           `json:"confidence"`
	Source     Source          `json:"source"`
	Share      Fixed           `json:"share,omitempty"` // of partial: what complies
	Coverage   Fixed           `json:"coverage"`        // share of the scope that was examined
	Security   *Flaw           `json:"security,omitempty"`
	Remedy     string          `json:"remedy,omitempty"` // what would put it right
	Effort     int             `json:"effort_minutes,omitempty"`
	Data       json.RawMessage `json:"data,omitempty"` // typed facts of the probe

	Round int `json:"round"` // the hearing for which it was last looked for; no part of the id
}

// Place is where a fact stands: lines of a blob, a commit, or a page of the
// PDF; with nothing but a digest, the document as a whole. A path with a digest
// is a document of text that lies beside the repository.
type Place struct {
	Path    string `json:"path,omitempty"`
	Raw     string `json:"raw,omitempty"`  // the path's bytes in base64, where they are no UTF-8; Path then shows them escaped
	Line    int    `json:"line,omitempty"` // 1-based
	EndLine int    `json:"end_line,omitempty"`
	Cell    int    `json:"cell,omitempty"` // of a notebook, 1-based, of any kind
	Blob    string `json:"blob,omitempty"` // object id at the audited commit
	Commit  string `json:"commit,omitempty"`
	Page    int    `json:"page,omitempty"` // 1-based
	Box     *Box   `json:"box,omitempty"`
	Digest  string `json:"digest,omitempty"` // of the document a page belongs to
	// Document names the document of a page where the case has several.
	Document string `json:"document,omitempty"`
}

// Box is a rectangle on a page in points; the origin is the page's upper left
// corner and y grows downwards.
type Box struct {
	X0 Fixed `json:"x0"`
	Y0 Fixed `json:"y0"`
	X1 Fixed `json:"x1"`
	Y1 Fixed `json:"y1"`
}

// File is the path as git has it: Path, or the bytes that Raw tells. Of a Raw
// that is not a base64 it is Path.
func (p Place) File() string {
	if raw, err := base64.StdEncoding.DecodeString(p.Raw); p.Raw != "" && err == nil {
		return string(raw)
	}
	return p.Path
}

// String is the place as people write it: path:line, path:first-last, either with
// (cell N) behind it,
// commit:ID (its first ten digits), pdf:page N, or pdf for the document as a
// whole; where the case has several documents, their names stand for pdf.
func (p Place) String() string {
	switch {
	case p.Cell > 0:
		of := p
		of.Cell = 0
		return fmt.Sprintf("%s (cell %d)", of.String(), p.Cell)
	case p.Path != "" && p.Line == 0:
		return p.Path
	case p.Path != "" && p.EndLine > p.Line:
		return fmt.Sprintf("%s:%d-%d", p.Path, p.Line, p.EndLine)
	case p.Path != "":
		return fmt.Sprintf("%s:%d", p.Path, p.Line)
	case p.Commit != "":
		return "commit:" + p.Commit[:min(len(p.Commit), 10)]
	case p.Page > 0:
		return fmt.Sprintf("%s:page %d", cmp.Or(p.Document, "pdf"), p.Page)
	case p.Digest != "":
		return cmp.Or(p.Document, "pdf")
	default:
		return ""
	}
}

// Flaw makes a violation a security matter.
type Flaw struct {
	Severity  Severity `json:"severity"`
	Tainted   string   `json:"tainted"` // yes, no, unknown
	Scope     string   `json:"scope"`   // scope class of its place: production, test, vendor, example
	Verified  bool     `json:"verified"`
	Dismissed bool     `json:"dismissed,omitempty"`
	Confirmed bool     `json:"confirmed"` // by the law of the case
}

// Key is the id: evidence is united by it.
func (e Evidence) Key() string { return e.ID }

// Compare orders evidence by id. Of two accounts of the same thing the one that
// was looked for last comes first and so stands.
func (e Evidence) Compare(o Evidence) int {
	return cmp.Or(cmp.Compare(e.ID, o.ID), cmp.Compare(o.Round, e.Round))
}

// identity is what an id is made of.
type identity struct {
	Criterion, Check, Ask, Probe string
	Detective                    Detective
	Goal                         string
	Outcome                      Outcome
	Reason                       Reason
	Withheld                     bool `json:",omitempty"`
	Content                      string
	At                           []Place
	More                         int
	Rationale                    string
	Confidence                   Fixed
	Source                       Source
	Share, Coverage              Fixed
	Severity                     Severity
	Tainted, Scope               string
	Remedy                       string
	Effort                       int
	Data                         json.RawMessage
}

// Sealed returns e with its id, Found and Location derived from the rest. Data
// that is no JSON is kept as a JSON string, so that the id follows from it too
// and the evidence can be written down.
func (e Evidence) Sealed() Evidence {
	if len(e.Data) == 0 { // none and empty are one
		e.Data = nil
	} else if !json.Valid(e.Data) {
		text, _ := json.Marshal(string(e.Data)) // a string always can be encoded
		e.Data = text
	}
	if len(e.At) == 0 { // none and empty are one
		e.At = nil
	}
	e.Found = e.Outcome.Found()
	e.Location = "nowhere"
	if len(e.At) > 0 {
		e.Location = e.At[0].String()
	}
	id := identity{e.Criterion, e.Check, e.Ask, e.Probe, e.Detective, e.Goal, e.Outcome, e.Reason, e.Withheld, e.Content, e.At, e.More,
		e.Rationale, e.Confidence, e.Source, e.Share, e.Coverage, "", "", "", e.Remedy, e.Effort, e.Data}
	if e.Security != nil {
		id.Severity, id.Tainted, id.Scope = e.Security.Severity, e.Security.Tainted, e.Security.Scope
	}
	e.ID = "ev-" + Digest(id)[:idDigits]
	return e
}

// idDigits is how many hex digits of the digest an id has: 96 bits. Evidence is
// united by id and an author writes what is quoted, so two texts with one id
// must cost more than a search that a person can run.
const idDigits = 24

// Validate says what is wrong with sealed evidence.
func (e Evidence) Validate() error {
	var errs []error
	check := func(ok bool, format string, a ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf("evidence %s: "+format, append([]any{e.ID}, a...)...))
		}
	}
	check(e.ID == e.Sealed().ID, "the id does not follow from the content")
	check(e.Criterion != "" && e.Check != "" && e.Probe != "", "criterion, check and probe are required")
	check(slices.Contains(Outcomes(), e.Outcome), "unknown outcome %q", e.Outcome)
	check(slices.Contains(Sources(), e.Source), "unknown source %q", e.Source)
	check(e.Confidence >= 0 && e.Confidence <= One, "confidence %s is not in 0..1", e.Confidence)
	check(e.Share >= 0 && e.Share <= One, "share %s is not in 0..1", e.Share)
	check(e.Coverage >= 0 && e.Coverage <= One, "coverage %s is not in 0..1", e.Coverage)
	check((e.Outcome == Unknown) == (e.Reason != ""), "a reason belongs to unknown, and unknown needs one")
	check(e.Reason == "" || slices.Contains(Reasons(), e.Reason), "unknown reason %q", e.Reason)
	check(!e.Withheld || e.Reason.Withheld(), "%q does not withhold anything", e.Reason)
	check(e.Outcome != Violation && e.Outcome != Partial || len(e.At) > 0, "what was located needs a place")
	check(e.Security == nil || len(e.At) > 0, "a flaw needs a place")
	check(e.Rationale != "", "a rationale is required")
	check(len(e.Data) == 0 || json.Valid(e.Data), "the data are no JSON")
	for _, p := range e.At {
		check(p.String() != "" && p.Line >= 0 && p.EndLine >= 0, "a place is required to be traceable")
	}
	return errors.Join(errs...)
}

// Digest is the SHA-256 of v's canonical JSON, in lower-case hex.
func Digest(v any) string {
	raw, err := Canonical(v)
	if err != nil { // only types that JSON cannot hold; the vocabulary has none
		raw = []byte(err.Error())
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}
