package syntax

// Kind says what a node is. Text of names is as in the source unless said
// otherwise; a role in brackets is optional, one with a star may be repeated.
//
// Declarations
//
//	file      the root. Children: anything, role "".
//	package   Name: Go's package, Java's package ("a.b"), the namespace of a whole file of C#.
//	import    Name: what is imported from, as written without quotes: "os/exec",
//	          "node:fs", "./util", "java.util.List", "std::process::Command".
//	          Children "bind"*. Flags Dynamic, TypeOnly, Reexport, Static.
//	          require("x") and import("x") are imports, too, with the call in the
//	          role value: as const x = require("m") they stand for the declaration
//	          and have the binds, elsewhere they stand where the call stands.
//	          Rust's "mod x;" has the name "self::x" and the flag Module.
//	bind      Name: the local name; [of]: a name node with the name on the other
//	          side, "*" for all of them; the local name is "*" then, too (Go: "."),
//	          and the import is named without it. No "of": the module itself, or,
//	          in Java and Rust, the last part of the import's name. JavaScript's
//	          default export is called "default". In a re-export, and in the other
//	          "export_statement" of export {a as b} and export default a, Name is
//	          what others see.
//	func      Name ("" for a lambda). Roles: decorator*, [receiver] (a param),
//	          param*, result* (type), body (a block, or the expression of an arrow).
//	          Flags Exported, Test, Method, Lambda, Async, Static, Abstract (no
//	          body), Unsafe, Getter, Constructor, Documented.
//	          A lambda that is the callback of it or test has Test.
//	param     Name; decorator*, [type], [value] (the default). A pattern has no
//	          name and a role "pattern": a record or a list; the names that it declares have
//	          the flag Declare, a default is a binary "=". Detail: "..." for the
//	          rest, "?" optional. Field: a parameter that is a field, too.
//	class     Name. A class, struct, interface, enum, trait, record, alias, or
//	          Rust's impl and "mod x { }", and any other namespace of C# (flag Module). Detail says which. Roles: decorator*, base* (type),
//	          [of] (impl only: the trait), member*. Exported, Documented, Abstract.
//	assign    Declarations and assignments of variables, fields, constants.
//	          Roles: target* (name, member, index, pattern), [type], [value]*,
//	          decorator*. Name: the single declared name or "". Detail: "=", "+=",
//	          ":=" ... Flags Declare, Constant, Field, Exported, Static, Documented.
//	          Patterns are as those of a param. JavaScript's "export default
//	          EXPRESSION" is a declaration of "default".
//	decorator Name: "Test", "derive", "app.get"; Children: arg* as of a call.
//	type      Name: the type as written, white space folded, at most 200 bytes.
//	          Detail: the name that Go gives a result. Role [value]*: a lambda in
//	          one of Python's, which runs where the type stands.
//
// Statements
//
//	block     Children: statements, role "". Flags Unsafe; Static, Async. As a member
//	          of a class: Java's initialisers. A statement that is only
//	          an expression stands as the expression itself.
//	if        Roles [init], cond, then, [else].
//	loop      Roles [init]*, [cond], [target], [type] (of the target), [over], [step]*, body. No cond and no
//	          over: endless. Detail: "for", "while", "do", "each", "loop".
//	switch    Roles [init], [subject], case*. Detail: "switch", "match", "select".
//	case      Roles match* (none: the default), [cond] (a guard), body.
//	try       Roles resource* (Java, C#'s using), body, catch*, [finally].
//	catch     Roles [target] (name), type*, body.
//	return, throw, break, continue   Role [value]*. Java's yield is a break.
//	defer, spawn   Role value (Go's defer and go).
//
// Expressions
//
//	name      Name. "this", "self", "super" are names.
//	member    Name: the member; role object. a?.b has the flag Optional. Rust's
//	          paths are members: std::fs::read is read of fs of std. Detail "::":
//	          Java's method references and class literals, which call nothing.
//	index     Roles object, [index]*.
//	call      Roles callee, [type]* (type arguments), arg*, [body] (Java: the
//	          class, without a name, that follows new T()); a Java method call's
//	          callee is a member. Flags New (new T(), T is the callee), Macro
//	          (Rust's println!), Optional.
//	          Arguments that are named have the flag Keyword and Name.
//	string    Name: the value, escapes resolved, at most 4 KiB. Constant text.
//	template  Text with expressions inside, tagged or not. Children: string and
//	          expressions in order, role "". Rust's format! is a call. A tagged
//	          one has the Detail "tagged" and the tag in the role callee: what it
//	          makes of the text is the tag's affair.
//	number, bool, nil, regexp   Name: as written.
//	binary    Detail: the operator; roles left, right.
//	unary     Detail: the operator ("!", "-", "&", "*", "await", "typeof", "..."
//	          for spread, "?" for Rust's, "++" ...); role value.
//	ternary   Roles cond, then, else.
//	list      Array, slice, tuple, vec![]: children, role "". [type].
//	          A pattern that looks into a value is a list or a record, never a call.
//	record    Object, map or struct literal: children entry, or unary "...";
//	          [type].
//	entry     Name: the key where it is constant; roles [key], value.
//	cast      Role value, [type]. Conversions, "as", type assertions.
//	element   JSX: Name: the tag; [callee]: a component; children entry* and the
//	          rest in order.
//	other     What has no word here; its children are kept. Detail: the grammar's
//	          own word.
//	broken    Text that could not be parsed.
type Kind string

// Flags of a node.
type Flags uint32

// The flags.
const (
	Exported    Flags = 1 << iota // may be used from outside its package or module
	Test                          // a test case, or anything inside Rust's #[cfg(test)]
	Method                        // of a class, or with a receiver
	Lambda                        // has no name of its own
	Async                         // async function; Go's and Rust's as written
	Static                        // belongs to the class, not to a value
	Abstract                      // has no body on purpose
	Unsafe                        // Rust's unsafe
	Getter                        // a property that runs code
	Constructor                   // makes a value of its class
	Documented                    // a comment stands directly before it that documents it
	Declare                       // the assignment declares its targets
	Constant                      // cannot be assigned again
	Field                         // of a class
	Dynamic                       // an import that runs where it stands, inside a function or as an expression
	TypeOnly                      // an import of types alone
	Reexport                      // what it imports is handed on
	Module                        // Rust's mod x;
	New                           // a call that makes a value
	Macro                         // a call of a macro
	Optional                      // a?.b
	Keyword                       // a named argument
	Broken                        // something inside could not be parsed
	Support                       // with Test: a function among tests that is no test case itself
)

// kinds are all kinds, in the order of their numbers in an answer.
var kinds = []Kind{"file", "package", "import", "bind", "func", "param", "class", "assign", "decorator", "type",
	"block", "if", "loop", "switch", "case", "try", "catch", "return", "throw", "break", "continue", "defer", "spawn",
	"name", "member", "index", "call", "string", "template", "number", "bool", "nil", "regexp", "binary", "unary",
	"ternary", "list", "record", "entry", "cast", "element", "other", "broken"}

// roles are all roles, in the order of their numbers in an answer.
var roles = []string{"", "of", "decorator", "receiver", "param", "result", "body", "value", "pattern", "base", "member",
	"target", "type", "init", "cond", "then", "else", "over", "step", "subject", "case", "match", "resource", "catch",
	"finally", "object", "index", "callee", "arg", "left", "right", "key", "bind"}
