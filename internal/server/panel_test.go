package server_test

import (
	"io/fs"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"agentchat/frontend"
	"agentchat/internal/server"
)

// TestPanelFiles checks that every address of the panel serves its page and every asset its file,
// both only for GET and HEAD. Browsers and shared caches keep assets for a year: their names change
// with their content.
func TestPanelFiles(t *testing.T) {
	t.Parallel()
	url := "http://" + serveRoutes(t, server.Routes{})
	type file struct{ contentType, cached, text string }
	const html, always = "text/html; charset=utf-8", "public, max-age=31536000, immutable"
	want := map[string]file{
		"/assets/app-1a2b3c.js":  {"text/javascript; charset=utf-8", always, "export const answer = 42;"},
		"/assets/app-1a2b3c.css": {"text/css; charset=utf-8", always, "body{margin:0}"},
		"/assets/fonts/a.woff2":  {"font/woff2", always, "font"},
		"/assets/odd.unknown":    {"application/octet-stream", always, "<script>"},
	}
	for _, path := range []string{
		"/", "/?next=%2Fagents", "/login", "/signup", "/agents", "/agents/", "/agents/0199-a",
		"/agents/0199-a/playground", "/agents?search=a.b&state=DRAFT", "/conversations/0199-b",
		"/exports", "/requests", "/credits", "/settings", "/api-docs",
	} {
		want[path] = file{html, "no-cache", "<!doctype html><title>Panel</title>"}
	}
	for _, path := range []string{"/explorer", "/explorer/", "/explorer?query=%7Bviewer%7D"} {
		want[path] = file{html, "no-cache", "<!doctype html><title>Explorer</title>"}
	}
	for path, want := range want {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			a := mustDo(t, http.MethodGet, url+path, nil)
			got := file{a.Header.Get("Content-Type"), a.Header.Get("Cache-Control"), a.text}
			if a.StatusCode != http.StatusOK || got != want {
				t.Errorf("GET = %d, %+v", a.StatusCode, got)
			}
			head := mustDo(t, http.MethodHead, url+path, nil)
			if head.StatusCode != http.StatusOK || head.text != "" || head.ContentLength != int64(len(want.text)) {
				t.Errorf("HEAD = %d, %d bytes announced, body %q", head.StatusCode, head.ContentLength, head.text)
			}
			for _, method := range []string{"POST", "PUT", "DELETE", "PATCH", "OPTIONS"} {
				a := mustDo(t, method, url+path, nil)
				if a.StatusCode != http.StatusMethodNotAllowed || a.Header.Get("Allow") != "GET, HEAD" ||
					a.Header.Get("Content-Type") != "text/plain; charset=utf-8" {
					t.Errorf("%s = %d, %v", method, a.StatusCode, a.Header)
				}
			}
		})
	}
	part := mustDo(t, http.MethodGet, url+"/assets/app-1a2b3c.js", http.Header{"Range": {"bytes=0-5"}})
	if part.StatusCode != http.StatusPartialContent || part.text != "export" {
		t.Errorf("a range = %d, %q", part.StatusCode, part.text)
	}
}

func TestPanelHeaders(t *testing.T) {
	t.Parallel()
	url := "http://" + serveRoutes(t, server.Routes{})
	const self = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
		"img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'; "
	for path, policy := range map[string]string{
		"/":         self + "font-src 'self'; form-action 'self'",
		"/explorer": self + "font-src data:; form-action 'none'",
	} {
		a := mustDo(t, http.MethodGet, url+path, nil)
		got, want := strings.Split(a.Header.Get("Content-Security-Policy"), "; "), strings.Split(policy, "; ")
		if slices.Sort(got); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
			t.Errorf("%s: policy %q, want %q", path, got, want)
		}
		for name, want := range map[string]string{
			"X-Content-Type-Options":     "nosniff",
			"Referrer-Policy":            "same-origin",
			"Cross-Origin-Opener-Policy": "same-origin",
			"Cache-Control":              "no-cache",
			"Content-Type":               "text/html; charset=utf-8",
		} {
			if got := a.Header.Get(name); got != want {
				t.Errorf("%s: %s = %q, want %q", path, name, got, want)
			}
		}
		if !strings.Contains(a.Header.Get("Permissions-Policy"), "camera=()") {
			t.Errorf("%s: Permissions-Policy = %q", path, a.Header.Get("Permissions-Policy"))
		}
		for name := range a.Header {
			if strings.HasPrefix(name, "Access-Control-") || name == "Set-Cookie" {
				t.Errorf("%s carries %s", path, name)
			}
		}
	}
}

