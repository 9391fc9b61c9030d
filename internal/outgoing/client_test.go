package outgoing_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"agentchat/internal/fault"
	"agentchat/internal/outgoing"
)

// resolver returns a resolver that answers with the result of a function of the name and the number
// of earlier questions of the same type. The zero address means that the name does not exist.
func resolver(t *testing.T, answer func(name string, asked int) netip.Addr) *net.Resolver {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	go func() {
		packet, asked := make([]byte, 1500), map[dnsmessage.Question]int{}
		for {
			n, from, err := conn.ReadFrom(packet)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(packet[:n]) != nil || len(m.Questions) != 1 {
				continue
			}
			q := m.Questions[0]
			m.Header, m.Additionals = dnsmessage.Header{ID: m.ID, Response: true}, nil
			head := dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class}
			ip := answer(strings.TrimSuffix(q.Name.String(), "."), asked[q])
			asked[q]++
			switch {
			case !ip.IsValid():
				m.RCode = dnsmessage.RCodeNameError
			case ip.Is4() && q.Type == dnsmessage.TypeA:
				m.Answers = []dnsmessage.Resource{{Header: head, Body: &dnsmessage.AResource{A: ip.As4()}}}
			case ip.Is6() && q.Type == dnsmessage.TypeAAAA:
				m.Answers = []dnsmessage.Resource{{Header: head, Body: &dnsmessage.AAAAResource{AAAA: ip.As16()}}}
			}
			if reply, err := m.Pack(); err == nil {
				_, _ = conn.WriteTo(reply, from)
			}
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}

// server counts the requests to a loopback address, and answers as the last part of the path says.
func server(t *testing.T, address string) (port string, came *atomic.Int64) {
	t.Helper()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	came = new(atomic.Int64)
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		came.Add(1)
		_, _ = io.Copy(io.Discard, r.Body) // without it, a handler is not told that its client has left
		switch r.URL.Path {
		case "/redirect":
			http.Redirect(w, r, "/", http.StatusFound)
		case "/hang":
			<-r.Context().Done()
		case "/header":
			w.Header().Set("X", strings.Repeat("x", 20<<10))
		case "/endless":
			for r.Context().Err() == nil {
				_, _ = w.Write(make([]byte, 64<<10))
			}
		case "/cut":
			panic(http.ErrAbortHandler)
		case "/upgrade":
			conn, _, _ := w.(http.Hijacker).Hijack()
			defer func() { _ = conn.Close() }()
			_, _ = io.WriteString(conn, "HTTP/1.1 101 OK\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")
			_, _ = io.Copy(io.Discard, conn)
		}
	}))
	s.Listener = listener
	s.Start()
	t.Cleanup(s.Close)
	_, port, _ = net.SplitHostPort(listener.Addr().String())
	return port, came
}

