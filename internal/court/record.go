package court

import "strings"

// SchemaRecord is the version of the record's JSON.
const SchemaRecord = "automaton/record/1"

// Law is the version of the chief justice's rules.
const Law = 3

// Case is one submission: what is audited.
type Case struct {
	ID string `json:"id"`
	// Name is what the one who audits calls the submission; empty: nothing. Two
	// submissions of one commit are told apart by it.
	Name    string `json:"name,omitempty"`
	RepoURL string `json:"repo_url"` // https URL, or file:FOLDER
	Slug    string `json:"slug"`     // OWNER/NAME or the folder's name
	Commit  string `json:"commit"`
	// Snapshot says why there is no history: the files came without git, and
	// Commit is the id of their tree, not of a commit.
	Snapshot string `json:"snapshot,omitempty"`
	// Path is the folder of the repository that was audited alone; empty: all of
	// it. Files are named from there, and the history is that of the folder.
	Path    string   `json:"path,omitempty"`
	PDFPath string   `json:"pdf_path"` // empty: no document
	PDF     *PDF     `json:"pdf"`
	Only    []string `json:"only"` // criteria heard; empty: all
	// Further are the documents after the first, in the order in which they were
	// given.
	Further []PDF `json:"further_pdfs,omitempty"`

	Answers []Answer `json:"answers,omitempty"` // what people said, in the order of the rubric

	Calibration *Calibration `json:"calibration,omitempty"` // what marks of people make of the court's scores; null: nobody compared them
}

// PDFDigests names the documents of a case by what is in them: the SHA-256 of
// each with commas between, of the first one first; "" when there is none.
func (c Case) PDFDigests() string {
	if c.PDF == nil {
		return ""
	}
	all := []string{c.PDF.SHA256}
	for _, d := range c.Further {
		all = append(all, d.SHA256)
	}
	return strings.Join(all, ",")
}

// PDF says which document was examined.
type PDF struct {
	Path   string   `json:"path,omitempty"` // its name, of one after the first
	From   string   `json:"from"`           // auto, tree, file, url
	SHA256 string   `json:"sha256"`         // lower-case hex
	Bytes  int64    `json:"bytes"`
	Pages  int      `json:"pages"`
	Status string   `json:"status"` // readable, empty, not_pdf, encrypted, damaged, too_large, no_text; unread: our reader failed
	Others []string `json:"others"` // other documents in the tree

	Claims     []Claim `json:"claims,omitempty"`      // what it says of the submission, in its own order
	MoreClaims int     `json:"more_claims,omitempty"` // beyond those listed
}

// Fault is a failure of our own inquiry: data, not an error. One that blocks
// kept a check from being answered, and makes the audit partial.
type Fault struct {
	Stage   string `json:"stage"`
	Subject string `json:"subject"`
	Reason  string `json:"reason"`
	Blocks  bool   `json:"blocks,omitempty"`
}

// NotAsked is the Reason of the Fault about a side of the submission that no check of the run asks for.
const NotAsked = "not looked at: no check of this run asks for it"

// AuditStatus says how complete an audit is.
type AuditStatus string

// The statuses of an audit.
const (
	Complete AuditStatus = "complete"
	Partway  AuditStatus = "partial"
	Mistrial AuditStatus = "mistrial"
)

// State is the shared state of the audit graph. Parallel nodes write to it
// through the reducers that its fields declare; a field without one is input.
type State struct {
	Case      Case                  `json:"case"`
	Rubric    Rubric                `json:"rubric"`
	Evidences map[string][]Evidence `json:"evidences,omitempty" reduce:"merge"` // by criterion
	Seals     []Seal                `json:"seals,omitempty" reduce:"upsert"`
	Document  *PDF                  `json:"document,omitempty" reduce:"last"` // what the DocAnalyst saw of it
	Further   []PDF                 `json:"further,omitempty" reduce:"last"`  // the same of the other documents
	Hearings  []Hearing             `json:"hearings,omitempty" reduce:"upsert"`
	Opinions  []Opinion             `json:"opinions,omitempty" reduce:"upsert"`
	Disputed  []string              `json:"disputed,omitempty" reduce:"last"` // criteria to be heard again

	Addressed []string `json:"addressed,omitempty" reduce:"last"` // files that speak to who judges them
	Apart     []string `json:"apart,omitempty" reduce:"last"`     // criteria on which models are asked for further answers
	Asked     int      `json:"asked,omitempty" reduce:"last"`     // 1: further answers are awaited; 2: they were heard

	Verdict  *Verdict  `json:"verdict,omitempty" reduce:"last"`
	Portrait *Portrait `json:"portrait,omitempty" reduce:"last"` // judges never see it
	Faults   []Fault   `json:"faults,omitempty" reduce:"append"`
}

// Round is the hearing that the state is in: 2 once criteria are disputed.
func (s State) Round() int {
	if len(s.Disputed) > 0 {
		return 2
	}
	return 1
}

