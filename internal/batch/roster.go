package batch

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"github.com/automaton-auditor/automaton/internal/safetext"
)

// Entry is one submission of a roster.
type Entry struct {
	Line   int    `json:"-"` // in the roster
	ID     string `json:"id"`
	Name   string `json:"name,omitempty"`
	Email  string `json:"email,omitempty"`
	Target string `json:"repo_url"`
	Commit string `json:"commit,omitempty"`
	Due    string `json:"due,omitempty"` // the last commit before it is judged; RFC 3339, or a day or minute in UTC
	PDF    string `json:"pdf,omitempty"` // as --pdf takes it; empty: as for all
	// Answers is a file with marks that people gave, as --answers takes it; empty: as for all.
	Answers string `json:"answers,omitempty"`
}

// Rosters are read up to here.
const (
	MaxRoster = 64 << 20 // bytes
	mostRows  = 100_000
	mostID    = 200 // characters
)

// Reading says how a roster is to be read.
type Reading struct {
	Template string            // of addresses, with {COLUMN} in it; empty: a column has them
	Map      map[string]string // our field to the roster's column
}

// Problems are all that is wrong with a roster, a line each.
type Problems []string

func (p Problems) Error() string { return strings.Join(p, "\n") }

// source is a kind of roster that is known by its header.
type source struct {
	columns []string          // that tell it
	fields  map[string]string // field to column
}

// The sources, the most telling first. Columns are compared without case.
var sources = []source{
	{[]string{"id", "repo_url"}, map[string]string{"id": "id", "name": "name", "email": "email", "repo_url": "repo_url", "commit": "commit", "pdf": "pdf", "due": "due", "answers": "answers"}},
	{[]string{"roster_identifier", "student_repository_url"}, map[string]string{"id": "roster_identifier", "name": "github_username", "repo_url": "student_repository_url"}},
	{[]string{"username", "github_id"}, map[string]string{"id": "username", "name": "last_name", "email": "email"}},
}

// Roster reads a roster from text: a table with a header, or one address a line. The error is Problems when rows are
// wrong; the entries that are right are given all the same.
func Roster(raw []byte, r Reading) ([]Entry, error) {
	if len(raw) > MaxRoster {
		return nil, fmt.Errorf("it has more than %d bytes", MaxRoster)
	}
	text, err := safetext.TableText(raw)
	if err != nil {
		return nil, err
	}
	head, _, _ := strings.Cut(strings.TrimLeft(text, "\n"), "\n")
	var list []Entry
	var bad Problems
	if comma := delimiter(head); comma != 0 {
		list, bad, err = table(text, comma, r)
	} else {
		list = addresses(text)
	}
	if err != nil {
		return nil, err
	}
	if len(list) == 0 && len(bad) == 0 {
		return nil, errors.New("there is no submission in it")
	}
	if len(list) > mostRows {
		return nil, fmt.Errorf("it has more than %d submissions", mostRows)
	}
	list, more := unique(list)
	if bad = append(bad, more...); len(bad) > 0 {
		slices.SortStableFunc(bad, func(a, b string) int { return cmp.Compare(lineOf(a), lineOf(b)) })
		return list, bad
	}
	return list, nil
}

// lineOf is the line that a problem begins with.
func lineOf(problem string) int {
	line, _, _ := strings.Cut(problem, ":")
	n, _ := strconv.Atoi(line) // all begin with one
	return n
}

// delimiter is what parts the columns of a header; 0: it is no header. An address has none of them in front of its end.
func delimiter(head string) rune {
	if strings.Contains(head, "://") || strings.HasPrefix(head, "#") {
		return 0
	}
	best, most := rune(0), 0
	for _, c := range ",;\t" {
		if n := strings.Count(head, string(c)); n > most {
			best, most = c, n
		}
	}
	return best
}

// addresses reads one address a line; # begins a comment.
func addresses(text string) (list []Entry) {
	for n, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if i := strings.Index(line, " #"); i >= 0 {
			line = strings.TrimSpace(line[:i])
		}
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		list = append(list, Entry{Line: n + 1, ID: nameOf(line), Target: line})
	}
	return list
}

// nameOf is the id of a submission that has only an address: OWNER__NAME, or the folder's name.
func nameOf(target string) string {
	target = strings.TrimSuffix(strings.TrimRight(target, "/"), ".git")
	parts := strings.Split(filepath.ToSlash(target), "/")
	if strings.Contains(target, "://") && len(parts) >= 5 {
		return strings.Join(parts[len(parts)-2:], "__")
	}
	return parts[len(parts)-1]
}

var placeholder = regexp.MustCompile(`\{([^{}]+)\}`)

