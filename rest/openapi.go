package rest

import (
	"bytes"
	_ "embed"
	"net/http"
	"strings"
	"time"

	"agentchat/internal/httpapi"
)

// OpenAPIPath is where the API's description is served.
const OpenAPIPath = "/openapi.yaml"

// openAPI is the description of the API (OpenAPI 3.1.0), whose one server is placeholderServer.
//
//go:embed openapi.yaml
var openAPI []byte

const placeholderServer = "  - url: /\n"

// OpenAPI returns the description of the API in YAML, with the server's own address in it, such as
// "https://chat.example.com".
func OpenAPI(baseURL string) []byte {
	address := httpapi.Encode(strings.TrimSuffix(baseURL, "/")) // a JSON string is also a YAML string
	return bytes.Replace(openAPI, []byte(placeholderServer), []byte("  - url: "+string(address)+"\n"), 1)
}

// NewOpenAPI returns the handler for OpenAPIPath, which serves the description to GET and HEAD, conditional requests included.
// It needs no key: the description is public.
func NewOpenAPI(baseURL string) http.Handler {
	document := OpenAPI(baseURL)
	etag := httpapi.ETag(document)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("X-Content-Type-Options", "nosniff")
		if !httpapi.ReadOnly(w, r) {
			return
		}
		header.Set("Content-Type", "application/yaml") // RFC 9512
		header.Set("Cache-Control", "no-cache")
		header.Set("ETag", etag)
		http.ServeContent(w, r, OpenAPIPath, time.Time{}, bytes.NewReader(document))
	})
}
