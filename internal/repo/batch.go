package repo

import (
	"bufio"
	"context"
	"crypto/sha1" //nolint:gosec // git's object ids
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/safetext"
	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// maxDeaths is how many damaged objects a batch gets over: git dies of each, or writes something else than it said.
const maxDeaths = 64

// maxIdle is after how many deaths by a signal, before any answer, it is not the objects that git dies of.
const maxIdle = 3

// maxBombs is how many objects a batch gets over that take more memory than a child may have: each takes seconds.
const maxBombs = 4

// errLonger says that an object's content is longer than its header says; what follows cannot be told from it.
var errLonger = errors.New("reading cat-file: an object longer than it says")

// readObjects reads whole objects through cat-file, by id; those that are missing, damaged, of another type or larger
// than max are left out. Content is not believed but hashed. git dies of some damaged objects: it is started again
// behind each.
func (r *Repo) readObjects(ctx context.Context, kind string, ids []string, max int64) (map[string][]byte, error) {
	if r.looseFiles != nil {
		return r.looseFiles.read(ctx, ids, max)
	}
	out := make(map[string][]byte, len(ids))
	keep := func(o object) {
		if o.kind == kind && int64(len(o.content)) == o.size && o.intact {
			out[o.id] = o.content
		}
	}
	return out, r.batch(ctx, ids, limitsFor(r.options.MaxBlobs+max), func(in *bufio.Reader, ids []string) (int, error) {
		return parseBatch(in, ids, max, keep)
	}, "--batch", "--buffer")
}

// header is what cat-file says of an object before its content.
type header struct {
	kind string
	size int64 // bytes
}

// headers asks for kind and size of objects, by id; those that are missing or damaged are left out.
func (r *Repo) headers(ctx context.Context, ids []string) (map[string]header, error) {
	if r.looseFiles != nil {
		return r.looseFiles.headers(ids), nil
	}
	out := make(map[string]header, len(ids))
	return out, r.batch(ctx, ids, sandbox.Limits{Stdout: maxHeaderBytes}, func(in *bufio.Reader, ids []string) (int, error) {
		for i, id := range ids {
			line, err := readRecord(in, '\n')
			if err != nil {
				return i, err
			}
			h, err := parseHeader(string(line), id)
			if err != nil {
				return i, err
			}
			if h.kind != "missing" {
				out[id] = h
			}
		}
		return len(ids), nil
	}, "--batch-check", "--buffer")
}

// maxHeaderBytes is enough for as many ids as fit into one child's default output.
const maxHeaderBytes = 256 << 20

// batch feeds ids to cat-file and has the answers parsed. parse returns how many it got through.
func (r *Repo) batch(ctx context.Context, ids []string, limits sandbox.Limits, parse func(*bufio.Reader, []string) (int, error), args ...string) error {
	idle := 0 // deaths by a signal in a row, with nothing read between them
	for deaths, bombs := 0, 0; len(ids) > 0; deaths++ {
		n := 0
		var parseErr error
		stdin := []byte(strings.Join(ids, "\n") + "\n")
		res, err := r.git(ctx, limits, stdin, func(out io.Reader) error {
			n, parseErr = parse(buffered(out), ids)
			if errors.Is(parseErr, io.EOF) || errors.Is(parseErr, io.ErrUnexpectedEOF) {
				parseErr = nil // git died: its exit code tells
			}
			return parseErr
		}, append([]string{"cat-file"}, args...)...)
		if n == len(ids) {
			return nil
		}
		refusal, limited := errors.AsType[*sandbox.Refusal](err)
		switch {
		case errors.Is(parseErr, errLonger) && ctx.Err() == nil:
		case limited && refusal.Code == "limit_memory" && bombs < maxBombs && parseErr == nil && ctx.Err() == nil:
			bombs++
			r.note(refusal.Code, ids[n], "the object unpacks to more memory than git may have: it is not read")
		case parseErr != nil, limited, ctx.Err() != nil:
			return err
		case err == nil: // it ended without a complaint: an object is shorter than it says
		case res.Code == 0: // it was never started: that says nothing of an object
			return err
		case res.Code < 0 && n == 0:
			idle++
		default:
			idle = 0
		}
		if idle == maxIdle {
			return fmt.Errorf("reading cat-file: it was ended %d times before its first answer: %w", idle, err)
		}
		if ids = ids[n+1:]; deaths == maxDeaths && len(ids) > 0 {
			r.note("damaged_objects", "", "more than %d objects are damaged: %d behind them are not read", maxDeaths, len(ids))
			return nil
		}
	}
	return nil
}

// object is one answer of cat-file --batch.
type object struct {
	header
	id      string
	content []byte // cut at the limit
	intact  bool   // its digest is its id
}

// parseBatch reads the answers for ids, in their order, and hands each object on. It returns how many were read.
func parseBatch(in *bufio.Reader, ids []string, max int64, keep func(object)) (int, error) {
	for i, id := range ids {
		line, err := readRecord(in, '\n')
		if err != nil {
			return i, err
		}
		h, err := parseHeader(string(line), id)
		if err != nil {
			return i, err
		}
		if h.kind == "missing" {
			continue
		}
		o := object{id: id, header: h}
		if err := o.read(in, max); err != nil {
			return i, err
		}
		keep(o)
	}
	return len(ids), nil
}

// parseHeader reads "OID TYPE SIZE" or "OID missing".
func parseHeader(line, id string) (header, error) {
	f := strings.Fields(line)
	if len(f) == 2 && f[0] == id && f[1] == "missing" {
		return header{kind: "missing"}, nil
	}
	if len(f) == 3 && f[0] == id {
		if size, err := strconv.ParseInt(f[2], 10, 64); err == nil && size >= 0 {
			return header{f[1], size}, nil
		}
	}
	return header{}, fmt.Errorf("reading cat-file: unexpected answer %q", safetext.Text(line, 100))
}

// read takes the content, up to max bytes, hashes all of it, and the newline behind it.
func (o *object) read(in *bufio.Reader, max int64) error {
	h := sha1.New() //nolint:gosec // git's object ids
	if len(o.id) == 64 {
		h = sha256.New()
	}
	fmt.Fprintf(h, "%s %d\x00", o.kind, o.size) // a hash never fails
	o.content = make([]byte, min(o.size, max))
	if _, err := io.ReadFull(in, o.content); err != nil {
		return err
	}
	h.Write(o.content)
	if _, err := io.CopyN(h, in, o.size-int64(len(o.content))); err != nil {
		return err
	}
	o.intact = hex.EncodeToString(h.Sum(nil)) == o.id
	switch b, err := in.ReadByte(); {
	case err != nil:
		return io.ErrUnexpectedEOF
	case b != '\n':
		return errLonger
	}
	return nil
}
