package graph_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
)

const (
	sourceFields = `{ id kind name state reason size characters passages pages createdAt inDraft encoding
		notes { code message count sample encoding }
		inVersions text question agent { id } }`
	addText = `mutation($input: AddKnowledgeTextInput!) { addKnowledgeText(input: $input) { source
		` + sourceFields + ` } }`
	addAnswer = `mutation($input: AddKnowledgeAnswerInput!) { addKnowledgeAnswer(input: $input) {
		source ` + sourceFields + ` } }`
	replaceKnown = `mutation($input: ReplaceKnowledgeSourceInput!) { replaceKnowledgeSource(input:
		$input) { source ` + sourceFields + ` } }`
	deleteKnown = `mutation($id: ID!) { deleteKnowledgeSource(input: {id: $id}) {
		deletedKnowledgeSourceId } }`
	oneSource = `query($id: ID!) { node(id: $id) { ... on KnowledgeSource ` + sourceFields + ` } }`
	known     = `query($id: ID!, $first: Int, $after: String) { agent(id: $id) { knowledge(first:
		$first, after: $after) { totalCount nodes ` + sourceFields +
		` edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`
)

// know adds a text to the knowledge of an agent's draft.
func (u *user) know(t *testing.T, agent any, name, text string) uuid.UUID {
	t.Helper()
	return u.do(t, addText, vars{"input": vars{"agentId": agent, "name": name, "text": text}}).wantNone(t, name).
		id(t, "addKnowledgeText.source.id")
}

func TestAddKnowledge(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	agent := u.made(t, nil).text(t, "createAgent.agent.id")
	text := u.know(t, agent, " Prices ", "# Prices\r\n\r\n\u20ac 5 a cup")
	answer := vars{"agentId": agent, "questions": []string{"How long?", "When?"}, "answer": "30 days."}
	made := u.do(t, addAnswer, vars{"input": answer}).id(t, "addKnowledgeAnswer.source.id")
	for id, want := range map[uuid.UUID]string{
		text: `{"kind": "TEXT", "name": "Prices", "state": "READY", "size": 23, "characters": 19,
			"passages": 1, "pages": null, "text": "# Prices\n\n\u20ac 5 a cup", "question": null}`,
		made: `{"kind": "ANSWER", "name": "How long?", "state": "READY", "size": 8, "characters": 8,
			"passages": 1, "pages": null, "text": "30 days.", "question": "How long?\nWhen?"}`,
	} {
		u.do(t, `query($id: ID!) { node(id: $id) { ... on KnowledgeSource { kind name state size
			characters passages pages text question } } }`, vars{"id": id}).wantJSON(t, "read", "node", want)
	}
}

// TestReplaceKnowledge: fields of another kind are refused, and absent ones stay.
func TestReplaceKnowledge(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	agent := u.made(t, nil).text(t, "createAgent.agent.id")
	text := u.know(t, agent, "Prices", "5 a cup")
	answer := u.do(t, addAnswer, vars{"input": vars{"agentId": agent,
		"questions": []string{"How?", "Why?"}, "answer": "So."}}).id(t, "addKnowledgeAnswer.source.id")
	for _, c := range []struct {
		id    *uuid.UUID
		input vars
		want  string
	}{
		{&text, vars{"name": "Drinks", "answer": nil},
			`{"name": "Drinks", "text": "5 a cup", "question": null}`},
		{&text, vars{"text": "6 a cup"}, `{"name": "Drinks", "text": "6 a cup", "question": null}`},
		{&answer, vars{"questions": []string{"When?"}},
			`{"name": "When?", "text": "So.", "question": "When?"}`},
		{&answer, vars{"answer": "Then."}, `{"name": "When?", "text": "Then.", "question": "When?"}`},
	} {
		c.input["id"] = *c.id
		a := u.do(t, `mutation($input: ReplaceKnowledgeSourceInput!) { replaceKnowledgeSource(input:
			$input) { source { id } now: source { name text question } } }`, vars{"input": c.input})
		a.wantJSON(t, fmt.Sprint(c.input), "replaceKnowledgeSource.now", c.want)
		*c.id = a.id(t, "replaceKnowledgeSource.source.id")
	}
	all := vars{"id": text, "name": "n", "text": "a", "answer": "a", "questions": []string{"?"}}
	u.do(t, replaceKnown, vars{"input": all}).wantFields(t, "a text",
		"answer not_supported", "questions not_supported")
	all["id"] = answer
	u.do(t, replaceKnown, vars{"input": all}).wantFields(t, "an answer",
		"name not_supported", "text not_supported")
}

