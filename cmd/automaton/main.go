// Command automaton audits a repository and its report against a rubric.
//
// It only wires: the worker processes, the streams and the signals. Everything
// that it does is in the rooms below internal.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/automaton-auditor/automaton/internal/cli"
	"github.com/automaton-auditor/automaton/internal/sandbox"
	"github.com/automaton-auditor/automaton/internal/trial"
)

// version is set by the release build.
var version = "0.1.0"

func main() {
	sandbox.Main(trial.Workers()) // returns in the parent only
	if os.Getenv("GOGC") == "" {
		keepPace()
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
