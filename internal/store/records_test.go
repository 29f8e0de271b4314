package store

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
)

// The golden records are made and kept by package report.
const goldenDir = "../report/testdata"

func goldenFile(t testing.TB, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(goldenDir, name))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func golden(t testing.TB, name string) *court.Record {
	t.Helper()
	rec, err := Decode(goldenFile(t, name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return rec
}
