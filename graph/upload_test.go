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
	"agentchat/internal/store/sources"
	"agentchat/internal/store/users"
)

const (
	addFile     = `mutation($input: AddKnowledgeFileInput!) { addKnowledgeFile(input: $input) { source ` + sourceFields + ` } }`
	retryKnown  = `mutation($id: ID!) { retryKnowledgeSource(input: {id: $id}) { source ` + sourceFields + ` } }`
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
		`INSERT INTO knowledge_files (source, account_id, content, due) SELECT number, account_id, 'a',
			NULL FROM knowledge_sources WHERE id = $1`,
		`UPDATE knowledge_sources SET kind = 'FILE', state = 'FAILED', reason = 'No.', versions = '{}',
			passage_count = 0 WHERE id = $1`,
	} {
		if _, err := b.store.SQL().ExecContext(t.Context(), text, id); err != nil {
			t.Fatal(err)
		}
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
	return u.send(t, u.token, withInput(t, addFile, vars{"agentId": agent, "name": name}), part{
		"map", oneFile}, part{"0", content})
}

// read reads the next queued file, with a text, or fails it with a reason.
func (u *user) read(t *testing.T, text, reason string) {
	t.Helper()
	job, err := sources.On(u.b.store).ClaimFile(t.Context(), uuid.Nil)
	if err == nil && reason != "" {
		err = sources.On(u.b.store).FailFile(t.Context(), job, reason)
	} else if err == nil {
		err = sources.On(u.b.store).FinishFile(t.Context(), job, text, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestUpload follows a file through all its states.
func TestUpload(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	agent := u.live(t)
	added := u.upload(t, agent, " prices.txt ", "Tea 3")
	added.wantValues(t, "add", map[string]any{"addKnowledgeFile.source.name": "prices.txt",
		"addKnowledgeFile.source.state": "WAITING",
		"addKnowledgeFile.source.kind":  "FILE", "addKnowledgeFile.source.size": 5, "addKnowledgeFile.source.text": "",
		"addKnowledgeFile.source.inDraft": true})
	id := added.id(t, "addKnowledgeFile.source.id")
	u.do(t, publishKnow, vars{"id": agent}).wantValues(t, "not read yet", map[string]any{"publishAgent.version.number": 1,
		"publishAgent.notReady.0.name": "prices.txt", "publishAgent.notReady.0.state": "WAITING", "publishAgent.notReady.1": nil})
	u.read(t, "", "The file is damaged.")
	u.do(t, oneSource, vars{"id": id}).wantValues(t, "failed", map[string]any{
		"node.state": "FAILED", "node.reason": "The file is damaged."})
	u.do(t, retryKnown, vars{"id": id}).wantValues(t, "again", map[string]any{"retryKnowledgeSource.source.state": "WAITING",
		"retryKnowledgeSource.source.reason": nil})
	u.read(t, "Tea 3", "")
	u.do(t, oneSource, vars{"id": id}).wantValues(t, "read", map[string]any{
		"node.state": "READY", "node.text": "Tea 3", "node.passages": 1})
	u.do(t, publishKnow, vars{"id": agent}).wantValues(t, "read", map[string]any{
		"publishAgent.version.number": 2, "publishAgent.notReady.0": nil})

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

// TestUploadDoors: malformed uploads are refused and add nothing.
func TestUploadDoors(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u, other := signedIn(t, b), signedIn(t, b)
	agent := u.live(t)
	good := withInput(t, addFile, vars{"agentId": agent, "name": "a.txt"})
	names, file := part{"map", oneFile}, part{"0", "a"}
	source := u.upload(t, agent, "a.txt", "a").id(t, "addKnowledgeFile.source.id")
	before := rows(t, b, "agents", "knowledge_sources", "knowledge_files")
	mutation := func(query string) part { return withInput(t, query, vars{"agentId": agent, "name": "a.txt"}) }
	for what, c := range map[string]struct {
		token string
		parts []part
		code  string
	}{
		"no Authorization, only cookies": {"", []part{good, names, file}, "UNAUTHENTICATED"},
		"a made-up token":                {"x.y.z", []part{good, names, file}, "UNAUTHENTICATED"},
		"another account's agent":        {other.token, []part{good, names, file}, "NOT_FOUND"},
		"another account's source": {other.token, []part{withInput(t, replaceKnown,
			vars{"id": source}), names, file}, "NOT_FOUND"},
		"a batch": {u.token, []part{{"operations", "[" + good.content + "]"},
			names, file}, "BAD_USER_INPUT"},
		"two operations": {u.token, []part{
			mutation(addFile + " mutation b { signOut { ok } }"), names, file}, "BAD_USER_INPUT"},
		"two fields": {u.token, []part{mutation(strings.Replace(addFile, "{ addKnow",
			"{ a: addKnowledgeFile(input: $input) { source { id } } addKnow", 1)),
			names, file}, "BAD_USER_INPUT"},
		"another mutation": {u.token, []part{mutation(addText), names, file}, "BAD_USER_INPUT"},
		"a query":          {u.token, []part{mutation(`query { viewer { id } }`), names, file}, "BAD_USER_INPUT"},
		"a fragment": {u.token, []part{mutation(`mutation($input: AddKnowledgeFileInput!) { ...f }
			fragment f on Mutation { addKnowledgeFile(input: $input) { source { id } } }`),
			names, file}, "BAD_USER_INPUT"},
		"no document":     {u.token, []part{{"operations", `{}`}, names, file}, "BAD_USER_INPUT"},
		"broken":          {u.token, []part{mutation(`mutation {`), names, file}, "BAD_USER_INPUT"},
		"no parts":        {u.token, nil, "BAD_USER_INPUT"},
		"no file":         {u.token, []part{good, names}, "BAD_USER_INPUT"},
		"another order":   {u.token, []part{names, good, file}, "BAD_USER_INPUT"},
		"file first":      {u.token, []part{file, good, names}, "BAD_USER_INPUT"},
		"an unknown part": {u.token, []part{good, names, {"1", "a"}}, "BAD_USER_INPUT"},
		"a part more":     {u.token, []part{good, names, file, {"1", "a"}}, "BAD_USER_INPUT"},
		"an empty file":   {u.token, []part{good, names, {"0", ""}}, "BAD_USER_INPUT"},
		"10 MB + 1":       {u.token, []part{good, names, {"0", strings.Repeat("x", knowledge.MaxFile+1)}}, "LIMIT_EXCEEDED"},
		"20 MB":           {u.token, []part{good, names, {"0", strings.Repeat("x", 2*knowledge.MaxFile)}}, "LIMIT_EXCEEDED"},
		"a long document": {u.token, []part{mutation(addFile + strings.Repeat(" ", 64<<10)), names, file}, "BAD_USER_INPUT"},
		"a bad name": {u.token, []part{withInput(t, addFile, vars{"agentId": agent, "name": "a\nb"}),
			names, file}, "BAD_USER_INPUT"},
	} {
		if a := u.send(t, c.token, c.parts...); a.code() != c.code {
			t.Errorf("%s: %d %.300s, want %s", what, a.status, a.body, c.code)
		}
	}
	for what, text := range map[string]string{"not JSON": `{`, "an array": `["variables.input.file"]`,
		"nothing": `{}`, "no path": `{"0": []}`,
		"two files": `{"0": ["variables.input.file"], "1": ["variables.input.file"]}`,
		"two paths": `{"0": ["variables.input.file", "variables.file"]}`,
		"twice":     `{"0": ["variables.input.file"], "0": ["variables.input.file"]}`, "no variable": `{"0": ["input.file"]}`,
		"not null": `{"0": ["variables.input.name"]}`, "not there": `{"0": ["variables.input.files"]}`,
		"deeper":  `{"0": ["variables.input.file.x"]}`,
		"a batch": `{"0": ["0.variables.input.file"]}`, "all": `{"0": ["variables"]}`, "the input": `{"0": ["variables.input"]}`} {
		u.send(t, u.token, good, part{"map", text}, file).want(t, "map: "+what, http.StatusBadRequest, "BAD_USER_INPUT")
	}
	u.do(t, addFile, vars{"input": vars{"agentId": agent, "name": "a.txt", "file": "a"}}).want(t,
		"JSON", http.StatusOK, "BAD_USER_INPUT")
	u.do(t, addFile, vars{"input": vars{"agentId": agent, "name": "a.txt", "file": nil}}).want(t,
		"null", http.StatusUnprocessableEntity, "GRAPHQL_VALIDATION_FAILED")
	for what, body := range map[string]string{
		"cut off": "--b\r\nContent-Disposition: form-data; name=\"operations\"\r\n\r\n{", "empty": "",
		"text": "hello"} {
		u.sendBody(t, u.token, "multipart/form-data; boundary=b", strings.NewReader(body)).want(t, what,
			http.StatusBadRequest, "BAD_USER_INPUT")
	}
	u.sendBody(t, u.token, "multipart/form-data", strings.NewReader("x")).want(t, "no boundary",
		http.StatusUnsupportedMediaType, "BAD_USER_INPUT")
	if rows(t, b, "agents", "knowledge_sources", "knowledge_files") != before {
		t.Error("refused, and something changed")
	}
	u.upload(t, agent, "most.txt", strings.Repeat("x", knowledge.MaxFile)).wantNone(t, "10 MB")
}

// TestStrangersUploadNothing: an upload without a sign-in is refused before its file is read.
func TestStrangersUploadNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	if _, err := users.On(b.store).EndEverySignIn(t.Context(), audit.Entry{Actor: audit.ByOperator}); err != nil {
		t.Fatal(err)
	}
	for _, token := range []string{"", u.token} {
		body, never := io.Pipe()
		t.Cleanup(func() { _ = never.Close() })
		u.sendBody(t, token, "multipart/form-data; boundary=b", body).want(t,
			fmt.Sprintf("token %.5q", token), http.StatusUnauthorized, "UNAUTHENTICATED")
	}
}
