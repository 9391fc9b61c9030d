package catalogue

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
)

// modelsFile is a decoded models file.
type modelsFile struct {
	path string
	data []byte

	Providers []providerEntry `yaml:"providers"`
	Models    []modelEntry    `yaml:"models"`
}

type providerEntry struct {
	Name      text `yaml:"name"`
	Kind      text `yaml:"kind"`
	BaseURL   text `yaml:"base_url"`
	APIKeyEnv text `yaml:"api_key_env"`
}

// modelEntry is a model of the file. Its numbers are untyped, because the library would silently
// truncate fractions.
type modelEntry struct {
	Name                 text `yaml:"name"`
	Provider             text `yaml:"provider"`
	UpstreamName         text `yaml:"upstream_name"`
	Label                text `yaml:"label"`
	Credits              any  `yaml:"credits"`
	CreditsWithKnowledge any  `yaml:"credits_with_knowledge"`
	ContextWindow        any  `yaml:"context_window"`
	MaxOutputTokens      any  `yaml:"max_output_tokens"`

	Cost *costEntry `yaml:"cost"`
}

// text is a string without surrounding spaces. A number is an error, because 4.10 would silently
// become 4.1.
type text string

// UnmarshalYAML reads a string.
func (t *text) UnmarshalYAML(node ast.Node) error {
	switch n := node.(type) {
	case *ast.StringNode:
		*t = text(strings.TrimSpace(n.Value))
	case *ast.LiteralNode:
		*t = text(strings.TrimSpace(n.Value.Value))
	default:
		return &yaml.SyntaxError{
			Message: "the value must be text: put it in quotes",
			Token:   node.GetToken(),
		}
	}
	return nil
}

// readModelsFile reads and decodes the file. It does not check the values.
func readModelsFile(path string) (*modelsFile, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("models file: %w", err)
	}
	if len(data) > maxFileBytes {
		return nil, fmt.Errorf("%s:1: the file is over its limit of 1 MiB", path)
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // the byte-order mark that some editors put first
	f, decoder := &modelsFile{}, yaml.NewDecoder(bytes.NewReader(data), yaml.Strict())
	err = decoder.Decode(f)
	f.path, f.data = path, data // after decoding, because an empty file clears f
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, f.yamlError(err)
	}
	if err := decoder.Decode(new(any)); !errors.Is(err, io.EOF) {
		return nil, f.failf("", "the file must hold one document")
	}
	return f, nil
}

// failf returns an error of one line that begins with the file's name and a line number: the line
// of the value at a path such as $.models[3].credits, or of the closest parent that exists.
func (f *modelsFile) failf(at, format string, args ...any) error {
	line := 1
	for ; at != ""; at = at[:max(0, strings.LastIndexAny(at, ".["))] {
		path, err := yaml.PathString(at)
		if err != nil {
			continue
		}
		if node, err := path.ReadNode(bytes.NewReader(f.data)); err == nil {
			line = node.GetToken().Position.Line
			break
		}
	}
	return fmt.Errorf("%s:%d: %s", f.path, line, fmt.Sprintf(format, args...))
}

// yamlError turns an error of the YAML library, which quotes several lines of the source, into one
// line.
func (f *modelsFile) yamlError(err error) error {
	if at, ok := errors.AsType[yaml.Error](err); ok && at.GetToken() != nil {
		return fmt.Errorf("%s:%d: %s", f.path, at.GetToken().Position.Line,
			strings.Join(strings.Fields(at.GetMessage()), " "))
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return fmt.Errorf("%s: %s", f.path, first)
}
