package agentgraph

import (
	"slices"
	"strings"
	"unicode"
)

// Profile is what the programs of one kind call the parts of their graphs.
// Workers bring material, reviewers review it, and a decider makes the outcome
// of their reviews. It is data of the one who asks about such programs: analyses
// and readers know none of its words. The zero value knows none either, so that
// nobody plays a role.
type Profile struct {
	Workers   Role         `json:"workers"`
	Reviewers Role         `json:"reviewers"`
	Decider   Role         `json:"decider"`
	Material  Product      `json:"material"` // of the workers
	Reviews   Product      `json:"reviews"`
	Outcome   outcome      `json:"outcome"`
	Choice    choice       `json:"choice"`
	LeadsOn   []string     `json:"leads_on"` // beginnings of words of nodes that only lead on
	Roles     []vocabulary `json:"roles"`    // in order of precedence
}

// Product is what the nodes of a layer make: a model, and the field of the
// state that holds many of it.
type Product struct {
	Noun     string     `json:"noun"` // for readers
	Singular string     `json:"singular"`
	Plural   string     `json:"plural"`
	Class    string     `json:"class"`  // the model's usual name
	Fields   [][]string `json:"fields"` // of the model, each under the names that people give it
}

// outcome is what the decider writes.
type outcome struct {
	Noun  string     `json:"noun"`   // for readers
	Is    [][]string `json:"is"`     // words that name it together
	MayBe []string   `json:"may_be"` // beginnings of words of what may be a part of it
}

// choice is how the argument of a Send names the reviewer that a node plays.
type choice struct {
	OfOne  []string `json:"of_one"` // words of a key
	Beside []string `json:"beside"` // words that may stand beside them
	OfAll  []string `json:"of_all"` // words of what a loop goes over
}

// vocabulary is what the words of a name say about a role.
type vocabulary struct {
	Role   Role        `json:"role"`
	Exact  []string    `json:"exact"`  // whole words
	Starts []string    `json:"starts"` // beginnings of words
	Pairs  [][2]string `json:"pairs"`  // words that say it together
	Never  []string    `json:"never"`  // beginnings of words that rule the role out
	Doers  []string    `json:"doers"`  // beginnings of words of whoever plays one of its parts; empty: any name may
	Parts  []part      `json:"parts"`  // that one node may play within it
}

// part is one of several parts of a role.
type part struct {
	Part   string   `json:"part"`
	Exact  []string `json:"exact"`
	Starts []string `json:"starts"`
	With   []string `json:"with"` // words of which the name must have one, too; empty: it needs none
}

// RoleOf reads a role from a name: RoleOther when its words say nothing,
// RoleUnknown when they speak for a worker and for the decider. A decider named
// for the material gathers it.
func (p *Profile) RoleOf(name string) Role {
	ws := Words(name)
	var fits []Role
	for _, v := range p.Roles {
		if v.fits(ws) {
			fits = append(fits, v.Role)
		}
	}
	switch {
	case len(fits) == 0:
		return RoleOther
	case fits[0] == p.Decider && slices.Contains(ws, p.Material.Noun):
		return RoleAggregator
	case fits[0] == p.Decider && slices.Contains(fits, p.Workers):
		return RoleUnknown
	default:
		return fits[0]
	}
}

func (v vocabulary) fits(ws []string) bool {
	return !begins(ws, v.Never) && (begins(ws, v.Starts) || common(ws, v.Exact) ||
		slices.ContainsFunc(v.Pairs, func(two [2]string) bool { return slices.Contains(ws, two[0]) && slices.Contains(ws, two[1]) }))
}

// PartOf returns which part of a role a name means, "" for none.
func (p *Profile) PartOf(name string, role Role) string {
	ws := Words(name)
	for _, v := range p.Roles {
		if v.Role != role || len(v.Doers) > 0 && (p.RoleOf(name) != role || !begins(ws, v.Doers)) {
			continue
		}
		for _, w := range ws {
			for _, x := range v.Parts {
				if x.means(w) && (len(x.With) == 0 || common(ws, x.With)) {
					return x.Part
				}
			}
		}
	}
	return ""
}

// PartsIn returns the parts of a role that single words of a text mean.
func (p *Profile) PartsIn(text string, role Role) []string {
	var out []string
	for _, v := range p.Roles {
		for _, x := range v.Parts {
			if v.Role == role && slices.ContainsFunc(Words(text), x.means) {
				out = append(out, x.Part)
			}
		}
	}
	return out
}

func (x part) means(word string) bool {
	return slices.Contains(x.Exact, word) || begins([]string{word}, x.Starts)
}

// PassedOn reports whether a name says that the node only leads on: nothing
// about its function makes it a worker.
func (p *Profile) PassedOn(name string) bool { return begins(Words(name), p.LeadsOn) }

// ChoosesOne reports whether a key names one reviewer, and nothing else.
func (p *Profile) ChoosesOne(key string) bool {
	ws := Words(key)
	return common(ws, p.Choice.OfOne) && !slices.ContainsFunc(ws, func(w string) bool {
		return !slices.Contains(p.Choice.OfOne, w) && !slices.Contains(p.Choice.Beside, w)
	})
}

// NamesAll reports whether a text speaks of the reviewers.
func (p *Profile) NamesAll(text string) bool { return common(Words(text), p.Choice.OfAll) }

// decides reports whether a key holds the outcome.
func (p *Profile) decides(key string) bool {
	ws := Words(key)
	return slices.ContainsFunc(p.Outcome.Is, func(all []string) bool {
		return !slices.ContainsFunc(all, func(w string) bool { return !slices.Contains(ws, w) })
	})
}

// works reports whether a role is that of one of the layers.
func (p *Profile) works(role Role) bool {
	return role == p.Workers || role == p.Reviewers || role == p.Decider
}

// after is the role of the layer that follows another.
func (p *Profile) after(role Role) Role {
	if role == p.Workers {
		return p.Reviewers
	}
	return p.Decider
}

// begins reports whether one of the words begins with one of a list.
func begins(ws, starts []string) bool {
	return slices.ContainsFunc(ws, func(w string) bool {
		return slices.ContainsFunc(starts, func(s string) bool { return strings.HasPrefix(w, s) })
	})
}

// common reports whether two lists have a word in common.
func common(ws, list []string) bool {
	return slices.ContainsFunc(ws, func(w string) bool { return slices.Contains(list, w) })
}

// Words splits a name or text into lower-case words, at everything that is no
// letter and between a small and a capital letter.
func Words(text string) []string {
	var out []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			out = append(out, strings.ToLower(string(word)))
			word = nil
		}
	}
	runes := []rune(text)
	for i, c := range runes {
		if !unicode.IsLetter(c) {
			flush()
			continue
		}
		if unicode.IsUpper(c) && i > 0 && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			flush()
		}
		word = append(word, c)
	}
	flush()
	return out
}
