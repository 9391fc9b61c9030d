package bridge

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// paragraph separates texts that become one.
const paragraph = "\n\n"

// part is a part of a message's content.
type part struct {
	Type    string `json:"type"`
	Text    string `json:"text"`
	Refusal string `json:"refusal"`
}

// contentText returns the text of a message's content: a text, or parts.
func contentText(content jsontext.Value, path string) (string, error) {
	switch content.Kind() {
	case jsontext.KindInvalid, jsontext.KindNull: // absent
		return "", nil
	case jsontext.KindString:
		return textOf(content, path)
	}
	parts, err := decodeArray[part](content, path)
	texts := make([]string, 0, len(parts))
	for i, p := range parts {
		switch p.Type {
		case "text", "input_text", "output_text":
			texts = append(texts, p.Text)
		case "refusal":
			texts = append(texts, p.Refusal)
		default:
			return "", refuse(codeUnsupportedContent, fmt.Sprintf("%s[%d]", path, i), "Only text is accepted.")
		}
	}
	return strings.Join(texts, paragraph), err
}
