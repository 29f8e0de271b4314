package pdf

import "golang.org/x/sys/unix"

// softHeap is how large the heap becomes before garbage is collected more often. The guest's memory is not in it.
const softHeap = 64 << 20

// clear makes the room, or makes it all zeros again. What of it nobody writes to takes no memory.
func (e *engine) clear() (err error) {
	if e.room == nil {
		e.room, err = unix.Mmap(-1, 0, memoryPages*pageSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
		return err
	}
	return unix.Madvise(e.room, unix.MADV_DONTNEED)
}
