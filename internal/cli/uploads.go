package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/automaton-auditor/automaton/internal/batch"
	"github.com/automaton-auditor/automaton/internal/repo"
	"github.com/automaton-auditor/automaton/internal/store"
	"github.com/automaton-auditor/automaton/internal/trial"
	"github.com/automaton-auditor/automaton/internal/web"
)

// partName begins the name of a folder in which an upload is on its way.
const partName = ".part-"

// kept is where a file lies that an entry names: an upload lies in the folder of the cohort, wherever that is.
func (h *class) kept(name string) string {
	if strings.HasPrefix(name, batch.UploadsName+"/") {
		return filepath.Join(h.path, filepath.FromSlash(name))
	}
	return name
}

// uploads keeps files.
type uploads struct {
	class *class
	shelf *store.Shelf // that has the same disk
	most  int64        // bytes of one

	mu   sync.Mutex
	held map[string]int // by path: those that no roster names yet
}

// keep takes a file in, and finds out by its content whether it is what it should be. Nothing of it is left otherwise.
func (u *uploads) keep(name string, document bool, from io.Reader) (kept web.Upload, err error) {
	most := u.most
	if document {
		most = min(most, trial.MaxPDF)
	}
	if err := u.shelf.Room(most); err != nil {
		return kept, err
	}
	base := filepath.Join(u.class.path, batch.UploadsName)
	if err := os.MkdirAll(base, 0o700); err != nil {
		return kept, fmt.Errorf("keeping an upload: %w", err)
	}
	part, err := os.MkdirTemp(base, partName)
	if err != nil {
		return kept, fmt.Errorf("keeping an upload: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(part)) }()
	name = store.SafeName(path.Base(strings.ReplaceAll(name, `\`, "/")))
	file := filepath.Join(part, name)
	sum, err := written(file, most, from)
	if err == nil {
		err = fitting(file, name, document)
	}
	if err != nil {
		return kept, err
	}
	return u.place(file, path.Join(batch.UploadsName, sum, name))
}

// written writes a file to the disk, at most so many bytes, and gives its digest.
func written(file string, most int64, from io.Reader) (sum string, err error) {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return "", fmt.Errorf("keeping an upload: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	h := sha256.New()
	n, err := io.Copy(io.MultiWriter(f, h), io.LimitReader(from, most+1))
	if err == nil && n > most {
		err = &http.MaxBytesError{Limit: most}
	}
	if err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), f.Sync()
}

// fitting says what is wrong with a file, by its content. What is in an archive is looked at when it is judged, in the sandbox.
func fitting(file, name string, document bool) error {
	if !document {
		if _, err := repo.ParseTarget(file, repo.TargetOptions{}); err != nil { // its words name a folder of this machine
			return batch.Problems{fmt.Sprintf("%q is neither a git bundle nor a zip, tar or tar.gz archive", name)}
		}
		return nil
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("keeping an upload: %w", err)
	}
	if what := (trial.Document{From: "file", Path: name, Bytes: raw}).Refused(); what != "" {
		return batch.Problems{fmt.Sprintf("the document %q cannot be used: %s", name, what)}
	}
	return nil
}

// place puts a file where its content says. It is held until who sent it needs it no more.
func (u *uploads) place(file, name string) (web.Upload, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	at := u.class.kept(name)
	if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
		return web.Upload{}, fmt.Errorf("keeping an upload: %w", err)
	}
	if err := os.Rename(file, at); err != nil {
		return web.Upload{}, fmt.Errorf("keeping an upload: %w", err)
	}
	u.held[name]++
	return web.Upload{Path: name, Release: func() { u.release(name) }}, nil
}

func (u *uploads) release(name string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.held[name]--; u.held[name] > 0 {
		return
	}
	delete(u.held, name)
	u.sweep()
}

// abandoned removes what no roster names: a server may have been killed in the middle of an upload.
func (u *uploads) abandoned() {
	u.mu.Lock()
	defer u.mu.Unlock()
	parts, _ := filepath.Glob(filepath.Join(u.class.path, batch.UploadsName, partName+"*")) // the pattern is none of others
	for _, part := range parts {
		_ = os.RemoveAll(part) // the next start tries again
	}
	u.sweep()
}

// sweep removes the folders of uploads that nobody needs. What is on its way is in none of them. The caller holds the lock.
func (u *uploads) sweep() {
	needed := map[string]bool{}
	need := func(name string) {
		if rest, ok := strings.CutPrefix(name, batch.UploadsName+"/"); ok {
			digest, _, _ := strings.Cut(rest, "/")
			needed[digest] = true
		}
	}
	for name := range u.held {
		need(name)
	}
	for _, e := range u.class.cohort.Entries() {
		need(e.Target)
		need(e.PDF)
	}
	base := filepath.Join(u.class.path, batch.UploadsName)
	items, _ := os.ReadDir(base) // none are there before the first came
	for _, item := range items {
		if !needed[item.Name()] && !strings.HasPrefix(item.Name(), partName) {
			_ = os.RemoveAll(filepath.Join(base, item.Name())) // the next one tries again
		}
	}
}
