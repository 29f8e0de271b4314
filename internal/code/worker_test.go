package code

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// TestMain lets the test binary serve as the worker.
func TestMain(m *testing.M) {
	sandbox.Main(map[string]sandbox.Service{"code": Service()})
	os.Exit(m.Run())
}

func TestWorker(t *testing.T) {
	box, err := sandbox.Open(sandbox.Options{TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := box.Close(); err != nil {
			t.Error(err)
		}
	})
	files := []File{
		{Path: "a.py", Bytes: []byte("import os\nos.system('x')\ny = foo(\ndef f(): pass\n")},
		{Path: "deep.py", Bytes: []byte(strings.Repeat("[", 600) + strings.Repeat("]", 600))},
		{Path: "empty.py", Bytes: []byte{}},
	}
	got, err := Load(t.Context(), box.Worker("code", sandbox.WorkerOptions{Processes: 2}), files)
	if err != nil {
		t.Fatal(err)
	}
	want := loadFiles(t, files)
	for i, m := range want.Modules {
		if diff := cmp.Diff(shape(m), shape(got.Modules[i])); diff != "" {
			t.Errorf("%s: trees differ (-in process +worker):\n%s", m.Path, diff)
		}
	}
	if len(got.Faults) != 1 || got.Faults[0].Path != "deep.py" || !strings.Contains(got.Faults[0].Reason, "nested deeper") {
		t.Errorf("faults are %v, want the depth of deep.py", got.Faults)
	}
	if len(callsOf(got, "system")) != 1 {
		t.Error("the call is not found")
	}
}

// shape lists a module's nodes.
func shape(m *Module) []string {
	var out []string
	for n := range m.Root().Walk() {
		out = append(out, n.FieldName()+" "+n.Kind()+" "+n.Text())
	}
	return out
}
