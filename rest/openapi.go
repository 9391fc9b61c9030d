package rest

import (
	"bytes"
	_ "embed"
	"net/http"
	"strings"

	"agentchat/internal/httpapi"
)

// OpenAPIPath is the path of the API's description.
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

// NewOpenAPI returns the handler for OpenAPIPath. It needs no key: the description is public.
func NewOpenAPI(baseURL string) http.Handler {
	return httpapi.NewDocument("application/yaml", OpenAPI(baseURL)) // RFC 9512
}
