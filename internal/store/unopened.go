package store

import (
	"context"
	"errors"
	"io/fs"
	"strings"
)

// shortCommit is how many digits of the commit end the id of a case.
const shortCommit = 7

// clearUnopened removes what runs of a case left behind that died before its
// repository was open: their build folders have the id without the commit, and
// what they heard counts for no commit. What another run holds stays.
func (s *Shelf) clearUnopened(ctx context.Context, id, commit string) error {
	if len(commit) < shortCommit {
		return nil
	}
	base, ok := strings.CutSuffix(id, "-"+commit[:shortCommit])
	if !ok {
		return nil
	}
	base = SafeName(base)
	found, err := fs.Glob(s.root.FS(), ".automaton-"+base+"*.build")
	if err != nil {
		return err
	}
	for _, build := range found {
		name := strings.TrimSuffix(strings.TrimPrefix(build, ".automaton-"), ".build")
		if number, numbered := strings.CutPrefix(name, base+"."); name != base && (!numbered || strings.Trim(number, "0123456789") != "") {
			continue // of another case
		}
		if err := s.clear(ctx, name, build); err != nil && !errors.Is(err, ErrBusy) {
			return err
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
	default: // what is no folder there was not left by us
		err = s.root.Remove(build)
	}
	return both(err, l.Close())
}
