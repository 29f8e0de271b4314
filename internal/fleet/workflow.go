package fleet

import (
	"fmt"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/automaton-auditor/automaton/internal/batch"
	"github.com/automaton-auditor/automaton/internal/docket"
)

// Names of workflows and activities, as histories have them: they outlive the names of functions.
const (
	cohortName = "CohortWorkflow"
	auditName  = "AuditWorkflow"
	openName   = "open"
	caseName   = "audit"
)

// Order is what a cohort's workflow is asked for.
type Order struct {
	Cohort     string               `json:"cohort"`
	Generation int64                `json:"generation"`
	After      int64                `json:"after"`  // the place in the roster behind which it goes on; -1: from the beginning
	Window     int                  `json:"window"` // submissions at once
	Limit      time.Duration        `json:"limit"`  // for one of them
	Ended      map[docket.State]int `json:"ended,omitempty"`
}

// Task is what a submission's workflow is asked for.
type Task struct {
	batch.Ref
	Limit time.Duration `json:"limit"`
}

// page is how many places the activity open gives at once: what it gives stays under 4 KiB up to a million submissions.
const page = 500

// How long a cohort waits before it asks again for what is open when it went through all of it.
const nextPass = 30 * time.Second

// CohortWorkflow has everything that is open in a cohort judged, so many at once. It goes through the roster until nothing is
// open: what could not be ended in one pass, and what was added, is in the next. It counts how they ended.
func CohortWorkflow(ctx workflow.Context, o Order) (map[docket.State]int, error) {
	if o.Ended == nil {
		o.Ended = map[docket.State]int{}
	}
	width := int64(max(o.Window, 1))
	window := workflow.NewSemaphore(ctx, width)
	empty := func() error { // waits until no submission is at work, also when the workflow is being cancelled
		calm, _ := workflow.NewDisconnectedContext(ctx)
		return window.Acquire(calm, width)
	}
	for {
		rows, err := open(ctx, o)
		if err != nil || len(rows) == 0 && o.After < 0 {
			return o.Ended, err
		}
		for _, row := range rows {
			if err := window.Acquire(ctx, 1); err != nil {
				_ = empty() // the cancelling is the reason that counts
				return o.Ended, err
			}
			if workflow.GetInfo(ctx).GetContinueAsNewSuggested() {
				window.Release(1)
				if err := empty(); err != nil {
					return o.Ended, err
				}
				return o.Ended, workflow.NewContinueAsNewError(ctx, cohortName, o)
			}
			o.After = row
			workflow.Go(ctx, func(ctx workflow.Context) {
				defer window.Release(1)
				if state := audit(ctx, o, row); state != "" {
					o.Ended[state]++
				}
			})
		}
		if len(rows) > 0 {
			continue
		}
		if err := empty(); err != nil {
			return o.Ended, err
		}
		window.Release(width)
		if rows, err = open(ctx, Order{Cohort: o.Cohort, After: -1}); err != nil || len(rows) == 0 {
			return o.Ended, err
		}
		if err := workflow.Sleep(ctx, nextPass); err != nil {
			return o.Ended, err
		}
		o.After = -1
	}
}

// open asks the docket for the next places that are open.
func open(ctx workflow.Context, o Order) (rows []int64, err error) {
	ctx = workflow.WithActivityOptions(ctx, workflow.ActivityOptions{StartToCloseTimeout: 2 * time.Minute,
		RetryPolicy: &temporal.RetryPolicy{InitialInterval: time.Second, BackoffCoefficient: 2, MaximumInterval: time.Minute}})
	err = workflow.ExecuteActivity(ctx, openName, o.Cohort, o.After).Get(ctx, &rows)
	return rows, err
}

// audit has one submission judged, and says how it ended; empty: not here, or not yet. It may be at work for an earlier
// workflow of the cohort: the docket tells that in the next pass.
func audit(ctx workflow.Context, o Order, row int64) docket.State {
	ctx = workflow.WithChildOptions(ctx, workflow.ChildWorkflowOptions{WorkflowID: auditID(o.Cohort, row), WaitForCancellation: true,
		WorkflowIDReusePolicy: enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE, ParentClosePolicy: enums.PARENT_CLOSE_POLICY_REQUEST_CANCEL,
		Priority: temporal.Priority{FairnessKey: o.Cohort}})
	var out batch.Outcome
	task := Task{Ref: batch.Ref{Cohort: o.Cohort, Row: row, Generation: o.Generation}, Limit: o.Limit}
	if err := workflow.ExecuteChildWorkflow(ctx, auditName, task).Get(ctx, &out); err != nil {
		return ""
	}
	return out.State
}

// AuditWorkflow has one submission judged.
func AuditWorkflow(ctx workflow.Context, t Task) (out batch.Outcome, err error) {
	ctx = workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		TaskQueue: auditQueue(workflow.GetInfo(ctx).TaskQueueName), StartToCloseTimeout: t.Limit + spare, HeartbeatTimeout: heartbeat, WaitForCancellation: true,
		Priority:    temporal.Priority{FairnessKey: t.Cohort},
		RetryPolicy: &temporal.RetryPolicy{InitialInterval: 10 * time.Second, BackoffCoefficient: 3, MaximumInterval: 5 * time.Minute, MaximumAttempts: 20}})
	err = workflow.ExecuteActivity(ctx, caseName, t.Ref).Get(ctx, &out)
	return out, err
}

// Times of an audit.
const (
	spare     = 10 * time.Minute // over what a case may take: fetching retried writes, and a drain
	heartbeat = 45 * time.Second
	beatEvery = 10 * time.Second
)

func cohortID(cohort string) string           { return "cohort/" + cohort }
func auditID(cohort string, row int64) string { return fmt.Sprintf("audit/%s/%d", cohort, row) }

// auditQueue is where audits wait, beside the queue of workflows.
func auditQueue(queue string) string { return queue + ".audit" }
