package repo

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// Pack puts a file or folder of this machine into a tar, under its last name, so that another machine has it. Of a git
// repository it takes what is read of one: objects, refs, and from where it was cloned, without a login. What it gives follows from the
// content alone, and has at most so many bytes; the error is a *sandbox.Refusal when that is not enough.
func Pack(name string, most int64) ([]byte, error) {
	p := &packer{most: most}
	p.tar = tar.NewWriter(&p.out)
	base := filepath.Base(name)
	info, err := os.Lstat(name)
	if err == nil && !info.IsDir() {
		err = p.file(name, base, info)
	} else if err == nil {
		err = p.folder(name, base)
	}
	if err == nil {
		err = p.tar.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("packing %s: %w", base, err)
	}
	return p.out.Bytes(), nil
}

type packer struct {
	tar  *tar.Writer
	out  bytes.Buffer
	most int64
}

// folder packs a repository, or the files of a folder that is none.
func (p *packer) folder(dir, base string) error {
	git := ""
	if info, err := os.Lstat(filepath.Join(dir, ".git")); err == nil && info.IsDir() {
		git = ".git"
	} else if isBare(dir) {
		git = "."
	}
	if git == "" && within(dir) != "" { // elsewhere it would be none
		return sandbox.Refuse("local_inside", "this folder is a part of a git repository")
	}
	top := filepath.Join(dir, git)
	return filepath.WalkDir(top, func(at string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(top, at)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if git != "" && unread(rel, e) {
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		as := path.Join(base, filepath.ToSlash(git), rel)
		if git != "" && rel == "config" {
			return p.origin(top, dir, as)
		}
		return p.file(at, as, info)
	})
}

// unread tells what of a git folder says nothing about the submission. Links are kept, as they are told of.
func unread(rel string, e fs.DirEntry) bool {
	if e.Type()&fs.ModeSymlink != 0 {
		return false
	}
	head, _, _ := strings.Cut(rel, "/")
	switch head {
	case ".", "HEAD", "packed-refs", "shallow", "config", "objects", "refs", "info":
		return false
	}
	return true
}

// origin packs from where a repository was cloned.
func (p *packer) origin(git, dir, as string) error {
	root, err := os.OpenRoot(git)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }() // only read
	o := localOrigin(root, dir)
	text := ""
	if o.url != "" {
		text = "[remote \"origin\"]\n\turl = " + o.url + "\n"
	}
	return p.add(&tar.Header{Typeflag: tar.TypeReg, Name: as, Mode: 0o600, Size: int64(len(text))}, strings.NewReader(text))
}

func (p *packer) file(at, as string, info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return p.add(&tar.Header{Typeflag: tar.TypeDir, Name: as + "/", Mode: 0o700}, nil)
	case info.Mode()&fs.ModeSymlink != 0:
		to, err := os.Readlink(at)
		if err != nil {
			return err
		}
		return p.add(&tar.Header{Typeflag: tar.TypeSymlink, Name: as, Linkname: to}, nil)
	case !info.Mode().IsRegular():
		return sandbox.Refuse("git_special", "%q is not a regular file", path.Base(as))
	}
	f, err := openPlain(at)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // only read
	mode := int64(0o600)
	if info.Mode()&0o111 != 0 {
		mode = 0o700
	}
	return p.add(&tar.Header{Typeflag: tar.TypeReg, Name: as, Mode: mode, Size: info.Size()}, f)
}

func (p *packer) add(h *tar.Header, content io.Reader) error {
	if int64(p.out.Len())+h.Size > p.most {
		return sandbox.Refuse("limit_download", "more than %d bytes", p.most)
	}
	h.Format = tar.FormatPAX
	if err := p.tar.WriteHeader(h); err != nil || content == nil {
		return err
	}
	_, err := io.CopyN(p.tar, content, h.Size) // a file that grows meanwhile is as it was
	return err
}

// Unpack puts what Pack made into a folder that is empty, and gives the path of what was packed.
func Unpack(raw []byte, into string) (string, error) {
	root, err := os.OpenRoot(into)
	if err != nil {
		return "", fmt.Errorf("unpacking: %w", err)
	}
	defer func() { _ = root.Close() }() // what was written was closed
	top := ""
	in := tar.NewReader(bytes.NewReader(raw))
	for {
		h, err := in.Next()
		if errors.Is(err, io.EOF) && top != "" {
			return filepath.Join(into, top), nil
		}
		if err == nil {
			head, _, _ := strings.Cut(h.Name, "/")
			if top == "" {
				top = head
			}
			if head != top || !filepath.IsLocal(filepath.FromSlash(h.Name)) {
				err = errors.New("it was not packed by this program")
			} else {
				err = unpackOne(root, h, in)
			}
		}
		if err != nil {
			return "", fmt.Errorf("unpacking: %w", err)
		}
	}
}

func unpackOne(root *os.Root, h *tar.Header, in io.Reader) error {
	name := filepath.FromSlash(strings.TrimSuffix(h.Name, "/"))
	if err := root.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	switch h.Typeflag {
	case tar.TypeDir:
		return root.MkdirAll(name, 0o700)
	case tar.TypeSymlink:
		return root.Symlink(h.Linkname, name)
	case tar.TypeReg:
		f, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, fs.FileMode(h.Mode).Perm())
		if err != nil {
			return err
		}
		_, err = io.CopyN(f, in, h.Size)
		return errors.Join(err, f.Close())
	}
	return fmt.Errorf("an entry of kind %q", h.Typeflag)
}
