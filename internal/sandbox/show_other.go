//go:build !unix

package sandbox

import "syscall"

// apart: here a browser is on its own anyway.
func apart() *syscall.SysProcAttr { return nil }
