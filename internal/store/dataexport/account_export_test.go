package dataexport_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/evaluation"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/dataexport"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/tests"
	"agentchat/internal/store/turns"
	"agentchat/internal/store/webhooks"
)

func TestMain(m *testing.M) { storetest.Main(m) }

// TestAccountExport tests the lines of sources, of end users with rules, of webhooks and of rated
// turns.
func TestAccountExport(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	storetest.Learn(t, s, f.Agent, storetest.KnowledgeText("manual", "plain text"))
	makeCase(t, s, f, nil)
	storetest.Block(t, s, f, "ada", true)
	storetest.SetOwnLimit(t, s, f, "bob", new(3))
	w, err := webhooks.On(s).Create(t.Context(), f.Account.ID, webhooks.New{ID: uuid.New(), URL: "https://example.com/",
		Events: webhooks.Events[:1], Secret: []byte("sealed")})
	if err == nil {
		_, err = webhooks.On(s).Test(t.Context(), f.Account.ID, w.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	var turn uuid.UUID
	storetest.AnswerTurn(t, s, f.Key, func(b *turns.Begin) { turn = b.TurnID })
	storetest.Exec(t, s, `UPDATE turns SET provider_cost = 987654321`)
	storetest.GiveRating(t, s, f, turn, conversation.ByCaller, conversation.Down, "Wrong \"warehouse\"")
	storetest.GiveRating(t, s, f, turn, conversation.ByTeam, conversation.Up, "")
	var lines strings.Builder
	err = dataexport.On(s).ExportAccount(t.Context(), f.Account.ID, nil, func(line json.RawMessage) error {
		lines.Write(line)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		`"type":"knowledge_source"`, `"text":"plain text"`, `"in_draft":true`,
		`"user_id":"ada","blocked_at":`, `"user_id":"bob","daily_message_limit":3`,
		`"type":"webhook"`, `"url":"https://example.com/","events":["message.completed"]`,
		`"type":"test_case"`, `"document":"{\"name\":\"A case\"`,
		`"ratings":[{"kind":"CALLER","value":-1,"note":"Wrong \"warehouse\"","rated_at":"`,
		`{"kind":"TEAM","value":1,"note":"","rated_by":"` + f.Account.OwnerID.String() + `","rated_at":"`,
		`"type":"webhook_delivery"`, `"event":"webhook.test"`,
	} {
		if !strings.Contains(lines.String(), part) {
			t.Errorf("no %s in %s", part, lines.String())
		}
	}
	for _, hidden := range []string{"secret", "7365616c6564" /* sealed */, "cost", "987654321"} {
		if strings.Contains(lines.String(), hidden) {
			t.Errorf("%s in %s", hidden, lines.String())
		}
	}
}

func makeCase(t *testing.T, s *store.DB, f storetest.Fixture, turn *uuid.UUID) {
	t.Helper()
	in := &evaluation.Case{Name: "A case", Message: "hello"}
	if _, err := tests.On(s).CreateCase(t.Context(), f.Account.ID, f.Agent.ID, in, turn, nil); err != nil {
		t.Fatal(err)
	}
}

// TestAccountExportOfActions tests that turns have their calls and results verbatim, even a null
// result, and that structured and rejected replies are distinguished. The provider state is left
// out.
func TestAccountExportOfActions(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	var asked, brought uuid.UUID
	storetest.AskForActions(t, s, f, 2, func(b *turns.Begin) { asked = b.TurnID })
	list := []conversation.ActionResult{{ID: conversation.ActionCallID(asked, 1), Result: []byte(`null`)},
		{ID: conversation.ActionCallID(asked, 2), Error: "Too late."}}
	storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) {
		brought, b.Message, b.Results = b.TurnID, "", conversation.NewActionResults(list)
	})
	settle := func(in turns.Settlement) {
		t.Helper()
		if _, err := turns.On(s).SettleTurn(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	settle(turns.Settlement{TurnID: brought, State: conversation.Answered, Reply: `{"n":1e400}`, Structured: true, FinishReason: "stop"})
	var violating uuid.UUID
	storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { violating = b.TurnID })
	settle(turns.Settlement{TurnID: violating, State: conversation.Failed, ErrorCode: "invalid_output", RejectedReply: "no JSON",
		ProviderStatus: 400, ProviderCode: "invalid", ProviderError: "too long"})

	type turn = map[string]any
	var turns []turn
	err := dataexport.On(s).ExportAccount(t.Context(), f.Account.ID, nil, func(line json.RawMessage) error {
		var got turn
		err := json.Unmarshal(line, &got)
		if got["type"] == "turn" {
			turns = append(turns, got)
		}
		return err
	})
	if err != nil || len(turns) != 3 {
		t.Fatalf("%d turns, %v", len(turns), err)
	}
	call := func(n int) string {
		return `{"id":"` + conversation.ActionCallID(asked, n) + `","name":"look_up","arguments":{"a":"\u0000"}}`
	}
	for i, want := range []turn{
		{"message": "hello", "reply": "Let me look.", "finish_reason": "actions", "action_calls": `[` + call(1) + `,` + call(2) + `]`,
			"action_results": nil, "shaped": nil, "misfit": nil, "provider": nil, "provider_status": nil},
		{"message": "", "reply": `{"n":1e400}`, "finish_reason": "stop", "action_calls": nil, "shaped": true, "misfit": nil,
			"action_results": `[{"id":"` + list[0].ID + `","result":null},{"id":"` + list[1].ID + `","error":"Too late."}]`},
		{"message": "hello", "error_code": "invalid_output", "misfit": "no JSON", "reply": nil, "shaped": nil, "action_calls": nil, "action_results": nil,
			"provider_status": 400.0, "provider_code": "invalid", "provider_error": "too long"},
	} {
		for name, value := range want {
			if got := turns[i][name]; got != value {
				t.Errorf("turn %d: %s is %v, want %v", i+1, name, got, value)
			}
		}
	}
}

// TestExportOfLongTexts tests that every message is exported once and in order, also if the texts of
// a page are longer than one statement reads.
func TestExportOfLongTexts(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	storetest.Exec(t, s, `INSERT INTO conversations (id, account_id, agent_id, source, session_id, turn_count)
		SELECT md5(n::text)::uuid, $1, $2, 'API', 'session ' || n, 3 * n FROM generate_series(1, 6) n`, f.Account.ID, f.Agent.ID)
	storetest.Exec(t, s, `INSERT INTO turns (id, account_id, agent_id, conversation_id, source, number, state, message, model, price, request_id, deadline)
		SELECT gen_random_uuid(), $1, $2, c.id, 'API', n, 'ANSWERED', repeat('x', $3), 'm', 1, 'r', now()
		FROM conversations c, generate_series(1, c.turn_count) n`, f.Account.ID, f.Agent.ID, conversations.MaxPageText/10)
	read := map[string]int{}
	err := dataexport.On(s).ExportAccount(t.Context(), f.Account.ID, nil, func(line json.RawMessage) error {
		var got struct {
			Type         string
			Conversation string `json:"conversation_id"`
			Number       int
		}
		err := json.Unmarshal(line, &got)
		if got.Type != "turn" {
			return err
		}
		if read[got.Conversation]++; read[got.Conversation] != got.Number {
			t.Errorf("message %d comes as number %d", got.Number, read[got.Conversation])
		}
		return err
	})
	lengths := slices.Sorted(maps.Values(read))
	if want := []int{3, 6, 9, 12, 15, 18}; err != nil || !slices.Equal(lengths, want) {
		t.Errorf("conversations of %v messages, %v, want %v", lengths, err, want)
	}
}

// TestExportEndUser tests that an export has all data of one end user, in all agents of the
// account, and no other data.
func TestExportEndUser(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f, stranger := storetest.Seed(t, s, storetest.Options{Credits: 100}), storetest.Seed(t, s, storetest.Options{})
	second, gone := storetest.SeedAgent(t, s, f.Account.ID, storetest.Options{}), storetest.SeedAgent(t, s, f.Account.ID, storetest.Options{})
	const user = "a/b %é"
	var turn uuid.UUID
	for _, agent := range []uuid.UUID{second.ID, gone.ID} {
		_, _, key := storetest.SeedExport(t, s, f.Account.ID, agent, 600)
		storetest.AnswerTurn(t, s, key, storetest.InOwnSession(user))
	}
	for _, id := range []string{user, "a"} {
		storetest.AnswerTurn(t, s, f.Key, func(b *turns.Begin) {
			storetest.InOwnSession(id)(b)
			turn = b.TurnID
		})
		storetest.GiveRating(t, s, f, turn, conversation.ByCaller, conversation.Down, "rated by "+id)
		makeCase(t, s, f, &turn)
	}
	makeCase(t, s, f, nil)
	storetest.AnswerTurn(t, s, stranger.Key, storetest.InOwnSession(user))
	refused := storetest.RejectedRequest(f.Key)
	refused.UserID = new(user)
	if err := conversations.On(s.Own()).RecordRejected(t.Context(), []conversations.RejectedRequest{refused}); err != nil {
		t.Fatal(err)
	}
	if err := erasure.On(s).DeleteAgent(t.Context(), f.Account.ID, gone.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := conversations.On(s).BlockEndUser(t.Context(), f.Account.ID, user, true); err != nil {
		t.Fatal(err)
	}
	read := func(account uuid.UUID, userID string) (kinds []string, agents map[any]bool) {
		t.Helper()
		agents = map[any]bool{}
		acting := audit.Acting(t.Context(), audit.Entry{Actor: audit.ByOperator, Action: "end-user export"})
		err := dataexport.On(s).ExportEndUser(acting, account, userID, func(line json.RawMessage) error {
			var got map[string]any
			err := json.Unmarshal(line, &got)
			kinds = append(kinds, got["type"].(string))
			if list, ok := got["ratings"].([]any); ok {
				kinds = append(kinds, list[0].(map[string]any)["note"].(string))
			}
			if id := got["user_id"]; got["type"] != "turn" && got["type"] != "test_case" && id != userID {
				t.Errorf("a line of %v: %s", id, line)
			}
			agents[got["agent_id"]] = true
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return kinds, agents
	}
	kinds, agents := read(f.Account.ID, user)
	if want := []string{"end_user", "rejected_request", "conversation", "conversation", "turn", "turn", "rated by " + user, "test_case"}; !slices.Equal(kinds, want) ||
		!agents[second.ID.String()] || !agents[f.Agent.ID.String()] || agents[gone.ID.String()] {
		t.Errorf("%v of agents %v", kinds, agents)
	}
	if kinds, _ := read(f.Account.ID, "eve"); len(kinds) != 0 {
		t.Errorf("of an unknown end user: %v", kinds)
	}
	if kinds, _ := read(stranger.Account.ID, user); len(kinds) != 2 {
		t.Errorf("of another account: %v", kinds)
	}
	if _, err := erasure.On(s).DeleteEndUser(t.Context(), f.Account.ID, user, nil); err != nil {
		t.Fatal(err)
	}
	if kinds, _ := read(f.Account.ID, user); !slices.Equal(kinds, []string{"end_user"}) { // the block stays
		t.Errorf("after the deletion: %v", kinds)
	}
	if err := dataexport.On(s).ExportEndUser(t.Context(), uuid.Max, user, nil); !fault.Is(err, fault.NotFound) {
		t.Errorf("of an unknown account: %v", err)
	}
	recorded := storetest.CountRows(t, s, `SELECT count(*) FROM audit_entries WHERE action = 'end-user export' AND actor = 'OPERATOR'
		AND subject = account_id::text`)
	if recorded != 4 {
		t.Errorf("%d entries in the audit trail", recorded)
	}
}
