package dataexport_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/dataexport"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
)

// TestExportEndUser tests that an export has all data of one end user, in all agents of the
// account, and no other data.
func TestExportEndUser(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f, stranger := storetest.Seed(t, s, storetest.Options{Credits: 100}), storetest.Seed(t, s, storetest.Options{})
	second, gone := storetest.SeedAgent(t, s, f.Account.ID, storetest.Options{}), storetest.SeedAgent(t, s, f.Account.ID, storetest.Options{})
	const user = "a/b %é"
	for _, agent := range []uuid.UUID{second.ID, gone.ID} {
		_, _, key := storetest.SeedExport(t, s, f.Account.ID, agent, 600)
		storetest.AnswerTurn(t, s, key, storetest.InOwnSession(user))
	}
	storetest.AnswerTurn(t, s, f.Key, storetest.InOwnSession(user))
	storetest.AnswerTurn(t, s, f.Key, storetest.InOwnSession("a"))
	storetest.AnswerTurn(t, s, stranger.Key, storetest.InOwnSession(user))
	id := user
	refused := conversations.RejectedRequest{Key: f.Key.Hash(), At: time.Now(), RequestID: "r", Status: 402, Code: "insufficient_credits", UserID: &id}
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
			if id := got["user_id"]; got["type"] != "turn" && id != userID {
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
	if want := []string{"end_user", "turnless_request", "conversation", "conversation", "turn", "turn"}; !slices.Equal(kinds, want) || !agents[second.ID.String()] ||
		!agents[f.Agent.ID.String()] || agents[gone.ID.String()] {
		t.Errorf("%v of agents %v", kinds, agents)
	}
	if kinds, _ := read(f.Account.ID, "nobody"); len(kinds) != 0 {
		t.Errorf("of nobody: %v", kinds)
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
