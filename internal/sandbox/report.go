package sandbox

import (
	"cmp"
	"slices"
	"strconv"
	"sync"

	"github.com/automaton-auditor/automaton/internal/safetext"
)

// Report says what was in force for the children and workers that a Box started.
type Report struct {
	// Layers in force for all of them: env, flags, rlimits, pgroup, uid, ns, landlock:ABI, seccomp, worker. The uid layer
	// is for root alone: another user has no privileges to drop, and is neither with nor without it.
	Layers []string `json:"layers"`
	// Missing are the layers that at least one child went without.
	Missing []Missing `json:"missing,omitempty"`
	Git     string    `json:"git,omitempty"` // git's version, once it is known
	// Egress is the proxy's log: "ALLOW|DENY host:port reason", each line once, at most 200.
	Egress []string `json:"egress,omitempty"`
	// Programs and Workers are how many of each were started: they cost more than most of what they do. What a person
	// is shown does not depend on it.
	Programs int `json:"-"`
	Workers  int `json:"-"`
	// Cache says why the cache of Options.CacheDir was not used; empty: it was, or nobody needed it.
	Cache string `json:"cache,omitempty"`
}

// Missing is one layer that was not in force, and why.
type Missing struct {
	Layer  string `json:"layer"`
	Reason string `json:"reason"`
}

// Report says which layers were in force for everything that was started so far; before that, Layers is empty.
func (b *Box) Report() Report {
	b.cached.mu.Lock()
	broken := b.cached.broken
	b.cached.mu.Unlock()
	b.record.mu.Lock()
	defer b.record.mu.Unlock()
	return Report{
		Cache:    cacheGap(broken),
		Layers:   b.record.layers(),
		Missing:  b.record.gaps(),
		Programs: b.record.programs,
		Workers:  b.record.workers,
		Git:      b.record.git,
		Egress:   slices.Clone(b.record.egress),
	}
}

func cacheGap(why error) string {
	if why == nil {
		return ""
	}
	return safetext.Text(why.Error(), 300)
}

const maxEgress = 200

// record gathers what Report says.
type record struct {
	mu       sync.Mutex
	programs int
	workers  int
	abi      int // Landlock's
	have     map[string]bool
	missing  map[string]string // layer → first reason
	git      string
	egress   []string
}

func newRecord() *record {
	c := &record{have: map[string]bool{}, missing: map[string]string{}}
	for _, m := range absent() {
		c.missing[m.Layer] = m.Reason
	}
	return c
}

// start notes the layers of one child.
func (c *record) start(r rung, rep reply, missing []Missing, worker bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if worker {
		c.workers++
	} else {
		c.programs++
	}
	c.abi = max(c.abi, rep.Landlock)
	c.have["uid"] = c.have["uid"] || r.uid
	c.have["ns"] = c.have["ns"] || r.ns
	c.have["seccomp"] = c.have["seccomp"] || rep.Seccomp
	for _, m := range append(missing, rep.gaps(r)...) {
		if _, known := c.missing[m.Layer]; !known {
			c.missing[m.Layer] = safetext.Text(m.Reason, 200)
		}
	}
}

// gaps are the layers that the child tried and did not get.
func (r reply) gaps(tried rung) []Missing {
	var out []Missing
	if tried.landlock && r.Landlock == 0 {
		out = append(out, Missing{"landlock", r.LandlockWhy})
	}
	if tried.seccomp && !r.Seccomp {
		out = append(out, Missing{"seccomp", r.SeccompWhy})
	}
	return out
}

// lacks tells whether a layer was ever missing.
func (c *record) lacks(layer string) bool {
	_, missing := c.missing[layer]
	return missing
}

func (c *record) layers() []string {
	if c.programs+c.workers == 0 {
		return nil
	}
	out := []string{"env", "flags", "rlimits", "pgroup"}
	for _, name := range []string{"uid", "ns"} {
		if c.have[name] && !c.lacks(name) {
			out = append(out, name)
		}
	}
	if c.abi > 0 && !c.lacks("landlock") {
		out = append(out, "landlock:"+strconv.Itoa(c.abi))
	}
	if c.have["seccomp"] && !c.lacks("seccomp") {
		out = append(out, "seccomp")
	}
	if c.workers > 0 && !c.unlocked() {
		out = append(out, "worker")
	}
	return out
}

// unlocked: without either, a worker is only a process of its own.
func (c *record) unlocked() bool { return c.lacks("landlock") && c.lacks("seccomp") }

func (c *record) gaps() []Missing {
	var out []Missing
	for layer, reason := range c.missing {
		out = append(out, Missing{layer, reason})
	}
	if c.workers > 0 && c.unlocked() {
		out = append(out, Missing{"worker", "neither landlock nor seccomp"})
	}
	slices.SortFunc(out, func(a, b Missing) int { return cmp.Compare(a.Layer, b.Layer) })
	return out
}

// note adds a line to the proxy's log.
func (c *record) note(line string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	line = safetext.Text(line, 300)
	if len(c.egress) < maxEgress && !slices.Contains(c.egress, line) {
		c.egress = append(c.egress, line)
	}
}
