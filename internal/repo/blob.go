package repo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"

	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// Why a file has no content here. Errors of Blob wrap one of them.
var (
	ErrMissing  = errors.New("object is missing or damaged")
	ErrTooLarge = errors.New("over the size limit")
	ErrNotFile  = errors.New("not a file of this commit")
)

// Blob returns the content of a file of the commit (a symlink's is its text). The first call reads all blobs within the
// limits at once; the bytes are shared: do not change them.
func (r *Repo) Blob(ctx context.Context, path string) ([]byte, error) {
	e, err := r.blobEntry(path)
	if err != nil {
		return nil, err
	}
	if err := r.load(ctx, r.entries); err != nil {
		return nil, err
	}
	return r.loaded(e)
}

// Blobs reads several files of the commit through one child and returns those that can be read, by path; Blob says for
// each of the others why not.
func (r *Repo) Blobs(ctx context.Context, paths []string) (map[string][]byte, error) {
	entries := make([]Entry, 0, len(paths))
	for _, p := range paths {
		if e, err := r.blobEntry(p); err == nil {
			entries = append(entries, e)
		}
	}
	if err := r.load(ctx, entries); err != nil {
		return nil, err
	}
	out := make(map[string][]byte, len(entries))
	for _, e := range entries {
		if b, err := r.loaded(e); err == nil {
			out[e.Path] = b
		}
	}
	return out, nil
}

// BlobUpTo is Blob for one file that may be larger than Options.MaxBlob, up to max bytes; it is not kept in memory.
func (r *Repo) BlobUpTo(ctx context.Context, path string, max int64) ([]byte, error) {
	e, ok := r.Entry(path)
	switch {
	case !ok || e.Kind == Submodule:
		return nil, fmt.Errorf("reading %q: %w", path, ErrNotFile)
	case e.Size < 0:
		return nil, fmt.Errorf("reading %q: %w", path, ErrMissing)
	case e.Size > max:
		r.note("limit_blob", path, "larger than %d bytes, not read", max)
		return nil, fmt.Errorf("reading %q: %w", path, ErrTooLarge)
	}
	read, err := r.readObjects(ctx, "blob", []string{e.OID}, max)
	if err != nil {
		return nil, fmt.Errorf("reading %q: %w", path, err)
	}
	b, ok := read[e.OID]
	if !ok {
		r.note("missing_blob", path, "the content is damaged or not in this copy")
		return nil, fmt.Errorf("reading %q: %w", path, ErrMissing)
	}
	return b, nil
}

// blobEntry finds a file that can be read; a file over the limits is noted, since somebody wanted it.
func (r *Repo) blobEntry(path string) (Entry, error) {
	e, ok := r.Entry(path)
	switch {
	case !ok || e.Kind == Submodule:
		return e, fmt.Errorf("reading %q: %w", path, ErrNotFile)
	case e.Size < 0:
		return e, fmt.Errorf("reading %q: %w", path, ErrMissing)
	case e.Size > r.options.MaxBlob:
		r.note("limit_blob", path, "larger than %d bytes, not read", r.options.MaxBlob)
		return e, fmt.Errorf("reading %q: %w", path, ErrTooLarge)
	case !r.fits[e.OID]:
		return e, fmt.Errorf("reading %q: %w", path, ErrTooLarge)
	}
	return e, nil
}

// load reads the blobs of entries that are within the limits and not read yet.
func (r *Repo) load(ctx context.Context, entries []Entry) error {
	r.loading.Lock()
	defer r.loading.Unlock()
	var want []string
	asked := map[string]bool{}
	r.mu.Lock()
	for _, e := range entries {
		if _, known := r.blobs[e.OID]; !known && r.fits[e.OID] && !asked[e.OID] {
			asked[e.OID] = true
			want = append(want, e.OID)
		}
	}
	r.mu.Unlock()
	if len(want) == 0 {
		return nil
	}
	read, err := r.readObjects(ctx, "blob", want, r.options.MaxBlob)
	if err != nil {
		return fmt.Errorf("reading blobs: %w", err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, id := range want {
		r.blobs[id] = read[id] // nil: missing
	}
	return nil
}

func (r *Repo) loaded(e Entry) ([]byte, error) {
	r.mu.Lock()
	b := r.blobs[e.OID]
	r.mu.Unlock()
	if b == nil {
		r.note("missing_blob", e.Path, "the content is damaged or not in this copy")
		return nil, fmt.Errorf("reading %q: %w", e.Path, ErrMissing)
	}
	return b, nil
}

// Objects reads blobs by their ids, as History gives them, for older versions of files; those that are missing, damaged,
// no blobs or over the size limit are not in the result. Over Options.MaxBlobs together, the last ones are left out and a
// note says so. One child reads them all, unless there is more to read than is kept.
func (r *Repo) Objects(ctx context.Context, oids []string) (map[string][]byte, error) {
	got := make(map[string][]byte, len(oids))
	var ask []string
	asked := map[string]bool{}
	r.mu.Lock()
	for _, id := range oids {
		b, known := r.blobs[id]
		switch {
		case known && b != nil:
			got[id] = b
		case !known && fullID.MatchString(id) && !asked[id]:
			asked[id] = true
			ask = append(ask, id)
		}
	}
	r.mu.Unlock()
	if len(ask) == 0 {
		return got, nil
	}
	read, plain := r.readPlain(ctx, ask)
	if !plain {
		var err error
		if read, err = r.readSome(ctx, ask); err != nil {
			return nil, fmt.Errorf("reading objects: %w", err)
		}
	}
	maps.Copy(got, read)
	return got, nil
}

// readPlain reads blobs through one child; false when anything at all is odd about them, or there is more to read than
// is kept. What it read is then not looked at.
func (r *Repo) readPlain(ctx context.Context, ask []string) (map[string][]byte, bool) {
	if r.looseFiles != nil {
		return nil, false
	}
	out := make(map[string][]byte, len(ask))
	max := r.options.MaxBlob
	var total int64
	odd, n := false, 0
	keep := func(o object) {
		if o.kind != "blob" || o.size > max {
			return
		}
		total += o.size
		odd = odd || !o.intact
		out[o.id] = o.content
	}
	_, err := r.git(ctx, limitsFor(r.options.MaxBlobs), []byte(strings.Join(ask, "\n")+"\n"), func(in io.Reader) (err error) {
		n, err = parseBatch(buffered(in), ask, max, keep)
		return err
	}, "cat-file", "--batch", "--buffer")
	return out, err == nil && !odd && n == len(ask) && total <= r.options.MaxBlobs
}

// readSome asks for the sizes first, and reads what is within the limits.
func (r *Repo) readSome(ctx context.Context, ask []string) (map[string][]byte, error) {
	heads, err := r.headers(ctx, ask)
	if err != nil {
		return nil, err
	}
	var want []string
	var total int64
	for _, id := range ask {
		head := heads[id]
		if head.kind != "blob" || head.size > r.options.MaxBlob {
			continue
		}
		if total += head.size; total > r.options.MaxBlobs {
			r.note("limit_blobs", "", "more than %d bytes of older versions: the rest is not read", r.options.MaxBlobs)
			break
		}
		want = append(want, id)
	}
	return r.readObjects(ctx, "blob", want, r.options.MaxBlob)
}

// limitsFor lets a child write as much as it is asked for.
func limitsFor(bytes int64) sandbox.Limits { return sandbox.Limits{Stdout: bytes + 64<<20} }
