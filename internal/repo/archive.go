package repo

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// packing is how an archive is made.
type packing int

const (
	noArchive packing = iota
	zipped
	tarred
	gzipped // a tar inside
	foreign // of a kind that is not read
)

// blockSize is that of tar's headers, in bytes.
const blockSize = 512

// beginnings of files that hold other files.
var beginnings = []struct {
	magic string
	is    packing
}{
	{"PK\x03\x04", zipped}, {"PK\x05\x06", zipped}, {"\x1f\x8b", gzipped},
	{"Rar!\x1a\x07", foreign}, {"7z\xbc\xaf\x27\x1c", foreign}, {"\xfd7zXZ\x00", foreign}, {"BZh", foreign}, {"\x28\xb5\x2f\xfd", foreign},
}

// packingOf tells by a file's content, and of tars without a mark by their first header, how it is packed.
func packingOf(path string) packing {
	f, err := openPlain(path)
	if err != nil {
		return noArchive
	}
	defer func() { _ = f.Close() }() // only read
	head := make([]byte, blockSize)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return noArchive
	}
	head = head[:n]
	for _, b := range beginnings {
		if bytes.HasPrefix(head, []byte(b.magic)) {
			return b.is
		}
	}
	if n == blockSize && isTarHeader(head) {
		return tarred
	}
	return noArchive
}

// isTarHeader tells the first header of a tar, of any age, by its sum: the bytes, those of the sum itself as blanks.
func isTarHeader(head []byte) bool {
	const from, to = 148, 156
	said, err := strconv.ParseInt(strings.Trim(string(head[from:to]), " \x00"), 8, 64)
	sum := int64(8 * ' ')
	for i, b := range head {
		if i < from || i >= to {
			sum += int64(b)
		}
	}
	return err == nil && said == sum && head[0] != 0
}

// openPlain opens a regular file of this machine. A FIFO or device in its place cannot hang us.
func openPlain(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	fi, err := f.Stat()
	if err == nil && !fi.Mode().IsRegular() {
		err = sandbox.Refuse("local_missing", "not a regular file")
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// archive is a looseSource in one file of this machine.
type archive struct {
	path string
	how  packing
	size int64
}

func openArchive(path string) (*archive, error) {
	a := &archive{path: path, how: packingOf(path)}
	fi, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	switch a.size = fi.Size(); {
	case a.how == foreign:
		return nil, sandbox.Refuse("archive_kind", "an archive of a kind that is not read: zip, tar and tar.gz are")
	case a.how == noArchive:
		return nil, sandbox.Refuse("archive_kind", "neither zip, tar nor tar.gz")
	case a.size > maxArchive:
		return nil, sandbox.Refuse("limit_download", "an archive of more than %d bytes", maxArchive)
	}
	return a, nil
}

// each goes through the archive. What it says of damage is said in our words.
func (a *archive) each(ctx context.Context, take func(member) error) error {
	f, err := openPlain(a.path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // only read
	switch a.how {
	case zipped:
		err = eachZipped(ctx, f, a.size, take)
	case gzipped:
		err = eachGzipped(ctx, f, a.size, take)
	default:
		err = eachTarred(ctx, io.LimitReader(f, a.size), take)
	}
	return damage(err)
}

// damage tells a broken archive from other reasons why it cannot be read.
func damage(err error) error {
	_, refused := errors.AsType[*sandbox.Refusal](err)
	switch {
	case err == nil, refused, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, zip.ErrAlgorithm):
		return sandbox.Refuse("archive_method", "a file in it is packed in a way that is not read")
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.Is(err, tar.ErrHeader), errors.Is(err, zip.ErrFormat),
		errors.Is(err, zip.ErrChecksum), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), !isOfSystem(err):
		return sandbox.Refuse("archive_damaged", "the archive is damaged or cut off")
	}
	return err
}

// isOfSystem: the machine failed, and not the archive.
func isOfSystem(err error) bool {
	_, is := errors.AsType[*fs.PathError](err)
	return is
}

func eachGzipped(ctx context.Context, f io.Reader, size int64, take func(member) error) error {
	in, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	return eachTarred(ctx, &counted{in, &allowance{packed: size}}, take)
}

func eachTarred(ctx context.Context, f io.Reader, take func(member) error) error {
	in := tar.NewReader(f)
	for {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		m := member{name: h.Name, size: h.Size, open: func() (io.ReadCloser, error) { return io.NopCloser(in), nil }}
		switch h.Typeflag {
		case tar.TypeXGlobalHeader:
			continue
		case tar.TypeReg, tar.TypeGNUSparse:
			if m.kind = regular; h.Mode&0o111 != 0 {
				m.kind = executable
			}
		case tar.TypeSymlink:
			m.kind, m.size = symbolic, int64(len(h.Linkname))
			m.open = func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(h.Linkname)), nil }
		case tar.TypeLink:
			m.kind, m.link = hard, h.Linkname
		case tar.TypeDir:
			m.kind = folder
		default:
			m.kind = special
		}
		if err := take(m); err != nil {
			return err
		}
	}
}

// listing bounds what is read to list a zip; its reader would keep all of it.
type listing struct {
	io.ReaderAt
	left int64
	done bool
}

// ReadAt reads as long as the listing may go on.
func (l *listing) ReadAt(p []byte, at int64) (int, error) {
	if !l.done {
		if l.left -= int64(len(p)); l.left < 0 {
			return 0, sandbox.Refuse("limit_files", "a list of files of more than %d bytes", maxDirectory)
		}
	}
	return l.ReaderAt.ReadAt(p, at)
}

func eachZipped(ctx context.Context, f io.ReaderAt, size int64, take func(member) error) error {
	l := &listing{ReaderAt: f, left: maxDirectory}
	in, err := zip.NewReader(l, size)
	if err != nil {
		return err
	}
	l.done = true
	windows := fromWindows(in.File)
	for _, z := range in.File {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		m := member{name: z.Name, size: int64(z.UncompressedSize64), open: z.Open} // over what fits: negative, and refused
		if windows {
			m.name = strings.ReplaceAll(m.name, `\`, "/")
		}
		const locked = 0x1
		switch mode := z.Mode(); {
		case strings.HasSuffix(m.name, "/") || mode.IsDir():
			m.kind = folder
		case z.Flags&locked != 0:
			return sandbox.Refuse("archive_encrypted", "the archive is locked with a password")
		case mode&fs.ModeSymlink != 0:
			m.kind = symbolic
		case mode&fs.ModeType != 0:
			m.kind = special
		case mode&0o111 != 0:
			m.kind = executable
		}
		if err := take(m); err != nil {
			return err
		}
	}
	return nil
}

// fromWindows: some packers of Windows separate folders by backslashes, against the format. In an archive with slashes a
// backslash is a letter.
func fromWindows(files []*zip.File) bool {
	odd := false
	for _, z := range files {
		if strings.Contains(z.Name, "/") {
			return false
		}
		odd = odd || strings.Contains(z.Name, `\`)
	}
	return odd
}

// stem is an archive's name without what says how it is packed.
func stem(path string) string {
	name := filepath.Base(path)
	low := strings.ToLower(name)
	for _, end := range []string{".tar.gz", ".tgz", ".tar", ".zip", ".gz", ".bundle"} {
		if strings.HasSuffix(low, end) && len(name) > len(end) {
			return name[:len(name)-len(end)]
		}
	}
	return name
}
