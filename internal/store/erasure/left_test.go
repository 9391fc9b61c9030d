package erasure_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/knowledge"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/sources"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// The texts that TestNothingIsLeft looks for, by what they belong to. The conversations of ofUser,
// ofTrials, ofOther and ofStranger have the same session ID, and the same end user except ofTrials.
const (
	ofUser      = "text of the user"
	ofTrials    = "text of the playground"
	ofNeighbour = "text of another session"
	ofAgent     = "text of the agent"
	ofOther     = "text in the other agent"
	ofSibling   = "text of the other agent"
	ofAccount   = "text of the account"
	ofStranger  = "text of another account"
)

// TestNothingIsLeft deletes in every way and looks for texts in all columns of all tables. Exactly
// what the deletion covers is gone, also while turns are in flight and after they end.
func TestNothingIsLeft(t *testing.T) {
	t.Parallel()
	ofTheAgent := []string{ofUser, ofTrials, ofNeighbour, ofAgent}
	gone := map[string][]string{
		"an end user":             {ofUser, ofOther},
		"an end user of an agent": {ofUser},
		"a session":               {ofUser, ofTrials, ofOther},
		"a session of an agent":   {ofUser, ofTrials},
		"a conversation":          {ofUser},
		"an agent":                ofTheAgent,
		"an account":              append(ofTheAgent, ofOther, ofSibling, ofAccount),
	}
	repeatedAfter := map[string]turns.Outcome{
		"an agent":   turns.Unauthorized,
		"an account": turns.Unauthorized,
	}
	for _, way := range allDeletions {
		t.Run(way.name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			l.describe(t)
			talk, inFlight := l.converse(t)
			before := l.texts(t)
			must(t, way.run(t.Context(), l, "user", "session", talk))
			for n := 1; n > 0; {
				var err error
				if n, err = erasure.On(l.one).EraseEndUsers(t.Context(), 10); err != nil {
					t.Fatal(err)
				}
			}
			wants := func(when string) {
				t.Helper()
				for text, rows := range l.texts(t) {
					isGone := slices.Contains(gone[way.name], text)
					if isGone && rows != 0 || !isGone && rows < before[text] {
						t.Errorf("%s: %q is in %d rows, before in %d", when, text, rows, before[text])
					}
				}
			}
			wants("while turns are in flight")
			for _, key := range []string{"answered session", "failed session"} {
				repeated := storetest.BeginTurn(t, l.one, l.Key, func(b *turns.Begin) {
					b.UserID, b.Session, b.IdempotencyKey = new("user"), "session", key
				})
				if want := cmp.Or(repeatedAfter[way.name], turns.ConversationDeleted); repeated.Outcome != want {
					t.Errorf("a repeated request, %s: %s, want %s", key, repeated.Outcome, want)
				}
			}
			for text, id := range inFlight {
				isGone := slices.Contains(gone[way.name], text)
				got := storetest.FinishTurn(t, l.one, id, conversation.Answered)
				if got.Outcome != turns.Settled || (got.ErrorCode == "conversation_deleted") != isGone {
					t.Errorf("the turn of the %s: %+v", text, got)
				}
			}
			storetest.PurgeAgents(t, l.one)
			wants("afterwards")
			checkErased(t, l.one)
		})
	}
}

// texts counts the rows with each text.
func (l lab) texts(t *testing.T) map[string]int {
	t.Helper()
	rows := map[string]int{}
	for _, text := range []string{
		ofUser, ofTrials, ofNeighbour, ofAgent, ofOther, ofSibling, ofAccount, ofStranger,
	} {
		rows[text] = 0
		for _, n := range storetest.Traces(t, l.one, text) {
			rows[text] += n
		}
	}
	return rows
}

