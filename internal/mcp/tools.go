package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/report"
	"github.com/automaton-auditor/automaton/internal/store"
)

// The schemas of what tools take. What they do not name is refused.
const (
	idSchema    = `{"type": "string", "minLength": 1, "maxLength": 100, "pattern": "^[^/\\\\]+$", "description": "record_id of an audit, as audit_repository gives it"}`
	namesSchema = `"type": "array", "minItems": 1, "maxItems": 100, "items": {"type": "string", "minLength": 1, "maxLength": 200}`

	auditSchema = `{"type": "object", "additionalProperties": false, "required": ["path"], "properties": {
 "path": {"type": "string", "minLength": 1, "maxLength": 4096, "description": "absolute path of a git repository on this machine, or of a bundle, zip or tar of one"},
 "commit": {"type": "string", "pattern": "^[A-Za-z0-9._/-]{1,200}$", "description": "branch, tag or commit; without it HEAD"},
 "pdf": {"type": "string", "minLength": 1, "maxLength": 4096, "description": "the document of the submission: an absolute path, tree:PATH for a file of the commit, auto or none"},
 "only": {` + namesSchema + `, "description": "ids of the criteria to judge; without it all"}}}`
	explainSchema = `{"type": "object", "additionalProperties": false, "required": ["record_id", "criterion_id"], "properties": {
 "record_id": ` + idSchema + `,
 "criterion_id": {"type": "string", "minLength": 1, "maxLength": 200}}}`
	findingsSchema = `{"type": "object", "additionalProperties": false, "required": ["record_id"], "properties": {
 "record_id": ` + idSchema + `,
 "criterion_id": {"type": "string", "minLength": 1, "maxLength": 200, "description": "without it all criteria"},
 "severity": {"enum": ["error", "warning", "note"], "description": "error: a confirmed or severe flaw; warning: any other violation; note: something that is missing, in full or in part"},
 "cursor": {"type": "string", "maxLength": 100, "description": "next_cursor of the answer before"}}}`
	whatIfSchema = `{"type": "object", "additionalProperties": false, "required": ["record_id", "fixes"], "properties": {
 "record_id": ` + idSchema + `,
 "fixes": {` + namesSchema + `, "description": "checks to suppose as met, by id or as CRITERION.CHECK, or numbers of remedies"}}}`
	compareSchema = `{"type": "object", "additionalProperties": false, "required": ["old_record_id", "new_record_id"], "properties": {
 "old_record_id": ` + idSchema + `,
 "new_record_id": ` + idSchema + `}}`
	nothingSchema = `{"type": "object", "additionalProperties": false}`
)

// What tools take, once it fits its schema.
type (
	explainArgs struct {
		Record    string `json:"record_id"`
		Criterion string `json:"criterion_id"`
	}
	findingsArgs struct {
		explainArgs
		Severity string `json:"severity"`
		Cursor   string `json:"cursor"`
	}
	whatIfArgs struct {
		Record string   `json:"record_id"`
		Fixes  []string `json:"fixes"`
	}
	compareArgs struct {
		Old string `json:"old_record_id"`
		New string `json:"new_record_id"`
	}
)

// offer declares the tools and the resource.
func (s *server) offer(of *sdk.Server) {
	add(of, "audit_repository", "Audit a repository", "Audits a commit of a git repository and keeps the record. It takes from seconds to minutes and tells its progress; one audit runs at a time, and others wait.", auditSchema, false, s.audit)
	add(of, "explain_ruling", "Explain a ruling", "Why a criterion has its score: the opinions of the judges, what each rule did, and the evidence with its places.", explainSchema, true, s.explain)
	add(of, "list_findings", "List findings", "The evidence against the submission with places and remedies, worst first, at most 100 at a time.", findingsSchema, true, s.findings)
	add(of, "what_if", "What if", "The score once some checks are met, computed by the same rules. Nothing is changed.", whatIfSchema, true, s.whatIf)
	add(of, "compare_records", "Compare two records", "What changed between two audits: scores, evidence that is gone and new, rules.", compareSchema, true, s.compare)
	add(of, "show_rubric", "Show the rubric", "The criteria and checks that audits are judged by. The operator of this server chose them.", nothingSchema, true, s.rubric)
	of.AddResourceTemplate(&sdk.ResourceTemplate{Name: "record", Title: "Record of an audit", URITemplate: recordScheme + "{id}", MIMEType: "application/json",
		Description: "All of an audit as data. " + notice}, s.resource)
}

