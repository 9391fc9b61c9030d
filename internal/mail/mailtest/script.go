package mailtest

import (
	"bufio"
	"maps"
	"net"
	"strings"
	"testing"
)

// Script starts a server that follows a script, until the test ends, and returns its address. The
// keys of answers are prefixes of the client's lines; "" is the greeting, and "." the end of a
// message. Other lines are accepted. The answer "lost" closes the connection.
func Script(t *testing.T, answers map[string]string) (addr string) {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	script := map[string]string{"": "220 ready", "DATA": "354 go on", "QUIT": "221 bye"}
	maps.Copy(script, answers)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go converse(conn, script)
		}
	}()
	return listener.Addr().String()
}

func converse(conn net.Conn, script map[string]string) {
	defer func() { _ = conn.Close() }()
	lines, inMessage := bufio.NewScanner(conn), false
	for line := ""; ; line = lines.Text() {
		if !inMessage || line == "." {
			answer := "250 2.0.0 OK"
			for beginning, written := range script {
				if strings.HasPrefix(line, beginning) && (beginning != "" || line == "") {
					answer = written
				}
			}
			if answer == "lost" {
				return
			}
			if _, err := conn.Write([]byte(strings.ReplaceAll(answer, "\n", "\r\n") + "\r\n")); err != nil {
				return
			}
			inMessage = line == "DATA" && strings.HasPrefix(answer, "354")
		}
		if !lines.Scan() {
			return
		}
	}
}
