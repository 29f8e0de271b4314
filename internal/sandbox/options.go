package sandbox

import (
	"context"
	"net/netip"
	"net/url"
	"time"
)

// Options configures a Box. The zero value is usable.
type Options struct {
	// TempDir is where the run directory is made; empty is the system's.
	TempDir string
	// CacheDir keeps what workers load when they warm up, from run to run; workers can only read it. Empty: no cache.
	CacheDir string
	// Git is the git program's absolute path; empty: looked up on PATH, once.
	Git string
	// AllowHosts are hosts that children may reach beside DefaultHosts.
	AllowHosts []string
	// Upstream is the operator's own HTTP proxy, chained behind our checks of host and port; nil: we dial ourselves.
	Upstream *url.URL
	// CAFile is a PEM bundle that git trusts; empty: the system's.
	CAFile string
	// Limits overrides the default limits where it is not zero.
	Limits Limits
	// Require makes a missing layer an error.
	Require bool
	// Resolver looks up the hosts of the proxy; nil is the system's.
	Resolver Resolver
}

// Resolver looks up the addresses of a host.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Limits bounds one child. Zero means the default, in parentheses.
type Limits struct {
	Wall     time.Duration // from start to end (8 min)
	CPU      time.Duration // per process, whole seconds (4 min)
	Memory   uint64        // address space of a program, bytes (2 GiB)
	FileSize uint64        // one file, bytes (512 MiB)
	Disk     int64         // the run directory, bytes (768 MiB)
	Files    int           // files in the run directory (20,000)
	Stdout   int64         // bytes (64 MiB)
	Stderr   int64         // bytes kept, the rest is dropped (64 KiB)
	Download int64         // bytes from the network (512 MiB)
}
