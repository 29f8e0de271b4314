package analyse

import "github.com/automaton-auditor/automaton/internal/il"

// change hands a value on to every version that may see the object it was put
// into, but those that come of the change itself: these are followed, and may have
// the key set anew. After two changes of one object and key all that may see them
// have, so that the work stays linear.
func (k *walk) change(object il.Operand, changed int32, p path, t *trail) {
	if object.Kind == il.Free {
		k.out.lose("a name of a scope around")
	}
	if object.Kind != il.Local {
		return
	}
	all := k.aliases[k.f]
	if all == nil {
		all = aliasesOf(k.f)
		k.aliases[k.f] = all
	}
	told := at{local(all.find(2 * object.ID)), p}
	if k.spread[told]++; k.spread[told] > 3 {
		return
	}
	var own map[int32]bool
	if k.spread[told] < 3 {
		own = k.versionsOf(changed)
	}
	maybe := *t
	maybe.sure = false
	root := k.object(object)
	for _, id := range all.see(object.ID) {
		if !own[id] {
			k.reach(at{local(id), p}, &maybe)
		}
		if i := k.f.Versions[id].Param; i >= 0 {
			way := &maybe
			if id == root {
				way = t
			}
			if s := (spot{i, p}); way.better(k.out.into[s]) {
				k.out.into[s] = way
			}
		}
	}
}

// object is the version in which an object was before it was changed.
func (k *walk) object(o il.Operand) int32 {
	for {
		o = k.f.Root(o)
		def := k.f.Def(o)
		if def == nil || def.Op != il.Set || def.Args[0].Kind != il.Local {
			return o.ID
		}
		o = def.Args[0]
	}
}

// versionsOf are the versions of an object that come of one of them.
func (k *walk) versionsOf(id int32) map[int32]bool {
	found := map[int32]bool{}
	for work := []int32{id}; len(work) > 0; {
		id := work[len(work)-1]
		work = work[:len(work)-1]
		if id == il.NoDst || found[id] {
			continue
		}
		found[id] = true
		for _, in := range k.f.Versions[id].Uses {
			k.Work++
			if in.Op == il.Phi || in.Op == il.Assume || (in.Op == il.Bind && in.Kind == "" || in.Op == il.Set) && in.Args[0].Is(id) {
				work = append(work, in.Dst)
			}
		}
	}
	return found
}
