package docket

import (
	"slices"

	"golang.org/x/sys/unix"
)

// onNetwork tells whether a folder lies on NFS, SMB or 9p. One that cannot be asked does not.
func onNetwork(folder string) bool {
	var s unix.Statfs_t
	if unix.Statfs(folder, &s) != nil {
		return false
	}
	const smb2, cifs = 0xFE534D42, 0xFF534D42
	return slices.Contains([]int64{unix.NFS_SUPER_MAGIC, unix.SMB_SUPER_MAGIC, smb2, cifs, unix.V9FS_MAGIC}, int64(s.Type)&0xFFFFFFFF)
}
