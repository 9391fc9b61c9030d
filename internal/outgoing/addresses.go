package outgoing

import (
	"net"
	"net/netip"
	"slices"
)

// globalV6 has all public IPv6 addresses, and none with a zone. Outside of it are v4-mapped,
// v4-compatible, NAT64, local and multicast addresses.
var globalV6 = netip.MustParsePrefix("2000::/3")

// reserved are the networks of IPv4 and within globalV6 without public servers (IANA's registries
// of special-purpose addresses).
var reserved = prefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
	"192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15",
	"198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
	"2001::/23",     // protocols, such as Teredo and benchmarks
	"2001:db8::/32", // documentation
	"2002::/16",     // 6to4
	"3fff::/20",     // documentation
)

func prefixes(texts ...string) []netip.Prefix {
	var all []netip.Prefix
	for _, text := range texts {
		all = append(all, netip.MustParsePrefix(text))
	}
	return all
}

// isPublic reports whether an address is global unicast and not of this machine.
func (c *Client) isPublic(ip netip.Addr) bool {
	if !ip.Is4() && !globalV6.Contains(ip) ||
		slices.ContainsFunc(reserved, func(p netip.Prefix) bool { return p.Contains(ip) }) {
		return false
	}
	own, err := c.ownAddresses()
	return err == nil && !slices.ContainsFunc(own, func(a net.Addr) bool {
		network, ok := a.(*net.IPNet)
		return ok && network.IP.Equal(ip.AsSlice())
	})
}
