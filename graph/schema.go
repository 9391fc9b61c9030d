package graph

import (
	"strings"

	"github.com/vektah/gqlparser/v2/formatter"

	"agentchat/graph/generated"
)

// Schema returns the API's schema as text in GraphQL's schema language, descriptions included.
func Schema() string {
	var out strings.Builder
	formatter.NewFormatter(&out, formatter.WithIndent("  ")).
		FormatSchema(generated.NewExecutableSchema(generated.Config{}).Schema())
	return out.String()
}
