package graph_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/knowledge"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/users"
)

const (
	addFile    = `mutation($input: AddKnowledgeFileInput!) { addKnowledgeFile(input: $input) { source ` + sourceFields + ` } }`
	retryKnown = `mutation($id: ID!, $encoding: String) {
		retryKnowledgeSource(input: {id: $id, encoding: $encoding}) { source ` + sourceFields + ` } }`
	publishKnow = `mutation($id: ID!) { publishAgent(input: {id: $id}) { version { number } notReady { name state } } }`
	oneFile     = `{"0": ["variables.input.file"]}`
)

// fileContent is a variable whose file is sent in a multipart request.
type fileContent string

// failSource turns a source into a FAILED file.
func (b *bench) failSource(t *testing.T, id uuid.UUID) {
	t.Helper()
	for _, text := range []string{
		`DELETE FROM knowledge_postings WHERE source = (SELECT number FROM knowledge_sources WHERE id = $1)`,
		`DELETE FROM knowledge_passages WHERE source = (SELECT number FROM knowledge_sources WHERE id = $1)`,
		`INSERT INTO knowledge_files (source, account_id, content, due_at, quick)
			SELECT number, account_id, 'a', NULL, true FROM knowledge_sources WHERE id = $1`,
		`UPDATE knowledge_sources SET kind = 'FILE', state = 'FAILED', reason = 'No.', versions = '{}',
			passage_count = 0 WHERE id = $1`,
	} {
		b.exec(t, text, id)
	}
}

// part is a part of a multipart body.
type part struct{ name, content string }

// withInput returns the operations part of a query with an input, whose file is null.
func withInput(t *testing.T, query string, input vars) part {
	t.Helper()
	input["file"] = nil
	raw, err := json.Marshal(map[string]any{"query": query, "variables": vars{"input": input}})
	if err != nil {
		t.Fatal(err)
	}
	return part{"operations", string(raw)}
}

