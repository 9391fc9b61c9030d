package graph_test

import (
	"net/http"
	"strings"
	"testing"
)

const importAnswers = `mutation($input: ImportKnowledgeAnswersInput!) { importKnowledgeAnswers(input: $input) {
	encoding header added rows { row questions answer problem } notes { code message count } } }`

// importAnswers sends a file of answers.
func (u *user) importAnswers(t *testing.T, input vars, content string) answer {
	t.Helper()
	return u.send(t, u.token, withInput(t, importAnswers, input), part{"map", oneFile}, part{"0", content})
}

// TestImportAnswers: a file of answers is shown, added and, once more, skipped.
func TestImportAnswers(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	agent := u.live(t)
	u.do(t, addAnswer, vars{"input": vars{"agentId": agent, "questions": []string{"Open?"}, "answer": "No."}}).
		wantNone(t, "an answer")
	const file = "Question;Answer\n\"May I?\nCan I?\";Yes\nOpen?;No.\n;No\nWhy\ufffd?;\"So\n"
	known := "The agent already has this text as “Open?”."
	rows := map[string]any{
		"importKnowledgeAnswers.header":             true,
		"importKnowledgeAnswers.rows.0.row":         2,
		"importKnowledgeAnswers.rows.0.questions.1": "Can I?",
		"importKnowledgeAnswers.rows.0.answer":      "Yes",
		"importKnowledgeAnswers.rows.0.problem":     nil,
		"importKnowledgeAnswers.rows.1.problem":     known,
		"importKnowledgeAnswers.rows.2.problem":     "The question is missing.",
		"importKnowledgeAnswers.rows.3.answer":      `"So`,
		"importKnowledgeAnswers.notes.0.message":    "1 character could not be read, in line 6.",
		"importKnowledgeAnswers.notes.1.message":    "1 quotation mark has no partner, in row 5.",
		"importKnowledgeAnswers.added":              0,
	}
	input := vars{"agentId": agent, "add": false, "encoding": "UTF8"}
	u.importAnswers(t, input, file).wantValues(t, "shown", rows)
	input["add"] = true
	rows["importKnowledgeAnswers.added"] = 2
	u.importAnswers(t, input, file).wantValues(t, "added", rows)
	rows["importKnowledgeAnswers.added"] = 0
	rows["importKnowledgeAnswers.rows.0.problem"] = "The agent already has this text as “May I?”."
	u.importAnswers(t, input, file).wantValues(t, "again", rows)

	input["header"] = false
	u.importAnswers(t, input, "Q,A\n").wantValues(t, "no header", map[string]any{
		"importKnowledgeAnswers.header": false, "importKnowledgeAnswers.added": 1})
	u.importAnswers(t, vars{"agentId": agent, "add": true, "encoding": "klingon"}, file).
		wantFields(t, "an unknown encoding", "encoding not_supported")
	uncertain := vars{"agentId": agent, "add": false}
	u.importAnswers(t, uncertain, "\xcd\xcb\xbb\xf5?,3\n").wantValues(t, "an uncertain encoding", map[string]any{
		"importKnowledgeAnswers.notes.1.code": "ENCODING", "importKnowledgeAnswers.rows.0.problem": nil})
	uncertain["add"] = true
	u.importAnswers(t, uncertain, "\xcd\xcb\xbb\xf5?,3\n").
		wantFields(t, "an uncertain encoding, added", "encoding missing")
	u.importAnswers(t, input, "PK\x03\x04").wantFields(t, "a spreadsheet", "file invalid_value")
	u.importAnswers(t, input, strings.Repeat("a", 1<<20+1)).
		want(t, "1 MiB and a byte", http.StatusRequestEntityTooLarge, "LIMIT_EXCEEDED")
}
