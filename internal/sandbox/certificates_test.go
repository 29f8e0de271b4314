package sandbox

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A bundle of certificates that is not a file is refused by name; nobody waits for
// the other end of a pipe.
func TestCertificatesAreAFile(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, []byte("-----BEGIN CERTIFICATE-----\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, refused := range map[string]bool{pipe: true, t.TempDir(): true, "/dev/zero": true, file: false} {
		dir := t.TempDir()
		b, err := Open(Options{CAFile: path, TempDir: dir})
		if (err != nil) != refused || err != nil && !strings.Contains(err.Error(), "SSL_CERT_FILE") {
			t.Errorf("%s: %v", path, err)
		}
		if err == nil {
			if err := b.Close(); err != nil {
				t.Error(err)
			}
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%s: %v, %d entries are left", path, err, len(left))
		}
	}
}
