package gemini

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"agentchat/internal/llm"
)

// own is the part of a request that the transport adds, because the library does not support it, or
// corrupts large numbers in it (https://ai.google.dev/api/generate-content).
type own struct {
	// schema is the reply schema; empty for a reply of text.
	schema string
	// contents replace the library's, nil to keep those. tools and config belong to them.
	contents []content
	tools    []tool
	config   *toolConfig
}

type content struct {
	Role  string `json:"role"`
	Parts []any  `json:"parts"`
}

// The kinds of parts.
type (
	textPart struct {
		Text string `json:"text"`
	}
	callPart struct {
		Call      functionCall `json:"functionCall"`
		Signature string       `json:"thoughtSignature,omitempty"`
	}
	functionCall struct {
		Name string         `json:"name"`
		Args jsontext.Value `json:"args"`
	}
	resultPart struct {
		Response functionResponse `json:"functionResponse"`
	}
	functionResponse struct {
		ID       string         `json:"id,omitempty"`
		Name     string         `json:"name"`
		Response map[string]any `json:"response"`
	}
)

type tool struct {
	Declarations []declaration `json:"functionDeclarations"`
}

type declaration struct {
	Name        string         `json:"name"`
	Description string         `json:"description,omitempty"`
	Parameters  jsontext.Value `json:"parametersJsonSchema"`
}

type toolConfig struct {
	Calling struct {
		Mode string `json:"mode"`
	} `json:"functionCallingConfig"`
}

// needsOwn reports whether a request has anything that the library does not support.
func needsOwn(req llm.Request) bool {
	return req.Schema != "" || len(req.Actions) > 0 || len(req.Steps) > 0
}

// ownOf returns the part of a request that the transport adds. With actions, a reply schema is text
// (see llm.WithSchema), because Gemini 2.5 refuses the two together.
func ownOf(req llm.Request) *own {
	o := &own{}
	if req.Schema != "" && len(req.Actions) == 0 {
		o.schema = reduced(req.Schema).Text
	}
	if len(req.Actions) > 0 || len(req.Steps) > 0 {
		o.contents = contentsOf(req)
	}
	if len(req.Actions) > 0 {
		o.tools = toolsOf(req.Actions)
		if req.Answered {
			o.config = &toolConfig{}
			o.config.Calling.Mode = "NONE"
		}
	}
	return o
}

func toolsOf(actions []llm.Action) []tool {
	declarations := make([]declaration, len(actions))
	for i, a := range actions {
		declarations[i] = declaration{a.Name, a.Description,
			jsontext.Value(llm.ParametersOf(a, reduced))}
	}
	return []tool{{declarations}}
}

// contentsOf returns the conversation with the steps: each reply verbatim, or rebuilt if another
// model gave it, followed by one result per call. The only roles are user and model.
func contentsOf(req llm.Request) []content {
	said := func(role, text string) content { return content{role, []any{textPart{text}}} }
	var contents []content
	for _, e := range req.History {
		contents = append(contents, said("user", e.User), said("model", e.Assistant))
	}
	contents = append(contents, said("user", req.Message))
	for _, s := range req.Steps {
		contents = append(contents, content{"model", partsOf(s, needsSignature(req.Model))},
			content{"user", resultsOf(s)})
	}
	return contents
}

// noSignature is Google's placeholder for a call without a signature
// (https://ai.google.dev/gemini-api/docs/thought-signatures).
const noSignature = "skip_thought_signature_validator"

// needsSignature reports whether a model refuses a reply whose first call has no signature. Models
// since Gemini 3 do.
func needsSignature(model string) bool {
	return !strings.HasPrefix(model, "gemini-1") && !strings.HasPrefix(model, "gemini-2")
}

// partsOf returns the parts of a reply.
func partsOf(s llm.Step, signed bool) (parts []any) {
	var given []map[string]json.RawMessage
	if s.ProviderState != "" && json.Unmarshal([]byte(s.ProviderState), &given) == nil {
		for _, part := range given {
			if part["functionCall"] != nil {
				if signed && part["thoughtSignature"] == nil {
					part["thoughtSignature"] = json.RawMessage(`"` + noSignature + `"`)
				}
				signed = false
			}
			parts = append(parts, part)
		}
		return parts
	}
	if s.Text != "" {
		parts = append(parts, textPart{s.Text})
	}
	for _, c := range s.Calls {
		part := callPart{Call: functionCall{c.Name, jsontext.Value("{}")}}
		if strings.HasPrefix(c.Arguments, "{") && json.Valid([]byte(c.Arguments)) {
			part.Call.Args = jsontext.Value(c.Arguments)
		}
		if signed {
			part.Signature, signed = noSignature, false
		}
		parts = append(parts, part)
	}
	return parts
}

// resultsOf returns the results of the calls of a reply.
func resultsOf(s llm.Step) (parts []any) {
	for i, c := range s.Calls {
		response := map[string]any{"error": "It was not run."}
		if i < len(s.Results) {
			if r := s.Results[i]; r.Error != "" {
				response["error"] = r.Error
			} else {
				response = map[string]any{"result": jsontext.Value(r.Result)}
			}
		}
		parts = append(parts, resultPart{functionResponse{c.ProviderState, c.Name, response}})
	}
	return parts
}

// put adds o to the library's request.
func (o *own) put(req *http.Request) error {
	defer func() { _ = req.Body.Close() }()
	var body, config map[string]jsontext.Value
	if err := jsonv2.UnmarshalRead(req.Body, &body); err != nil {
		return fmt.Errorf("reading the library's request: %w", err)
	}
	if err := jsonv2.Unmarshal(body["generationConfig"], &config); len(body["generationConfig"]) > 0 &&
		err != nil {
		return fmt.Errorf("reading the library's generationConfig: %w", err)
	}
	sent := make(map[string]any, len(body)+3)
	for name, value := range body {
		sent[name] = value
	}
	if o.schema != "" {
		if config == nil {
			config = map[string]jsontext.Value{}
		}
		config["responseMimeType"], config["responseJsonSchema"] = jsontext.Value(`"application/json"`),
			jsontext.Value(o.schema)
		sent["generationConfig"] = config
	}
	if o.contents != nil {
		sent["contents"] = o.contents
	}
	if o.tools != nil {
		sent["tools"] = o.tools
	}
	if o.config != nil {
		sent["toolConfig"] = o.config
	}
	data, err := jsonv2.Marshal(sent, jsonv2.Deterministic(true),
		jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	if err != nil {
		return fmt.Errorf("writing the request: %w", err)
	}
	req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(data)), int64(len(data))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }
	return nil
}
