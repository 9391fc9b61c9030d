package rest_test

import (
	"bytes"
	"net/http"
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
	return openapitest.Load(t, rest.OpenAPI("0.2.0", baseURL), http.MethodPost, rest.ChatPath)
}

func TestOpenAPIHasVersionAndAddress(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"http://localhost:8080": "http://localhost:8080", "https://chat.example.com/": "https://chat.example.com",
		"http://[::1]:9": "http://[::1]:9", `https://x.example/a"b: c #`: `https://x.example/a"b: c #`,
	} {
		text := rest.OpenAPI("0.2.0", given)
		if n := bytes.Count(text, []byte("- url: ")); n != 1 || !bytes.Contains(text, []byte("\n  version: \"0.2.0\"\n")) ||
			bytes.Contains(text, []byte("localhost:8080")) != strings.Contains(given, ":8080") {
			t.Errorf("%s: %d servers, or the one in the file, or no version", given, n)
		}
		if strings.ContainsAny(given, " []") {
			continue // it is quoted, which is enough for such an address
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

// TestOpenAPIHasTheTablesCodes: the table of errors and the description have the same codes, with
// the same statuses.
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
	at := serve(t, rest.NewOpenAPI("0.2.0", address))
	get := func(method string, headers ...string) reply {
		t.Helper()
		return sendRaw(t, at, requestLine(method+" "+rest.OpenAPIPath, headers...))[0]
	}
	first := get(http.MethodGet)
	if first.StatusCode != http.StatusOK || first.text != string(rest.OpenAPI("0.2.0", address)) {
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
	if head := get(http.MethodHead); head.StatusCode != http.StatusOK || head.text != "" ||
		head.Header.Get("ETag") != etag || head.ContentLength != int64(len(first.text)) {
		t.Errorf("HEAD: %d, %q, %v", head.StatusCode, head.text, head.Header)
	}
	for given, status := range map[string]int{etag: http.StatusNotModified, `"other"`: http.StatusOK} {
		if r := get(http.MethodGet, "If-None-Match: "+given); r.StatusCode != status || len(etag) < 10 {
			t.Errorf("If-None-Match %s: %d", given, r.StatusCode)
		}
	}
	for _, method := range []string{http.MethodPost, http.MethodDelete, http.MethodOptions} {
		r := get(method)
		if r.StatusCode != http.StatusMethodNotAllowed || r.Header.Get("Allow") != "GET, HEAD" {
			t.Errorf("%s: %d %v", method, r.StatusCode, r.Header)
		}
	}
}
