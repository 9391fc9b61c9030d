package bridge

import (
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// unsupported are the fields that an agent cannot obey, with their default values in compact JSON,
// which are accepted.
var unsupported = map[string][]string{
	"n":                   {"1"},
	"stop":                {`""`, "[]"},
	"logprobs":            {"false"},
	"logit_bias":          {"{}", "[]"},
	"modalities":          {`["text"]`, "[]"},
	"audio":               nil,
	"prediction":          nil,
	"functions":           {"[]"},
	"web_search_options":  nil,
	"background":          {"false"},
	"prompt":              nil,
	"max_tool_calls":      nil,
	"parallel_tool_calls": {"true"},
	"truncation":          {`"auto"`},
}

func refuseUnsupported(f fields) error {
	for _, name := range slices.Sorted(maps.Keys(unsupported)) {
		if value := f.take(name); value != nil && !slices.Contains(unsupported[name], compact(value)) {
			return notSupported(name)
		}
	}
	return nil
}

func notSupported(path string) error {
	return refuse(codeUnsupportedParameter, path, path+" is not supported. Leave it out.")
}

// compact returns a value without white space.
func compact(value jsontext.Value) string {
	value = value.Clone()
	_ = value.Compact() // it is valid
	return string(value)
}

// checkFormat refuses a format of the reply other than text.
func checkFormat(format jsontext.Value, path string) error {
	if format == nil {
		return nil
	}
	f, err := objectOf(format, path)
	if err != nil {
		return err
	}
	if kind, err := f.text("type"); err != nil || kind == nil || *kind != "text" {
		return refuse(codeFormat, path, "The reply schema belongs to the agent. Leave the format out: "+
			"an agent with a schema replies in JSON.")
	}
	return nil
}

func toolChoiceRefused(path string) error {
	return refuse(codeToolChoice, path, `The agent chooses its actions. Use "auto".`)
}
