// Command automaton audits a repository and its report against a rubric.
//
// It only wires: the worker processes, the streams and the signals. Everything
// that it does is in the rooms below internal.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/automaton-auditor/automaton/internal/cli"
	"github.com/automaton-auditor/automaton/internal/sandbox"
	"github.com/automaton-auditor/automaton/internal/trial"
)

// version is set by the release build.
var version = "0.1.0"

// rhythm is how many per cent the heap grows before it is collected: a case ends in seconds, and half the usual
// collections save a tenth of its processor time for some 20 MB.
const rhythm = 200

func main() {
	sandbox.Main(trial.Workers()) // returns in the parent only
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(rhythm)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, stop) // the second signal kills
	// A closed standard output must not kill before everything is tidied up:
	// with the signal taken, writing gives an error.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	dir, _ := os.Getwd() // "" makes relative paths relative, which is all that is left then
	code := cli.Run(ctx, cli.Env{Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Getenv: os.Getenv, Now: time.Now, Dir: dir, Version: version})
	os.Exit(code)
}
