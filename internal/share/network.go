package share

import "net/netip"

// Network returns the network whose addresses count as one client: the /24 of an IPv4 address, or
// the /48 of an IPv6 one, the largest that a site usually gets (RFC 6177). It is invalid if the
// address is.
func Network(a netip.Addr) netip.Prefix {
	a = a.Unmap().WithZone("")
	bits := 24
	if a.Is6() {
		bits = 48
	}
	network, _ := a.Prefix(bits) // fails only for an invalid address
	return network
}
