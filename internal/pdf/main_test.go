package pdf

import (
	"context"
	"os"
	"sync"
	"testing"

	"github.com/automaton-auditor/automaton/internal/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Main(map[string]sandbox.Service{Kind: Service("")})
	if len(os.Args) > 1 && (os.Args[1] == "--version" || os.Args[1] == "stdin") {
		os.Exit(standIn(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// inProcess runs the worker's end in the test's own process, so that one compilation serves all tests.
type inProcess struct{ sandbox.Service }

func (p inProcess) Do(_ context.Context, request []byte) ([]byte, error) { return p.Handle(request) }

// compiled is PDFium for the tests of this package; compiling takes more than a second.
var compiled = sync.OnceValue(func() inProcess { return inProcess{Service("")} })

// read reads a PDF that must give a document.
func read(t *testing.T, data []byte, o Options) *Document {
	t.Helper()
	d, err := Read(context.Background(), compiled(), data, o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// refusing is a worker that must not be asked.
type refusing struct{ t *testing.T }

func (r refusing) Do(context.Context, []byte) ([]byte, error) {
	r.t.Error("a worker was asked")
	return nil, nil
}
