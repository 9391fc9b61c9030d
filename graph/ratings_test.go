package graph_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/store/ratings"
)

const (
	rateTurn = `mutation($input: RateTurnInput!) { rateTurn(input: $input) { turn { id message
		ratings { kind value note ratedBy { actorId } ratedAt turn { id } } } } }`
	agentsRatings = `query($id: ID!, $first: Int, $after: String, $value: RatingValue, $kind: RatingKind) {
		agent(id: $id) { ratings(first: $first, after: $after, value: $value, kind: $kind) {
		edges { cursor } nodes { kind note turn { message } ratedBy { actorId } }
		pageInfo { hasNextPage hasPreviousPage endCursor } } } }`
	listedRatings = `{ agents { nodes { ratings(first: 5) { nodes { ratedBy { name } turn { message } } }
		versions(first: 5) { nodes { ratings { up down } } } } } }`
	turnsRatings = `{ viewer { conversations(first: 5) { nodes { turns(first: 5) { nodes {
		ratings { note ratedBy { name } } } } } } } }`
)

// callerRates rates a reply as its caller.
func (u *user) callerRates(t *testing.T, turn uuid.UUID, value conversation.RatingValue, note string) {
	t.Helper()
	given := conversation.Rating{TurnID: turn, Kind: conversation.ByCaller, Value: value, Note: note}
	if _, err := ratings.On(u.b.store).Rate(t.Context(), u.account.ID, ratings.Given{Rating: given}); err != nil {
		t.Fatal(err)
	}
}

// TestRatings rates replies of the API and of Try, and reads the ratings back everywhere.
func TestRatings(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	agent := uuid.MustParse(u.live(t))
	_, key := u.exported(t, agent)
	first, second := u.chat(t, key, "one", "first"), u.chat(t, key, "two", "second")
	tried := u.try(t, agent, "tried", "third")
	pending := u.begin(t, agent, key, "pending", "fourth")
	u.callerRates(t, first.Turn, conversation.Down, "'; DROP <b>")
	rate := func(turn uuid.UUID, value, note any) answer {
		return u.do(t, rateTurn, vars{"input": vars{"turnId": turn, "value": value, "note": note}})
	}
	const at = "rateTurn.turn.ratings."
	rate(first.Turn, "UP", "good").wantValues(t, "both kinds", map[string]any{
		"rateTurn.turn.message":  "first",
		at + "0.kind":            "CALLER",
		at + "0.value":           "DOWN",
		at + "0.note":            "'; DROP <b>",
		at + "0.ratedBy":         nil,
		at + "1.kind":            "TEAM",
		at + "1.value":           "UP",
		at + "1.note":            "good",
		at + "1.ratedBy.actorId": u.account.OwnerID.String(),
		at + "1.turn.id":         first.Turn.String(),
		at + "2":                 nil,
	})
	count := func() [2]int64 {
		return [2]int64{u.statements(t, listedRatings, nil), u.statements(t, turnsRatings, nil)}
	}
	alone := count()
	rate(tried.Turn, "DOWN", nil).wantValues(t, "of Try", map[string]any{at + "0.note": "", at + "1": nil})
	u.callerRates(t, second.Turn, conversation.Up, "")
	if several := count(); several != alone {
		t.Errorf("%v statements for the ratings of one turn, %v for several", alone, several)
	}
	for want, filter := range map[string]vars{
		"TEAM third, CALLER second, TEAM first, CALLER first": {},
		"TEAM third, TEAM first":                              {"kind": "TEAM"},
		"TEAM third, CALLER first":                            {"value": "DOWN"},
	} {
		filter["id"], filter["first"] = agent, 1
		kinds := u.nodes(t, agentsRatings, "agent.ratings", "kind", filter)
		messages := u.nodes(t, agentsRatings, "agent.ratings", "turn.message", filter)
		var got []string
		for i, kind := range kinds {
			got = append(got, kind.(string)+" "+messages[i].(string))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%v: %s, want %s", filter, got, want)
		}
	}
	for value, want := range map[string][]any{"UP": {"two", "one"}, "DOWN": {"tried", "one"}} {
		v := vars{"id": agent, "first": 1, "filter": vars{"rating": value}}
		for query, path := range map[string]string{allConversations: "viewer", agentsConversations: "agent"} {
			if got := u.nodes(t, query, path+".conversations", "sessionId", v); !slices.Equal(got, want) {
				t.Errorf("rated %s, of the %s: %v, want %v", value, path, got, want)
			}
		}
	}
	u.do(t, `query($id: ID!) { agent(id: $id) { version(number: 1) { ratings { up down } } } }`, vars{"id": agent}).
		wantValues(t, "of the version", map[string]any{"agent.version.ratings.up": 1, "agent.version.ratings.down": 1})

	rate(first.Turn, nil, nil).wantValues(t, "withdrawn", map[string]any{at + "0.kind": "CALLER", at + "1": nil})
	rate(first.Turn, nil, "why").wantFields(t, "withdrawn with a note", "note invalid_value")
	rate(first.Turn, "UP", strings.Repeat("é", 1001)).wantFields(t, "a long note", "note too_long")
	rate(first.Turn, "UP", "\x00").wantFields(t, "U+0000", "note invalid_character")
	rate(pending.Turn, "UP", nil).want(t, "a pending turn", http.StatusOK, "NOT_FOUND")
}
