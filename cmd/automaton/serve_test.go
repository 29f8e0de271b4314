package main

import (
	"fmt"
	"os"
	"os/signal"
	"testing"

	"github.com/automaton-auditor/automaton/internal/llm/llmtest"
)

// With AUTOMATON_SERVE set the scripted judges answer until the test is
// interrupted: for whoever wants to try models by hand.
func TestServe(t *testing.T) {
	if os.Getenv("AUTOMATON_SERVE") == "" {
		t.Skip("serves only when asked")
	}
	s := llmtest.New(t, llmtest.Script{Answer: judge})
	fmt.Println(s.URL)
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt)
	<-stop
}
