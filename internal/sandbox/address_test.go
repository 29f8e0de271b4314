package sandbox

import (
	"net/netip"
	"testing"
)

func TestPublicAddr(t *testing.T) {
	for _, s := range []string{
		"127.0.0.1", "::1", "0.0.0.0", "::", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "fe80::1", "fc00::1",
		"100.64.0.1", "192.0.0.1", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1",
		"255.255.255.255", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1",
		"2002:7f00:1::", "2001::1", "2001:db8::1", "100::1", "fec0::1", "fe80::1%eth0", "2606:4700::1%eth0", "3fff::1",
	} {
		if publicAddr(netip.MustParseAddr(s)) {
			t.Errorf("%s passes", s)
		}
	}
	for _, s := range []string{"140.82.121.4", "1.1.1.1", "2606:4700::6810:1", "::ffff:140.82.121.4", "172.65.251.78"} {
		if !publicAddr(netip.MustParseAddr(s)) {
			t.Errorf("%s does not pass", s)
		}
	}
	if publicAddr(netip.Addr{}) {
		t.Error("no address passes")
	}
}