// send sends parts in a multipart request.
func (u *user) send(t *testing.T, token string, sent ...part) answer {
	t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for _, p := range sent {
		field, err := w.CreateFormFile(p.name, "C:\\x.txt")
		if err == nil {
			_, err = io.WriteString(field, p.content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return u.sendBody(t, token, w.FormDataContentType(), &body)
}

func (u *user) sendBody(t *testing.T, token, contentType string, body io.Reader) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, u.b.URL+"/graphql", body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", contentType)
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	for name, value := range u.header {
		req.Header.Set(name, value)
	}
	for _, cookie := range u.cookies {
		req.AddCookie(cookie)
	}
	return send(t, http.DefaultClient, req)
}

func (u *user) upload(t *testing.T, agent any, name, content string) answer {
	t.Helper()
	return u.send(t, u.token, withInput(t, addFile, vars{"agentId": agent, "name": name}),
		part{"map", oneFile}, part{"0", content})
}

// TestUpload: a file is added, left out of a version while it is unread, retried and replaced.
func TestUpload(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	agent := u.live(t)
	added := u.upload(t, agent, " prices.txt ", "Tea 3")
	added.wantValues(t, "add", map[string]any{
		"addKnowledgeFile.source.name":    "prices.txt",
		"addKnowledgeFile.source.state":   "WAITING",
		"addKnowledgeFile.source.kind":    "FILE",
		"addKnowledgeFile.source.size":    5,
		"addKnowledgeFile.source.inDraft": true,
	})
	id := added.id(t, "addKnowledgeFile.source.id")
	u.do(t, publishKnow, vars{"id": agent}).wantValues(t, "not read yet", map[string]any{
		"publishAgent.notReady.0.name": "prices.txt", "publishAgent.notReady.0.state": "WAITING"})
	b.exec(t, `UPDATE knowledge_files SET due_at = NULL`)
	b.exec(t, `UPDATE knowledge_sources SET state = 'FAILED', reason = 'It is damaged.'`)
	u.do(t, oneSource, vars{"id": id}).wantValues(t, "failed", map[string]any{
		"node.state": "FAILED", "node.reason": "It is damaged."})
	u.do(t, retryKnown, vars{"id": id, "encoding": "johab"}).wantFields(t, "unknown", "encoding not_supported")
	u.do(t, retryKnown, vars{"id": id, "encoding": " GBK"}).wantValues(t, "again", map[string]any{
		"retryKnowledgeSource.source.state": "WAITING", "retryKnowledgeSource.source.reason": nil})

	u.do(t, replaceKnown, vars{"input": vars{"id": id, "name": "x"}}).wantFields(t, "no file", "file missing")
	u.do(t, replaceKnown, vars{"input": vars{"id": id, "text": "x", "questions": []string{"?"}, "answer": "x"}}).
		wantFields(t, "other fields", "answer not_supported", "questions not_supported", "text not_supported")
	replaced := u.send(t, u.token, withInput(t, replaceKnown, vars{"id": id}), part{"map", oneFile}, part{"0", "Tea 4"})
	replaced.wantValues(t, "replace", map[string]any{"replaceKnowledgeSource.source.name": "prices.txt",
		"replaceKnowledgeSource.source.state": "WAITING"})
	text := u.know(t, agent, "text", "text")
	u.send(t, u.token, withInput(t, replaceKnown, vars{"id": text}), part{"map", oneFile}, part{"0", "x"}).
		wantFields(t, "a text's file", "file not_supported")
}

// TestUploadRefusals: malformed and unauthorized uploads are refused and add nothing.
func TestUploadRefusals(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u, other := signedIn(t, b), signedIn(t, b)
	agent := u.live(t)
	source := u.upload(t, agent, "b.txt", "b").id(t, "addKnowledgeFile.source.id")
	good := withInput(t, addFile, vars{"agentId": agent, "name": "a.txt"})
	names, file := part{"map", oneFile}, part{"0", "a"}
	before := rows(t, b, "agents", "knowledge_sources", "knowledge_files")
	refuse := func(what, token, code string, parts ...part) {
		t.Helper()
		if a := u.send(t, token, parts...); a.code() != code {
			t.Errorf("%s: %d %.300s, want %s", what, a.status, a.body, code)
		}
	}
	const invalid, tooLong = "BAD_USER_INPUT", "LIMIT_EXCEEDED"
	refuse("no Authorization, only cookies", "", "UNAUTHENTICATED", good, names, file)
	refuse("a made-up token", "x.y.z", "UNAUTHENTICATED", good, names, file)
	refuse("another account's agent", other.token, "NOT_FOUND", good, names, file)
	replace := withInput(t, replaceKnown, vars{"id": source})
	refuse("another account's source", other.token, "NOT_FOUND", replace, names, file)
	refuse("no document", u.token, invalid, part{"operations", `{}`}, names, file)
	refuse("a batch", u.token, invalid, part{"operations", "[" + good.content + "]"}, names, file)
	refuse("no parts", u.token, invalid)
	refuse("no file", u.token, invalid, good, names)
	refuse("another order", u.token, invalid, names, good, file)
	refuse("an unknown part", u.token, invalid, good, names, part{"1", "a"})
	refuse("an extra part", u.token, invalid, good, names, file, part{"1", "a"})
	refuse("an empty file", u.token, invalid, good, names, part{"0", ""})
	long := strings.Repeat("x", knowledge.MaxFile+1)
	refuse("10 MB and a byte", u.token, tooLong, good, names, part{"0", long})
	for what, query := range map[string]string{
		"two operations": addFile + " mutation b { signOut { ok } }",
		"two fields": strings.Replace(addFile, "{ addKnow",
			"{ a: addKnowledgeFile(input: $input) { source { id } } addKnow", 1),
		"another mutation": addText,
		"a query":          `query { viewer { id } }`,
		"a fragment": `mutation($input: AddKnowledgeFileInput!) { ...f }
			fragment f on Mutation { addKnowledgeFile(input: $input) { source { id } } }`,
		"a long document": addFile + strings.Repeat(" ", 64<<10),
	} {
		operations := withInput(t, query, vars{"agentId": agent, "name": "a.txt"})
		refuse(what, u.token, invalid, operations, names, file)
	}
	for _, text := range []string{`{`, `{}`, `["variables.input.file"]`, `{"0": []}`,
		`{"0": ["variables.input.file"], "1": ["variables.input.file"]}`,
		`{"0": ["variables.input.file", "variables.file"]}`,
		`{"0": ["variables.input.file"], "0": ["variables.input.file"]}`,
		`{"0": ["input.file"]}`, `{"0": ["variables.input.name"]}`, `{"0": ["variables.input.files"]}`,
		`{"0": ["0.variables.input.file"]}`, `{"0": ["variables"]}`, `{"0": ["variables.input"]}`} {
		refuse(text, u.token, invalid, good, part{"map", text}, file)
	}
	u.do(t, addFile, vars{"input": vars{"agentId": agent, "name": "a.txt", "file": "a"}}).
		want(t, "JSON", http.StatusOK, "BAD_USER_INPUT")
	u.do(t, addFile, vars{"input": vars{"agentId": agent, "name": "a.txt", "file": nil}}).
		want(t, "null", http.StatusUnprocessableEntity, "GRAPHQL_VALIDATION_FAILED")
	const cutOff = "--b\r\nContent-Disposition: form-data; name=\"operations\"\r\n\r\n{"
	for _, body := range []string{cutOff, "", "hello"} {
		u.sendBody(t, u.token, "multipart/form-data; boundary=b", strings.NewReader(body)).
			want(t, body, http.StatusBadRequest, "BAD_USER_INPUT")
	}
	u.sendBody(t, u.token, "multipart/form-data", strings.NewReader("x")).
		want(t, "no boundary", http.StatusUnsupportedMediaType, "BAD_USER_INPUT")
	if rows(t, b, "agents", "knowledge_sources", "knowledge_files") != before {
		t.Error("a refused upload changed something")
	}
	u.upload(t, agent, "most.txt", long[1:]).wantNone(t, "10 MB")
}

// TestUploadNeedsASignIn: an upload without a sign-in is refused before its file is read.
func TestUploadNeedsASignIn(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	if _, err := users.On(b.store).EndEverySignIn(t.Context(), audit.Entry{Actor: audit.ByOperator}); err != nil {
		t.Fatal(err)
	}
	for _, token := range []string{"", u.token} {
		body, never := io.Pipe()
		t.Cleanup(func() { _ = never.Close() })
		u.sendBody(t, token, "multipart/form-data; boundary=b", body).
			want(t, fmt.Sprintf("token %.5q", token), http.StatusUnauthorized, "UNAUTHENTICATED")
	}
}
