//go:build unix

package lately

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives a file the owner and the group of an old one.
func keepOwner(file *os.File, old fs.FileInfo) error {
	facts, err := file.Stat()
	if err != nil {
		return err
	}
	was, is := old.Sys().(*syscall.Stat_t), facts.Sys().(*syscall.Stat_t)
	if was.Uid == is.Uid && was.Gid == is.Gid {
		return nil
	}
	return file.Chown(int(was.Uid), int(was.Gid))
}
