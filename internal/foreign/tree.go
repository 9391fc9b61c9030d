package foreign

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

const byteOrderMark = "\ufeff"

// parseTree parses a file of JSON, if it begins with a brace and is valid, or else of YAML. Fault:
// InvalidInput, which names the line and quotes no value.
func parseTree(content []byte) (*node, error) {
	content = bytes.TrimPrefix(content, []byte(byteOrderMark))
	content = bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n"))
	if !utf8.Valid(content) {
		line := 1
		for rest := content; len(rest) > 0; {
			c, size := utf8.DecodeRune(rest)
			if c == utf8.RuneError && size == 1 {
				break
			}
			if c == '\n' {
				line++
			}
			rest = rest[size:]
		}
		return nil, refused(line, "This is not UTF-8. Save the file as UTF-8.")
	}
	if len(bytes.TrimSpace(content)) == 0 {
		return nil, refused(1, "The file is empty.")
	}
	parse := parseYAML
	if isJSON(content) {
		parse = parseJSON
	}
	root, err := parse(content)
	if err == nil && root.kind != objectKind {
		err = refused(root.line, "This must be an object with names and values.")
	}
	return root, err
}

// isJSON reports whether a file is JSON rather than YAML: names in YAML's braces need no quotes.
func isJSON(content []byte) bool {
	content = bytes.TrimSpace(content)
	after, braced := bytes.CutPrefix(content, []byte("{"))
	after = bytes.TrimSpace(after)
	return braced && (bytes.HasPrefix(after, []byte(`"`)) || bytes.HasPrefix(after, []byte("}")))
}

// builder counts the values of a tree.
type builder struct{ nodes int }

// node returns a new value. Fault: InvalidInput.
func (b *builder) node(kind kind, line, depth int, scalar string) (*node, error) {
	b.nodes++
	switch {
	case depth > maxDepth:
		return nil, tooDeep(line)
	case b.nodes > maxNodes:
		return nil, tooMany(line)
	case strings.ContainsRune(scalar, 0):
		return nil, refused(line, "A text contains the character U+0000. Remove it.")
	}
	return &node{kind: kind, line: line, scalar: scalar}, nil
}

func tooMany(line int) error {
	return refused(line, "The file has more than 100,000 values. Remove what is not needed.")
}

func tooDeep(line int) error {
	return refused(line, "Values are nested more than 64 levels deep. Reduce the nesting.")
}

// name adds a name to an object. Fault: InvalidInput for a duplicate name.
func (b *builder) name(n *node, name string, line int, seen map[string]bool) error {
	if seen[name] {
		return refused(line, "“%s” occurs twice here. Remove one.", short(name))
	}
	seen[name] = true
	n.names = append(n.names, name)
	return nil
}

// jsonParser parses JSON.
type jsonParser struct {
	builder

	content []byte
	decoder *jsontext.Decoder
	// line is the line at the offset counted.
	line, counted int
}

func parseJSON(content []byte) (*node, error) {
	p := &jsonParser{
		content: content,
		decoder: jsontext.NewDecoder(bytes.NewBuffer(content), jsontext.AllowDuplicateNames(true)),
		line:    1,
	}
	root, err := p.value(1)
	if err != nil {
		return nil, err
	}
	if p.decoder.PeekKind(); len(bytes.TrimSpace(content[p.decoder.InputOffset():])) > 0 {
		return nil, refused(p.at()+1, "The file has a second document. Keep one.")
	}
	return root, nil
}

// at returns the line of the last token.
func (p *jsonParser) at() int {
	offset := int(p.decoder.InputOffset())
	p.line += bytes.Count(p.content[p.counted:offset], []byte("\n"))
	p.counted = offset
	return p.line
}

func (p *jsonParser) value(depth int) (*node, error) {
	token, err := p.token()
	if err != nil {
		return nil, err
	}
	line := p.at()
	switch token.Kind() {
	case '{':
		n, err := p.node(objectKind, line, depth, "")
		for seen := map[string]bool{}; err == nil && p.decoder.PeekKind() != '}'; {
			err = p.member(n, depth, seen)
		}
		return p.end(n, err)
	case '[':
		n, err := p.node(listKind, line, depth, "")
		for err == nil && p.decoder.PeekKind() != ']' {
			var item *node
			if item, err = p.value(depth + 1); err == nil {
				n.add(item)
			}
		}
		return p.end(n, err)
	case '"':
		return p.node(textKind, line, depth, token.String())
	case '0':
		return p.node(numberKind, line, depth, token.String())
	case 'n':
		return p.node(nullKind, line, depth, "")
	}
	return p.node(boolKind, line, depth, token.String())
}

func (p *jsonParser) member(n *node, depth int, seen map[string]bool) error {
	token, err := p.token()
	if err != nil {
		return err
	}
	name, line := token.String(), p.at()
	if err := p.name(n, name, line, seen); err != nil {
		return err
	}
	value, err := p.value(depth + 1)
	if err != nil {
		return err
	}
	value.at, value.line = name, line
	n.add(value)
	return nil
}

func (p *jsonParser) end(n *node, err error) (*node, error) {
	if err == nil {
		_, err = p.token()
	}
	return n, err
}

func (p *jsonParser) token() (jsontext.Token, error) {
	token, err := p.decoder.ReadToken()
	if err == nil {
		return token, nil
	}
	line := p.at()
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		line += bytes.Count(p.content[p.counted:max(p.counted, int(syntax.ByteOffset))], []byte("\n"))
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return token, refused(line, "This is not valid JSON: the file ends too early.")
	}
	return token, refused(line, "This is not valid JSON.")
}
