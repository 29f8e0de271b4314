package pdf

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/klippa-app/go-pdfium"
)

// The engine's functions are made once per instance, and what is asked by the kept ones is answered the same as often as
// one asks, also after a call that asked for a function that is not there.
func TestModuleKeepsFunctions(t *testing.T) {
	e := &engine{cacheDir: t.TempDir()}
	instance, err := e.instance()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = instance.Close() }()
	m, err := moduleField(instance)
	if err != nil {
		t.Fatal(err)
	}
	kept, ok := m.Interface().(*module)
	if !ok {
		t.Fatalf("the module is a %T", m.Interface())
	}
	first := kept.ExportedFunction("malloc")
	if first == nil || first != kept.ExportedFunction("malloc") || kept.ExportedFunction("no such function") != nil {
		t.Errorf("malloc is %v, then %v", first, kept.ExportedFunction("malloc"))
	}
	for range 3 {
		if got, err := first.Call(context.Background(), 64); err != nil || len(got) != 1 || got[0] == 0 {
			t.Errorf("64 bytes lie at %v, %v", got, err)
		}
	}
}

// other is a binding whose type holds no module.
type other struct{ pdfium.Pdfium }

func (other) GetImplementation() any { return io.Discard }

func TestModuleOfAnotherBinding(t *testing.T) {
	if err := remember(other{}, nil); !errors.Is(err, errBinding) {
		t.Errorf("error is %v", err)
	}
}
