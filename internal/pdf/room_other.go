//go:build !linux

package pdf

// clear makes the room anew: the system may keep what was written to the last.
func (e *engine) clear() error {
	e.room = make([]byte, memoryPages*pageSize)
	return nil
}
