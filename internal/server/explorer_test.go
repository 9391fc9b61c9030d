package server_test

import (
	"net/http"
	"strings"
	"testing"

	"agentchat/internal/server"
)

// TestExplorerPage checks that the explorer is a separate page at one address, and that REST gets
// the paths below it.
func TestExplorerPage(t *testing.T) {
	t.Parallel()
	address := serveRoutes(t, server.Routes{})
	for path, isPage := range map[string]bool{
		"/explorer": true, "/explorer/": true, "/explorer?query=%7Bviewer%7Bemail%7D%7D": true,
		"/explorer/schema": false, "/explorer.html": false, "/explorers": false, "//explorer": false, "/%65xplorer": false, "/explorer%2F": false,
	} {
		a := raw(t, address, "GET "+path+" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
		if !isPage {
			if a.Header.Get("X-Reached") != "rest" {
				t.Errorf("GET %s = %d, and not by the chat API", path, a.StatusCode)
			}
			continue
		}
		if a.StatusCode != http.StatusOK || !strings.Contains(a.text, "Explorer") || a.Header.Get("Location") != "" {
			t.Errorf("GET %s = %d, %q", path, a.StatusCode, a.text)
		}
		head := raw(t, address, "HEAD "+path+" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
		if head.StatusCode != http.StatusOK || head.text != "" || head.Header.Get("Content-Length") != a.Header.Get("Content-Length") {
			t.Errorf("HEAD %s = %d, %v, body %q", path, head.StatusCode, head.Header, head.text)
		}
		post := raw(t, address, "POST "+path+" HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
		if post.StatusCode != http.StatusMethodNotAllowed || post.Header.Get("Allow") != "GET, HEAD" {
			t.Errorf("POST %s = %d, Allow %q", path, post.StatusCode, post.Header.Get("Allow"))
		}
	}
}