// table reads rows under a header.
func table(text string, comma rune, r Reading) (list []Entry, bad Problems, err error) {
	in := csv.NewReader(strings.NewReader(text))
	in.Comma, in.FieldsPerRecord, in.LazyQuotes, in.ReuseRecord = comma, -1, false, false
	head, err := in.Read()
	if err != nil {
		return nil, nil, fmt.Errorf("reading its header: %w", err)
	}
	at := map[string]int{} // column to position
	for i, name := range head {
		if name = strings.ToLower(strings.TrimSpace(name)); at[name] == 0 {
			at[name] = i + 1
		}
	}
	fields, err := fieldsOf(at, r)
	if err != nil {
		return nil, nil, err
	}
	for {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			return list, bad, nil
		}
		if wrong, ok := errors.AsType[*csv.ParseError](err); ok {
			return list, append(bad, fmt.Sprintf("%d: %v", wrong.Line, wrong.Err)), nil
		} else if err != nil {
			return nil, nil, err
		}
		line, _ := in.FieldPos(0)
		if !slices.ContainsFunc(row, func(s string) bool { return strings.TrimSpace(s) != "" }) {
			continue
		}
		value := func(column string) string {
			if i := at[strings.ToLower(column)]; i > 0 && i <= len(row) {
				return strings.TrimSpace(row[i-1])
			}
			return ""
		}
		field := func(name string) string { return value(fields[name]) }
		e := Entry{Line: line, ID: field("id"), Name: field("name"), Email: field("email"), Target: field("repo_url"), Commit: field("commit"), PDF: field("pdf"), Due: field("due"), Answers: field("answers")}
		if r.Template != "" {
			e.Target = placeholder.ReplaceAllStringFunc(r.Template, func(m string) string { return value(m[1 : len(m)-1]) })
		}
		switch {
		case e.ID == "":
			bad = append(bad, fmt.Sprintf("%d: the id is empty", line))
		case e.Target == "":
			bad = append(bad, fmt.Sprintf("%d: %s has no repository", line, e.ID))
		case e.Due != "" && DueOf(e.Due).IsZero():
			bad = append(bad, fmt.Sprintf("%d: %s: %q is not a time like 2026-03-01, 2026-03-01 18:00 or 2026-03-01T18:00:00+01:00", line, e.ID, e.Due))
		default:
			list = append(list, e)
		}
	}
}

// dueForms are how a time may be written; without a zone it is UTC.
var dueForms = []string{time.RFC3339, "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04"}

// DueOf is the time that a text names; a day means its last second. Zero: it names none.
func DueOf(text string) time.Time {
	for _, form := range dueForms {
		if t, err := time.Parse(form, text); err == nil {
			return t
		}
	}
	if t, err := time.Parse(time.DateOnly, text); err == nil {
		return t.Add(24*time.Hour - time.Second)
	}
	return time.Time{}
}

// fieldsOf tells which column has which field.
func fieldsOf(at map[string]int, r Reading) (map[string]string, error) {
	fields := sources[0].fields
	for _, s := range sources {
		if !slices.ContainsFunc(s.columns, func(c string) bool { return at[c] == 0 }) {
			fields = s.fields
			break
		}
	}
	mapped := map[string]string{}
	for f, c := range fields {
		if at[c] > 0 {
			mapped[f] = c
		}
	}
	for f, c := range r.Map {
		if at[strings.ToLower(c)] == 0 {
			return nil, fmt.Errorf("it has no column %q", c)
		}
		mapped[f] = strings.ToLower(c)
	}
	if r.Template != "" {
		for _, m := range placeholder.FindAllStringSubmatch(r.Template, -1) {
			if at[strings.ToLower(m[1])] == 0 {
				return nil, fmt.Errorf("it has no column %q, which the template of addresses names", m[1])
			}
		}
		mapped["repo_url"] = "-"
	}
	for _, f := range []string{"id", "repo_url"} {
		if mapped[f] == "" {
			return nil, fmt.Errorf("no column holds the %s", map[string]string{"id": "id of the student", "repo_url": "address of the repository"}[f])
		}
	}
	return mapped, nil
}

// unique leaves out the later ones of entries that share an id, and ids that are too long.
func unique(list []Entry) (out []Entry, bad Problems) {
	first := map[string]int{}
	for _, e := range list {
		e.ID = norm.NFC.String(e.ID)
		switch was, twice := first[e.ID]; {
		case twice:
			bad = append(bad, fmt.Sprintf("%d: the id %q is on line %d, too", e.Line, e.ID, was))
		case len([]rune(e.ID)) > mostID:
			bad = append(bad, fmt.Sprintf("%d: the id has more than %d characters", e.Line, mostID))
		default:
			first[e.ID] = e.Line
			out = append(out, e)
		}
	}
	return out, bad
}

// Folder makes a roster of a folder: each folder, bundle and archive in it is a submission, and a PDF with the same
// name beside it, or the only one beside a folder's files, is its document.
func Folder(dir string) ([]Entry, error) {
	items, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("reading the folder of submissions: %w", err)
	}
	var list []Entry
	for _, item := range items {
		name := item.Name()
		path := filepath.Join(dir, name)
		id := name
		switch {
		case strings.HasPrefix(name, "."):
			continue
		case item.IsDir():
		case isArchive(name):
			id = strings.TrimSuffix(strings.TrimSuffix(name, filepath.Ext(name)), ".tar")
		default:
			continue
		}
		e := Entry{ID: id, Target: path}
		if pdf := filepath.Join(dir, id+".pdf"); exists(pdf) {
			e.PDF = pdf
		}
		list = append(list, e)
	}
	if len(list) == 0 {
		return nil, errors.New("there is no submission in the folder: each is a folder, a bundle or an archive in it")
	}
	return list, nil
}

func isArchive(name string) bool {
	for _, end := range []string{".bundle", ".zip", ".tar", ".tar.gz", ".tgz"} {
		if strings.HasSuffix(strings.ToLower(name), end) {
			return true
		}
	}
	return false
}

func exists(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().IsRegular()
}
