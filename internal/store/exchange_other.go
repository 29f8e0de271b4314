//go:build !linux

package store

import (
	"errors"
	"os"
)

// exchange cannot be done in a single step here.
func exchange(*os.Root, string, string) error { return errors.ErrUnsupported }
