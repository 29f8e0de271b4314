package lower

// language is what a lowering has to know of a language beyond its tree.
type language struct {
	whole    bool            // a variable is known in its whole function, wherever it is bound
	captures bool            // a bare name in a pattern of match binds
	patterns bool            // a case may be a pattern that binds names, not only a value or a type
	asserts  bool            // assertions run
	falls    bool            // a case goes on in the next one
	values   bool            // if, match and blocks have values
	suffixes []string        // of numbers
	adds     map[string]bool // methods of the language's containers that put their last argument in
	exits    map[string]bool // calls that end the program
	raises   map[string]bool // calls that leave by an exception
	address  string          // the operator that lets others bind a variable
	receiver string          // the name of the object in its methods; "" where a parameter has it
	hands    bool            // what a module hands out may have other names there
	flows    bool            // what a condition binds is known behind its if, too
	// conditional is what parts of a function begin with that are not always built.
	conditional string
	everybody   bool // a class body's names are seen by their bare names in its methods
}

func set(names ...string) map[string]bool {
	out := map[string]bool{}
	for _, n := range names {
		out[n] = true
	}
	return out
}

// languageOf is the row of a language.
func languageOf(name string) language {
	switch name {
	case "python":
		return language{whole: true, captures: true, patterns: true, asserts: true, suffixes: []string{"j"},
			adds:  set("append", "add", "extend", "insert", "update", "setdefault", "appendleft", "put", "put_nowait"),
			exits: set("sys.exit", "exit", "quit", "os._exit", "os.abort")}
	case "go":
		return language{address: "&", exits: set("os.Exit", "log.Fatal", "log.Fatalf", "log.Fatalln"), raises: set("panic", "log.Panic", "log.Panicf")}
	case "javascript", "typescript":
		return language{falls: true, hands: true, suffixes: []string{"n"}, receiver: "this",
			adds:  set("push", "unshift", "add", "set", "append", "splice"),
			exits: set("process.exit", "process.abort", "Deno.exit")}
	case "java":
		return language{falls: true, patterns: true, suffixes: []string{"l", "f", "d"}, receiver: "this", everybody: true, flows: true,
			adds:  set("add", "put", "append", "addAll", "putAll", "push", "offer", "putIfAbsent", "set", "addFirst", "addLast"),
			exits: set("System.exit", "Runtime.getRuntime().exit", "Runtime.getRuntime().halt")}
	case "c#":
		return language{conditional: "#if", patterns: true, suffixes: []string{"ul", "lu", "u", "l", "d"}, receiver: "this", everybody: true, address: "ref", flows: true,
			adds:  set("Add", "AddRange", "Append", "Enqueue", "Push", "Insert", "TryAdd", "UnionWith", "AddFirst", "AddLast"),
			exits: set("Environment.Exit", "Environment.FailFast")}
	case "rust":
		return language{conditional: "#[cfg", captures: true, patterns: true, asserts: true, values: true, address: "&mut", suffixes: []string{"usize", "isize", "u128", "i128", "u64", "i64", "u32", "i32", "u16", "i16", "u8", "i8", "f64", "f32"},
			adds:   set("push", "insert", "extend", "push_str", "push_back", "append"),
			exits:  set("std.process.exit", "process.exit", "exit", "std.process.abort"),
			raises: set("panic!", "unreachable!", "todo!", "unimplemented!")}
	}
	return language{}
}
