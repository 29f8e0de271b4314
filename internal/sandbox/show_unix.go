//go:build unix

package sandbox

import "syscall"

// apart lets a browser live on when the terminal is closed or interrupted.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
