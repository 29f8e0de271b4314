package repo

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/safetext"
	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// maxLine bounds a path, and with it any record of git's output, in bytes.
const maxLine = 64 << 10

// maxNotes bounds how many files are named one by one when something is wrong with all of them.
const maxNotes = 20

// list reads the tree of the commit. A tree over the limit, or with parts missing, is cut and said so.
func (r *Repo) list(ctx context.Context) error {
	args := []string{"ls-tree", "-r", "-z", "-l", "--full-tree", r.commit}
	if r.folder != "" {
		args = append(args, "--", r.folder)
	}
	_, err := r.git(ctx, sandbox.Limits{}, nil, func(out io.Reader) error {
		var parseErr error
		r.entries, parseErr = parseTree(out, r.options.MaxEntries)
		return parseErr
	}, args...)
	if err == nil && len(r.entries) == 0 && r.folder == "" {
		err = r.doubtEmpty(ctx)
	}
	refusal, limited := errors.AsType[*sandbox.Refusal](err)
	switch {
	case err == nil:
	case limited && (refusal.Code == "limit_tree" || refusal.Code == "limit_line" || refusal.Code == "limit_output"):
		r.note(refusal.Code, "", "%s: the list of files is cut", refusal.Msg)
	case ctx.Err() == nil && !limited && !errors.Is(err, errAnswer):
		r.note("missing_tree", "", "a folder of the commit is missing or damaged: the list of files is cut")
	default:
		return err
	}
	r.entries, err = r.below(r.entries)
	return err
}

// index sorts the files, finds out what is odd about them and which are read.
func (r *Repo) index() {
	slices.SortStableFunc(r.entries, func(a, b Entry) int { return cmp.Compare(a.Path, b.Path) })
	for i, e := range r.entries {
		if _, twice := r.byPath[e.Path]; !twice {
			r.byPath[e.Path] = i
		}
	}
	r.noteOdd()
	r.choose()
}

// errAnswer says that git's answer is none.
var errAnswer = errors.New("unexpected answer")

// IsEmptyTree tells git's ids of no files at all, by SHA-1 and by SHA-256.
func IsEmptyTree(id string) bool {
	return id == "4b825dc642cb6eb9a060e54bf8d69288fbee4904" || id == "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"
}

// doubtEmpty notes when nothing is listed of a folder that is not the empty one: then nothing is known of it, which is not
// the same as that it holds no file.
func (r *Repo) doubtEmpty(ctx context.Context) error {
	res, err := r.git(ctx, sandbox.Limits{}, nil, nil, "rev-parse", "--verify", "--end-of-options", r.commit+"^{tree}")
	if err != nil {
		return err
	}
	if IsEmptyTree(strings.TrimSpace(string(res.Stdout))) {
		return nil
	}
	r.note("missing_tree", "", "no file is listed, though the folder of the commit is not empty")
	return nil
}

// oddities says what each flag of a path means to a reader, and what becomes of entries that are not files.
var oddities = map[string]string{
	"absolute":       "a name that is an absolute path",
	"bidi":           "a name with characters that change the direction of text",
	"control_char":   "a name with control characters",
	"deep":           "a file below more than 64 folders",
	"dotgit_or_dots": "a name that leads elsewhere, or that some file systems take for .git",
	"invalid_utf8":   "a name that is not text",
	"leading_dash":   "a name that programs may take for an option",
	"symlink":        "a symbolic link: its text is read, it is not followed",
	"submodule":      "a submodule: it is not fetched",
}

// noteOdd says which names are odd, and which entries are links or submodules.
func (r *Repo) noteOdd() {
	odd := map[string][]string{}
	for _, e := range r.entries {
		for _, flag := range e.Flags {
			odd[flag] = append(odd[flag], e.Path)
		}
		if e.Kind == Symlink || e.Kind == Submodule {
			odd[string(e.Kind)] = append(odd[string(e.Kind)], e.Path)
		}
	}
	for flag, paths := range odd {
		for _, p := range paths[:min(len(paths), maxNotes)] {
			r.note(flag, p, "%s", oddities[flag])
		}
		if more := len(paths) - maxNotes; more > 0 {
			r.note(flag, "", "so with %d more files", more)
		}
	}
}

