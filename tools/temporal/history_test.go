package main

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

func dial(port int) (client.Client, error) {
	return client.Dial(client.Options{HostPort: fmt.Sprintf("127.0.0.1:%d", port), Identity: "test", Logger: log.NewStructuredLogger(slog.New(slog.DiscardHandler))})
}

// describes tells whether a server knows its namespace.
func describes(port int) bool {
	c, err := dial(port)
	if err != nil {
		return false
	}
	defer c.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	_, err = c.WorkflowService().DescribeNamespace(ctx, &workflowservice.DescribeNamespaceRequest{Namespace: "default"})
	return err == nil
}

// each goes through all that the server knows of workflows, event by event.
func (r *round) each(take func(workflow string, event proto.Message)) {
	r.t.Helper()
	c, err := dial(r.port)
	if err != nil {
		r.t.Fatal(err)
	}
	defer c.Close()
	ctx := context.Background()
	var next []byte
	for {
		list, err := c.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{PageSize: 1000, NextPageToken: next})
		if err != nil {
			r.t.Fatal(err)
		}
		for _, e := range list.GetExecutions() {
			take(e.GetExecution().GetWorkflowId(), e)
			h := c.GetWorkflowHistory(ctx, e.GetExecution().GetWorkflowId(), e.GetExecution().GetRunId(), false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
			for h.HasNext() {
				event, err := h.Next()
				if err != nil {
					r.t.Fatal(err)
				}
				take(e.GetExecution().GetWorkflowId(), event)
			}
		}
		if next = list.GetNextPageToken(); len(next) == 0 {
			return
		}
	}
}

// histories checks that nothing of a person or a submission stands in what the server has.
func (r *round) histories() {
	r.t.Helper()
	forbidden := []string{secret, "s31415", "Lovelace", "school.example.org", "team", r.dir, "northwind", "github.com", "postgres://", "127.0.0.1:" + fmt.Sprint(r.pg.port)}
	workflows := map[string]bool{}
	r.each(func(workflow string, m proto.Message) {
		workflows[workflow] = true
		text := workflow + protojson.Format(m)
		// Payloads are in base64: the bytes are looked at as they are, too.
		raw, err := proto.Marshal(m)
		if err != nil {
			r.t.Fatal(err)
		}
		for _, f := range forbidden {
			if strings.Contains(text, f) || strings.Contains(string(raw), f) {
				r.t.Errorf("%q stands in a history:\n%s", f, text)
			}
		}
		if len(raw) > 8<<10 {
			r.t.Errorf("an event of %d bytes", len(raw))
		}
	})
	if len(workflows) < cases() {
		r.t.Errorf("the server knows %d workflows", len(workflows))
	}
}

// historyBytes is how large all histories are.
func (r *round) historyBytes() (n int) {
	r.each(func(_ string, m proto.Message) { n += proto.Size(m) })
	return n
}
