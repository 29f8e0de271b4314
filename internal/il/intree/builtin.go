package intree

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
)

// literalType is the builtin class of an expression whose form gives it away.
func literalType(n code.Node) string {
	switch n.Kind() {
	case "string", "concatenated_string":
		if strings.ContainsAny(n.Text()[:max(strings.IndexAny(n.Text(), `"'`), 0)], "bB") {
			return "bytes"
		}
		return "str"
	case "list", "list_comprehension":
		return "list"
	case "dictionary", "dictionary_comprehension":
		return "dict"
	case "set", "set_comprehension":
		return "set"
	case "tuple":
		return "tuple"
	case "integer":
		return "int"
	case "float":
		return "float"
	case "true", "false", "comparison_operator", "not_operator":
		return "bool"
	}
	return ""
}

// plain reports whether a symbol is only an object of a builtin class.
func (s Symbol) plain() bool {
	return s.Instance && s.External && strings.HasPrefix(s.Qualified, "builtins.")
}

// builtinClass reports whether a builtin is a class whose call makes an object
// of it.
func builtinClass(qualified string) bool {
	return slices.Contains([]string{"builtins.str", "builtins.int", "builtins.float", "builtins.bool", "builtins.list", "builtins.dict",
		"builtins.set", "builtins.tuple", "builtins.bytes", "builtins.bytearray", "builtins.frozenset", "builtins.object"}, qualified)
}

// builtinMethod is the class of what a method of a builtin class returns, ""
// when it depends on the contents.
func builtinMethod(qualified string) string {
	class, method, _ := strings.Cut(strings.TrimPrefix(qualified, "builtins."), ".")
	switch class {
	case "str":
		switch method {
		case "strip", "lstrip", "rstrip", "lower", "upper", "title", "capitalize", "casefold", "replace", "format", "join",
			"removeprefix", "removesuffix", "center", "ljust", "rjust", "zfill", "expandtabs", "swapcase", "translate":
			return "str"
		case "split", "rsplit", "splitlines":
			return "list"
		case "encode":
			return "bytes"
		case "startswith", "endswith", "isdigit", "isalpha", "isspace", "isupper", "islower", "isidentifier", "isalnum":
			return "bool"
		case "find", "rfind", "index", "rindex", "count":
			return "int"
		case "partition", "rpartition":
			return "tuple"
		}
	case "bytes":
		if method == "decode" {
			return "str"
		}
	case "list", "dict", "set":
		if method == "copy" {
			return class
		}
	}
	switch qualified {
	case "builtins.sorted":
		return "list"
	case "builtins.len", "builtins.sum", "builtins.round", "builtins.ord", "builtins.hash":
		return "int"
	case "builtins.repr", "builtins.chr", "builtins.format":
		return "str"
	case "builtins.isinstance", "builtins.any", "builtins.all", "builtins.callable", "builtins.hasattr":
		return "bool"
	}
	return ""
}

// classLike guesses by the naming convention whether an external name is a
// class.
func classLike(qualified string) bool {
	name := strings.TrimLeft(qualified[strings.LastIndexByte(qualified, '.')+1:], "_")
	return name != "" && name[0] >= 'A' && name[0] <= 'Z' && !strings.HasSuffix(name, ")") &&
		(strings.ToUpper(name) != name || len(name) == 1)
}
