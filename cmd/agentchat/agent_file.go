package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"agentchat/internal/agent"
	"agentchat/internal/fault"
	"agentchat/internal/knowledge"
	"agentchat/internal/store"
)

// maxAgentFile bounds an agent's file: its texts, and the most that it can know, with line feeds and quotes escaped, are smaller.
const maxAgentFile = 128 << 20

// agentFile is an agent's draft as a file. The sources that it knows follow, each on a line.
type agentFile struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	agent.Settings
}

// sourceLine is a source in an agent's file. Of a file it has the text.
type sourceLine struct {
	Kind      knowledge.Kind `json:"kind"`
	Name      string         `json:"name"`
	Questions []string       `json:"questions,omitempty"`
	Pages     *int           `json:"pages,omitempty"`
	Text      string         `json:"text"`
	// line is where it begins.
	line int
}

// check checks a source as the panel does.
func (l sourceLine) check() (err error) {
	switch l.Kind {
	case knowledge.Text:
		err = knowledge.CheckText(l.Name, l.Text)
	case knowledge.Answer:
		err = knowledge.CheckAnswer(l.Questions, l.Text)
	case knowledge.File:
		pages := 0
		if l.Pages != nil {
			pages = *l.Pages
		}
		err = knowledge.CheckFile(l.Name, int64(len(l.Text)))
		if reason := knowledge.Refusal(l.Text, pages); err == nil && reason != "" {
			err = usagef("%s", reason)
		}
	default:
		err = usagef("the kind must be TEXT, ANSWER or FILE")
	}
	switch {
	case err != nil:
		return err
	case l.Kind != knowledge.Answer && l.Questions != nil:
		return usagef("only an ANSWER has questions")
	case l.Pages != nil && (l.Kind != knowledge.File || *l.Pages < 1):
		return usagef("only a FILE has pages, at least one")
	}
	return nil
}

// source cuts a checked source into its passages.
func (l sourceLine) source() store.NewKnowledge {
	return store.NewKnowledge{Kind: l.Kind, Name: l.Name, Questions: l.Questions, Text: l.Text, Pages: l.Pages}.Cut()
}

// readAgentFile reads a file of agent export. Its errors name the line of a source.
func readAgentFile(from io.Reader, name string) (file agentFile, sources []sourceLine, err error) {
	content, err := io.ReadAll(io.LimitReader(from, maxAgentFile+1))
	if err != nil {
		return file, nil, fmt.Errorf("%s cannot be read: %w", name, plainFileError(err))
	}
	if len(content) > maxAgentFile {
		return file, nil, usagef("%s is longer than 128 MiB", name)
	}
	file.Settings = agent.DefaultSettings()
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&file); err != nil {
		return file, nil, usagef("%s is not a file of agent export: %v", name, err)
	}
	line, counted := 1, 0
	for {
		rest := content[decoder.InputOffset():]
		begins := len(content) - len(bytes.TrimLeft(rest, " \t\r\n"))
		if begins == len(content) {
			return file, sources, nil
		}
		line, counted = line+bytes.Count(content[counted:begins], []byte("\n")), begins
		source := sourceLine{line: line}
		err := decoder.Decode(&source)
		if err == nil {
			err = source.check()
		}
		if err != nil {
			return file, nil, usagef("%s, line %d: %s", name, line, operatorText(err))
		}
		sources = append(sources, source)
	}
}

// onLine is a fault about the source on a line.
func onLine(line int, err error) error {
	if f, ok := errors.AsType[*fault.Error](err); ok && line > 0 && f.Kind == fault.Conflict {
		return fault.New(f.Kind, fmt.Sprintf("Line %d: %s", line, fault.ClientMessage(f)))
	}
	return err
}
