package e2e_test

import (
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"agentchat/internal/agent"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// cutConnections is the number of a program's connections that are cut.
const cutConnections = 3

// TestCutPrograms runs each program of the guides and the panel through a proxy that cuts its first
// connections at a random byte. Each prints the whole reply, for one charge. -count repeats it with
// other bytes.
func TestCutPrograms(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	c := newCluster(t, 2)
	auditing(t, c.store)
	for file, charges := range map[string]int{
		"streaming/chat.sh":   1,
		"streaming/chat.py":   1,
		"streaming/chat.js":   1,
		"streaming/main.go":   1,
		"streaming/chat.php":  1,
		"streaming/Chat.java": 1,
		"panel/curl.sh":       1,
		"panel/python.py":     1,
		"panel/javascript.js": 1,
		"panel/go.go":         1,
		"panel/php.php":       1,
		"order-desk/desk.py":  4,
		"order-desk/desk.mjs": 4,
	} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			f := storetest.Seed(t, c.store, storetest.Options{Actions: []agent.Action{
				{Name: "order_status", Description: "An order's state", Parameters: `{"type":"object"}`},
			}})
			folder, name := filepath.Split(file)
			most := 800 // bytes of a response
			if folder == "streaming/" {
				most = 5_000
			}
			p := startCutter(t, c.replicas, most)
			texts := map[string]string{"go.mod": readExample(t, "streaming/go.mod")}
			if folder == "panel/" {
				texts[name] = panelProgram(t, name)
			} else {
				texts[name] = readExample(t, file)
			}
			const slow = "[[sandbox words=100 pace=25ms]]"
			texts[name] = strings.NewReplacer(exampleAddress, p.address, "Hello!", slow).Replace(texts[name])
			command := program(t, name, texts, "AGENTCHAT_API_KEY="+f.Key.Reveal())
			out, err := command.CombinedOutput()
			var answered, pending int
			var reply string
			readRow(t, c.store, `SELECT count(*) FILTER (WHERE state = 'ANSWERED'),
				count(*) FILTER (WHERE state = 'PENDING'), coalesce(max(reply), '') FROM turns
				WHERE account_id = $1`, []any{f.Account.ID}, &answered, &pending, &reply)
			whole := charges > 1 || strings.Contains(string(out), reply)
			if n, _ := chargesOf(t, c.store, f); err != nil || !whole || n != int64(charges) ||
				answered != charges || pending != 0 {
				t.Errorf("cut at %v: %v; %d charges, %d answered and %d pending turns, reply %q, printed\n%s",
					p.limits, err, n, answered, pending, reply, out)
			}
		})
	}
}

// panelProgram returns the program that the panel shows for an agent without actions.
func panelProgram(t *testing.T, name string) string {
	t.Helper()
	name = strings.TrimSuffix(name, filepath.Ext(name)) + ".txt"
	text, err := os.ReadFile(filepath.Join("..", "..", "frontend", "src", "features", "developers",
		"calling", "programs", name))
	if err != nil {
		t.Fatal(err)
	}
	actions := regexp.MustCompile(`(?ms)^{{#ACTIONS}}\n.*?^{{/ACTIONS}}\n`)
	marks := regexp.MustCompile(`(?m)^{{[/^]ACTIONS}}\n`)
	code := marks.ReplaceAllString(actions.ReplaceAllString(string(text), ""), "")
	code = strings.ReplaceAll(code, "{{URL}}", exampleAddress+"/v1/agent/chat")
	code = strings.ReplaceAll(code, "{{ANSWER}}", "result.Reply")
	return regexp.MustCompile(`{{[A-Z]+}}`).ReplaceAllString(code, "")
}

// cutter is a proxy in front of replicas.
type cutter struct {
	address string
	// limits are the numbers of bytes after which connections are cut: of the request or, if negative,
	// of the response.
	limits      [cutConnections]int
	connections atomic.Int64
}

// startCutter starts a proxy that cuts connections within the first bytes of a response, or within
// a request.
func startCutter(t *testing.T, replicas []*replica, most int) *cutter {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	c := &cutter{address: "http://" + listener.Addr().String()}
	for i := range c.limits {
		if c.limits[i] = -rand.IntN(most); rand.IntN(4) == 0 {
			c.limits[i] = rand.IntN(500)
		}
	}
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			n := int(c.connections.Add(1)) - 1
			host := strings.TrimPrefix(replicas[rand.IntN(len(replicas))].base(), "http://")
			go c.forward(client, host, n)
		}
	}()
	return c
}

// forward copies both directions of the n-th connection, until one ends or is cut.
func (c *cutter) forward(client net.Conn, host string, n int) {
	service, err := net.Dial("tcp", host)
	if err != nil {
		_ = client.Close()
		return
	}
	end := sync.OnceFunc(func() {
		_ = client.Close()
		_ = service.Close()
	})
	var request, response io.Reader = client, service
	if n < len(c.limits) {
		if limit := c.limits[n]; limit > 0 {
			request = io.LimitReader(client, int64(limit))
		} else {
			response = io.LimitReader(service, int64(-limit))
		}
	}
	go func() {
		defer end()
		_, _ = io.Copy(service, request)
	}()
	defer end()
	_, _ = io.Copy(client, response)
}
