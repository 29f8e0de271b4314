package cli

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/automaton-auditor/automaton/internal/figure"
	"github.com/automaton-auditor/automaton/internal/store"
)

// gallery keeps the pictures that a model is shown, so that people can look at
// what it saw.
type gallery struct {
	figure.Looker
	mu   sync.Mutex
	seen map[string][]byte // by digest
}

// Look keeps the picture and shows it.
func (g *gallery) Look(ctx context.Context, p figure.Picture) (figure.Drawn, error) {
	g.mu.Lock()
	g.seen[p.Digest] = bytes.Clone(p.PNG)
	g.mu.Unlock()
	return g.Looker.Look(ctx, p)
}

// hang puts the pictures into the case's folder, by digest. A nil gallery has
// none.
func (g *gallery) hang(folder *store.Folder) error {
	if g == nil {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, digest := range slices.Sorted(maps.Keys(g.seen)) {
		if err := folder.Add("figure-"+digest[:min(len(digest), 16)]+".png", g.seen[digest]); err != nil {
			return err
		}
	}
	return nil
}
