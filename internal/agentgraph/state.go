package agentgraph

import "strings"

// Kind is what a state type or a model is made of, by its transitive bases.
// The zero value means that a base could not be resolved.
type Kind string

// Kinds.
const (
	KindTypedDict Kind = "TypedDict"
	KindBaseModel Kind = "BaseModel"
	KindDataclass Kind = "dataclass"
	KindDict      Kind = "dict" // state only: the builder gets dict
	KindNone      Kind = "none" // a plain class, or nothing
	KindUnknown   Kind = ""
)

// State is a state type.
type State struct {
	Kind   Kind
	Name   string  // of the class; "" when there is none
	At     Place   // the class statement, or the call of a functional form
	Source any     // its class as the reader knows it; nil for a functional form
	Fields []Field // inherited ones first
	Loose  bool    // it only looks like the state: no builder was seen to be given it
	Open   bool    // there may be fields that are not listed: a base or a splat was not resolved

	Material *Field // the field that holds what the workers bring; nil: none
	Reviews  *Field // the field that holds the reviews; nil: none
}

// Field is one field of a state type or model.
type Field struct {
	Name    string
	Type    string  // the annotation as written, without Annotated and its metadata
	Source  any     // the annotation as the reader knows it; nil when there is none
	Reducer Reducer // of a state field
	Void    bool    // of a state field: no node writes it, and runs begin with nothing in it
	At      Place
}

// ReducerKind is the kind of a Reducer.
type ReducerKind string

// Kinds of reducers.
const (
	ReducerIor     ReducerKind = "operator.ior"
	ReducerAdd     ReducerKind = "operator.add"
	ReducerCustom  ReducerKind = "custom" // any other function, lambda or channel object
	ReducerNone    ReducerKind = "none"
	ReducerUnknown ReducerKind = "" // the annotation could not be resolved
)

// Reducer is how a state field takes several updates.
type Reducer struct {
	Kind ReducerKind
	Name string // function, or "<lambda>"; for a channel object the operator in it; "" but for custom ones
	Func string // full name of what it resolves to
	// Merges: Yes when the result is made of both arguments, No when it is one
	// of them alone, so that a parallel update is lost; Unknown when the body
	// does not tell. Only for custom ones; operator functions merge.
	Merges Truth
	At     Place // the field
}

// Shallow tells a reducer that keeps one value of each key.
func (r Reducer) Shallow() bool {
	return r.Kind == ReducerIor || r.Func == "operator.or_" || r.Func == "_operator.or_"
}

// Lists tells whether the annotation of a field is a dict whose values are lists.
func (f *Field) Lists() bool {
	low := strings.ToLower(strings.ReplaceAll(f.Type, " ", ""))
	_, inside, ok := strings.Cut(low, "dict[")
	return ok && strings.Contains(inside, ",list[")
}

// Model is the class of one piece of material or one review.
type Model struct {
	Kind   Kind
	Name   string
	At     Place
	Source any // its class as the reader knows it; nil for a functional form
	Fields []Field
	Parts  []*Model // the typed models that its fields hold, two deep, by place
}

// Write says that a node writes state.
type Write struct {
	Node   string
	Key    string   // "" for Whole
	Whole  bool     // the whole state is returned: "return state", "{**state, ...}"
	Empty  bool     // what is written is empty
	List   bool     // it is a list with something in it
	Keyed  bool     // it is a map whose keys are all known
	Keys   []string // those
	Beside []string // of Whole: the keys that are set beside it
	Grows  bool     // the field of the state is added to in place
	Held   bool     // it holds what the state has under the key already
	Echoes bool     // and nothing else
	At     Place
}

// Field returns the field with a name, or nil.
func (s *State) Field(name string) *Field {
	for i := range s.Fields {
		if s.Fields[i].Name == name {
			return &s.Fields[i]
		}
	}
	return nil
}
