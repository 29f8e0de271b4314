package batch

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/trial"
)

// Single audits become a class that can be listed; what is no case is passed over.
func TestLoose(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "report", "testdata", "good.json"))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	put := func(name string, raw []byte) {
		t.Helper()
		if err := errors.Join(os.MkdirAll(filepath.Join(folder, filepath.Dir(name)), 0o700), os.WriteFile(filepath.Join(folder, name), raw, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	loose := func(folder string) ([]docket.Row, error) {
		t.Helper()
		d, err := docket.Open(t.Context(), t.TempDir(), docket.Setup{Now: time.Now, Ruling: trial.Ruling})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = d.Close() }()
		c, err := Loose(t.Context(), d, folder, time.Now())
		if err != nil {
			return nil, err
		}
		rows, err := d.Rows(t.Context(), c.ID)
		if err != nil {
			t.Fatal(err)
		}
		return rows, nil
	}
	if _, err := loose(folder); !errors.Is(err, errNoCases) {
		t.Error(err)
	}
	put("two/record.json", raw)
	put("one/record.json", raw)
	put("other/record.json", []byte("{}"))
	put(".hidden/record.json", raw)
	put("file", raw)
	rows, err := loose(folder)
	if err != nil || len(rows) != 2 || rows[0].ID != "one" || rows[0].State != docket.Done || rows[1].Overall == nil {
		t.Error(rows, err)
	}
	if rows, err = loose(filepath.Join(folder, "two")); err != nil || len(rows) != 1 || rows[0].ID != "two" {
		t.Error(rows, err)
	}
}
