package sandbox

import (
	"encoding/json"
	"maps"
	"slices"

	"agentchat/internal/schema"
)

// shaped makes up a JSON object that fits a schema, with the beginning of a text in its texts. If the schema asks for more than can be made
// up, it does not fit.
func shaped(under, text string) string {
	shape, err := schema.Parse(under)
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

// misshapen is JSON that does not fit: without a required member, or a list if the schema requires none.
func misshapen(under, text string) string {
	shape, err := schema.Parse(under)
	var members map[string]json.RawMessage
	if err != nil || json.Unmarshal([]byte(shaped(under, text)), &members) != nil {
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
