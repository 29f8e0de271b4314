//go:build race

package trial

// raced: the race detector watches, and makes everything ten times as long.
const raced = true