// add offers one tool. An error is told to the client's model, which can do something about it.
func add[In any](of *sdk.Server, name, title, about, schema string, reads bool, run func(context.Context, *sdk.CallToolRequest, In) (*sdk.CallToolResult, error)) {
	no := false
	t := &sdk.Tool{Name: name, Title: title, Description: about, InputSchema: json.RawMessage(schema),
		Annotations: &sdk.ToolAnnotations{ReadOnlyHint: reads, IdempotentHint: true, DestructiveHint: &no, OpenWorldHint: &no}}
	sdk.AddTool(of, t, func(ctx context.Context, r *sdk.CallToolRequest, in In) (*sdk.CallToolResult, any, error) {
		out, err := run(ctx, r, in)
		return out, nil, err
	})
}

var errWaiting = errors.New("too many audits wait: call again when one has ended")

// audit hears a submission, after those that wait.
func (s *server) audit(ctx context.Context, r *sdk.CallToolRequest, in Request) (*sdk.CallToolResult, error) {
	if asked := askRoots(r); asked != nil {
		return asked, nil
	}
	var err error
	if in.Rooted, in.Roots, err = rootsOf(r); err != nil {
		return nil, err
	}
	select {
	case s.waiting <- struct{}{}:
	default:
		return nil, errWaiting
	}
	defer func() { <-s.waiting }()
	leave, err := take(ctx, s.audits)
	if err != nil {
		return nil, err
	}
	defer leave()
	done, err := s.Desk.Audit(ctx, in, progress(ctx, r))
	if err != nil {
		return nil, err
	}
	return marked(done.Record.Digest, brief(done), &sdk.ResourceLink{URI: recordScheme + done.ID, Name: done.ID, MIMEType: "application/json"})
}

// progress tells a client that asked for it how far an audit has come.
func progress(ctx context.Context, r *sdk.CallToolRequest) func(Step) {
	token := r.Params.GetProgressToken()
	if token == nil {
		return func(Step) {}
	}
	return func(at Step) {
		// What is lost on the way to a client is no loss to the audit.
		_ = r.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Progress: float64(at.Done), Total: float64(max(at.Of, at.Done)), Message: at.Text})
	}
}

// record reads a record, with few others at once.
func (s *server) record(ctx context.Context, id string) (*court.Record, error) {
	leave, err := take(ctx, s.readers)
	if err != nil {
		return nil, err
	}
	defer leave()
	raw, err := s.Desk.Record(id)
	if err != nil {
		return nil, err
	}
	return store.Decode(raw)
}

func (s *server) explain(ctx context.Context, _ *sdk.CallToolRequest, in explainArgs) (*sdk.CallToolResult, error) {
	rec, err := s.record(ctx, in.Record)
	if err != nil {
		return nil, err
	}
	why, err := report.Why(rec, in.Criterion)
	if err != nil {
		return nil, err
	}
	return marked(rec.Digest, explained(why))
}

func (s *server) findings(ctx context.Context, _ *sdk.CallToolRequest, in findingsArgs) (*sdk.CallToolResult, error) {
	rec, err := s.record(ctx, in.Record)
	if err != nil {
		return nil, err
	}
	page, err := found(rec, in)
	if err != nil {
		return nil, err
	}
	return marked(rec.Digest, page)
}

func (s *server) whatIf(ctx context.Context, _ *sdk.CallToolRequest, in whatIfArgs) (*sdk.CallToolResult, error) {
	rec, err := s.record(ctx, in.Record)
	if err != nil {
		return nil, err
	}
	then, err := s.Desk.WhatIf(ctx, rec, in.Fixes)
	if err != nil {
		return nil, err
	}
	return marked(rec.Digest, then)
}

func (s *server) compare(ctx context.Context, _ *sdk.CallToolRequest, in compareArgs) (*sdk.CallToolResult, error) {
	old, err := s.record(ctx, in.Old)
	if err != nil {
		return nil, err
	}
	now, err := s.record(ctx, in.New)
	if err != nil {
		return nil, err
	}
	return marked(now.Digest, report.Compare(old, now))
}

func (s *server) rubric(context.Context, *sdk.CallToolRequest, struct{}) (*sdk.CallToolResult, error) {
	return marked(s.Rubric.Digest, ruled(s.Rubric))
}

// recordScheme is what the address of a record begins with.
const recordScheme = "automaton://records/"

// resource hands out a record whole.
func (s *server) resource(ctx context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	leave, err := take(ctx, s.readers)
	if err != nil {
		return nil, err
	}
	defer leave()
	raw, err := s.Desk.Record(strings.TrimPrefix(r.Params.URI, recordScheme))
	switch {
	case err != nil:
		return nil, sdk.ResourceNotFoundError(r.Params.URI)
	case len(raw) > maxRecord:
		return nil, errTooLong
	}
	if _, err := store.Decode(raw); err != nil {
		return nil, sdk.ResourceNotFoundError(r.Params.URI)
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: r.Params.URI, MIMEType: "application/json", Text: string(raw)}}}, nil
}
