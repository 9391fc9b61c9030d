package graph_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/store/storetest"
)

const (
	sourceFields = `{ id kind name state reason size characters passages pages createdAt inDraft
		inVersions text question agent { id } }`
	addText = `mutation($input: AddKnowledgeTextInput!) { addKnowledgeText(input: $input) { source
		` + sourceFields + ` } }`
	addAnswer = `mutation($input: AddKnowledgeAnswerInput!) { addKnowledgeAnswer(input: $input) {
		source ` + sourceFields + ` } }`
	replaceKnown = `mutation($input: ReplaceKnowledgeSourceInput!) { replaceKnowledgeSource(input:
		$input) { source ` + sourceFields + ` } }`
	removeKnown = `mutation($id: ID!) { removeKnowledgeSource(input: {id: $id}) { agent { id updatedAt
		hasUnpublishedChanges } } }`
	deleteKnown  = `mutation($id: ID!) { deleteKnowledgeSource(input: {id: $id}) { deletedKnowledgeSourceId } }`
	deleteUnused = `mutation($id: ID!) { deleteUnusedKnowledge(input: {agentId: $id}) { deleted agent {
		id knowledgeUse { sources } } } }`
	knowledgeUse = `query($id: ID!) { agent(id: $id) { knowledgeUse { sources maxSources passages
		maxPassages bytes maxBytes mode } } }`
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

// knownBy returns the names of the sources of an agent's draft or of a version, oldest first.
func (u *user) knownBy(t *testing.T, agent any, version int) (out []string) {
	t.Helper()
	if version > 0 {
		return u.do(t, `query($id: ID!, $n: Int!) { agent(id: $id) { version(number: $n) { knowledge {
			name } } } }`, vars{"id": agent, "n": version}).
			wantNone(t, "version").names("agent.version.knowledge")
	}
	a := u.do(t, known, vars{"id": agent, "first": 100}).wantNone(t, "known")
	for i := range a.list("agent.knowledge.nodes") {
		if at := fmt.Sprintf("agent.knowledge.nodes.%d.", i); a.get(at+"inDraft") == true {
			out = append(out, a.text(t, at+"name"))
		}
	}
	slices.Reverse(out)
	return out
}

func TestAddKnowledge(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	agent := u.made(t, nil).text(t, "createAgent.agent.id")
	for name, c := range map[string]struct {
		query  string
		input  vars
		want   map[string]any
		fields []string
	}{
		"a text": {query: addText, input: vars{"name": " Prices ", "text": "# Prices\r\n\r\n\u20ac 5 a cup"},
			want: map[string]any{"kind": "TEXT", "name": "Prices", "state": "READY", "reason": nil,
				"size": 23, "characters": 19, "passages": 1,
				"pages": nil, "inDraft": true, "inVersions.0": nil, "text": "# Prices\n\n\u20ac 5 a cup",
				"question": nil, "agent.id": agent}},
		"an answer": {query: addAnswer, input: vars{"questions": []string{"How long?", "When?"}, "answer": "30 days."},
			want: map[string]any{"kind": "ANSWER", "name": "How long?", "state": "READY", "passages": 1,
				"text": "30 days.", "question": "How long?\nWhen?"}},
		"no question": {query: addAnswer, input: vars{"questions": []string{}, "answer": " "},
			fields: []string{"questions empty", "answer blank"}},
	} {
		c.input["agentId"] = agent
		a := u.do(t, c.query, vars{"input": c.input})
		if c.fields != nil {
			a.wantFields(t, name, c.fields...)
			continue
		}
		root := "addKnowledgeText.source."
		if c.query == addAnswer {
			root = "addKnowledgeAnswer.source."
		}
		read, want := map[string]any{}, map[string]any{}
		for path, value := range c.want {
			want[root+path], read["node."+path] = value, value
		}
		a.wantValues(t, name, want)
		u.do(t, oneSource, vars{"id": a.get(root + "id")}).wantValues(t, name+", read", read)
	}
	again := u.do(t, addText, vars{"input": vars{"agentId": agent, "name": "More", "text": "# Prices\n\n\u20ac 5  a cup\n"}})
	again.want(t, "the same text", http.StatusOK, "CONFLICT")
	if !strings.Contains(again.Errors[0].Message, "Prices") {
		t.Errorf("the source is not named: %s", again.body)
	}
}

func TestReplaceKnowledge(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	agent := u.made(t, nil).text(t, "createAgent.agent.id")
	text := u.know(t, agent, "Prices", "5 a cup")
	answer := u.do(t, addAnswer, vars{"input": vars{"agentId": agent, "questions": []string{"How?", "Why?"}, "answer": "So."}}).
		id(t, "addKnowledgeAnswer.source.id")
	for _, c := range []struct {
		what   string
		id     *uuid.UUID
		input  vars
		want   map[string]any
		fields []string
	}{
		{"a text's answer", &text, vars{"answer": "a", "questions": []string{"?"}}, nil, []string{
			"answer not_supported", "questions not_supported"}},
		{"an answer's text", &answer, vars{"text": "a", "name": "n"}, nil, []string{"name not_supported", "text not_supported"}},
		{"a name", &text, vars{"name": "Drinks", "answer": nil}, map[string]any{"name": "Drinks", "text": "5 a cup"}, nil},
		{"a text", &text, vars{"text": "6 a cup"}, map[string]any{"name": "Drinks", "text": "6 a cup"}, nil},
		{"questions", &answer, vars{"questions": []string{"When?"}}, map[string]any{
			"name": "When?", "text": "So.", "question": "When?"}, nil},
		{"an answer", &answer, vars{"answer": "Then."}, map[string]any{"text": "Then.", "question": "When?"}, nil},
	} {
		c.input["id"] = *c.id
		a := u.do(t, replaceKnown, vars{"input": c.input})
		if c.fields != nil {
			a.wantFields(t, c.what, c.fields...)
			continue
		}
		want := map[string]any{}
		for path, value := range c.want {
			want["replaceKnowledgeSource.source."+path] = value
		}
		a.wantValues(t, c.what, want)
		u.do(t, oneSource, vars{"id": *c.id}).want(t, c.what+", the old one", http.StatusOK, "NOT_FOUND")
		*c.id = a.id(t, "replaceKnowledgeSource.source.id")
	}
	if got := u.knownBy(t, agent, 0); !slices.Equal(got, []string{"Drinks", "When?"}) {
		t.Errorf("the draft knows %q", got)
	}
}

// TestRestoringAsks: restoring a version deletes knowledge that only the draft has only if the
// request allows it.
func TestRestoringAsks(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	agent := u.made(t, nil).text(t, "createAgent.agent.id")
	for _, name := range []string{"one", "two"} {
		u.know(t, agent, name, name)
		u.do(t, publish, vars{"id": agent}).wantNone(t, "publish")
	}
	const confirmed = `mutation($id: ID!, $remove: Boolean) { restoreAgentVersion(input: {id: $id,
		number: 1, removeKnowledge: $remove}) { agent { id } } }`
	u.do(t, restore, vars{"id": agent, "n": 1}).wantNone(t, "nothing is lost")
	u.do(t, discard, vars{"id": agent}).wantNone(t, "nothing is lost")
	for i := range 12 {
		u.know(t, agent, fmt.Sprintf("draft %02d", i), fmt.Sprint(i))
	}
	for what, a := range map[string]answer{"restore": u.do(t, restore, vars{"id": agent, "n": 1}),
		"discard": u.do(t, discard, vars{"id": agent}),
		"null":    u.do(t, confirmed, vars{"id": agent, "remove": nil}),
		"no":      u.do(t, confirmed, vars{"id": agent, "remove": false})} {
		a.want(t, what, http.StatusOK, "CONFLICT")
		message := a.Errors[0].Message
		if !strings.Contains(message, "draft 00") || !strings.Contains(message, "draft 09") ||
			!strings.Contains(message, "2 more") {
			t.Errorf("%s: %s", what, message)
		}
	}
	u.do(t, confirmed, vars{"id": agent, "remove": true}).wantNone(t, "confirmed")
	if got := u.knownBy(t, agent, 0); !slices.Equal(got, []string{"one"}) {
		t.Errorf("restored: %q", got)
	}
	u.do(t, publish, vars{"id": agent}).wantNone(t, "publish")
	u.do(t, deleteUnused, vars{"id": agent}).wantValues(t, "unused", map[string]any{"deleteUnusedKnowledge.deleted": 1,
		"deleteUnusedKnowledge.agent.knowledgeUse.sources": 1})
	storetest.Audit(t, b.store)
}

func TestKnowledgePages(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	agent, other := u.live(t), u.live(t)
	var want []string
	for i := range 5 {
		want = append([]string{fmt.Sprint("source ", i)}, want...)
		u.know(t, agent, want[0], fmt.Sprint(i))
		u.know(t, other, "another's", fmt.Sprint(i))
	}
	page := u.do(t, known, vars{"id": agent, "first": 2})
	page.wantValues(t, "a page", map[string]any{"agent.knowledge.nodes.0.name": want[0],
		"agent.knowledge.totalCount":           len(want),
		"agent.knowledge.pageInfo.hasNextPage": true, "agent.knowledge.pageInfo.hasPreviousPage": false})
	rest := u.do(t, known, vars{"id": agent, "after": page.get("agent.knowledge.pageInfo.endCursor")})
	if got := rest.names("agent.knowledge.nodes"); !slices.Equal(got, want[2:]) {
		t.Errorf("the next page: %q", got)
	}
	// As many statements for one source as for all, and for one version as for several.
	u.do(t, publish, vars{"id": agent}).wantNone(t, "publish")
	u.do(t, addAnswer, vars{"input": vars{"agentId": agent, "questions": []string{"How?"},
		"answer": "So."}}).wantNone(t, "answer")
	u.do(t, publish, vars{"id": agent}).wantNone(t, "publish")
	u.do(t, `query($id: ID!) { agent(id: $id) { version(number: 3) { knowledge { name question } } }
		}`, vars{"id": agent}).wantValues(t, "a version",
		map[string]any{"agent.version.knowledge.0.name": "source 0", "agent.version.knowledge.0.question": nil,
			"agent.version.knowledge.5.name": "How?", "agent.version.knowledge.5.question": "How?", "agent.version.knowledge.6": nil})
	for what, fields := range map[string]string{
		"sources":  "knowledge(first: $first) { nodes { inVersions text(length: 5) agent { id name } } }",
		"versions": "knowledgeUse { bytes } versions(first: $first) { nodes { number knowledge { name inVersions agent { id } } } }"} {
		counts := map[int]int64{}
		for _, first := range []int{1, 5} {
			before := b.statements.Load()
			u.do(t, `query($first: Int) { agents { nodes { `+fields+` } } }`, vars{"first": first}).wantNone(t, what)
			counts[first] = b.statements.Load() - before
		}
		if counts[1] != counts[5] {
			t.Errorf("%s: statements: %v", what, counts)
		}
	}
}

func TestKnowledgeTexts(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	agent := u.live(t)
	source := u.know(t, agent, "Text", "a\u00e9\U0001f600\u6f22b")
	for _, c := range []struct {
		args, want string
	}{{"", "a\u00e9\U0001f600\u6f22b"}, {"(offset: 1)", "\u00e9\U0001f600\u6f22b"}, {
		"(offset: 2, length: 2)", "\U0001f600\u6f22"}, {"(length: 1)", "a"},
		{"(offset: 5)", ""}, {"(offset: 2000000, length: 100000)", ""}, {
			"(offset: null, length: null)", "a\u00e9\U0001f600\u6f22b"}} {
		u.do(t, `query($id: ID!) { node(id: $id) { ... on KnowledgeSource { text`+c.args+` } } }`, vars{"id": source}).
			wantValues(t, c.args, map[string]any{"node.text": c.want})
	}
	for args, want := range map[string]string{"(offset: -1)": "offset out_of_range", "(offset: 2000001)": "offset out_of_range",
		"(length: 0)": "length out_of_range", "(length: 100001)": "length out_of_range"} {
		u.do(t, `query($id: ID!) { node(id: $id) { ... on KnowledgeSource { text`+args+` } } }`, vars{
			"id": source}).wantFields(t, args, want)
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

// TestKnowledgeMode: the mode is that of the draft's knowledge and its model's window.
func TestKnowledgeMode(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	agent := u.made(t, nil).text(t, "createAgent.agent.id")
	use := func(what string, want map[string]any) {
		t.Helper()
		all := map[string]any{}
		for name, value := range want {
			all["agent.knowledgeUse."+name] = value
		}
		u.do(t, knowledgeUse, vars{"id": agent}).wantValues(t, what, all)
	}
	use("nothing", map[string]any{"mode": "NONE", "sources": 0, "maxSources": 200, "passages": 0,
		"maxPassages": 10_000, "bytes": 0, "maxBytes": 50 << 20})
	u.know(t, agent, "Prices", "5 a cup")
	u.do(t, addAnswer, vars{"input": vars{"agentId": agent, "questions": []string{"How?"},
		"answer": "So."}}).wantNone(t, "answer")
	use("little", map[string]any{"mode": "WHOLE", "sources": 1, "passages": 2})
	long := u.know(t, agent, "Long", strings.Repeat("Many words. ", 3_000))
	use("much", map[string]any{"mode": "SEARCH", "sources": 2})
	u.do(t, publish, vars{"id": agent}).wantNone(t, "publish")
	u.do(t, `query($id: ID!) { agent(id: $id) { hasUnpublishedChanges } }`, vars{"id": agent}).
		wantValues(t, "published", map[string]any{"agent.hasUnpublishedChanges": false})
	u.do(t, removeKnown, vars{"id": long}).wantValues(t, "remove",
		map[string]any{"removeKnowledgeSource.agent.hasUnpublishedChanges": true})
	u.do(t, oneSource, vars{"id": long}).wantValues(t, "in a version alone",
		map[string]any{"node.inDraft": false, "node.inVersions.0": 1})
	u.do(t, replaceKnown, vars{"input": vars{"id": long, "text": "7 a cup"}}).
		want(t, "replacing what the draft lacks", http.StatusOK, "CONFLICT")
	use("in a version", map[string]any{"mode": "WHOLE", "sources": 2})
}