func TestPanelIsRevalidated(t *testing.T) {
	t.Parallel()
	url := "http://" + serveRoutes(t, server.Routes{})
	etag := mustDo(t, http.MethodGet, url+"/", nil).Header.Get("ETag")
	if len(etag) < 10 || strings.HasPrefix(etag, "W/") {
		t.Fatalf("ETag = %q, which is not strong", etag)
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

// TestPanelNotBuilt checks that without a build every page is the placeholder, with 503, and that
// the service does not start if the placeholder is missing too.
func TestPanelNotBuilt(t *testing.T) {
	t.Parallel()
	files := panelFiles()
	maps.DeleteFunc(files, func(name string, _ *fstest.MapFile) bool { return name != "placeholder.html" })
	url := "http://" + serveRoutes(t, server.Routes{Panel: files})
	for _, path := range []string{"/", "/?next=%2F", "/explorer"} {
		a := mustDo(t, http.MethodGet, url+path, nil)
		if a.StatusCode != http.StatusServiceUnavailable || !strings.Contains(a.text, "Placeholder") {
			t.Errorf("GET %s = %d, %q", path, a.StatusCode, a.text)
		}
		if a.Header.Get("Cache-Control") != "no-store" || a.Header.Get("Content-Type") != "text/html; charset=utf-8" {
			t.Errorf("GET %s: %v", path, a.Header)
		}
	}
	if a := mustDo(t, http.MethodPost, url+"/v1/agent/chat", nil); a.Header.Get("X-Reached") != "rest" {
		t.Errorf("without a panel the chat API answers %d", a.StatusCode)
	}
	if _, err := server.NewHandler(server.Routes{REST: rest, Panel: fstest.MapFS{}}); err == nil {
		t.Error("a panel without a page was accepted")
	}
}

// TestEmbeddedPage checks that the embedded page, built or not, refers to no other origin.
func TestEmbeddedPage(t *testing.T) {
	t.Parallel()
	files := frontend.Files()
	url := "http://" + serveRoutes(t, server.Routes{Panel: files})
	placeholder, err := fs.ReadFile(files, "placeholder.html")
	if err != nil || !strings.Contains(string(placeholder), "Panel not built, run make") {
		t.Fatalf("the placeholder is %.80q, %v", placeholder, err)
	}
	for path, file := range map[string]string{"/": "index.html", "/explorer": "explorer.html"} {
		a := mustDo(t, http.MethodGet, url+path, nil)
		want := http.StatusOK
		if _, err := fs.Stat(files, file); err != nil {
			want = http.StatusServiceUnavailable
		}
		if a.StatusCode != want || !strings.Contains(a.text, "Agent Chat") {
			t.Fatalf("GET %s = %d, %.80q", path, a.StatusCode, a.text)
		}
		for _, foreign := range []string{"http://", "https://", "//cdn", "@import", "url("} {
			if strings.Contains(a.text, foreign) {
				t.Errorf("the page at %s refers to another origin: %s", path, foreign)
			}
		}
	}
}

// TestPanelEncodings checks that clients get the smallest encoding that they accept, each with its
// own ETag.
func TestPanelEncodings(t *testing.T) {
	t.Parallel()
	files := panelFiles()
	files["assets/app-1a2b3c.js.br"] = &fstest.MapFile{Data: []byte("BR")}
	files["assets/app-1a2b3c.js.gz"] = &fstest.MapFile{Data: []byte("GZ.")}
	files["index.html.gz"] = &fstest.MapFile{Data: []byte("GZ page")}
	files["explorer.html.br"] = &fstest.MapFile{Data: []byte("BR explorer")}
	url := "http://" + serveRoutes(t, server.Routes{Panel: files})
	etags := map[string]string{}
	for _, c := range []struct{ accept, encoding, text string }{
		{"gzip, deflate, br, zstd", "br", "BR"}, {"gzip", "gzip", "GZ."}, {"GZIP;q=0.1", "gzip", "GZ."}, {"br;q=0, gzip;q=1", "gzip", "GZ."},
		{"identity", "", "export const answer = 42;"}, {"*", "", "export const answer = 42;"},
		{"br;q=nonsense", "br", "BR"}, {"brotli, xgzip", "", "export const answer = 42;"},
		{"br;q=0", "", "export const answer = 42;"},
	} {
		a := mustDo(t, http.MethodGet, url+"/assets/app-1a2b3c.js", http.Header{"Accept-Encoding": {c.accept}})
		if a.StatusCode != http.StatusOK || a.Header.Get("Content-Encoding") != c.encoding || a.text != c.text {
			t.Errorf("Accept-Encoding %q = %d, %q, %q", c.accept, a.StatusCode, a.Header.Get("Content-Encoding"), a.text)
		}
		if a.Header.Get("Vary") != "Accept-Encoding" || a.ContentLength != int64(len(c.text)) {
			t.Errorf("Accept-Encoding %q: Vary %q, %d bytes announced", c.accept, a.Header.Get("Vary"), a.ContentLength)
		}
		if a.Header.Get("Content-Type") != "text/javascript; charset=utf-8" {
			t.Errorf("Accept-Encoding %q: Content-Type %q", c.accept, a.Header.Get("Content-Type"))
		}
		etags[a.Header.Get("ETag")] = c.encoding
	}
	if len(etags) != 3 {
		t.Errorf("the three forms have the ETags %v", etags)
	}
	if a := mustDo(t, http.MethodGet, url+"/agents", http.Header{"Accept-Encoding": {"br, gzip"}}); a.text != "GZ page" {
		t.Errorf("a page compressed only with gzip is %q", a.text)
	}
	if a := mustDo(t, http.MethodGet, url+"/explorer", http.Header{"Accept-Encoding": {"br"}}); a.text != "BR explorer" {
		t.Errorf("the explorer compressed with br is %q", a.text)
	}
	for _, ending := range []string{".br", ".gz"} {
		if a := mustDo(t, http.MethodGet, url+"/assets/app-1a2b3c.js"+ending, nil); a.Header.Get("X-Reached") != "rest" {
			t.Errorf("the compressed file itself is served: %d", a.StatusCode)
		}
	}
}

// TestUnknownAddresses checks that a browser gets the panel's page with 404, and other clients the
// API's 404.
func TestUnknownAddresses(t *testing.T) {
	t.Parallel()
	url := "http://" + serveRoutes(t, server.Routes{})
	browser := "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"
	cases := []struct {
		method, path, accept string
		page                 bool
	}{
		{"GET", "/dashboard", browser, true},
		{"HEAD", "/dashboard", browser, true},
		{"GET", "/docs/", browser, true},
		{"GET", "/Agents", "text/html", true},
		{"GET", "/dashboard", "", false},
		{"GET", "/dashboard", "*/*", false},
		{"GET", "/dashboard", "application/json", false},
		{"GET", "/dashboard", "text/html;q=0, application/json", false},
		{"POST", "/dashboard", browser, false},
		{"GET", "/v1/agents", browser, false},
		{"GET", "/graphql/x", browser, false},
		{"GET", "/assets/none", browser, false},
		{"GET", "/favicon.ico", browser, false},
		{"GET", "/a//b", browser, false},
	}
	for _, c := range cases {
		t.Run(c.method+" "+c.path+" "+c.accept, func(t *testing.T) {
			t.Parallel()
			a := mustDo(t, c.method, url+c.path, http.Header{"Accept": {c.accept}})
			if !c.page {
				if a.Header.Get("X-Reached") != "rest" {
					t.Errorf("status %d and not the API's response", a.StatusCode)
				}
				return
			}
			if a.StatusCode != http.StatusNotFound || !strings.HasPrefix(a.Header.Get("Content-Type"), "text/html") {
				t.Errorf("status %d, type %q and not the page with 404", a.StatusCode, a.Header.Get("Content-Type"))
			}
			if vary := strings.Join(a.Header.Values("Vary"), ", "); !strings.Contains(vary, "Accept") || a.Header.Get("ETag") != "" {
				t.Errorf("Vary %q, ETag %q", vary, a.Header.Get("ETag"))
			}
			if a.Header.Get("Content-Security-Policy") == "" || a.Header.Get("Cache-Control") != "no-store" {
				t.Errorf("headers %v", a.Header)
			}
			if (c.method == "HEAD") == strings.Contains(a.text, "<!doctype html>") {
				t.Errorf("body %q", a.text)
			}
		})
	}
}
