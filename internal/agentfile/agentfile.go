// Package agentfile reads and writes an agent's draft as a file: a JSON object with its name,
// description and settings, followed by one object per source of its knowledge, each on its own
// line.
package agentfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/fault"
	"agentchat/internal/knowledge"
	"agentchat/internal/store/sources"
)

// Head is the first object of a file.
type Head struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	agent.Settings
}

// HeadOf returns the head for an agent's draft.
func HeadOf(a agent.Agent) Head { return Head{a.Name, a.Description, a.Settings} }

// Text returns the head for a file, without a line feed at its end: indented, or on one line.
func (h Head) Text(readable bool) string {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	if encoder.SetEscapeHTML(false); readable {
		encoder.SetIndent("", "  ")
	}
	if err := encoder.Encode(h); err != nil {
		panic(err) // cannot happen: strings and finite numbers have a JSON form
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// Draft returns the draft that the head describes, for the store to create. Any model name is accepted:
// the service knows which models exist. Fault: InvalidInput.
func (h Head) Draft() (agent.Agent, error) {
	changes := agent.Replace(h.Name, h.Description, h.Settings)
	if err := changes.CheckNew(IsModelName); err != nil {
		return agent.Agent{}, err
	}
	return agent.New(changes), nil
}

// Source is the line of a source. For a file, it has the extracted text.
type Source struct {
	Kind      knowledge.Kind `json:"kind"`
	Name      string         `json:"name"`
	Questions []string       `json:"questions,omitempty"`
	Pages     *int           `json:"pages,omitempty"`
	Text      string         `json:"text"`
}

// check validates a source by the same rules as the panel.
func (s Source) check() (err error) {
	switch s.Kind {
	case knowledge.Text:
		err = knowledge.CheckText(s.Name, s.Text)
	case knowledge.Answer:
		err = knowledge.CheckAnswer(s.Questions, s.Text)
	case knowledge.File:
		err = s.checkFile()
	default:
		err = invalid("The kind must be TEXT, ANSWER or FILE.")
	}
	switch {
	case err != nil:
		return err
	case s.Kind != knowledge.Answer && s.Questions != nil:
		return invalid("Only an ANSWER has questions.")
	case s.Pages != nil && (s.Kind != knowledge.File || *s.Pages < 1):
		return invalid("Only a FILE has pages, at least one.")
	}
	return nil
}

func (s Source) checkFile() error {
	pages := 0
	if s.Pages != nil {
		pages = *s.Pages
	}
	err := knowledge.CheckFile(s.Name, int64(len(s.Text)))
	if reason := knowledge.Refusal(s.Text, pages); err == nil && reason != "" {
		err = invalid(reason)
	}
	if err == nil && strings.ContainsRune(s.Text, 0) {
		err = invalid("The text contains the character U+0000.")
	}
	return err
}

// File is a file that is being read.
type File struct {
	// Known is the number of sources read so far.
	Known   int
	content []byte
	decoder *jsontext.Decoder
	// line is the line of the last object read, from 1; 0 after the last source. counted is the offset
	// up to which lines were counted.
	line    int
	counted int64
}

// Read reads the head of a file, and returns its Draft. The content must not change while the file is
// read. Fault: InvalidInput, which names the line.
func Read(content []byte) (agent.Agent, *File, error) {
	// Duplicate names are found later: remembering all names here takes twenty times their memory.
	f := &File{
		content: content,
		decoder: jsontext.NewDecoder(bytes.NewBuffer(content), jsontext.AllowDuplicateNames(true)),
		line:    1,
	}
	head := Head{Settings: agent.DefaultSettings()}
	if _, err := f.read(&head); err != nil {
		if errors.Is(err, io.EOF) {
			err = invalid("The file is empty.")
		}
		return agent.Agent{}, nil, f.OnLine(err)
	}
	out, err := head.Draft()
	if err != nil {
		return agent.Agent{}, nil, f.OnLine(err)
	}
	return out, f, nil
}

// Sources returns the sources that follow, each once, as added by a user. It calls grow for memory
// before it cuts a source of that many bytes into passages. After an error it stops: the error is
// that of grow, or InvalidInput; OnLine names the line.
func (f *File) Sources(by *uuid.UUID,
	grow func(bytes int64) error) iter.Seq2[sources.NewKnowledge, error] {
	return func(yield func(sources.NewKnowledge, error) bool) {
		for {
			in, err := f.source(grow)
			if errors.Is(err, io.EOF) {
				f.line = 0
				return
			}
			in.By = by
			if !yield(in, err) || err != nil {
				return
			}
		}
	}
}

// source reads the next source. Faults: those of Sources; io.EOF after the last one.
func (f *File) source(grow func(int64) error) (out sources.NewKnowledge, err error) {
	var line Source
	size, err := f.read(&line)
	if err == nil {
		err = line.check()
	}
	if err == nil {
		err = grow(size)
	}
	if err != nil {
		return out, err
	}
	f.Known++
	out = sources.NewKnowledge{
		Kind:      line.Kind,
		Name:      line.Name,
		Questions: line.Questions,
		Text:      line.Text,
		Pages:     line.Pages,
	}
	return out.Cut(), nil
}

// OnLine adds the line number of the last object read to a fault about it: InvalidInput and
// Conflict. It does not change other errors, nor any after the last source.
func (f *File) OnLine(err error) error {
	found, ok := errors.AsType[*fault.Error](err)
	if !ok || f.line == 0 {
		return err
	}
	text := fmt.Sprintf("Line %d: %s", f.line, fault.ClientMessage(found))
	switch found.Kind {
	case fault.InvalidInput:
		return invalid(text)
	case fault.Conflict:
		return fault.New(fault.Conflict, text)
	}
	return err
}

// read reads the next object, records the line on which it begins, and returns its size in bytes.
// Faults: InvalidInput; io.EOF after the last object.
func (f *File) read(into any) (size int64, err error) {
	rest := bytes.TrimLeft(f.content[f.decoder.InputOffset():], " \t\r\n")
	f.to(int64(len(f.content) - len(rest)))
	if len(rest) == 0 {
		return 0, io.EOF
	}
	value, err := f.decoder.ReadValue()
	if err != nil {
		if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
			f.to(syntax.ByteOffset)
		}
		return 0, invalid("This is not valid JSON" + f.reason(err) +
			". Choose an unchanged agent file.")
	}
	if err := jsonv2.Unmarshal(value, into, jsonv2.RejectUnknownMembers(true)); err != nil {
		return 0, invalid(unfit(err))
	}
	return int64(len(value)), nil
}

// to advances the line to that of an offset.
func (f *File) to(offset int64) {
	offset = min(max(offset, f.counted), int64(len(f.content)))
	f.line += bytes.Count(f.content[f.counted:offset], []byte("\n"))
	f.counted = offset
}

// reason adds details to a syntax error if they are not obvious.
func (f *File) reason(err error) string {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return ": the file ends too early"
	case !utf8.Valid(f.content):
		return ": it must be UTF-8"
	}
	return ""
}

