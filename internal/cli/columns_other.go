//go:build !unix

package cli

import "io"

// columns asks a terminal how wide it is; 0: it is none, or does not know.
func columns(io.Writer) int { return 0 }
