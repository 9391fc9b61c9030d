package e2e_test

import (
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// TestSystemdIsNotified: under a unit of Type=notify the service reports that it is ready
// (sd_notify(3)), so that systemctl start waits for that.
func TestSystemdIsNotified(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	dir, err := os.MkdirTemp("", "n") //nolint:usetesting // the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	path := filepath.Join(dir, "notify")
	socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = socket.Close() }()
	start(t, storetest.URL(t), "NOTIFY_SOCKET="+path)
	if err := socket.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	message := make([]byte, 100)
	n, err := socket.Read(message)
	if err != nil || string(message[:n]) != "READY=1" {
		t.Errorf("the message is %q, %v", message[:n], err)
	}
}
