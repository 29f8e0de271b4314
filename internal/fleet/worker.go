package fleet

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/automaton-auditor/automaton/internal/batch"
)

// Worker judges cases of every cohort on its queue, until it is stopped.
type Worker struct {
	Link   Link
	Queue  string
	Jobs   int           // cases at once
	Drain  time.Duration // for cases at work when it is stopped
	Health net.Listener  // answers /healthz and /metrics; nil: nothing does
	// Places are the open submissions of a cohort behind one, at most n.
	Places  func(ctx context.Context, cohort string, after int64, n int) ([]int64, error)
	Examine batch.Examine
	Now     func() time.Time
}

// Slots of a worker besides those for cases.
const (
	workflowSlots = 20
	openSlots     = 4
	// lastWords is how long what was given back has to reach the database and the server.
	lastWords = 15 * time.Second
)

// Run works until ctx ends. Then nothing new is taken, cases at work have the time of Drain to end, and what has not is given back.
func (w *Worker) Run(ctx context.Context) error {
	c, err := w.Link.dial(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	count := &counts{}
	var up atomic.Bool
	if w.Health != nil {
		s := &http.Server{Handler: count.handler(up.Load), ReadHeaderTimeout: reachTime}
		go func() { _ = s.Serve(w.Health) }()
		defer func() { _ = s.Close() }() // nobody has to be told the end
	}
	h := &hand{places: w.Places, examine: w.Examine, drain: w.Drain, now: w.Now, log: w.Link.Log, count: count}
	fatal := make(chan error, 2)
	onFatal := func(err error) {
		select {
		case fatal <- err:
		default: // the first one counts
		}
	}
	flows, cases, err := w.workers(onFatal)
	if err != nil {
		return err
	}
	leading, judging := worker.New(c, w.Queue, flows), worker.New(c, auditQueue(w.Queue), cases)
	register(leading)
	leading.RegisterActivityWithOptions(h.open, activity.RegisterOptions{Name: openName})
	judging.RegisterActivityWithOptions(h.audit, activity.RegisterOptions{Name: caseName})
	if err := leading.Start(); err != nil {
		return fmt.Errorf("beginning to work: %w", err)
	}
	defer leading.Stop()
	if err := judging.Start(); err != nil {
		return fmt.Errorf("beginning to work: %w", err)
	}
	defer judging.Stop()
	up.Store(true)
	defer up.Store(false)
	w.Link.Log.Info("working", "queue", w.Queue, "name", w.Link.Name, "cases", w.Jobs)
	select {
	case <-ctx.Done():
		w.Link.Log.Info("stopping: nothing new is taken", "drain", w.Drain)
		return nil
	case err := <-fatal:
		return fmt.Errorf("working: %w", err)
	}
}

// workers are the options of the one that leads and of the one that judges.
func (w *Worker) workers(fatal func(error)) (flows, cases worker.Options, err error) {
	leads, err := worker.NewFixedSizeTuner(worker.FixedSizeTunerOptions{NumWorkflowSlots: workflowSlots, NumActivitySlots: openSlots})
	judges, errJudges := worker.NewFixedSizeTuner(worker.FixedSizeTunerOptions{NumActivitySlots: max(w.Jobs, 1)})
	flows = worker.Options{Tuner: leads, Identity: w.Link.Name, OnFatalError: fatal, WorkerStopTimeout: lastWords}
	cases = worker.Options{Tuner: judges, Identity: w.Link.Name, OnFatalError: fatal, WorkerStopTimeout: w.Drain + lastWords, DisableWorkflowWorker: true,
		MaxHeartbeatThrottleInterval: beatEvery, DefaultHeartbeatThrottleInterval: beatEvery}
	return flows, cases, errors.Join(err, errJudges)
}

// register names the workflows.
func register(r worker.WorkflowRegistry) {
	r.RegisterWorkflowWithOptions(CohortWorkflow, workflow.RegisterOptions{Name: cohortName})
	r.RegisterWorkflowWithOptions(AuditWorkflow, workflow.RegisterOptions{Name: auditName})
}
