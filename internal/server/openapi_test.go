package server_test

import (
	"io"
	"net/http"
	"testing"

	"agentchat/internal/server"
)

func TestOpenAPIHasOnePath(t *testing.T) {
	t.Parallel()
	description := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, "openapi "+r.Method) })
	url := "http://" + serveRoutes(t, server.Routes{OpenAPI: description})
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodOptions} { // the handler's to refuse
		if a := mustDo(t, method, url+"/openapi.yaml", nil); a.text != "openapi "+method {
			t.Errorf("%s /openapi.yaml reached %q", method, a.text)
		}
	}
	for _, path := range []string{"/openapi.yaml/", "/openapi.yml", "/openapi%2Eyaml", "/OpenAPI.yaml", "//openapi.yaml", "/v1/openapi.yaml"} {
		if a := mustDo(t, http.MethodGet, url+path, nil); a.Header.Get("X-Reached") != "rest" {
			t.Errorf("GET %s: status %d, want the chat API's 404", path, a.StatusCode)
		}
	}
	without := "http://" + serveRoutes(t, server.Routes{})
	if a := mustDo(t, http.MethodGet, without+"/openapi.yaml", nil); a.Header.Get("X-Reached") != "rest" {
		t.Errorf("without a description: status %d, want the chat API's 404", a.StatusCode)
	}
}
