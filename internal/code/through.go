package code

import "slices"

// maxThrough bounds the calls that Through returns.
const maxThrough = 4096

// Through returns the calls that reach a call matching one of the globs: that
// call itself, and calls of first-party functions whose body makes it, at most
// four deep; for production code those in production code. Arguments of the latter are those of the inner call, with the
// wrapper's parameters replaced by what the outer call passes.
func (p *Program) Through(globs ...string) []*Call {
	var out []*Call
	level := p.Calls(globs...)
	out = append(out, level...)
	for range maxHops {
		var next []*Call
		for _, inner := range level {
			next = append(next, p.wrapped(inner)...)
			if len(out)+len(next) > maxThrough {
				break
			}
		}
		out = append(out, next...)
		level = next
	}
	slices.SortStableFunc(out, func(a, b *Call) int { return a.Node.before(b.Node) })
	return out
}

// wrapped lists the calls of the function that makes a call.
func (p *Program) wrapped(inner *Call) []*Call {
	fn := inner.Func
	for fn != nil && fn.Kind == DefLambda {
		fn = fn.Parent
	}
	if fn == nil || !fn.IsFunction() || slices.Contains(inner.Via, fn) {
		return nil
	}
	var out []*Call
	for _, site := range p.Callers(fn) {
		if site.Func == fn || !fills(site.Node, fn) {
			continue
		}
		c := &Call{Node: site.Node, Callee: inner.Callee, Others: inner.Others, Receiver: inner.Receiver, Name: inner.Name,
			Func: site.Func, Via: append([]*Definition{fn}, inner.Via...), Inner: inner}
		if inner.Inner != nil {
			c.Inner = inner.Inner
		}
		for _, a := range inner.Args {
			c.Args = append(c.Args, p.carried(a, fn, site)...)
		}
		out = append(out, c)
	}
	return out
}

// carried replaces a parameter of the wrapper by what the outer call passes;
// *args and **kwargs by the arguments that no other parameter takes.
func (p *Program) carried(a Argument, fn *Definition, site *Call) []Argument {
	value := a.Value.Unparen()
	if !value.Is("identifier") {
		return []Argument{a}
	}
	bs, scope := p.lookup(value.Text(), value)
	if scope != fn || len(bs) != 1 || bs[0].kind != bindParam {
		return []Argument{a}
	}
	position, param, _ := fn.param(value.Text())
	q := p.query()
	if param.Star > 0 {
		return p.rest(param, position, fn, site)
	}
	shift := q.shift(fn, site.function())
	pos := position - shift
	if param.Keyword {
		pos = -1
	}
	if arg := pick(site.Args, param.Name, pos); arg.Valid() && position >= shift {
		a.Value = arg
	} else if param.Default.Valid() && !site.Splat() {
		a.Value = param.Default
	}
	return []Argument{a}
}

// rest lists the arguments that go into *args or **kwargs.
func (p *Program) rest(param Param, position int, fn *Definition, site *Call) []Argument {
	var out []Argument
	i := p.query().shift(fn, site.function())
	for _, a := range site.Args {
		if a.Name == "" && a.Star != 2 {
			if param.Star == 1 && (i >= position || a.Star == 1) {
				out = append(out, a)
			}
			i++
			continue
		}
		_, _, named := fn.param(a.Name)
		if param.Star == 2 && (a.Star == 2 || !named) {
			out = append(out, a)
		}
	}
	return out
}
