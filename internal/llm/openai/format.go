package openai

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	"agentchat/internal/llm"
	"agentchat/internal/llm/upstream"
	"agentchat/internal/schema"
)

// format requests a structured reply (https://platform.openai.com/docs/guides/structured-outputs).
type format struct {
	Type       string     `json:"type"`
	JSONSchema jsonSchema `json:"json_schema"`
}

type jsonSchema struct {
	Name   string          `json:"name"`
	Schema json.RawMessage `json:"schema"`
	Strict bool            `json:"strict"`
}

// strictKeywords are the keywords that OpenAI documents for strict schemas, except patterns and
// formats: a pattern can crash a compatible server. sentKeywords may be sent, too, but make a
// schema not strict.
var (
	strictKeywords = []string{
		"type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf", "$ref", "$defs",
		"title", "description", "multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum",
		"minItems", "maxItems",
	}
	sentKeywords = []string{
		"allOf", "oneOf", "not", "if", "then", "else", "prefixItems", "definitions", "default", "minProperties",
		"maxProperties", "dependentRequired", "dependentSchemas", "contains", "uniqueItems",
	}
)

// formatOf returns the format for a schema. Package chat still checks the keywords that are left
// out.
func formatOf(text string) *format {
	sent := reduced(text).Text
	return &format{
		Type:       "json_schema",
		JSONSchema: jsonSchema{Name: "reply", Schema: json.RawMessage(sent), Strict: isStrict(sent)},
	}
}

// reduced returns the part of a schema that is sent.
func reduced(text string) schema.Reduced {
	return schema.Reduce(text, func(keyword string) bool {
		return slices.Contains(strictKeywords, keyword) || slices.Contains(sentKeywords, keyword)
	})
}

// Rules implements llm.Rules.
func (m *Model) Rules(req llm.Request) string {
	if len(req.Actions) == 0 && req.Schema != "" && m.isTextOnly(req) {
		return ""
	}
	return llm.RulesOf(req, reduced)
}

// isStrict reports whether OpenAI accepts a schema as strict: every object is closed and requires
// all of its properties.
func isStrict(text string) bool {
	strict := true
	schema.Each(text, func(s map[string]any) {
		for keyword := range s {
			strict = strict && slices.Contains(strictKeywords, keyword)
		}
		properties, _ := s["properties"].(map[string]any)
		if required, _ := s["required"].([]any); properties != nil || s["type"] == "object" {
			strict = strict && s["additionalProperties"] == false && len(required) == len(properties)
			for name := range properties {
				strict = strict && slices.Contains(required, any(name))
			}
		}
	})
	return strict
}

// ask sends a request. If the server refuses the format, it sends the request again with the schema
// in the instructions.
func (m *Model) ask(ctx context.Context, req llm.Request) (*upstream.Answer, error) {
	switch {
	case len(req.Actions) > 0:
		return m.askWithTools(ctx, req)
	case req.Schema == "":
		return m.client.Post(ctx, m.address, m.payload(req), req)
	}
	if !m.isTextOnly(req) {
		stated := req
		stated.Instructions = llm.WithRules(req)
		p := m.payload(stated)
		p.ResponseFormat = formatOf(req.Schema)
		answer, err := m.client.Post(ctx, m.address, p, req)
		refused, ok := errors.AsType[*upstream.StatusError](err)
		if !ok || refused.Blocked ||
			refused.Status != http.StatusBadRequest && refused.Status != http.StatusUnprocessableEntity {
			return answer, err
		}
	}
	inText := req
	inText.Instructions = llm.WithSchema(req)
	answer, err := m.client.Post(ctx, m.address, m.payload(inText), inText)
	if err == nil {
		m.textOnly.Add(formatKey(req), struct{}{})
	}
	return answer, err
}

// isTextOnly reports whether the schema of a request is a union, which is no format, or one that
// the model has refused.
func (m *Model) isTextOnly(req llm.Request) bool {
	return m.textOnly.Len() > 0 && m.textOnly.Contains(formatKey(req)) || !reduced(req.Schema).Object
}

// maxRefusedFormats is the most formats that are remembered.
const maxRefusedFormats = 4096

// formatKey identifies a model with a schema. Another schema may be fine, so it is tried.
func formatKey(req llm.Request) [sha256.Size]byte {
	return sha256.Sum256([]byte(req.Model + "\n" + req.Schema))
}
