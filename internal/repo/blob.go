package repo

import (
	"context"
	"errors"
)

// Why a file has no content here. Errors of Blob and BlobAt wrap one of them.
var (
	ErrMissing  = errors.New("object is missing or damaged")
	ErrTooLarge = errors.New("over the size limit")
	ErrNotFile  = errors.New("not a file of this commit")
)

// Blob returns the content of a file of the commit (a symlink's is its text). The first call reads all blobs of a small
// repository at once; the bytes are shared: do not change them.
func (r *Repo) Blob(ctx context.Context, path string) ([]byte, error) { return nil, ErrMissing }

// Blobs reads several files of the commit through one child and returns those that can be read, by path; Blob says for
// each of the others why not, without another child.
func (r *Repo) Blobs(ctx context.Context, paths []string) (map[string][]byte, error) {
	return nil, ErrMissing
}

// BlobAt returns a blob by its object id, as History gives them.
func (r *Repo) BlobAt(ctx context.Context, oid string) ([]byte, error) { return nil, ErrMissing }

// Objects is Blobs for object ids, for older versions of files.
func (r *Repo) Objects(ctx context.Context, oids []string) (map[string][]byte, error) {
	return nil, ErrMissing
}