// unfit describes the first wrong field of valid JSON. It does not quote values, which may be long.
func unfit(err error) string {
	if errors.Is(err, jsontext.ErrDuplicateName) {
		return "A field occurs twice. Choose an unchanged agent file."
	}
	semantic, ok := errors.AsType[*jsonv2.SemanticError](err)
	if !ok {
		return "This is not an agent file. Choose an unchanged one."
	}
	name := string(semantic.JSONPointer)
	if name = strings.TrimPrefix(name, "/"); name == "" {
		return "This must be a JSON object. Choose an unchanged agent file."
	}
	if utf8.RuneCountInString(name) > maxNamed {
		name = string([]rune(name)[:maxNamed]) + "…"
	}
	if errors.Is(err, jsonv2.ErrUnknownName) {
		return fmt.Sprintf("There is no field %q here. Remove it, or update the service that imports the file.", name)
	}
	return fmt.Sprintf("The field %q has the wrong type.", name)
}

// maxNamed is the most characters of a field's name that are quoted; maxModel is the longest name
// of a model, in bytes.
const (
	maxNamed = 50
	maxModel = 200
)

// IsModelName reports whether a text can be the name of a model.
func IsModelName(model string) bool {
	return len(model) <= maxModel && utf8.ValidString(model) &&
		!strings.ContainsFunc(model, unicode.IsControl)
}

func invalid(message string) error {
	return fault.Invalid(fault.Field{Path: "file", Reason: fault.InvalidValue, Message: message})
}
