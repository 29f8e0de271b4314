package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/automaton-auditor/automaton/internal/safetext"
)

// Shelf is an output folder: where case folders lie. Close it.
type Shelf struct {
	dir  string
	root *os.Root
	disk disk
}

// What a caller decides on.
var (
	// ErrBusy says that another run is writing to the same case folder.
	ErrBusy = errors.New("another run is writing here")
	// ErrSpace says that the disk has too little room for a run.
	ErrSpace = errors.New("too little space")
)

// latestName is the file that names the last finished case.
const latestName = "latest"

// Open makes the output folder when it is missing, readable by its owner only
// and ignored by git, and opens it. A link in its place is refused: the tree it
// lies in may be a stranger's.
func Open(dir string) (*Shelf, error) { return open(dir, osDisk{}) }

// OpenToRead opens an output folder that is there already, and writes nothing.
func OpenToRead(dir string) (*Shelf, error) { return shelfAt(dir, osDisk{}, lookAt(dir)) }

// lookAt says what is wrong with an output folder.
func lookAt(dir string) error {
	info, err := os.Lstat(dir)
	switch {
	case err == nil && info.Mode()&fs.ModeSymlink != 0:
		return errors.New("it is a link; name the folder it leads to")
	case err == nil && !info.IsDir():
		return errors.New("it is not a folder")
	}
	return err
}

// shelfAt is the folder as it lies there, unless something is wrong with it.
func shelfAt(dir string, d disk, wrong error) (*Shelf, error) {
	if wrong != nil {
		return nil, fmt.Errorf("opening output folder %q: %w", dir, cause(wrong))
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("opening output folder %q: %w", dir, cause(err))
	}
	return &Shelf{dir: dir, root: root, disk: d}, nil
}

func open(dir string, d disk) (*Shelf, error) {
	err := lookAt(dir)
	if errors.Is(err, fs.ErrNotExist) {
		err = os.MkdirAll(dir, 0o700)
	}
	s, err := shelfAt(dir, d, err)
	if err != nil {
		return nil, err
	}
	root := s.root
	if err := s.ignore(); err != nil {
		return nil, both(fmt.Errorf("opening output folder %q: %w", dir, cause(err)), root.Close())
	}
	return s, nil
}

// ignore keeps git away from the folder; what is there already stays.
func (s *Shelf) ignore() error {
	err := writeNew(s.disk, s.root, ".gitignore", []byte("*\n"))
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// Close ends the use of the folder.
func (s *Shelf) Close() error {
	if err := s.root.Close(); err != nil {
		return fmt.Errorf("closing output folder %q: %w", s.dir, cause(err))
	}
	return nil
}

// spare is what must be left over beside what a run is expected to write.
const spare = 64 << 20

// Room checks that the disk has space for a run that writes about so many
// bytes, and 64 MiB more. The error wraps ErrSpace.
func (s *Shelf) Room(expected int64) error {
	free, err := freeSpace(s.dir)
	if err != nil {
		return fmt.Errorf("asking for the free space of %q: %w", s.dir, cause(err))
	}
	if need := expected + spare; free < need {
		return fmt.Errorf("preparing %q: %w: %d MiB free, %d MiB needed", s.dir, ErrSpace, free>>20, need>>20)
	}
	return nil
}

// Latest is the path of the last finished case. The error wraps
// fs.ErrNotExist when there is none.
func (s *Shelf) Latest() (string, error) {
	name, err := s.readSmall(latestName)
	if err != nil {
		return "", fmt.Errorf("reading %s: %w", filepath.Join(s.dir, latestName), cause(err))
	}
	name = strings.TrimSuffix(name, "\n")
	if SafeName(name) != name {
		return "", fmt.Errorf("reading %s: %q is not the name of a case folder", filepath.Join(s.dir, latestName), name)
	}
	info, err := s.root.Lstat(name)
	if err != nil {
		return "", fmt.Errorf("opening case folder %q: %w", name, cause(err))
	}
	if !info.IsDir() {
		return "", fmt.Errorf("opening case folder %q: it is not a folder", name)
	}
	return filepath.Join(s.dir, name), nil
}

// Record is what stands in a case folder as its record, as bytes; whether it is one is for Decode.
func (s *Shelf) Record(name string) ([]byte, error) {
	raw, err := s.readFile(name+"/"+recordName, MaxRecord)
	if err != nil {
		return nil, fmt.Errorf("reading record in %q: %w", filepath.Join(s.dir, name), cause(err))
	}
	return raw, nil
}

// readSmall reads a file of one line.
func (s *Shelf) readSmall(name string) (string, error) {
	raw, err := s.readFile(name, 4096)
	return string(raw), err
}

func (s *Shelf) readFile(name string, most int64) ([]byte, error) {
	info, err := s.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > most {
		return nil, errNotFile
	}
	return s.root.ReadFile(name)
}

// maxName bounds the name of a case folder, in bytes.
const maxName = 100

// SafeName turns the id of a case into the name of its folder: what is neither a
// letter or digit of some script nor a dot, hyphen or underscore becomes an
// underscore, and the name does not begin with a dot or a hyphen. It is
// normalised (NFC), so that one name typed on two systems is one folder.
func SafeName(id string) string {
	var b strings.Builder
	marks := mostMarks // a mark stands on a letter
	for _, r := range norm.NFC.String(strings.ToValidUTF8(id, "_")) {
		seen := r < utf8.RuneSelf || safetext.Text(string(r), 0) == string(r)
		switch {
		case seen && unicode.IsMark(r) && marks < mostMarks:
			marks++
		case seen && unicode.IsLetter(r):
			marks = 0
		case seen && unicode.IsDigit(r), strings.ContainsRune("._-", r):
			marks = mostMarks
		default:
			r, marks = '_', mostMarks
		}
		b.WriteRune(r)
	}
	name := strings.TrimLeft(b.String(), ".-")
	if name == "" || name == latestName {
		name = "case_" + name
	}
	return Cut(name, maxName)
}

// mostMarks is how many marks a letter has at most in a name; no script needs more.
const mostMarks = 4

// Cut shortens a name to so many bytes, between two letters.
func Cut(name string, limit int) string {
	for len(name) > limit {
		_, size := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-size]
	}
	return name
}
