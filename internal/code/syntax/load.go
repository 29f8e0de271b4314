package syntax

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// Bounds on what is read of one repository. Beyond them files are listed and
// not read: production code comes first, then tests, then the rest, by path.
// The largest of the projects that were measured has 52 MB in one language.
const (
	maxTotal = 64 << 20   // bytes of source
	maxAll   = 16_000_000 // nodes
)

// Program is the code of one repository in the languages that are read here.
// It is safe for concurrent readers.
type Program struct {
	Files []*File // by path; vendored and generated ones are left out

	byPath map[string]*File
	roots  []string        // of projects: folders with a manifest
	paths  map[string]bool // all files of the repository
	texts  map[string][]byte
	left   map[[2]string]bool // folders and languages of files that were left out

	namesOnce   sync.Once
	names       map[*File]string // of the modules and packages of files
	modulesOnce sync.Once
	linked      *modules
}

// Load reads the files among files that are of a language that can be read,
// concurrently, each once. A file that cannot be read has a Reason; the error
// is only ever the context's.
func Load(ctx context.Context, parser code.Parser, layout *code.Layout, files []code.File) (*Program, error) {
	p := &Program{byPath: map[string]*File{}, paths: map[string]bool{}, texts: map[string][]byte{}, left: map[[2]string]bool{}}
	var order []*File
	for _, f := range files {
		p.paths[f.Path] = true
		scope := layout.Scope(f.Path)
		if declares(f.Path) && scope != code.ScopeVendor {
			p.texts[f.Path] = f.Bytes
			p.roots = append(p.roots, path.Dir(f.Path))
		}
		if number(f) < 0 || f.Language() == "python" || scope == code.ScopeVendor || scope == code.ScopeGenerated {
			p.left[[2]string{path.Dir(f.Path), string(f.Language())}] = true
			continue
		}
		file := newFile(f, scope)
		p.Files, p.byPath[f.Path] = append(p.Files, file), file
		if file.Reason == "" {
			order = append(order, file)
		}
	}
	slices.SortFunc(p.Files, func(a, b *File) int { return strings.Compare(a.Path, b.Path) })
	slices.SortFunc(order, func(a, b *File) int {
		return cmp.Or(cmp.Compare(rank(a.Scope), rank(b.Scope)), strings.Compare(a.Path, b.Path))
	})
	return p, p.readAll(ctx, parser, within(order))
}

// File is the file at path, or nil.
func (p *Program) File(path string) *File { return p.byPath[path] }

// Partial tells a file in whose folder others of its language were left out.
func (p *Program) Partial(f *File) bool {
	return p.left[[2]string{path.Dir(f.Path), string(f.Language)}]
}

// Asked is the part of the program in the languages that every probe knows. C#
// is read and lowered, but a probe that knows nothing of it must not say that
// it found nothing there.
func (p *Program) Asked() *Program {
	out := &Program{byPath: map[string]*File{}, roots: p.roots, paths: p.paths, texts: p.texts, left: p.left}
	for _, f := range p.Files {
		if f.Language != "c#" {
			out.Files, out.byPath[f.Path] = append(out.Files, f), f
		}
	}
	return out
}

// rank puts what decides most first.
func rank(s code.Scope) int {
	if s == code.ScopeProduction {
		return 0
	}
	if s == code.ScopeTest {
		return 1
	}
	return 2
}

// declares tells a file that says what a project is called or depends on.
func declares(p string) bool {
	switch path.Base(p) {
	case "go.mod", "package.json", "jsconfig.json", "Cargo.toml", "pom.xml", "build.gradle", "build.gradle.kts":
		return true
	}
	return strings.HasPrefix(path.Base(p), "tsconfig") && path.Ext(p) == ".json"
}

// number is the number of the reader of a file, -1 where there is none.
func number(f code.File) int {
	language := string(f.Language())
	if ext := strings.ToLower(path.Ext(f.Path)); ext == ".tsx" {
		language = "tsx"
	}
	return slices.IndexFunc(readers, func(r reader) bool { return r.language == language })
}

func newFile(f code.File, scope code.Scope) *File {
	file := &File{Path: f.Path, Language: f.Language(), Scope: scope, Bytes: len(f.Bytes)}
	switch {
	case f.Bytes == nil:
		file.Reason = "its content was not read"
	case len(f.Bytes) > maxSource:
		file.Reason = fmt.Sprintf("larger than %d bytes", maxSource)
	default:
		text, _ := f.Text()
		file.set(text)
	}
	return file
}

func (f *File) set(text string) {
	f.text, f.lines = text, append(make([]uint32, 0, strings.Count(text, "\n")+1), 0)
	for i := range len(text) {
		if text[i] == '\n' {
			f.lines = append(f.lines, uint32(i+1))
		}
	}
}

// within are the files that there is room for.
func within(order []*File) []*File {
	total := 0
	for i, f := range order {
		if total += f.Bytes; total > maxTotal {
			for _, f := range order[i:] {
				f.Reason = fmt.Sprintf("not tried: the files before it have %d MiB", maxTotal>>20)
			}
			return order[:i]
		}
	}
	return order
}

func (p *Program) readAll(ctx context.Context, parser code.Parser, order []*File) error {
	var nodes atomic.Int64
	errs := code.NewAllowance().Each(ctx, len(order), func(at int) (int, error) {
		err := order[at].read(ctx, parser)
		nodes.Add(int64(len(order[at].nodes)))
		if w, ok := errors.AsType[*sandbox.WorkerError](err); err != nil && (!ok || w.Reason == sandbox.Failed) {
			order[at].Reason = err.Error()
			return 0, nil // what cannot be read costs no process
		}
		return order[at].Bytes, err
	})
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("loading program: %w", err)
	}
	for at, err := range errs {
		if err != nil {
			order[at].giveUp(err.Error())
		}
	}
	if nodes.Load() > maxAll {
		shed(order)
	}
	return nil
}

// shed gives up the trees for which there is no room, the last ones first, the
// same whatever was read first.
func shed(order []*File) {
	total := 0
	for _, f := range order {
		if total += len(f.nodes); total > maxAll {
			f.giveUp(fmt.Sprintf("not kept: the files before it have %d nodes", maxAll))
		}
	}
}

func (f *File) giveUp(reason string) {
	f.nodes, f.names, f.comments, f.Parsed, f.Examined, f.Reason = nil, nil, nil, false, 0, reason
}

// Read reads one decoded text in a worker that runs Service, in the language of its path.
func Read(ctx context.Context, parser code.Parser, path, text string) (*File, error) {
	f := &File{Path: path, Language: code.File{Path: path}.Language(), Bytes: len(text)}
	if number(code.File{Path: path}) < 0 || len(text) > maxSource {
		return nil, fmt.Errorf("parsing %s: no language that is read, or larger than %d bytes", path, maxSource)
	}
	f.set(text)
	return f, f.read(ctx, parser)
}

func (f *File) read(ctx context.Context, parser code.Parser) error {
	number := number(code.File{Path: f.Path})
	answer, err := parser.Do(ctx, append([]byte{byte(number)}, f.text...))
	if err != nil {
		return err
	}
	return f.fill(answer)
}
