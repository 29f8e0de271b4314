// Package quality holds the probes of how code is written, in any project: what
// happens to errors, resources, types and comments, and how functions and
// modules hang together. Python, Go, JavaScript, TypeScript, Java and Rust are
// read; of code in other languages these probes say that they do not know. They
// must not say what a good program does, nor judge.
package quality
