// Package agentfile is an agent's draft as a file: a JSON object with its name, description and settings, and behind it an object for each
// source that it knows, on a line of its own.
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

// Head is how a file begins.
type Head struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	agent.Settings
}

// HeadOf returns the head for an agent's draft.
func HeadOf(a agent.Agent) Head { return Head{a.Name, a.Description, a.Settings} }

// Text returns the head for a file, without a line feed at its end: on lines that people can read, or on one.
func (h Head) Text(readable bool) string {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	if encoder.SetEscapeHTML(false); readable {
		encoder.SetIndent("", "  ")
	}
	if err := encoder.Encode(h); err != nil {
		panic(err) // texts and finite numbers always succeed
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// Source is a source's line. Of a file it has the text.
type Source struct {
	Kind      knowledge.Kind `json:"kind"`
	Name      string         `json:"name"`
	Questions []string       `json:"questions,omitempty"`
	Pages     *int           `json:"pages,omitempty"`
	Text      string         `json:"text"`
}

// check checks a source as the panel does.
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

// File is a file that is read.
type File struct {
	// Known is how many sources were read so far.
	Known   int
	content []byte
	decoder *jsontext.Decoder
	// line is that of what was read last, from 1; 0 behind the last source. counted is the offset of the text whose lines were counted.
	line    int
	counted int64
}

// Read reads the head of a file, and returns the draft that it describes, to be created by the store. Which models there are is the
// service's to say, so any is taken. The content must not change while the file is read. Fault: InvalidInput, which names the line.
func Read(content []byte) (agent.Agent, *File, error) {
	// Names that come twice are found later: to remember all that come takes twenty times their memory.
	f := &File{content: content, decoder: jsontext.NewDecoder(bytes.NewBuffer(content), jsontext.AllowDuplicateNames(true)), line: 1}
	head := Head{Settings: agent.DefaultSettings()}
	if _, err := f.read(&head); err != nil {
		if errors.Is(err, io.EOF) {
			err = invalid("The file is empty.")
		}
		return agent.Agent{}, nil, f.OnLine(err)
	}
	changes := agent.Replace(head.Name, head.Description, head.Settings)
	if err := changes.CheckNew(isName); err != nil {
		return agent.Agent{}, nil, f.OnLine(err)
	}
	return agent.New(changes), f, nil
}

// Sources are the sources that follow, each once, as added by a user. grow is asked for memory before a source of so many bytes is cut into
// passages. One that is refused is the last: its error is that of grow, or InvalidInput; OnLine names the line.
func (f *File) Sources(by *uuid.UUID, grow func(bytes int64) error) iter.Seq2[sources.NewKnowledge, error] {
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

// source reads the next source. Faults: those of Sources; io.EOF behind the last one.
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
	out = sources.NewKnowledge{Kind: line.Kind, Name: line.Name, Questions: line.Questions, Text: line.Text, Pages: line.Pages}
	return out.Cut(), nil
}

// OnLine names the line of what was read last in a fault about it: InvalidInput and Conflict. Others stay as they are, and so do all behind
// the last source.
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

// read reads the next object, which has so many bytes, and notes the line on which it begins. Faults: InvalidInput; io.EOF behind the last
// one.
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
		return 0, invalid("This is no valid JSON" + f.reason(err) + ". Choose a file that Export has made, as it is.")
	}
	if err := jsonv2.Unmarshal(value, into, jsonv2.RejectUnknownMembers(true)); err != nil {
		return 0, invalid(unfit(err))
	}
	return int64(len(value)), nil
}

// to moves the line on to that of an offset.
func (f *File) to(offset int64) {
	offset = min(max(offset, f.counted), int64(len(f.content)))
	f.line += bytes.Count(f.content[f.counted:offset], []byte("\n"))
	f.counted = offset
}

// reason says more about an error of the syntax where a reader would not see it.
func (f *File) reason(err error) string {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return ": the file ends too early"
	case !utf8.Valid(f.content):
		return ": it must be UTF-8"
	}
	return ""
}

// unfit says which field of valid JSON does not fit. It quotes no values: they may be long.
func unfit(err error) string {
	if errors.Is(err, jsontext.ErrDuplicateName) {
		return "A field is there twice. Choose a file that Export has made, as it is."
	}
	semantic, ok := errors.AsType[*jsonv2.SemanticError](err)
	if !ok {
		return "This does not fit. Choose a file that Export has made, as it is."
	}
	name := string(semantic.JSONPointer)
	if name = strings.TrimPrefix(name, "/"); name == "" {
		return "This must be a JSON object. Choose a file that Export has made, as it is."
	}
	if utf8.RuneCountInString(name) > maxNamed {
		name = string([]rune(name)[:maxNamed]) + "…"
	}
	if errors.Is(err, jsonv2.ErrUnknownName) {
		return fmt.Sprintf("There is no field %q here. Remove it, or update the service that is to read it.", name)
	}
	return fmt.Sprintf("The field %q has a wrong type.", name)
}

// maxNamed is how much of a field's name is quoted, in characters, and maxModel the longest name of a model, in bytes.
const (
	maxNamed = 50
	maxModel = 200
)

// isName reports whether a text can be the name of a model.
func isName(model string) bool {
	return len(model) <= maxModel && utf8.ValidString(model) && !strings.ContainsFunc(model, unicode.IsControl)
}

func invalid(message string) error {
	return fault.Invalid(fault.Field{Path: "file", Reason: fault.InvalidValue, Message: message})
}