// describe stores the texts of the account and of its agents.
func (l lab) describe(t *testing.T) {
	t.Helper()
	storetest.Block(t, l.one, l.Fixture, ofAccount, true)
	renamed := accounts.AccountChange{Name: new(ofAccount)}
	must(t, storetest.ErrOnly(accounts.On(l.one).UpdateAccount(t.Context(), l.Account.ID, renamed)))
	for text, a := range map[string]uuid.UUID{ofAgent: l.Agent.ID, ofSibling: l.other.ID} {
		storetest.Exec(t, l.one, `UPDATE agents SET description = $2 WHERE id = $1`, a, text)
		storetest.Exec(t, l.one, `UPDATE agent_versions SET note = $2 WHERE agent_id = $1`, a, text)
		source := storetest.KnowledgeText(text, text)
		for i := range 450 { // more than a batch
			source.Passages = append(source.Passages,
				knowledge.Passage{Heading: text, Text: fmt.Sprint(text, i)})
		}
		file := sources.NewFile{Name: text, Content: []byte(text)}
		_, err := sources.On(l.one).AddKnowledge(t.Context(), l.Account.ID, a, source)
		if err == nil {
			_, err = sources.On(l.one).AddFile(t.Context(), l.Account.ID, a, file)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// rate rates a reply, for the caller if it came through the API, and for the team.
func (l lab) rate(t *testing.T, text string, turn uuid.UUID) {
	t.Helper()
	of := l.Fixture
	if text == ofStranger {
		of = l.stranger
	}
	storetest.GiveRating(t, l.one, of, turn, conversation.ByTeam, conversation.Down, text)
	if text != ofTrials {
		storetest.GiveRating(t, l.one, of, turn, conversation.ByCaller, conversation.Up, text)
	}
}

// converse begins conversations. Each has an answered turn, an answered one with an idempotency
// key, both rated, a failed one, one that failed in the background and keeps its key, and one in flight. It
// returns the conversation of ofUser and the turns in flight.
func (l lab) converse(t *testing.T) (talk uuid.UUID, inFlight map[string]uuid.UUID) {
	t.Helper()
	inFlight = map[string]uuid.UUID{}
	for text, change := range map[string]func(*turns.Begin){
		ofUser: nil,
		ofTrials: func(b *turns.Begin) {
			b.Source, b.AccountID, b.AgentID = conversation.Playground, l.Account.ID, l.Agent.ID
			b.UserID = nil
		},
		ofNeighbour: func(b *turns.Begin) { b.UserID, b.Session = new("User"), "Session" },
		ofOther:     func(b *turns.Begin) { b.Key = l.otherKey.Hash() },
		ofStranger:  func(b *turns.Begin) { b.Key = l.stranger.Key.Hash() },
	} {
		begin := func(key string) (id uuid.UUID) {
			b := storetest.NewBegin(l.Key)
			b.UserID, b.Session, b.Message = new("user"), "session", text
			b.Variables = map[string]string{"plan": text}
			if change != nil {
				change(&b)
			}
			if key != "" {
				b.IdempotencyKey, b.Background = key+" "+b.Session, key == "failed"
			}
			begun, err := turns.On(l.one).BeginTurn(t.Context(), b)
			if err != nil || begun.Outcome != turns.Begun {
				t.Fatal(begun.Outcome, err)
			}
			if text == ofUser {
				talk = begun.ConversationID
			}
			return b.TurnID
		}
		answered := turns.Settlement{
			State:        conversation.Answered,
			Reply:        text,
			FinishReason: "stop",
			Provider:     text,
			Knowledge:    text,
		}
		failed := turns.Settlement{
			State:         conversation.Failed,
			ErrorCode:     "invalid_output",
			RejectedReply: text,
			ProviderCode:  text,
			ProviderError: text,
		}
		for i, in := range []turns.Settlement{answered, answered, failed, failed} {
			in.TurnID = begin([]string{"", "answered", "", "failed"}[i])
			must(t, storetest.ErrOnly(turns.On(l.one).SettleTurn(t.Context(), in)))
			if in.State == conversation.Answered {
				l.rate(t, text, in.TurnID)
			}
		}
		inFlight[text] = begin("")
	}
	return talk, inFlight
}
