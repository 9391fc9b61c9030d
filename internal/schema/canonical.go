package schema

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// Canonical is a JSON value without white space, and with the names of each object in order: two values are equal if they differ in nothing
// else. Strings and numbers stay as they were written. An error is about the form of the text; names must not repeat.
func Canonical(text []byte) ([]byte, error) {
	value := jsontext.Value(bytes.Clone(text))
	err := value.Format(jsontext.ReorderRawObjects(true), jsontext.PreserveRawStrings(true), jsontext.CanonicalizeRawInts(false),
		jsontext.CanonicalizeRawFloats(false), jsontext.SpaceAfterComma(false), jsontext.SpaceAfterColon(false), jsontext.Multiline(false))
	if err != nil {
		return nil, fmt.Errorf("it is not one JSON value with each name once in an object: %w", err)
	}
	return value, nil
}
