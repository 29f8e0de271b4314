package pdf

import (
	"os"

	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// Kind is the name under which Service is started as a worker.
const Kind = "pdf"

// Service is the end that runs in the worker process. Warm compiles PDFium through wazero's on-disk cache in
// cacheDir, or, when that is empty, in the directory that sandbox names by CacheEnv; without any, each start
// compiles anew. Handle answers the requests of Read, Render and Sketch; Rest
// gives the memory back that it took.
func Service(cacheDir string) sandbox.Service {
	e := &engine{cacheDir: cacheDir}
	if cacheDir == "" {
		e.cacheDir = os.Getenv(sandbox.CacheEnv)
	}
	return sandbox.Service{Warm: e.prepare, Handle: e.handle, Rest: e.rest}
}

// handle answers one request. Whatever is wrong with the document is in the answer.
func (e *engine) handle(request []byte) ([]byte, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.resting != nil {
		e.resting.Stop()
	}
	if isSketch(request) {
		return e.sketch(request)
	}
	if isView(request) {
		return e.paint(request)
	}
	data, options, err := decodeRequest(request)
	if err != nil {
		return nil, err
	}
	if options.Word {
		return encodeAnswer(wordDocument(data))
	}
	document, err := e.document(data, options)
	if err != nil {
		return nil, err
	}
	return encodeAnswer(document)
}
