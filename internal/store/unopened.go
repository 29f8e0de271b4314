package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// ClearUnopened removes what runs of a case left behind that died before its
// repository was open. They had an id without a commit, and what they heard
// counts for no commit. What another run holds stays.
func (s *Shelf) ClearUnopened(ctx context.Context, id string) error {
	base := SafeName(id)
	found, err := fs.Glob(s.root.FS(), ".automaton-"+base+"*.build")
	if err != nil {
		return fmt.Errorf("tidying %q: %w", s.dir, err)
	}
	for _, build := range found {
		name := strings.TrimSuffix(strings.TrimPrefix(build, ".automaton-"), ".build")
		if number, numbered := strings.CutPrefix(name, base+"."); name != base && (!numbered || strings.Trim(number, "0123456789") != "") {
			continue // of another case
		}
		if err := s.clear(ctx, name, build); err != nil && !errors.Is(err, ErrBusy) {
			return fmt.Errorf("removing what a run left in %q: %w", s.dir, cause(err))
		}
	}
	return nil
}

func (s *Shelf) clear(ctx context.Context, name, build string) error {
	l, err := s.lock(ctx, name, false)
	if err != nil {
		return err
	}
	f := &Folder{shelf: s, lock: l, name: name, build: build}
	info, err := s.root.Lstat(build)
	switch {
	case err != nil:
		err = removeIfThere(err)
	case info.IsDir():
		err = f.discard(build)
	default: // what is not a folder there was not left by us
		err = s.root.Remove(build)
	}
	return both(err, l.Close())
}
