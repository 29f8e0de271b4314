// Package code reads source text and answers structural questions about it:
// what is defined, imported and called, and under which conditions. Python is read
// in full; other languages are named and counted. What a name stands for and what an
// expression is worth is asked of the lowered code, by package intree.
//
// It works on bytes that were handed to it. It must not open files, must not
// run what it reads, and must not judge it: it has no notion of a rubric. Text
// is parsed by a worker (Service) because the parser is C and the text is
// hostile; everything else happens here, in pure Go, on the worker's answer.
//
// # Conventions
//
// Lines are counted from 1 and always mean the original file. Byte offsets
// mean the decoded text, in which every line end is one "\n". Paths are
// slash-separated and relative to the repository. Answers that hold several
// items are in source order: by path, then by position.
package code
