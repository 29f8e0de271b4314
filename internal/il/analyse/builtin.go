package analyse

import "strings"

// builtins are the names that a language has without an import.
var builtins = map[string]string{
	"python": ` abs all any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex copyright credits delattr
dict dir divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr hash help hex id input int isinstance
issubclass iter len license list locals map max memoryview min next object oct open ord pow print property quit range repr reversed
round set setattr slice sorted staticmethod str sum super tuple type vars zip __import__ __name__ __file__ __doc__ __package__
__spec__ __loader__ __builtins__ __debug__ __path__ __annotations__ __class__ __qualname__ __module__ __dict__ NotImplemented Ellipsis
reveal_type anext aiter StopIteration StopAsyncIteration KeyboardInterrupt SystemExit GeneratorExit ExceptionGroup BaseExceptionGroup `,
	"go": ` append cap clear close complex copy delete imag len make max min new panic print println real recover any bool byte
comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr iota `,
}

// builtin tells a name of the language itself. Of languages whose names are many
// and differ by where a program runs, any name may be one.
func builtin(language, name string) bool {
	list, known := builtins[language]
	if !known {
		return true
	}
	if language == "python" && (strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Exception") || strings.HasSuffix(name, "Warning")) {
		return true
	}
	return strings.Contains(list, " "+name+" ") || strings.Contains(list, "\n"+name+" ") || strings.Contains(list, " "+name+"\n")
}
