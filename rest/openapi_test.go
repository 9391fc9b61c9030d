package rest_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"agentchat/internal/fault"
	"agentchat/internal/openapitest"
	"agentchat/rest"
)

// described loads the description of the API at an address.
func described(t *testing.T, baseURL string) *openapitest.Document {
	t.Helper()
	return openapitest.Load(t, rest.OpenAPI(baseURL), http.MethodPost, rest.ChatPath)
}

func TestOpenAPIHoldsTheServersAddress(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"http://localhost:8080": "http://localhost:8080", "https://chat.example.com/": "https://chat.example.com",
		"http://[::1]:9": "http://[::1]:9", `https://x.example/a"b: c #`: `https://x.example/a"b: c #`,
	} {
		text := rest.OpenAPI(given)
		if n := bytes.Count(text, []byte("- url: ")); n != 1 ||
			bytes.Contains(text, []byte("localhost:8080")) != strings.Contains(given, ":8080") {
			t.Errorf("%s: %d addresses, or the address in the file", given, n)
		}
		if strings.ContainsAny(given, " []") {
			continue // well quoted, which is enough for such an address
		}
		if got := described(t, given).Server; got != want {
			t.Errorf("the server is %q, want %q", got, want)
		}
	}
	// The file in the repository is a valid description as well.
	file, err := os.ReadFile("openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if got := openapitest.Load(t, file, http.MethodPost, rest.ChatPath).Server; got != "/" {
		t.Errorf("the file's server is %q", got)
	}
}

// The table of errors and the description have the same codes, with the same statuses.
func TestOpenAPIHasTheTablesCodes(t *testing.T) {
	t.Parallel()
	codes := described(t, "http://localhost").Codes()
	for _, kind := range rest.Kinds() {
		status, _ := rest.StatusOf(kind)
		if codes[string(kind)] != status {
			t.Errorf("%s is %d in the table and %d in the description", kind, status, codes[string(kind)])
		}
	}
	for code := range codes {
		if _, listed := rest.StatusOf(fault.Kind(code)); !listed {
			t.Errorf("the description lists %s, which the table does not", code)
		}
	}
}

func TestOpenAPIIsServed(t *testing.T) {
	t.Parallel()
	const address = "https://chat.example.com"
	at := serve(t, rest.NewOpenAPI(address))
	get := func(method string, headers ...string) reply {
		t.Helper()
		lines := append([]string{method + " " + rest.OpenAPIPath + " HTTP/1.1", "Host: localhost"}, headers...)
		return sendRaw(t, at, strings.Join(lines, "\r\n")+"\r\n\r\n")[0]
	}
	first := get(http.MethodGet)
	if first.StatusCode != http.StatusOK || first.text != string(rest.OpenAPI(address)) ||
		!strings.Contains(first.text, `- url: "`+address+`"`) {
		t.Errorf("GET: %d, %d bytes", first.StatusCode, len(first.text))
	}
	for name, want := range map[string]string{
		"Content-Type": "application/yaml", "Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff",
		"Access-Control-Allow-Origin": "",
	} {
		if got := first.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	etag := first.Header.Get("ETag")
	if len(etag) < 10 {
		t.Errorf("ETag is %q", etag)
	}
	if head := get(http.MethodHead); head.StatusCode != http.StatusOK || head.text != "" ||
		head.Header.Get("ETag") != etag ||
		head.ContentLength != int64(len(rest.OpenAPI(address))) {
		t.Errorf("HEAD: %d, %q, %v", head.StatusCode, head.text, head.Header)
	}
	if again := get(http.MethodGet,
		"If-None-Match: "+etag); again.StatusCode != http.StatusNotModified || again.text != "" {
		t.Errorf("If-None-Match: %d, %d bytes", again.StatusCode, len(again.text))
	}
	if other := get(http.MethodGet, `If-None-Match: "other"`); other.StatusCode != http.StatusOK {
		t.Errorf("If-None-Match of another: %d", other.StatusCode)
	}
	for _, method := range []string{http.MethodPost, http.MethodDelete, http.MethodOptions} {
		if refused := get(method); refused.StatusCode != http.StatusMethodNotAllowed ||
			refused.Header.Get("Allow") != "GET, HEAD" {
			t.Errorf("%s: %d %v", method, refused.StatusCode, refused.Header)
		}
	}
	w := httptest.NewRecorder()
	rest.NewOpenAPI("https://other.example").ServeHTTP(w,
		httptest.NewRequest(http.MethodGet, rest.OpenAPIPath, nil))
	if w.Header().Get("ETag") == etag {
		t.Error("another address has the same ETag")
	}
}