// choose decides which blobs are within the limits, smallest first, so that the answer depends on the commit alone.
func (r *Repo) choose() {
	order := make([]Entry, 0, len(r.entries))
	missing := 0
	for _, e := range r.entries {
		if e.Kind == Submodule {
			continue
		}
		if e.Size < 0 {
			if missing++; missing <= maxNotes {
				r.note("missing_blob", e.Path, "the content is not in this copy")
			}
			continue
		}
		order = append(order, e)
	}
	if missing > maxNotes {
		r.note("missing_blob", "", "%d files in all are not available", missing)
	}
	slices.SortStableFunc(order, func(a, b Entry) int { return cmp.Compare(a.Size, b.Size) })
	var total int64
	left := 0
	for _, e := range order {
		if e.Size > r.options.MaxBlob || r.fits[e.OID] {
			continue
		}
		if total+e.Size > r.options.MaxBlobs {
			left++
			continue
		}
		total += e.Size
		r.fits[e.OID] = true
	}
	if left > 0 {
		r.note("limit_blobs", "", "more than %d bytes of files: the %d largest are not read", r.options.MaxBlobs, left)
	}
}

// parseTree reads the output of ls-tree -r -z -l. Over the limits it returns what it has and a *sandbox.Refusal.
func parseTree(r io.Reader, limit int) ([]Entry, error) {
	in := buffered(r)
	var out []Entry
	for {
		record, err := readRecord(in, 0)
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return out, err
		}
		if len(out) >= limit {
			return out, sandbox.Refuse("limit_tree", "more than %d files", limit)
		}
		e, err := parseEntry(string(record))
		if err != nil {
			return out, err
		}
		out = append(out, e)
	}
}

// parseEntry reads "MODE TYPE OID SIZE\tPATH".
func parseEntry(record string) (Entry, error) {
	head, path, ok := strings.Cut(record, "\t")
	f := strings.Fields(head)
	if !ok || path == "" || len(f) != 4 || !fullID.MatchString(f[2]) || f[1] != "blob" && f[1] != "commit" {
		return Entry{}, fmt.Errorf("reading ls-tree: %w: record %q", errAnswer, safetext.Text(record, 100))
	}
	e := Entry{Path: path, Mode: f[0], OID: f[2], Size: -1}
	if n, err := strconv.ParseInt(f[3], 10, 64); err == nil && n >= 0 {
		e.Size = n // else "-" for a submodule, "BAD" for a missing object
	}
	switch {
	case f[1] == "commit":
		e.Kind = Submodule
		e.Size = -1
	case e.Mode == "120000":
		e.Kind = Symlink
	case e.Mode == "100755":
		e.Kind = Executable
	default:
		e.Kind = File
	}
	e.Flags = pathFlags(path)
	return e, nil
}

func buffered(r io.Reader) *bufio.Reader {
	if b, ok := r.(*bufio.Reader); ok {
		return b
	}
	return bufio.NewReaderSize(r, 64<<10)
}

// readRecord reads up to a delimiter, which is not returned; the bytes are good until the next read. A record that ends
// without a delimiter is io.ErrUnexpectedEOF.
func readRecord(in *bufio.Reader, delim byte) ([]byte, error) {
	var long []byte // the beginning of a record that is longer than the buffer
	for {
		part, err := in.ReadSlice(delim)
		out := part
		if len(long) > 0 || errors.Is(err, bufio.ErrBufferFull) {
			long = append(long, part...)
			out = long
		}
		switch {
		case len(out) > maxLine+1:
			return nil, sandbox.Refuse("limit_line", "a path or line of more than %d bytes", maxLine)
		case err == nil:
			return bytes.TrimSuffix(out, []byte{delim}), nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(out) > 0:
			return nil, io.ErrUnexpectedEOF
		default:
			return nil, err
		}
	}
}
