package server_test

import (
	"maps"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"agentchat/frontend"
	"agentchat/internal/server"
)

func TestPanelFiles(t *testing.T) {
	t.Parallel()
	url := "http://" + serveRoutes(t, server.Routes{})
	for path, want := range map[string]struct{ contentType, text string }{
		"/":                      {"text/html; charset=utf-8", "<!doctype html><title>Panel</title>"},
		"/?next=%2Fagents":       {"text/html; charset=utf-8", "<!doctype html><title>Panel</title>"},
		"/assets/app-1a2b3c.js":  {"text/javascript; charset=utf-8", "export const answer = 42;"},
		"/assets/app-1a2b3c.css": {"text/css; charset=utf-8", "body{margin:0}"},
		"/assets/fonts/a.woff2":  {"font/woff2", "font"},
		"/assets/odd.unknown":    {"application/octet-stream", "<script>"},
	} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			a := mustDo(t, http.MethodGet, url+path, nil)
			if a.StatusCode != http.StatusOK || a.text != want.text || a.Header.Get("Content-Type") != want.contentType {
				t.Errorf("GET = %d, %q, %q", a.StatusCode, a.Header.Get("Content-Type"), a.text)
			}
			head := mustDo(t, http.MethodHead, url+path, nil)
			if head.StatusCode != http.StatusOK || head.text != "" || head.ContentLength != int64(len(want.text)) {
				t.Errorf("HEAD = %d, %d bytes announced, body %q", head.StatusCode, head.ContentLength, head.text)
			}
		})
	}
}

func TestPanelHeaders(t *testing.T) {
	t.Parallel()
	url := "http://" + serveRoutes(t, server.Routes{})
	a := mustDo(t, http.MethodGet, url+"/", nil)
	for name, want := range map[string]string{
		"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
			"img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
		"X-Content-Type-Options": "nosniff",
		"Referrer-Policy":        "same-origin",
		"Cache-Control":          "no-cache",
	} {
		if got := a.Header.Get(name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
	if !strings.Contains(a.Header.Get("Permissions-Policy"), "camera=()") {
		t.Errorf("Permissions-Policy = %q", a.Header.Get("Permissions-Policy"))
	}
	for name := range a.Header {
		if strings.HasPrefix(name, "Access-Control-") || name == "Set-Cookie" {
			t.Errorf("the page carries %s", name)
		}
	}
}

func TestPanelIsRevalidated(t *testing.T) {
	t.Parallel()
	url := "http://" + serveRoutes(t, server.Routes{})
	etag := mustDo(t, http.MethodGet, url+"/", nil).Header.Get("ETag")
	if len(etag) < 10 || strings.HasPrefix(etag, "W/") {
		t.Fatalf("ETag = %q, want a strong one", etag)
	}
	same := mustDo(t, http.MethodGet, url+"/", http.Header{"If-None-Match": {etag}})
	if same.StatusCode != http.StatusNotModified || same.text != "" {
		t.Errorf("with the ETag: %d, %q", same.StatusCode, same.text)
	}
	if a := mustDo(t, http.MethodGet, url+"/", http.Header{"If-None-Match": {`"another"`}}); a.StatusCode != http.StatusOK {
		t.Errorf("with another ETag: %d", a.StatusCode)
	}
	changed := panelFiles()
	changed["index.html"] = &fstest.MapFile{Data: []byte("<!doctype html><title>Newer</title>")}
	newer := "http://" + serveRoutes(t, server.Routes{Panel: changed})
	if a := mustDo(t, http.MethodGet, newer+"/", http.Header{"If-None-Match": {etag}}); a.StatusCode != http.StatusOK {
		t.Errorf("a changed page was taken for the old one: %d", a.StatusCode)
	}
}

func TestPanelRefusesOtherMethods(t *testing.T) {
	t.Parallel()
	url := "http://" + serveRoutes(t, server.Routes{})
	for _, method := range []string{"POST", "PUT", "DELETE", "PATCH", "OPTIONS"} {
		for _, path := range []string{"/", "/assets/app-1a2b3c.js"} {
			a := mustDo(t, method, url+path, nil)
			if a.StatusCode != http.StatusMethodNotAllowed || a.Header.Get("Allow") != "GET, HEAD" {
				t.Errorf("%s %s = %d, Allow %q", method, path, a.StatusCode, a.Header.Get("Allow"))
			}
		}
	}
}

// Without a built panel the placeholder is served; without either the service does not start.
func TestPanelPlaceholder(t *testing.T) {
	t.Parallel()
	files := panelFiles()
	maps.DeleteFunc(files, func(name string, _ *fstest.MapFile) bool { return name != "placeholder.html" })
	url := "http://" + serveRoutes(t, server.Routes{Panel: files})
	if a := mustDo(t, http.MethodGet, url+"/", nil); a.StatusCode != http.StatusOK || !strings.Contains(a.text, "Placeholder") {
		t.Errorf("GET / = %d, %q", a.StatusCode, a.text)
	}
	if _, err := server.NewHandler(server.Routes{REST: rest, Panel: fstest.MapFS{}}); err == nil {
		t.Error("a panel without a page was accepted")
	}
}

// The page that is embedded in the binary stands alone: it loads nothing, and says what it is.
func TestEmbeddedPage(t *testing.T) {
	t.Parallel()
	url := "http://" + serveRoutes(t, server.Routes{Panel: frontend.Files()})
	a := mustDo(t, http.MethodGet, url+"/", nil)
	if a.StatusCode != http.StatusOK || !strings.Contains(a.text, "Agent Chat") {
		t.Fatalf("GET / = %d, %.80q", a.StatusCode, a.text)
	}
	for _, foreign := range []string{"http://", "https://", "//cdn", "@import", "url("} {
		if strings.Contains(a.text, foreign) {
			t.Errorf("the page refers to something outside: %s", foreign)
		}
	}
}
