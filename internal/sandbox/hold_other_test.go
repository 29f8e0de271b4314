//go:build !linux

package sandbox

func hold() {}
