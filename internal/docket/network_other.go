//go:build !linux

package docket

func onNetwork(string) bool { return false }
