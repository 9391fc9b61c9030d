package graph

import (
	"net/http"
	"strings"

	"github.com/vektah/gqlparser/v2/formatter"

	"agentchat/graph/generated"
	"agentchat/internal/httpapi"
)

// Schema returns the API's schema as text in GraphQL's schema language, descriptions included. Its
// first line is a comment with the version of the service.
func Schema(version string) string {
	var out strings.Builder
	out.WriteString("# Agent Chat " + version + "\n")
	formatter.NewFormatter(&out, formatter.WithIndent("  ")).
		FormatSchema(generated.NewExecutableSchema(generated.Config{}).Schema())
	return out.String()
}

// NewSchema returns the handler of /schema.graphql. The schema is public.
func NewSchema(version string) http.Handler {
	return httpapi.NewDocument("application/graphql; charset=utf-8", []byte(Schema(version)))
}
