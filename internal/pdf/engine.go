package pdf

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"time"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"

	"github.com/automaton-auditor/automaton/internal/pdf/pixels"
)

// memoryPages caps the guest at 128 MiB. 74 real reports need at most 17 MiB for their text; with their pictures, those that
// were looked at need up to 56 MiB.
const (
	memoryPages = 128 << 20 / pageSize
	pageSize    = 64 << 10
)

// instanceWait is only reached when an instance was not given back, which is a defect of ours.
const instanceWait = time.Minute

// engine holds PDFium, compiled once in the life of a worker.
type engine struct {
	cacheDir string
	mu       sync.Mutex // one request at a time, and what gives memory back after it
	pool     pdfium.Pool
	room     []byte        // where the guest's memory lies; nil: in the heap
	reader   pixels.Reader // of pictures
	resting  *time.Timer   // gives the memory back that instances took; nil: none was taken yet
}

// warm compiles PDFium, or loads it from the cache: 1.4 s against 0.05 s. It reads and writes the cache directory and
// nothing else, so that a worker can lock itself in afterwards.
func (e *engine) warm() error {
	if e.pool != nil {
		return nil
	}
	// Without WithCloseOnContextDone, which makes every loop ten times slower: the parent's kill ends a page.
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(memoryPages)
	if e.cacheDir != "" {
		cache, err := wazero.NewCompilationCacheWithDir(e.cacheDir)
		if err != nil {
			return fmt.Errorf("opening compilation cache: %w", err)
		}
		config = config.WithCompilationCache(cache)
	}
	pool, err := webassembly.Init(webassembly.Config{
		MaxTotal:      1,
		FSConfig:      wazero.NewFSConfig(), // nil would mount the whole file system
		RuntimeConfig: config,
		Stdout:        io.Discard, // stdout is the channel to the parent
		Stderr:        io.Discard,
	})
	if err != nil {
		return fmt.Errorf("compiling PDFium: %w", err)
	}
	e.pool = pool
	return nil
}

// prepare is what a worker does before it locks itself in. Collecting garbage at the usual rhythm takes a good part of
// the time, as the questions to PDFium leave much of it; the soft limit keeps the heap small all the same.
func (e *engine) prepare() error {
	const rhythm = 100
	debug.SetGCPercent(rhythm)
	debug.SetMemoryLimit(softHeap)
	return e.warm()
}

// instance gives a fresh PDFium, whose memory is the room; closing it gives its place back. Nothing that one document or one
// question leaves behind is there for the next: what PDFium keeps of pages and pictures changes how it draws others.
func (e *engine) instance() (pdfium.Pdfium, error) {
	if err := e.warm(); err != nil {
		return nil, err
	}
	if err := e.clear(); err != nil {
		return nil, fmt.Errorf("clearing the memory of PDFium: %w", err)
	}
	instance, err := e.pool.GetInstance(instanceWait)
	if err != nil {
		return nil, fmt.Errorf("taking an instance: %w", err)
	}
	if err := remember(instance, e.room); err != nil {
		return nil, errors.Join(err, instance.Close())
	}
	return instance, nil
}

// pause is how long a worker waits for its next request before it gives memory back: the requests of one report follow
// each other at once, and to take the memory again costs as much as a part of their answers.
const pause = 200 * time.Millisecond

// rest has that given back what instances took, 60 to 120 MB with a report: its case goes on for seconds after it was
// read.
func (e *engine) rest() {
	e.resting = time.AfterFunc(pause, func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.reader = pixels.Reader{}
		if e.room != nil {
			_ = e.clear() // the next instance clears it, and says when that fails
		}
		debug.FreeOSMemory()
	})
}
