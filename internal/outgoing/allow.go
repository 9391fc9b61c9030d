package outgoing

import (
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Allow lists the operator's exceptions to the rules on addresses and ports. Its zero value has
// none.
type Allow struct {
	// hosts are names with a port, in lower case, like hooks.internal:8080.
	hosts    map[string]bool
	networks []network
}

type network struct {
	netip.Prefix
	port uint16
}

// ParseAllow parses host:port and CIDR:port, separated by commas. An IP address is a network of
// one. The error completes a sentence that begins with the setting's name.
func ParseAllow(text string) (Allow, error) {
	var a Allow
	return a, a.UnmarshalText([]byte(text))
}

// UnmarshalText parses exceptions as ParseAllow does.
func (a *Allow) UnmarshalText(text []byte) error {
	*a = Allow{hosts: map[string]bool{}}
	if len(text) == 0 {
		return nil
	}
	for item := range strings.SplitSeq(strings.ToLower(string(text)), ",") {
		item = strings.TrimSpace(item)
		colon := max(strings.LastIndexByte(item, ':'), 0)
		host := strings.TrimSuffix(strings.TrimPrefix(item[:colon], "["), "]")
		port, err := strconv.ParseUint(strings.TrimPrefix(item[colon:], ":"), 10, 16)
		ip, notIP := netip.ParseAddr(host)
		prefix, notPrefix := netip.ParsePrefix(host)
		switch {
		case err != nil || port == 0 || host == "":
			return wrongItem(item)
		case notIP == nil:
			a.networks = append(a.networks, network{netip.PrefixFrom(ip, ip.BitLen()), uint16(port)})
		case notPrefix == nil && prefix == prefix.Masked():
			a.networks = append(a.networks, network{prefix, uint16(port)})
		case strings.ContainsAny(host, "/:[]@?# "):
			return wrongItem(item)
		default:
			a.hosts[item] = true
		}
	}
	return nil
}

func wrongItem(item string) error {
	return fmt.Errorf("must be host:port and CIDR:port, like hooks.example.com:8443,10.0.0.0/8:443, not %q", item)
}

// host reports whether a URL's host is allowed, whatever its addresses.
func (a Allow) host(u *url.URL, port uint16) bool {
	return a.hosts[strings.ToLower(u.Hostname())+":"+strconv.Itoa(int(port))]
}

// address reports whether a network contains an address.
func (a Allow) address(ip netip.Addr, port uint16) bool {
	return slices.ContainsFunc(a.networks, func(n network) bool { return n.port == port && n.Contains(ip) })
}

// port reports whether addresses on a port can be allowed. A name on it is accepted until it is
// resolved.
func (a Allow) port(port uint16) bool {
	return slices.ContainsFunc(a.networks, func(n network) bool { return n.port == port })
}
