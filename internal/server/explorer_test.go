package server_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"agentchat/internal/server"
)

// The explorer is a separate page at one address; the chat API refuses the paths below it.
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

// The page has its own policy and, like the panel's, must be revalidated before each use.
func TestExplorerHeaders(t *testing.T) {
	t.Parallel()
	url := "http://" + serveRoutes(t, server.Routes{})
	a := mustDo(t, http.MethodGet, url+"/explorer", nil)
	for name, want := range map[string]string{
		"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
			"img-src 'self' data:; font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
		"X-Content-Type-Options":     "nosniff",
		"Referrer-Policy":            "same-origin",
		"Cross-Origin-Opener-Policy": "same-origin",
		"Cache-Control":              "no-cache",
		"Content-Type":               "text/html; charset=utf-8",
	} {
		if got := a.Header.Get(name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
	if panel := mustDo(t, http.MethodGet, url+"/", nil); panel.Header.Get("ETag") == a.Header.Get("ETag") {
		t.Error("the panel's page and the explorer's have one ETag")
	}
	again := mustDo(t, http.MethodGet, url+"/explorer", http.Header{"If-None-Match": {a.Header.Get("ETag")}})
	if again.StatusCode != http.StatusNotModified || again.text != "" {
		t.Errorf("with its ETag: %d, %q", again.StatusCode, again.text)
	}
}

// Like the panel's page it is sent as the build compressed it.
func TestExplorerEncoding(t *testing.T) {
	t.Parallel()
	files := panelFiles()
	files["explorer.html.br"] = &fstest.MapFile{Data: []byte("BR explorer")}
	url := "http://" + serveRoutes(t, server.Routes{Panel: files})
	a := mustDo(t, http.MethodGet, url+"/explorer", http.Header{"Accept-Encoding": {"gzip, br"}})
	if a.text != "BR explorer" || a.Header.Get("Content-Encoding") != "br" || a.Header.Get("Vary") != "Accept-Encoding" {
		t.Errorf("with br = %q, %v", a.text, a.Header)
	}
}
