package knowledge

import (
	"fmt"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentchat/internal/fault"
)

// Limits of a source. Limits of texts are in normalized characters (see characters).
const (
	MaxName = 200
	// MaxText is the longest text in a request. A longer one must be uploaded as a file.
	MaxText      = 100_000
	MaxQuestions = 20
	MaxQuestion  = 500
	// MaxAnswer bounds an answer with its questions, so that the best passage always fits into the
	// prompt.
	MaxAnswer = MaxGivenCharacters
	// MaxFile is the size of the largest file, in bytes.
	MaxFile       = 10 << 20
	MaxCharacters = 2_000_000
	MaxPages      = 500
	// maxQuick is the largest file that is read among the quick ones, in bytes.
	maxQuick = 1 << 20
)

// Limits of all sources of an agent, in its draft and in all versions. Sources that only old
// versions use count until they are deleted.
const (
	// MaxSources does not count answers.
	MaxSources  = 200
	MaxPassages = 10_000
	// MaxBytes bounds the text of all passages.
	MaxBytes = 50 << 20
	// MaxUnread bounds the total size of an account's files that are waiting to be read or could not
	// be read, in bytes.
	MaxUnread = 256 << 20
)

// Limits of the knowledge in a prompt.
const (
	// MaxWhole is the largest block that contains all of an agent's knowledge, in bytes.
	MaxWhole = 24 << 10
	// MaxGiven is the most passages that a search gives a model; MaxGivenCharacters bounds their texts
	// together.
	MaxGiven           = 6
	MaxGivenCharacters = 8_000
)

// CheckText validates a text source. Fault: InvalidInput on name and text.
func CheckText(name, text string) error {
	var found problems
	found.name(name)
	found.text("text", text, "text", MaxText,
		"The text is longer than 100,000 characters. Upload it as a file.")
	return found.err()
}

// CheckAnswer validates an answer with its questions. Fault: InvalidInput on questions, on a single
// one as questions.0, and on answer.
func CheckAnswer(questions []string, answer string) error {
	var found problems
	switch {
	case len(questions) == 0:
		found.add("questions", fault.Empty, 0, "Add at least one question for this answer.")
	case len(questions) > MaxQuestions:
		found.add("questions", fault.TooLong, MaxQuestions, "An answer can have at most 20 questions.")
		return found.err()
	}
	for i, q := range questions {
		found.text(fmt.Sprintf("questions.%d", i), q, "question", MaxQuestion,
			"The question is longer than 500 characters.")
	}
	found.text("answer", answer, "answer", MaxAnswer, "The answer is longer than 8,000 characters.")
	if len(found) == 0 && characters(answerText(questions, answer)) > MaxAnswer {
		found.add("answer", fault.TooLong, MaxAnswer,
			"Together, the answer and its questions are longer than 8,000 characters.")
	}
	return found.err()
}

// CheckFile validates a file by its name and its size in bytes. Fault: InvalidInput on name and
// file.
func CheckFile(name string, size int64) error {
	var found problems
	found.name(name)
	switch {
	case size == 0:
		found.add("file", fault.Empty, 0, "The file is empty.")
	case size > MaxFile:
		found.add("file", fault.TooLong, MaxFile, "The file is larger than 10 MB.")
	}
	return found.err()
}

// IsQuick reports whether a file can be read among the quick ones: a PDF needs its own reader.
func IsQuick(name string, size int) bool {
	return size <= maxQuick && Extension(name) != ".pdf"
}

// Extension returns the extension of a file's name in lower case, such as ".pdf".
func Extension(name string) string { return strings.ToLower(path.Ext(strings.TrimSpace(name))) }

// AnswerName returns the name of an answer: its first question, shortened.
func AnswerName(questions []string) string {
	name := strings.Join(strings.Fields(questions[0]), " ")
	if all := []rune(name); len(all) > MaxName {
		return string(all[:MaxName-1]) + "…"
	}
	return name
}

// Refusal returns the reason why the text of a file cannot be a source, as a sentence for its
// owner; empty if it can.
func Refusal(text string, pages int) string {
	switch {
	case pages > MaxPages:
		return "The file has more than 500 pages. Split it."
	case strings.TrimSpace(text) == "":
		return "The file has no text."
	case characters(text) > MaxCharacters:
		return "The text is longer than 2,000,000 characters. Split the file."
	}
	return ""
}

// Use is the amount of an agent's knowledge.
type Use struct {
	// Sources does not count answers.
	Sources  int
	Passages int
	// Bytes is the size of the text of all passages.
	Bytes int64
	Mode  Mode
}

// Room checks the limits for adding more. Fault: Conflict.
func (u Use) Room(more Use) error {
	switch {
	case more.Sources > 0 && u.Sources+more.Sources > MaxSources:
		return fault.New(fault.Conflict,
			"An agent can have 200 texts and files, including those of old versions. Delete some first.")
	case more.Passages > 0 && u.Passages+more.Passages > MaxPassages:
		return fault.New(fault.Conflict,
			"An agent can have 10,000 passages, including those of old versions. Delete sources first.")
	case more.Bytes > 0 && u.Bytes+more.Bytes > MaxBytes:
		return fault.New(fault.Conflict,
			"An agent can have 50 MB of text, including old versions. Delete sources first.")
	}
	return nil
}

// problems collects the problems of an input, in the order of its fields.
type problems []fault.Field

func (p *problems) add(path string, reason fault.Reason, limit int64, message string) {
	*p = append(*p, fault.Field{Path: path, Reason: reason, Message: message, Limit: limit})
}

func (p *problems) err() error {
	if len(*p) == 0 {
		return nil
	}
	return fault.Invalid(*p...)
}

// name validates the name of a source, which is one line. It is trimmed when it is stored.
func (p *problems) name(name string) {
	switch name = strings.TrimSpace(name); {
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		p.add("name", fault.InvalidCharacter, 0, "The name contains a control character or a line break.")
	case name == "":
		p.add("name", fault.Blank, 0, "The name must have 1 to 200 characters.")
	case utf8.RuneCountInString(name) > MaxName:
		p.add("name", fault.TooLong, MaxName, "The name is longer than 200 characters.")
	}
}

// text validates a text of any number of lines, which must not be blank.
func (p *problems) text(path, text, noun string, limit int, tooLong string) {
	switch {
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		p.add(path, fault.InvalidCharacter, 0,
			"The "+noun+" contains the character U+0000 or is not valid Unicode.")
	case strings.TrimSpace(text) == "":
		p.add(path, fault.Blank, 0, "The "+noun+" is blank.")
	case characters(text) > limit:
		p.add(path, fault.TooLong, int64(limit), tooLong)
	}
}
