package schema

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// Canonical returns a JSON value without white space, and with the names of each object sorted, so
// that values which differ only in these are equal. Strings and numbers stay verbatim. An error
// means that the text is not one JSON value, or repeats a name.
func Canonical(text []byte) ([]byte, error) {
	value := jsontext.Value(bytes.Clone(text))
	err := value.Format(
		jsontext.ReorderRawObjects(true),
		jsontext.PreserveRawStrings(true),
		jsontext.CanonicalizeRawInts(false),
		jsontext.CanonicalizeRawFloats(false),
		jsontext.SpaceAfterComma(false),
		jsontext.SpaceAfterColon(false),
		jsontext.Multiline(false),
	)
	if err != nil {
		return nil, fmt.Errorf("not one JSON value without duplicate names: %w", err)
	}
	return value, nil
}
