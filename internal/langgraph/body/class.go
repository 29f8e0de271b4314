package body

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/il"
)

// maxBases bounds how far up the bases of classes are asked.
const maxBases = 8

// Kind says what the objects of a class, by its body, are; open says that a base is not
// known or that they take further keys.
func (b Bodies) Kind(class *il.Function) (kind agentgraph.Kind, open bool) {
	above := b.above(class, 0)
	open = slices.Contains(above, "")
	is := func(name string, packages ...string) bool {
		return slices.ContainsFunc(above, func(full string) bool {
			return strings.HasSuffix(full, name) && slices.ContainsFunc(packages, func(p string) bool { return strings.HasPrefix(full, p) })
		})
	}
	switch {
	case is("MessagesState", "langgraph."):
		return agentgraph.KindTypedDict, true
	case is(".TypedDict", "typing.", "typing_extensions."):
		return agentgraph.KindTypedDict, open
	case is(".BaseModel", "pydantic."), is("SQLModel", "sqlmodel."), is("BaseSettings", "pydantic_settings."):
		return agentgraph.KindBaseModel, open
	case b.dataclass(class):
		return agentgraph.KindDataclass, open
	case is(".dict", "builtins."), is(".UserDict", "collections."):
		return agentgraph.KindDict, open
	case slices.ContainsFunc(above, func(full string) bool {
		return !slices.ContainsFunc(plain, func(p string) bool { return strings.HasPrefix(full, p) })
	}):
		return agentgraph.KindUnknown, true
	default:
		return agentgraph.KindNone, false
	}
}

// plain are packages whose classes give a class below them no fields.
var plain = []string{"builtins.", "typing.", "abc.", "enum.", "collections.", "langgraph.", "langchain"}

// above are the full names of the classes outside of the program that a class comes from;
// "" for one that is not known.
func (b Bodies) above(class *il.Function, depth int) (out []string) {
	if b.Names.Class(class) == nil || depth > maxBases {
		return []string{""}
	}
	for i, s := range b.Names.Bases(class) {
		switch full, own := s.Full(); {
		case own != nil:
			out = append(out, b.above(own, depth+1)...)
		case full != "":
			out = append(out, full)
		default: // one of those that it is imported as
			for _, at := range b.Names.Bound(class, b.Names.Class(class).Bases[i]) {
				if in := at.Function.Def(at.Function.Root(at.Value())); in != nil && in.Op == il.Import {
					full, _ = b.Names.Imported(at.Function.Module, in).Full()
				}
			}
			out = append(out, full)
		}
	}
	return out
}

// recorders are decorators that make records of classes.
var recorders = []string{"dataclasses.dataclass", "pydantic.dataclasses.dataclass", "attr.s", "attr.attrs",
	"attr.define", "attrs.define", "attrs.frozen", "attrs.mutable"}

// dataclass tells a class that a decorator makes a record.
func (b Bodies) dataclass(class *il.Function) bool {
	if class == nil || class.Outer == nil {
		return false
	}
	made := map[il.Operand]bool{}
	for _, in := range class.Outer.Instructions() {
		decorates := in.Op == il.Call && in.Mode == il.Decorate && len(in.Args) > 1 && made[in.Args[1]]
		if decorates {
			if name, _ := b.Names.Called(class.Outer, in); slices.Contains(recorders, name) {
				return true
			}
		}
		made[il.Operand{Kind: il.Local, ID: in.Dst}] = decorates || in.Op == il.Define && in.Ref == class
	}
	return false
}
