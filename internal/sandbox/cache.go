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
	primed map[string]error
	shared string
}

// workerCache returns the directory that a worker of the kind may read as its cache, primed if it was not; "" for none.
func (b *Box) workerCache(ctx context.Context, kind string, o WorkerOptions) (string, error) {
	if !o.Cache || b.options.CacheDir == "" {
		return "", nil
	}
	b.cached.mu.Lock()
	defer b.cached.mu.Unlock()
	if err, known := b.cached.primed[kind]; known {
		return b.cached.shared, err
	}
	err := b.prime(ctx, kind, o)
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if err == nil {
		err = b.shareCache()
	}
	if b.cached.primed == nil {
		b.cached.primed = map[string]error{}
	}
	b.cached.primed[kind] = err
	return b.cached.shared, err
}

// prime runs Service.Warm once with write access to the cache, unless this very program did so before. No document ever
// reaches that process.
func (b *Box) prime(ctx context.Context, kind string, o WorkerOptions) error {
	dir := b.options.CacheDir
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("making cache directory: %w", err)
	}
	mark, err := primeMark(dir, kind)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(mark); err == nil {
		return nil
	}
	p, err := b.launchWorker(ctx, workerOrder{Kind: kind, Prime: true}, o, dir)
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
	return filepath.Join(dir, fmt.Sprintf(".warm-%s-%x-%x", kind, fi.Size(), fi.ModTime().UnixNano())), nil
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
		case p == "." || strings.HasPrefix(e.Name(), ".warm-"):
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
