package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// maxCache bounds what is copied of the cache for workers of the throw-away uid, in bytes.
const maxCache = 512 << 20

// cacheState remembers which kinds were primed and where the throw-away uid can read the cache.
type cacheState struct {
	mu     sync.Mutex
	primed map[string]bool
	shared string
	broken error // why there is none: workers then warm up by themselves, which takes longer
}

// workerCache returns the directory that a worker of the kind may read as its cache, primed if it was not; "" for none.
// A cache that cannot be had costs time and no document. The error is of ctx.
func (b *Box) workerCache(ctx context.Context, kind string, o WorkerOptions) (string, error) {
	if !o.Cache || b.options.CacheDir == "" {
		return "", nil
	}
	b.cached.mu.Lock()
	defer b.cached.mu.Unlock()
	if b.cached.broken != nil || b.cached.primed[kind] {
		return b.cached.shared, nil
	}
	err := b.prime(ctx, kind, o)
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if err == nil {
		err = b.shareCache()
	}
	if err != nil {
		b.cached.giveUp(err)
		return "", nil
	}
	if b.cached.primed == nil {
		b.cached.primed = map[string]bool{}
	}
	b.cached.primed[kind] = true
	return b.cached.shared, nil
}

// giveUp goes on without a cache. The caller has the lock.
func (s *cacheState) giveUp(why error) { s.shared, s.broken = "", why }

// spoiled is called when a worker started without the cache after it did not start with it: what lies there is damaged.
// It is removed, so that the next run fills it anew.
func (b *Box) spoiled(why error) {
	b.cached.mu.Lock()
	defer b.cached.mu.Unlock()
	if b.cached.broken == nil {
		b.cached.giveUp(errors.Join(fmt.Errorf("reading cache: %w", why), emptyCache(b.options.CacheDir)))
	}
}

// emptyCache removes what fills a cache directory: the marks first, so that nobody takes the rest for whole.
func emptyCache(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("emptying cache: %w", err)
	}
	defer func() { _ = root.Close() }() // nothing is written through it
	entries, err := fs.ReadDir(root.FS(), ".")
	errs := []error{err}
	for _, marks := range []bool{true, false} {
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), markPrefix) == marks {
				errs = append(errs, root.RemoveAll(e.Name()))
			}
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("emptying cache: %w", err)
	}
	return nil
}

// trusted says why a cache must not be used: workers run code from it, so that nobody else may have written it.
func trusted(dir string) error {
	fi, err := os.Lstat(dir)
	switch {
	case err != nil:
		return err
	case !fi.IsDir():
		return errors.New("it is not a directory")
	case !owned(fi):
		return errors.New("it belongs to another user")
	case fi.Mode().Perm()&0o022 != 0:
		return errors.New("others may write to it")
	}
	return nil
}

// markPrefix begins the names of the files that say what was primed.
const markPrefix = ".warm-"

// prime runs Service.Warm once with write access to the cache, unless this very program did so before. No document ever
// reaches that process.
func (b *Box) prime(ctx context.Context, kind string, o WorkerOptions) error {
	dir := b.options.CacheDir
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("making cache directory: %w", err)
	}
	if err := trusted(dir); err != nil {
		return fmt.Errorf("using cache directory %s: %w", dir, err)
	}
	mark, err := primeMark(dir, kind)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(mark); err == nil {
		return nil
	}
	p, err := b.launchWorker(ctx, workerOrder{Kind: kind, Prime: true}, o, dir)
	if err != nil && ctx.Err() == nil && emptyCache(dir) == nil { // what lies there may be damaged
		p, err = b.launchWorker(ctx, workerOrder{Kind: kind, Prime: true}, o, dir)
	}
	if err != nil {
		return fmt.Errorf("filling cache: %w", err)
	}
	if err := p.end(); err != nil {
		return fmt.Errorf("filling cache: %w", err)
	}
	if err := os.WriteFile(mark, nil, 0o600); err != nil {
		return fmt.Errorf("filling cache: %w", err)
	}
	return nil
}

// primeMark names the file that says that this build of the program has filled the cache for the kind.
func primeMark(dir, kind string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("looking at own binary: %w", err)
	}
	fi, err := os.Stat(self)
	if err != nil {
		return "", fmt.Errorf("looking at own binary: %w", err)
	}
	return filepath.Join(dir, fmt.Sprintf("%s%s-%x-%x", markPrefix, kind, fi.Size(), fi.ModTime().UnixNano())), nil
}

// shareCache makes the cache readable for workers: itself when they have our uid, else a copy in the run directory,
// because the cache lies in directories that are closed to others.
func (b *Box) shareCache() error {
	if b.dir.uid == 0 {
		b.cached.shared = b.options.CacheDir
		return nil
	}
	to, err := b.dir.fresh(false)
	if err != nil {
		return fmt.Errorf("copying cache: %w", err)
	}
	root, err := os.OpenRoot(b.options.CacheDir)
	if err != nil {
		return fmt.Errorf("copying cache: %w", err)
	}
	defer func() { _ = root.Close() }() // only read
	var total int64
	err = fs.WalkDir(root.FS(), ".", func(p string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case p == "." || strings.HasPrefix(e.Name(), markPrefix):
			return nil
		case e.IsDir():
			return b.dir.mkdir(filepath.Join(to, p), false)
		case !e.Type().IsRegular():
			return nil
		}
		n, err := copyFile(root, p, filepath.Join(to, p))
		if total += n; total > maxCache {
			return errors.New("over the limit")
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("copying cache: %w", err)
	}
	b.cached.shared = to
	return nil
}

func copyFile(root *os.Root, from, to string) (int64, error) {
	in, err := root.Open(from)
	if err != nil {
		return 0, err
	}
	defer func() { _ = in.Close() }() // only read
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(out, io.LimitReader(in, maxCache))
	return n, errors.Join(err, out.Chmod(0o644), out.Close())
}
