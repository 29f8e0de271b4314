package syntax

import (
	"slices"
	"strings"
)

func words(s string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		out[w] = true
	}
	return out
}

var (
	// goBuiltins are Go's predeclared names.
	goBuiltins = words(`append cap clear close complex copy delete imag len make max min new panic print println real recover
		any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr`)
	// scriptGlobals are names that a JavaScript program has without imports, in
	// browsers or servers.
	scriptGlobals = words(`eval Function fetch setTimeout setInterval setImmediate queueMicrotask require process console document window globalThis global self
		Math JSON Object Array String Number Boolean Symbol BigInt Date RegExp Error TypeError RangeError SyntaxError Promise Map Set WeakMap WeakSet Proxy Reflect
		Intl Buffer URL URLSearchParams TextEncoder TextDecoder AbortController AbortSignal WebSocket EventSource XMLHttpRequest localStorage sessionStorage
		location history navigator crypto performance atob btoa encodeURIComponent decodeURIComponent encodeURI decodeURI parseInt parseFloat isNaN isFinite
		structuredClone alert confirm prompt Worker Blob File FormData Headers Request Response module exports __dirname __filename Deno Bun WebAssembly
		Uint8Array Uint16Array Uint32Array Int8Array Int16Array Int32Array Float32Array Float64Array ArrayBuffer DataView DOMParser MutationObserver
		requestAnimationFrame cancelAnimationFrame clearTimeout clearInterval importScripts postMessage addEventListener Element HTMLElement Node Event`)
	globalObjects = words("window globalThis global self")
	// scriptTypes are TypeScript's names of what JavaScript has classes for.
	scriptTypes = map[string]string{"string": "String", "number": "Number", "boolean": "Boolean", "object": "Object", "bigint": "BigInt", "symbol": "Symbol"}
	// javaLang are classes of java.lang.
	javaLang = words(`Appendable AutoCloseable Boolean Byte CharSequence Character Class ClassLoader ClassNotFoundException Cloneable Comparable Deprecated Double Enum Error
		Exception Float FunctionalInterface IllegalArgumentException IllegalStateException IndexOutOfBoundsException Integer InterruptedException Iterable Long Math
		NullPointerException Number NumberFormatException Object Override Process ProcessBuilder Readable Record Runnable Runtime RuntimeException SafeVarargs
		SecurityException Short StackTraceElement StrictMath String StringBuffer StringBuilder SuppressWarnings System Thread ThreadGroup ThreadLocal Throwable
		UnsupportedOperationException Void ReflectiveOperationException CloneNotSupportedException ArithmeticException ArrayIndexOutOfBoundsException
		ClassCastException AssertionError OutOfMemoryError StackOverflowError LinkageError NoSuchMethodException NoSuchFieldException InstantiationException
		IllegalAccessException ProcessHandle Module Package StackWalker ThreadDeath VirtualMachineError ExceptionInInitializerError`)
	javaRoots = words("java javax jakarta org com net io System Microsoft")
	// javaKnown are classes that are often imported by whole packages.
	javaKnown = map[string]map[string]bool{
		"java.sql": words("Connection Statement PreparedStatement CallableStatement ResultSet DriverManager SQLException Date Timestamp Types"),
		"java.io": words(`File FileInputStream FileOutputStream FileReader FileWriter InputStream OutputStream IOException ObjectInputStream ObjectOutputStream BufferedReader
			BufferedWriter InputStreamReader OutputStreamWriter PrintWriter PrintStream ByteArrayInputStream ByteArrayOutputStream Serializable Closeable Reader Writer
			UncheckedIOException FileNotFoundException StringReader StringWriter RandomAccessFile`),
		"java.util": words(`List Map Set ArrayList HashMap HashSet LinkedList LinkedHashMap TreeMap Collections Arrays Random Scanner Optional UUID Objects Iterator
			Properties Collection Queue Deque ArrayDeque Date Locale StringJoiner Base64 Comparator`),
		"java.net":      words("URL URI Socket ServerSocket HttpURLConnection URLConnection URLDecoder URLEncoder InetAddress"),
		"java.nio.file": words("Path Paths Files StandardCopyOption FileSystems NoSuchFileException"),
		"java.security": words("MessageDigest SecureRandom KeyStore NoSuchAlgorithmException"),
		"javax.servlet": words("ServletException ServletRequest ServletResponse Filter FilterChain"), "jakarta.servlet": words("ServletException ServletRequest ServletResponse Filter FilterChain"),
		"javax.servlet.http":                      words("HttpServlet HttpServletRequest HttpServletResponse Cookie HttpSession"),
		"jakarta.servlet.http":                    words("HttpServlet HttpServletRequest HttpServletResponse Cookie HttpSession"),
		"javax.script":                            words("ScriptEngine ScriptEngineManager ScriptException"),
		"javax.xml.parsers":                       words("DocumentBuilderFactory DocumentBuilder SAXParserFactory SAXParser"),
		"javax.net.ssl":                           words("SSLContext TrustManager X509TrustManager HostnameVerifier HttpsURLConnection SSLSession"),
		"org.springframework.web.bind.annotation": words("RestController GetMapping PostMapping PutMapping DeleteMapping RequestMapping RequestParam PathVariable RequestBody RequestHeader"),
	}
	// rustPrelude is what every Rust file knows.
	rustPrelude = map[string]string{"String": "std.string.String", "Vec": "std.vec.Vec", "Option": "std.option.Option", "Result": "std.result.Result",
		"Box": "std.boxed.Box", "Some": "std.option.Option.Some", "None": "std.option.Option.None", "Ok": "std.result.Result.Ok", "Err": "std.result.Result.Err",
		"drop": "std.mem.drop", "str": "str", "ToString": "std.string.ToString", "Default": "std.default.Default", "Iterator": "std.iter.Iterator"}
	rustMacros = words(`println print eprintln eprint format write writeln panic todo unimplemented unreachable assert assert_eq assert_ne debug_assert
		debug_assert_eq debug_assert_ne vec matches dbg env option_env include include_str include_bytes concat stringify format_args line file column cfg compile_error`)
	// transparent are methods that give what they are called on, as far as its
	// own methods are concerned.
	transparent = words(`unwrap expect clone as_ref as_mut borrow borrow_mut unwrap_or_default unwrap_or_else to_owned lock as_deref cloned copied into_inner ok`)
)