// TestRestoringAsks: restoring a version deletes knowledge that only the draft has only if the
// request allows it.
func TestRestoringAsks(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	agent := u.made(t, nil).text(t, "createAgent.agent.id")
	u.know(t, agent, "published", "published")
	u.do(t, publish, vars{"id": agent}).wantNone(t, "publish")
	for i := range 12 {
		u.know(t, agent, fmt.Sprintf("draft %02d", i), fmt.Sprint(i))
	}
	const confirmed = `mutation($id: ID!, $remove: Boolean) { restoreAgentVersion(input: {id: $id,
		number: 1, removeKnowledge: $remove}) { agent { knowledgeUse { sources } } } }`
	for what, a := range map[string]answer{
		"restore": u.do(t, restore, vars{"id": agent, "n": 1}),
		"discard": u.do(t, discard, vars{"id": agent}),
		"null":    u.do(t, confirmed, vars{"id": agent, "remove": nil}),
		"no":      u.do(t, confirmed, vars{"id": agent, "remove": false}),
	} {
		a.want(t, what, http.StatusOK, "CONFLICT")
		for _, part := range []string{"draft 00", "draft 09", "2 more"} {
			if !strings.Contains(a.Errors[0].Message, part) {
				t.Errorf("%s: %s", what, a.Errors[0].Message)
			}
		}
	}
	u.do(t, confirmed, vars{"id": agent, "remove": true}).wantValues(t, "confirmed",
		map[string]any{"restoreAgentVersion.agent.knowledgeUse.sources": 1})
}

// TestKnowledgePages: lists of sources take as many statements for one source or version as for
// several.
func TestKnowledgePages(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	agent, other := u.live(t), u.live(t)
	for i := range 3 {
		u.know(t, agent, fmt.Sprint("source ", i), fmt.Sprint(i))
		u.know(t, other, "another's", fmt.Sprint(i))
		u.do(t, publish, vars{"id": agent}).wantNone(t, "publish")
	}
	v := vars{"id": agent, "first": 1}
	if got := u.nodes(t, known, "agent.knowledge", "name", v); !slices.Equal(got,
		[]any{"source 2", "source 1", "source 0"}) {
		t.Errorf("page by page: %v", got)
	}
	u.do(t, addAnswer, vars{"input": vars{"agentId": agent, "questions": []string{"How?"},
		"answer": "So."}}).wantNone(t, "answer")
	u.do(t, publish, vars{"id": agent}).wantNone(t, "publish")
	u.do(t, `query($id: ID!) { agent(id: $id) { knowledge { totalCount }
		version(number: 5) { knowledge { question } } } }`, vars{"id": agent}).
		wantJSON(t, "a version", "agent", `{"knowledge": {"totalCount": 4}, "version": {"knowledge": [
			{"question": null}, {"question": null}, {"question": null}, {"question": "How?"}]}}`)
	for what, fields := range map[string]string{
		"sources": `knowledge(first: $first) { nodes { inVersions text(length: 5) agent { id name } } }`,
		"versions": `knowledgeUse { bytes } versions(first: $first) { nodes { number knowledge {
			name inVersions agent { id } } } }`,
	} {
		query := `query($first: Int) { agents { nodes { ` + fields + ` } } }`
		one, all := u.statements(t, query, vars{"first": 1}), u.statements(t, query, vars{"first": 5})
		if one != all {
			t.Errorf("%s: %d statements for one, %d for five", what, one, all)
		}
	}
}

