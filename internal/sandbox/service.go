package sandbox

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
)

// Service is one kind of parser worker.
type Service struct {
	// Warm loads what needs files or much time, once, before the locks close and before any document arrives. It may read
	// the directory in the environment variable CacheEnv, if that is set, and set a soft memory limit that is narrower
	// than half of WorkerOptions.Memory. Nil: nothing to load.
	Warm func() error
	// Handle answers one request: untrusted bytes in, an answer out, at most MaxFrame bytes each. It is called by one
	// goroutine at a time. No file can be opened, no socket made, no program run in here. An error is the document's
	// failure and the worker lives on; a panic, endless loop or exhausted memory costs the process.
	Handle func(request []byte) ([]byte, error)
	// Rest is called after each answer was given, while the worker waits for its next request. Nil: nothing to do.
	Rest func()
}

// MaxFrame bounds one request and one answer, in bytes: a PDF of 100 MiB and what comes with it.
const MaxFrame = 128 << 20

// CacheEnv is the environment variable by which Service.Warm learns of the readable copy of Options.CacheDir.
const CacheEnv = "AUTOMATON_WORKER_CACHE"

// Main must be the first call of main, and of TestMain where tests use a Box. In the parent process it returns at once;
// in a child of this package it does the child's work and never returns.
func Main(services map[string]Service) {
	if len(os.Args) < 2 {
		return
	}
	switch os.Args[1] {
	case childArg:
		childMain()
	case workerArg:
		os.Exit(workerMain(services, os.Args[2:]))
	}
}

// workerOrder tells the second image of a worker what to be.
type workerOrder struct {
	Kind    string
	Prime   bool   // only warm up, to fill the cache
	Memory  uint64 // RLIMIT_DATA, bytes
	Seccomp bool
}

func (o workerOrder) args() ([]string, error) {
	b, err := json.Marshal(o)
	return []string{"worker", workerArg, string(b)}, err
}

// maxStack bounds recursion in Go; a parser that needs more is running away.
const maxStack = 64 << 20

// workerMain warms the service up, closes the locks, says that it is ready, and answers documents until its input ends.
// It returns the exit code.
func workerMain(services map[string]Service, args []string) int {
	out := os.Stdout
	os.Stdout = os.Stderr // what a library prints must not get between the frames
	var order workerOrder
	if len(args) != 1 || json.Unmarshal([]byte(args[0]), &order) != nil {
		return exitSpec
	}
	debug.SetTraceback("none")
	if err := ready(services, order); err != nil {
		return report(out, []byte{frameError}, []byte(err.Error()))
	}
	if code := report(out, []byte{frameReady}, nil); code != 0 || order.Prime {
		return code
	}
	service := services[order.Kind]
	in := bufio.NewReaderSize(os.Stdin, 64<<10)
	for {
		request, err := readFrame(in, ticketSize+MaxFrame)
		if err != nil || len(request) < ticketSize {
			return 0 // the parent closed it
		}
		kind := frameAnswer
		answer, err := service.Handle(request[ticketSize:])
		if err != nil {
			kind, answer = frameError, []byte(err.Error())
		}
		if len(answer) >= MaxFrame {
			kind, answer = frameError, []byte(errFrame.Error())
		}
		if code := report(out, append([]byte{kind}, request[:ticketSize]...), answer); code != 0 {
			return code
		}
		if service.Rest != nil {
			service.Rest()
		}
	}
}

func ready(services map[string]Service, order workerOrder) error {
	service, ok := services[order.Kind]
	if !ok {
		return fmt.Errorf("no service %q in this program", order.Kind)
	}
	if order.Memory != 0 {
		debug.SetMemoryLimit(int64(order.Memory / 2))
	}
	if service.Warm != nil {
		if err := service.Warm(); err != nil {
			return fmt.Errorf("warming up: %w", err)
		}
	}
	debug.SetMaxStack(maxStack)
	return lockWorker(order)
}

// report writes one frame and returns the exit code: not 0 when the parent is gone.
func report(out *os.File, head, body []byte) int {
	if err := writeFrame(out, head, body); err != nil {
		return exitSpec
	}
	return 0
}
