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

// openAPI is the description of the API (OpenAPI 3.1.0). Its one server is placeholderServer.
//
//go:embed openapi.yaml
var openAPI []byte

const placeholderServer = "  - url: /\n"

// OpenAPI returns the description of the API in YAML, with the version of the service and the
// server's own address, such as "https://chat.example.com".
func OpenAPI(version, baseURL string) []byte {
	address := httpapi.Encode(strings.TrimSuffix(baseURL, "/")) // a JSON string is also a YAML string
	return bytes.Replace(httpapi.Versioned(openAPI, version), []byte(placeholderServer), []byte("  - url: "+string(address)+"\n"), 1)
}

// NewOpenAPI returns the handler for OpenAPIPath. It needs no key: the description is public.
func NewOpenAPI(version, baseURL string) http.Handler {
	return httpapi.NewDocument("application/yaml", OpenAPI(version, baseURL)) // RFC 9512
}