// Record is all of a case as data: every report can be made from it, and the
// verdict can be heard again from it.
type Record struct {
	Schema    string               `json:"schema"`
	Digest    string               `json:"digest"` // of everything but digest and run
	Case      Case                 `json:"case"`
	Rubric    Rubric               `json:"rubric"`
	Origin    Origin               `json:"origin"`
	Status    AuditStatus          `json:"status"`
	Evidences map[string][]Exhibit `json:"evidences"`
	Opinions  []Opinion            `json:"opinions"`
	Hearings  []Hearing            `json:"hearings"`
	Verdict   *Verdict             `json:"verdict"` // null: mistrial
	Remedies  []Remedy             `json:"remediation"`
	Stakes    []Stakes             `json:"stakes,omitempty"` // none in older records
	Faults    []Fault              `json:"faults"`
	Gate      *Gate                `json:"gate"`
	Portrait  *Portrait            `json:"portrait,omitempty"` // for readers; nothing rests on it
	Run       Run                  `json:"run"`

	// A hypothetical record says how a case would stand if something were
	// otherwise; Parent is the digest of the one that it comes from.
	Hypothetical bool   `json:"hypothetical,omitempty"`
	Parent       string `json:"parent,omitempty"`
}

// Exhibit is evidence with its seal, as the record shows it.
type Exhibit struct {
	Evidence
	Label      string `json:"label"` // E1, E2, …; P1, P2, … of testimony
	Strength   Fixed  `json:"strength"`
	Verified   bool   `json:"verified"`
	Superseded string `json:"superseded_by,omitempty"`
	Struck     string `json:"struck,omitempty"`
}

// Stands tells whether the evidence still counts: nothing took its place and
// nobody struck it.
func (x Exhibit) Stands() bool { return x.Superseded == "" && x.Struck == "" }

// Empty tells whether all that stands on a check says that there is nothing to
// check.
func (r *Record) Empty(criterion, check string) bool {
	empty := false
	for _, x := range r.Evidences[criterion] {
		if x.Check == check && x.Stands() {
			if x.Outcome != NotApplicable {
				return false
			}
			empty = true
		}
	}
	return empty
}

// Origin says which tool, law and bench made a record.
type Origin struct {
	Tool      string             `json:"tool"`
	Law       int                `json:"law"`
	Bench     map[Persona]string `json:"bench"`
	BenchSum  string             `json:"bench_digest"`
	TrustTree bool               `json:"trust_tree"`
	OCR       string             `json:"ocr,omitempty"` // the program that read pictures, with its version; empty: none was asked

	Prompts    string               `json:"prompts_digest,omitempty"` // of all that models were asked with besides the case; empty: none was asked
	Detectives map[Detective]string `json:"detectives,omitempty"`     // models that investigated or looked at pictures, PROVIDER/MODEL
}

// Gate is the bar that a case had to reach, and whether it did.
type Gate struct {
	Bars    map[string]Fixed `json:"bars"` // "overall" or a criterion's id
	FailOn  []string         `json:"fail_on"`
	Outcome string           `json:"outcome"` // pass, fail, insufficient
	Missed  []string         `json:"missed"`
}

// Run is what may differ between two runs of one case. It is no part of the
// record's digest and has its own.
type Run struct {
	Digest  string   `json:"digest,omitempty"` // of the rest of the run
	Started string   `json:"started,omitempty"`
	Millis  int64    `json:"ms"`
	Jobs    int      `json:"jobs"`
	Sandbox *Sandbox `json:"sandbox,omitempty"`
	Models  *Models  `json:"models,omitempty"`
	Spans   []Span   `json:"spans"`
}

// Models is what the models of a run were asked, and what that cost.
type Models struct {
	Calls  int    `json:"calls"` // requests that reached a server
	Kept   int    `json:"kept"`  // answers that a cassette or a cache had
	In     int    `json:"tokens_in"`
	Cached int    `json:"tokens_cached"` // of those in: kept by the server
	Out    int    `json:"tokens_out"`
	USD    string `json:"usd,omitempty"`    // by the table of prices; empty: a price is not known
	Prices string `json:"prices,omitempty"` // date of the table
}

// Sandbox says which layers held the children and parsers of a run.
type Sandbox struct {
	Layers  []string `json:"layers"`
	Missing []string `json:"missing"`
	Git     string   `json:"git"`
	Egress  []string `json:"egress"`
}

// Span is one task of the run's timeline, in milliseconds from its start.
type Span struct {
	Node  string `json:"node"`
	Item  string `json:"item,omitempty"`
	Start int64  `json:"start"`
	End   int64  `json:"end"`
}

// Seal derives the digests of the record and of its run from the rest.
func (r *Record) Seal() {
	r.Digest, r.Run.Digest = r.digest(), r.Run.digest()
}

// Intact tells whether the record's content gives its digest.
func (r *Record) Intact() bool { return r.Digest == r.digest() }

// Intact tells whether the content of the run gives its digest.
func (r Run) Intact() bool { return r.Digest == r.digest() }

func (r *Record) digest() string {
	c := *r
	c.Digest, c.Run = "", Run{}
	return "sha256:" + Digest(c)
}

func (r Run) digest() string {
	r.Digest = ""
	return "sha256:" + Digest(r)
}
