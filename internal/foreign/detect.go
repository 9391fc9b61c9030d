package foreign

import (
	"bytes"
	"encoding/json"
	"regexp"

	"github.com/go-json-experiment/json/jsontext"
)

// Detect returns the format of a file by its names at the top: AgentChat unless another one is
// certain. It reads neither values nor what lies deeper, so it needs no child process. Fault:
// InvalidInput for a known format that cannot be imported.
func Detect(content []byte) (Format, error) {
	content = bytes.TrimPrefix(content, []byte(byteOrderMark))
	has := topJSON(content)
	if has == nil {
		has = topYAML(content)
	}
	switch _, object := has["object"]; {
	case has["app"] != "":
		return Dify, nil
	case has["nodes"] != "" && has["edges"] != "":
		return "", invalid("Line 1: Flowise and Langflow graphs are not read.")
	case object && has["object"] == "assistant":
		return OpenAIAssistant, nil
	case has["input"] != "" || has["prompt"] != "":
		return OpenAIPrompt, nil
	}
	return AgentChat, nil
}

// present marks a value that was not read.
const present = "…"

// topJSON returns the names of the first JSON object, with the value of "object". It is nil if the
// content is not JSON.
func topJSON(content []byte) map[string]string {
	decoder := jsontext.NewDecoder(bytes.NewBuffer(content), jsontext.AllowDuplicateNames(true))
	if token, err := decoder.ReadToken(); err != nil || token.Kind() != '{' {
		return nil
	}
	has := map[string]string{}
	for decoder.PeekKind() == '"' {
		name, err := decoder.ReadToken()
		if err != nil {
			return map[string]string{}
		}
		key := name.String()
		value := present
		if key == "object" && decoder.PeekKind() == '"' {
			var text jsontext.Value
			if text, err = decoder.ReadValue(); err == nil {
				err = json.Unmarshal(text, &value)
			}
		} else {
			err = decoder.SkipValue()
		}
		if err != nil {
			return map[string]string{}
		}
		if len(key) <= len("prompt") { // the longest name that matters
			has[key] = value
		}
	}
	return has
}

var topName = regexp.MustCompile(`(?m)^["']?(app|object|input|prompt|nodes|edges)["']?[ \t]*:(?:[ \t]+["']?(assistant)["']?[ \t]*\r?$)?`)

// topYAML is topJSON for YAML whose top is a block.
func topYAML(content []byte) map[string]string {
	has := map[string]string{}
	if len(content) > MaxFile {
		return has
	}
	for _, found := range topName.FindAllSubmatch(content, -1) {
		value := present
		if len(found[2]) > 0 {
			value = string(found[2])
		}
		has[string(found[1])] = value
	}
	return has
}
