// Package foreign turns agent files of other systems into drafts: Dify apps, OpenAI prompts and OpenAI
// assistants. Notes name each part of a file that was changed or left out. The files are hostile: a
// Reader parses them in a child process.
package foreign

import (
	"cmp"
	"fmt"
	"slices"

	"agentchat/internal/agentfile"
	"agentchat/internal/fault"
)

// Format is the format of an agent's file.
type Format string

// The formats. AgentChat is our own, which package agentfile reads.
const (
	AgentChat       Format = "AGENT_CHAT"
	Dify            Format = "DIFY"
	OpenAIPrompt    Format = "OPENAI_PROMPT"
	OpenAIAssistant Format = "OPENAI_ASSISTANT"
)

// MaxFile is the largest file of another system, in bytes. MaxNotes is the most notes of a Result.
const (
	MaxFile  = 2 << 20
	MaxNotes = 200
)

// NoteKind says what happened to a part of a file.
type NoteKind string

// The kinds of notes.
const (
	Changed NoteKind = "CHANGED"
	LeftOut NoteKind = "LEFT_OUT"
)

// Note says what happened to one part of a file. It contains names from the file, never values.
type Note struct {
	Line    int      `json:"line"`
	Path    string   `json:"path"`
	Kind    NoteKind `json:"kind"`
	Message string   `json:"message"`
}

// Result is the draft that a file describes, with notes by line. More is the number of notes beyond
// MaxNotes.
type Result struct {
	Head  agentfile.Head `json:"head"`
	Notes []Note         `json:"notes"`
	More  int            `json:"more"`
}

// parse reads a file. Fault: InvalidInput, which names the line.
func parse(format Format, content []byte) (Result, error) {
	root, err := parseTree(content)
	if err != nil {
		return Result{}, err
	}
	d := newDraft()
	switch format {
	case Dify:
		err = d.readDify(root)
	case OpenAIPrompt:
		err = d.readPrompt(root)
	case OpenAIAssistant:
		err = d.readAssistant(root)
	default:
		err = fmt.Errorf("the format %q cannot be read here", format)
	}
	if err == nil {
		_, err = d.head.Draft()
	}
	if err != nil {
		return Result{}, err
	}
	slices.SortStableFunc(d.notes, func(a, b Note) int { return cmp.Compare(a.Line, b.Line) })
	shown := d.notes[:min(len(d.notes), MaxNotes)]
	return Result{Head: d.head, Notes: shown, More: len(d.notes) - len(shown)}, nil
}

// refused is the fault of a file that cannot be imported.
func refused(line int, format string, args ...any) error {
	return invalid(fmt.Sprintf("Line %d: ", line) + fmt.Sprintf(format, args...))
}

func invalid(message string) error {
	return fault.Invalid(fault.Field{Path: "file", Reason: fault.InvalidValue, Message: message})
}