// TestKnowledgeTexts: a part of a text, in characters, and not too many texts at once.
func TestKnowledgeTexts(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	agent := u.live(t)
	source := u.know(t, agent, "Text", "a\u00e9\U0001f600\u6f22b")
	text := func(args string) answer {
		return u.do(t, `query($id: ID!) { node(id: $id) { ... on KnowledgeSource { text`+args+` } } }`,
			vars{"id": source})
	}
	for args, want := range map[string]string{
		"":                                  "a\u00e9\U0001f600\u6f22b",
		"(offset: null, length: null)":      "a\u00e9\U0001f600\u6f22b",
		"(offset: 2, length: 2)":            "\U0001f600\u6f22",
		"(length: 1)":                       "a",
		"(offset: 5)":                       "",
		"(offset: 2000000, length: 100000)": "",
	} {
		text(args).wantValues(t, args, map[string]any{"node.text": want})
	}
	for args, want := range map[string]string{
		"(offset: -1)":      "offset out_of_range",
		"(offset: 2000001)": "offset out_of_range",
		"(length: 0)":       "length out_of_range",
		"(length: 100001)":  "length out_of_range",
	} {
		text(args).wantFields(t, args, want)
	}
	for i := range 41 {
		u.know(t, agent, "Text", fmt.Sprint(i))
	}
	const texts = `query($id: ID!, $length: Int) { agent(id: $id) { knowledge(first: 100) { nodes {
		text(length: $length) } } } }`
	if a := u.do(t, texts, vars{"id": agent}); a.code() != "LIMIT_EXCEEDED" {
		t.Errorf("too much at once: %.300s", a.body)
	}
	u.do(t, texts, vars{"id": agent, "length": 99_000}).wantNone(t, "as much as there may be")
}

// TestKnowledgeUse: the use counts the sources of versions, too, and the mode is that of the
// draft's knowledge and its model's window.
func TestKnowledgeUse(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	agent := u.made(t, nil).text(t, "createAgent.agent.id")
	use := func(what, sources, passages, mode string) {
		t.Helper()
		u.do(t, `query($id: ID!) { agent(id: $id) { knowledgeUse { sources maxSources passages
			maxPassages maxBytes mode } } }`, vars{"id": agent}).
			wantJSON(t, what, "agent.knowledgeUse", `{"maxSources": 200, "maxPassages": 10000,
			"maxBytes": 52428800, "sources": `+sources+`, "passages": `+passages+`, "mode": "`+mode+`"}`)
	}
	use("nothing", "0", "0", "NONE")
	u.know(t, agent, "Prices", "5 a cup")
	use("little", "1", "1", "WHOLE")
	long := u.know(t, agent, "Long", strings.Repeat("Many words. ", 3_000))
	use("much", "2", "20", "SEARCH")
	u.do(t, publish, vars{"id": agent}).wantNone(t, "publish")
	u.do(t, `mutation($id: ID!) { removeKnowledgeSource(input: {id: $id}) { agent {
		hasUnpublishedChanges } } }`, vars{"id": long}).wantValues(t, "remove",
		map[string]any{"removeKnowledgeSource.agent.hasUnpublishedChanges": true})
	use("in a version", "2", "20", "WHOLE")
	u.do(t, replaceKnown, vars{"input": vars{"id": long, "text": "7 a cup"}}).
		want(t, "replacing what the draft lacks", http.StatusOK, "CONFLICT")
	u.do(t, publish, vars{"id": agent}).wantNone(t, "publish")
	u.do(t, `mutation($id: ID!) { deleteUnusedKnowledge(input: {agentId: $id}) { deleted agent {
		knowledgeUse { sources } } } }`, vars{"id": agent}).wantJSON(t, "unused", "deleteUnusedKnowledge",
		`{"deleted": 1, "agent": {"knowledgeUse": {"sources": 1}}}`)
}