func allow(t *testing.T, text string) outgoing.Allow {
	t.Helper()
	a, err := outgoing.ParseAllow(text)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestForbiddenAddresses shows that no form of an address leads to one that is not public: in the
// URL, or as what a name resolves to, even for a resolver that knows the forms of inet_aton.
func TestForbiddenAddresses(t *testing.T) {
	t.Parallel()
	port, came := server(t, "127.0.0.1:0")
	forms := map[string]string{}
	for address, others := range map[string]string{
		"127.0.0.1":       "2130706433 017700000001 0x7f000001 0177.0.0.1 0x7f.0.0.1 127.1 [::ffff:127.0.0.1] [::127.0.0.1]",
		"10.0.0.1":        "167772161 01200000001 0xa000001 012.0.0.1 [::ffff:a00:1] [64:ff9b::a00:1]",
		"172.16.0.1":      "2886729729 0xac100001 0254.020.0.1",
		"192.168.1.1":     "3232235777 0xc0a80101 0300.0250.1.1 [2002:c0a8:101::1]",
		"169.254.169.254": "2852039166 0xa9fea9fe 0251.0376.0251.0376 [::ffff:a9fe:a9fe] [64:ff9b::a9fe:a9fe]",
		"100.64.0.1":      "0x64400001 0144.0100.0.1", "192.0.2.1": "198.51.100.1 203.0.113.1", "198.18.0.1": "0xc6120001",
		"0.0.0.0": "0 0x0 192.0.0.1", "255.255.255.255": "240.0.0.1 0xf0000001", "224.0.0.1": "0xe0000001",
		"::1":         "[::] [fe80::1] [fec0::1] [fc00::1] [fd00:ec2::254] [ff02::1] [100::1]",
		"2001:db8::1": "[3fff::1] [2001:2::1] [2001:0:7f00:1::1] [2002:7f00:1::] [64:ff9b:1::1] [2606:4700::1%25eth0]",
		"198.41.0.4":  "", // of this machine
	} {
		for _, form := range strings.Fields(others) {
			forms[form] = address
		}
		literal := address
		if strings.Contains(address, ":") {
			literal = "[" + address + "]"
		}
		forms[literal], forms[strings.NewReplacer(".", "-", ":", "x").Replace(address)+".test"] = address, address
	}
	if len(forms) < 40 {
		t.Errorf("%d forms", len(forms))
	}
	// An allowed network on the server's port lets names on that port reach the check of addresses.
	client := outgoing.NewAt(allow(t, "192.88.99.0/24:"+port), resolver(t, func(name string, _ int) netip.Addr {
		address, _ := netip.ParseAddr(forms[name])
		return address
	}), net.IPv4(198, 41, 0, 4))
	for form, address := range forms {
		for _, url := range []string{"https://" + form + "/", "http://" + form + ":" + port + "/"} {
			answer, err := client.Post(t.Context(), url, nil, nil)
			if answer.Status != 0 || err == nil || outgoing.Reason(err) != "address" {
				t.Errorf("%s (%s): %+v, %v", url, address, answer, err)
			}
		}
	}
	if n := came.Load(); n > 0 {
		t.Errorf("%d requests arrived", n)
	}
}

// TestRebinding shows that an address is checked for each connection.
func TestRebinding(t *testing.T) {
	t.Parallel()
	port, came := server(t, "127.0.0.2:0")
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	for tries := 0; err != nil && tries < 10; tries++ { // another program uses the port there
		port, came = server(t, "127.0.0.2:0")
		listener, err = net.Listen("tcp", "127.0.0.1:"+port)
	}
	if err != nil {
		t.Fatal(err)
	}
	dialed := make(chan struct{})
	go func() {
		if _, err := listener.Accept(); err == nil {
			close(dialed)
		}
	}()
	client := outgoing.NewAt(allow(t, "127.0.0.2/32:"+port), resolver(t, func(_ string, asked int) netip.Addr {
		return netip.AddrFrom4([4]byte{127, 0, 0, byte(max(2-asked, 1))})
	}), nil)
	for i, want := range []string{"", "address"} {
		answer, err := client.Post(t.Context(), "http://hooks.test.:"+port, nil, nil)
		if (err == nil) != (want == "") || err != nil && outgoing.Reason(err) != want {
			t.Errorf("post %d: %+v, %v", i+1, answer, err)
		}
	}
	_ = listener.Close()
	select {
	case <-dialed:
		t.Error("127.0.0.1 was dialed")
	default:
	}
	if came.Load() != 1 {
		t.Errorf("%d requests arrived, want 1", came.Load())
	}
}

// TestReasons shows that responses are bounded, redirects are not followed and certificates are
// verified.
func TestReasons(t *testing.T) {
	t.Parallel()
	port, came := server(t, "127.0.0.1:0")
	unverified := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(unverified.Close)
	closed := httptest.NewServer(nil)
	closed.Close()
	at := "127.0.0.1:" + port
	client := outgoing.New(allow(t, strings.Join([]string{at, "LOCALHOST:" + port,
		unverified.Listener.Addr().String(), closed.Listener.Addr().String()}, ", ")))
	for i, c := range []struct {
		url, reason string
		status      int
	}{
		{"http://" + at, "", 200},
		{"http://Localhost:" + port, "", 200},
		{"http://" + at + "/endless", "", 200},
		{"http://" + at + "/redirect", "status", 302},
		{"http://" + at + "/upgrade", "status", 101},
		{"http://" + at + "/hang", "timeout", 0},
		{"http://" + at + "/header", "connect", 0},
		{"http://" + at + "/cut", "connect", 0},
		{"https://" + at, "tls", 0},
		{unverified.URL, "tls", 0},
		{closed.URL, "connect", 0},
	} {
		before := came.Load()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		answer, err := client.Post(ctx, c.url, http.Header{"X": {"y"}}, []byte("{}"))
		cancel()
		reason := ""
		if err != nil {
			reason = outgoing.Reason(err)
		}
		if reason != c.reason || answer.Status != c.status || answer.Took <= 0 || came.Load() > before+1 {
			t.Errorf("%d: %s: %+v, %v", i, c.url, answer, err)
		}
	}
}

func TestCheckURL(t *testing.T) {
	t.Parallel()
	client := outgoing.New(allow(t, "hooks.internal:8080,10.1.0.0/16:8443,[fd00::/8]:443,127.0.0.1:81"))
	for url, want := range map[string]string{
		"https://shop.example.com/hooks?token=x": "", "https://1.1.1.1:443": "", "https://[2606:4700::1111]/": "",
		"http://hooks.internal:8080/x": "", "https://10.1.2.3:8443": "", "https://[fd00::1]": "", "http://127.0.0.1:81/": "",
		"https://names.internal:8443":                "",
		"http://shop.example.com":                    "must begin with https://",
		"https://shop.example.com:8080":              "port 443",
		"https://shop.example.com:70000":             "port 443",
		"https://10.2.0.1:8443":                      "not public",
		"https://[::ffff:8.8.8.8]":                   "not public",
		"ftp://shop.example.com":                     "Write an https address",
		"https://u:hunter2@example.com":              "Write an https address",
		"https://example.com/#x":                     "Write an https address",
		"https://example.com/\u009b2J":               "Write an https address", // clears a terminal
		"https://example.com/\u202e":                 "Write an https address", // turns the rest around
		"https://e.com/" + strings.Repeat("x", 2048): "Write an https address",
		"https:///x":                                 "Write an https address",
		"shop.example.com":                           "Write an https address",
	} {
		err := client.CheckURL(url)
		if (err == nil) != (want == "") ||
			err != nil && (!fault.Is(err, fault.InvalidInput) || !strings.Contains(fault.ClientMessage(err), want)) {
			t.Errorf("%s: %v, want %q", url, err, want)
		}
	}
	for _, text := range []string{"hooks.internal", "hooks:http", "10.0.0.1/8:443", ":443", "a:1,,b:2", "u@b:1", "a:0", "a:65536"} {
		if _, err := outgoing.ParseAllow(text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}
