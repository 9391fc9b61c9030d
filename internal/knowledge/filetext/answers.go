package filetext

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"agentchat/internal/fault"
	"agentchat/internal/knowledge"
)

// maxAnswers is the most rows of a file of answers.
const maxAnswers = 5_000

// Answers is a file of questions and answers: a table of two columns.
type Answers struct {
	// Encoding is the encoding that was used; if it is not Certain, the most likely candidate.
	Encoding string
	Certain  bool
	// Header reports whether the table's first row names the columns. It is not among Rows.
	Header bool
	Rows   []Answer
	Notes  []knowledge.Note
}

// CheckCertain returns the fault for adding answers in an uncertain encoding: InvalidInput on
// encoding.
func (a Answers) CheckCertain() error {
	if a.Certain {
		return nil
	}
	return fault.Invalid(fault.Field{Path: "encoding", Reason: fault.Missing,
		Message: uncertain + "Choose the reading that is right."})
}

// Answer is a row of Answers. Each line of its first cell is a question.
type Answer struct {
	// Row is the number of the row, from 1, as a spreadsheet counts.
	Row       int
	Questions []string
	Answer    string
	// Problem is a sentence that says why it cannot be added, or empty.
	Problem string
}

// ReadAnswers reads a file of answers. An empty encoding and a header of nil are detected. Faults:
// InvalidInput on file, or on encoding if one was given.
func ReadAnswers(data []byte, encoding string, header *bool) (out Answers, err error) {
	if err := checkTable(data); err != nil {
		return out, err
	}
	text, left, err := decodeBest(data, encoding)
	if err != nil && encoding != "" {
		return out, onField("encoding", err)
	}
	if err != nil {
		return out, onField("file", err)
	}
	sheet := Rows(text)
	left.quotes, left.quoteRow = sheet.Unpaired, sheet.FirstUnpaired
	left.findUnreadable(text)
	out.Encoding, out.Notes = left.encoding, left.all()
	out.Certain = !slices.ContainsFunc(out.Notes, isCandidate)
	head := -1
	for number, cells := range sheet.All() {
		if strings.TrimSpace(strings.Join(cells, "")) == "" {
			continue
		}
		if len(out.Rows) > maxAnswers+1 { // one may be the header
			break
		}
		if head < 0 && sheet.wide(cells) {
			head = len(out.Rows)
		}
		out.Rows = append(out.Rows, answerOf(number, cells))
	}
	if head >= 0 {
		out.Header = header != nil && *header || header == nil && isHeader(out.Rows[head:])
	}
	if out.Header {
		out.Rows = slices.Delete(out.Rows, head, head+1)
	}
	if len(out.Rows) > maxAnswers {
		return Answers{}, onField("file", refuse("The file has more than 5,000 rows. Split it."))
	}
	return out, nil
}

func isCandidate(n knowledge.Note) bool { return n.Code == knowledge.NoteEncoding }

// decodeBest converts a text to UTF-8. If its encoding is not certain, it uses the most likely
// candidate and keeps the notes of all. Fault: InvalidInput.
func decodeBest(data []byte, encoding string) (string, left, error) {
	first := left{chosen: encoding}
	text, err := decode(data, nil, &first)
	best := slices.IndexFunc(first.notes, isCandidate)
	if err == nil || best < 0 || encoding != "" {
		return text, first, err
	}
	second := left{chosen: *first.notes[best].Encoding}
	text, err = decode(data, nil, &second)
	second.notes = append(first.notes, second.notes...)
	return text, second, err
}

// checkTable refuses files of other programs. Fault: InvalidInput on file.
func checkTable(data []byte) error {
	switch {
	case len(data) == 0:
		return onField("file", refuse("The file is empty."))
	case bytes.HasPrefix(data, []byte("PK\x03\x04")),
		bytes.HasPrefix(data, []byte("\xd0\xcf\x11\xe0")):
		return onField("file", refuse(otherTable))
	}
	_, err := kindOf(".csv", data)
	return onField("file", err)
}

// onField returns a fault of a file as one of a field.
func onField(path string, err error) error {
	if !fault.Is(err, fault.InvalidInput) {
		return err
	}
	return fault.Invalid(fault.Field{Path: path, Reason: fault.InvalidValue,
		Message: fault.ClientMessage(err)})
}

// answerOf returns the answer in the cells of a row.
func answerOf(number int, cells []string) Answer {
	out := Answer{Row: number}
	for line := range strings.SplitSeq(knowledge.Clean(cells[0]), "\n") {
		if line = strings.TrimSpace(line); line != "" {
			out.Questions = append(out.Questions, line)
		}
	}
	if len(cells) > 1 {
		out.Answer = strings.TrimSpace(knowledge.Clean(cells[1]))
	}
	switch {
	case len(cells) > 2 && strings.TrimSpace(strings.Join(cells[2:], "")) != "":
		out.Problem = "More than two columns. Put quotation marks around text that contains commas."
	case len(out.Questions) == 0:
		out.Problem = "The question is missing."
	case out.Answer == "":
		out.Problem = "The answer is missing."
	default:
		if err := knowledge.CheckAnswer(out.Questions, out.Answer); err != nil {
			out.Problem = fault.ClientMessage(err)
		}
	}
	return out
}

// questionNames are names of a column of questions.
var questionNames = strings.Fields(`question questions q faq frage fragen pregunta preguntas domanda
	domande pergunta perguntas vraag vragen fråga frågor spørgsmål spørsmål kysymys pytanie pytania
	otázka otázky kérdés întrebare вопрос вопросы питання въпрос ερώτηση soru sorular سؤال السؤال
	سوال שאלה प्रश्न প্রশ্ন คำถาม pertanyaan soalan 问题 問題 問 質問 질문`)

// maxColumnName is the longest name of a column, in characters.
const maxColumnName = 40

// isHeader guesses whether the first row names the columns: by a known name, or because it asks
// nothing while most of the others ask.
func isHeader(rows []Answer) bool {
	if len(rows[0].Questions) != 1 {
		return false
	}
	name := rows[0].Questions[0]
	if slices.Contains(questionNames, strings.ToLower(name)) {
		return true
	}
	if asks(name) || utf8.RuneCountInString(name) > maxColumnName ||
		utf8.RuneCountInString(rows[0].Answer) > maxColumnName ||
		strings.ContainsAny(rows[0].Answer, "\n.!?。！？।") {
		return false
	}
	asking := 0
	for _, row := range rows[1:] {
		if asks(strings.Join(row.Questions, "\n")) {
			asking++
		}
	}
	return 2*asking > len(rows)-1
}

// asks reports whether a text has a question mark of any script.
func asks(text string) bool { return strings.ContainsAny(text, "?？؟\u037e՞፧¿") }
