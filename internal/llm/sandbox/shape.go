package sandbox

import (
	"encoding/json"
	"maps"
	"slices"

	"agentchat/internal/llm"
	"agentchat/internal/schema"
)

// shaped makes up a reply that fits the request's schema, with parts of the message in its texts. If the schema asks for more than can be
// made up, the reply does not fit.
func shaped(req llm.Request, text string) string {
	shape, err := schema.Parse(req.Schema)
	if err != nil {
		return "{}"
	}
	words := excerpt(text, quotedMessage)
	if words == "" {
		words = "sandbox"
	}
	reply, _ := shape.Example(words)
	return reply
}

// misshapen is a reply that does not fit: without a required member, or a list if the schema requires none.
func misshapen(req llm.Request, text string) string {
	shape, err := schema.Parse(req.Schema)
	var members map[string]json.RawMessage
	if err != nil || json.Unmarshal([]byte(shaped(req, text)), &members) != nil {
		return "[]"
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		others := maps.Clone(members)
		delete(others, name)
		reply, err := json.Marshal(others)
		if err != nil {
			continue
		}
		if _, misfit := shape.Check(string(reply)); misfit != nil {
			return string(reply)
		}
	}
	return "[]"
}
