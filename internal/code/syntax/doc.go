// Package syntax reads Go, JavaScript, TypeScript, Java, Rust, Python and C# into one kind
// of tree, so that a question about code is asked once and not once a
// language. A reader (read_LANGUAGE.go) turns a file into nodes of the
// vocabulary in vocabulary.go; everything else in this package and above it
// knows only that vocabulary. Files are read in sandboxed workers. The package
// knows no courts and no faults of anybody: it tells what is written, and which files
// an import means. What a name stands for is asked of the intermediate language.
package syntax