// global is what a name means that the file does not declare: of the same
// package, of a whole module that is imported, or of the language.
func (r *resolver) global(n Node, name string) meaning {
	f := n.File()
	switch f.Language {
	case "go":
		if d := r.p.top(r.p.index().homes[r.p.Home(f)], name); d.Valid() {
			return r.declared(d)
		}
		if goBuiltins[name] {
			return meaning{full: name}
		}
	case "java", "c#":
		return r.javaGlobal(n, name)
	case "rust":
		if n.Parent().Has(Macro) && n.Role() == "callee" {
			if rustMacros[name] {
				return meaning{full: "std." + name}
			}
			return meaning{}
		}
		return meaning{full: rustPrelude[name]}
	default:
		if full, ok := scriptTypes[name]; ok && n.Is("type") {
			return meaning{full: full}
		}
		if scriptGlobals[name] {
			return meaning{full: name}
		}
	}
	return r.starred(f, name)
}

// starred is a name of a module that is imported with everything in it.
func (r *resolver) starred(f *File, name string) meaning {
	for n := range f.Root().Children() {
		if !n.Is("import") {
			continue
		}
		for b := range n.Children("bind") {
			if b.Child("of").Name() != "*" || b.Name() != "" && b.Name() != "." && b.Name() != "*" {
				continue
			}
			m := r.module(n)
			if d := r.p.top(m.files, name); d.Valid() {
				return r.declared(d)
			}
			if f.Language == "go" && len(m.files) == 0 && name != "" && name[0] >= 'A' && name[0] <= 'Z' {
				return meaning{full: m.full + "." + name}
			}
		}
	}
	return meaning{}
}

// javaGlobal is a class of the same package or of an imported one, or a member
// that a class inherits; in Java and C#.
func (r *resolver) javaGlobal(n Node, name string) meaning {
	f := n.File()
	for c := range n.Around() {
		if c.Is("class") && c.Child("base").Valid() && n.Kind() != "type" {
			if x := r.inherited(meaning{full: r.qualified(c), node: c}, name, 0); x.node.Valid() || x.value {
				return x
			}
		}
	}
	for home := r.p.Home(f); ; home = home[:max(strings.LastIndexByte(home, '.'), 0)] {
		if d := r.p.top(r.packaged(f, home), name); d.Valid() {
			return r.declared(d)
		}
		if home == "" || f.Language == "java" { // C# sees the namespaces around its own, too
			break
		}
	}
	if full := langName(f, name); full != "" {
		return meaning{full: full}
	}
	if name == "" || name[0] < 'A' || name[0] > 'Z' {
		return meaning{}
	}
	var open []string
	known := javaKnown
	if f.Language == "c#" {
		known = csharpKnown
	}
	for _, imp := range append(slices.Collect(f.Root().Children()), r.p.index().usings...) {
		pkg, ok := strings.CutSuffix(imp.Name(), ".*")
		if !imp.Is("import") || imp.File().Language != f.Language || !ok && imp.Child("bind").Child("of").Name() != "*" {
			continue
		}
		if d := r.p.top(r.packaged(f, pkg), name); d.Valid() {
			return r.declared(d)
		}
		if known[pkg][name] {
			return meaning{full: pkg + "." + name}
		}
		if f.Language == "java" && !imp.Has(Static) && known[pkg] == nil && len(r.p.index().homes[pkg]) == 0 {
			open = append(open, pkg)
		}
	}
	if len(open) == 1 {
		return meaning{full: open[0] + "." + name}
	}
	return meaning{}
}
