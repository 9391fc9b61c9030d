package foreign

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Detect returns the format of a file by its names at the top: AgentChat unless another one is
// certain. It reads neither values nor what lies deeper, and no more than MaxFile, so it needs no
// child process. Fault: InvalidInput for a known format that cannot be imported.
func Detect(content []byte) (Format, error) {
	content = bytes.TrimPrefix(content[:min(len(content), MaxFile)], []byte(byteOrderMark))
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

// names are the names by which formats are detected.
var names = []string{"app", "object", "input", "prompt", "nodes", "edges"}

// maxNames is the most names that are looked at in YAML.
const maxNames = 1000

// present marks a value that was not read.
const present = "…"

// topJSON returns the names of the first JSON object, with the value of "object". It is nil if the
// content is not JSON, and has the names before an error.
func topJSON(content []byte) map[string]string {
	decoder := jsontext.NewDecoder(bytes.NewBuffer(content), jsontext.AllowDuplicateNames(true))
	if token, err := decoder.ReadToken(); err != nil || token.Kind() != '{' {
		return nil
	}
	has := map[string]string{}
	for decoder.PeekKind() == '"' {
		name, err := decoder.ReadToken()
		if err != nil {
			break
		}
		key, value := name.String(), present
		if key == "object" && decoder.PeekKind() == '"' {
			var text jsontext.Value
			if text, err = decoder.ReadValue(); err == nil {
				err = json.Unmarshal(text, &value)
			}
		} else {
			err = decoder.SkipValue()
		}
		if err != nil {
			break
		}
		if slices.Contains(names, key) {
			has[key] = value
		}
	}
	return has
}

var topName = regexp.MustCompile(`(?m)^["']?(` + strings.Join(names, "|") + `)["']?[ \t]*:(?:[ \t]+["']?(assistant)["']?[ \t]*\r?$)?`)

// topYAML is topJSON for YAML whose top is a block.
func topYAML(content []byte) map[string]string {
	has := map[string]string{}
	for _, found := range topName.FindAllSubmatch(content, maxNames) {
		value := present
		if len(found[2]) > 0 {
			value = string(found[2])
		}
		has[string(found[1])] = value
	}
	return has
}
