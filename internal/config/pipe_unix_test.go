//go:build unix

package config

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A pipe in the place of a file is refused at once; opening it as a file would
// wait for somebody to write into it.
func TestPipeIsRefused(t *testing.T) {
	p := filepath.Join(t.TempDir(), ".env")
	if err := syscall.Mkfifo(p, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := DotEnv(p, ".env", false)
	if err == nil || !strings.Contains(err.Error(), "reading .env: not a regular file") {
		t.Errorf("error %v", err)
	}
	err = New().File(p, "automaton.yaml", true)
	if err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("error %v", err)
	}
}
