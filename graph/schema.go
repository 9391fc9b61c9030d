package graph

import (
	"net/http"
	"strings"

	"github.com/vektah/gqlparser/v2/formatter"

	"agentchat/graph/generated"
	"agentchat/internal/httpapi"
)

// Schema returns the API's schema as text in GraphQL's schema language, descriptions included.
func Schema() string {
	var out strings.Builder
	formatter.NewFormatter(&out, formatter.WithIndent("  ")).
		FormatSchema(generated.NewExecutableSchema(generated.Config{}).Schema())
	return out.String()
}

// NewSchema returns the handler of /schema.graphql. The schema is public.
func NewSchema() http.Handler {
	return httpapi.NewDocument("application/graphql; charset=utf-8", []byte(Schema()))
}
