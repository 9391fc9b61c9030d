package schema

import (
	"encoding/json"
	"maps"
	"math/big"
	"slices"
)

// position says where a keyword's value contains schemas.
type position int

const (
	noSchema position = iota
	oneSchema
	listOfSchemas
	mapOfSchemas
)

// positions are the keywords that contain schemas.
var positions = map[string]position{
	"not": oneSchema, "if": oneSchema, "then": oneSchema, "else": oneSchema, "additionalProperties": oneSchema,
	"unevaluatedProperties": oneSchema, "propertyNames": oneSchema, "items": oneSchema, "contains": oneSchema,
	"unevaluatedItems": oneSchema,
	"allOf":            listOfSchemas, "anyOf": listOfSchemas, "oneOf": listOfSchemas, "prefixItems": listOfSchemas,
	"properties": mapOfSchemas, "patternProperties": mapOfSchemas, "dependentSchemas": mapOfSchemas, "$defs": mapOfSchemas,
	"definitions": mapOfSchemas,
}

// form is the required form of a keyword without schemas. A note validates nothing.
type form struct {
	check func(value any) (message string)
	note  bool
}

var forms = map[string]form{
	"type": {check: typeForm}, "enum": {check: listForm}, "const": {check: anyForm}, "required": {check: namesForm},
	"dependentRequired": {check: namesByNameForm}, "pattern": {check: textForm}, "uniqueItems": {check: flagForm},
	"multipleOf": {check: stepForm}, "maximum": {check: numberForm}, "exclusiveMaximum": {check: numberForm},
	"minimum": {check: numberForm}, "exclusiveMinimum": {check: numberForm},
	"maxLength": {check: countForm}, "minLength": {check: countForm}, "maxItems": {check: countForm}, "minItems": {check: countForm},
	"maxContains": {check: countForm}, "minContains": {check: countForm}, "maxProperties": {check: countForm},
	"minProperties": {check: countForm},
	"$ref":          {check: textForm, note: true}, // resolved at the end
	"$schema":       {check: dialectForm, note: true}, "$dynamicRef": {check: dynamicForm}, "$recursiveRef": {check: dynamicForm},
	"$id": {check: textForm, note: true}, "$anchor": {check: textForm, note: true}, "$dynamicAnchor": {check: textForm, note: true},
	"$comment": {check: textForm, note: true}, "title": {check: textForm, note: true}, "description": {check: textForm, note: true},
	"format": {check: textForm, note: true}, "contentEncoding": {check: textForm, note: true},
	"contentMediaType": {check: textForm, note: true}, "deprecated": {check: flagForm, note: true},
	"readOnly":  {check: flagForm, note: true},
	"writeOnly": {check: flagForm, note: true}, "examples": {check: listForm, note: true},
	"default": {check: anyForm, note: true},
}

// keywords are all keywords, and foldedKeywords the same as fold returns them.
var (
	keywords       = append(sortedNames(forms), sortedNames(positions)...)
	foldedKeywords = func() (folded []string) {
		for _, keyword := range keywords {
			folded = append(folded, fold(keyword))
		}
		return folded
	}()
)

func anyForm(any) string { return "" }

func unless(ok bool, message string) string {
	if ok {
		return ""
	}
	return message
}

func textForm(value any) string {
	_, ok := value.(string)
	return unless(ok, "This must be a string.")
}

func flagForm(value any) string {
	_, ok := value.(bool)
	return unless(ok, "This must be true or false.")
}

func listForm(value any) string {
	_, ok := value.([]any)
	return unless(ok, "This must be a list.")
}

func dialectForm(value any) string {
	name, _ := value.(string)
	return unless(dialectOf(name) == latest,
		"Schemas use JSON Schema 2020-12, 2019-09 or draft-07. "+
			"Write one of them once, at the top, or leave out $schema.")
}

func dynamicForm(any) string {
	return "Dynamic references are not supported. Write $ref with a pointer, such as #/$defs/address."
}

func numberForm(value any) string {
	_, ok := value.(json.Number)
	return unless(ok, "This must be a number.")
}

func stepForm(value any) string {
	number, ok := rational(value)
	return unless(ok && number.Sign() > 0, "This must be a number above 0.")
}

func countForm(value any) string {
	number, ok := rational(value)
	return unless(ok && number.IsInt() && number.Sign() >= 0,
		"This must be a whole number, at least 0.")
}

// rational returns a number of a schema. The result must not be changed.
func rational(value any) (*big.Rat, bool) {
	switch number := value.(type) {
	case *big.Rat:
		return number, true
	case json.Number:
		return new(big.Rat).SetString(number.String())
	}
	return nil, false
}

// largestCount is larger than any count in a reply. The library misreads larger numbers.
const largestCount = 1 << 30

// bounded replaces a count that exceeds largestCount, which the library could not read. It returns
// other values unchanged.
func bounded(value any) any {
	number, ok := rational(value)
	if ok && number.Cmp(big.NewRat(largestCount, 1)) > 0 {
		return json.Number("1073741824")
	}
	return value
}

var types = []any{"null", "boolean", "object", "array", "number", "string", "integer"}

func typeForm(value any) string {
	const message = "The type must be object, array, string, number, integer, boolean or null, or a list of some of them."
	if list, ok := value.([]any); ok {
		for i, one := range list {
			if !slices.Contains(types, one) || slices.Contains(list[:i], one) {
				return message
			}
		}
		return unless(len(list) > 0, message)
	}
	return unless(slices.Contains(types, value), message)
}

func namesForm(value any) string {
	const message = "This must be a list of different names."
	list, ok := value.([]any)
	seen := map[any]bool{}
	for _, name := range list {
		if _, text := name.(string); !text || seen[name] {
			return message
		}
		seen[name] = true
	}
	return unless(ok, message)
}

func namesByNameForm(value any) string {
	const message = "This must be an object of lists of names."
	lists, ok := value.(map[string]any)
	for _, list := range lists {
		if namesForm(list) != "" {
			return message
		}
	}
	return unless(ok, message)
}

// count returns the number of values in a value, including itself.
func count(value any) int {
	n := 1
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			n += count(item)
		}
	case map[string]any:
		for _, member := range value {
			n += count(member)
		}
	}
	return n
}

func sortedNames[V any](object map[string]V) []string { return slices.Sorted(maps.Keys(object)) }
