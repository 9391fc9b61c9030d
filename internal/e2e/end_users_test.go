package e2e_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/apikey"
	"agentchat/internal/conversation"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
	"agentchat/internal/testlong"
)

const deleteEndUser = `mutation($input: DeleteEndUserInput!) { deleteEndUser(input: $input) { deletedCount } }`

const setLimits = `mutation($input: UpdateApiExportInput!) { updateApiExport(input: $input) { export { id } } }`

// endUserErasure is an account with an end user who is erased, and others who stay.
type endUserErasure struct {
	t      *testing.T
	pair   *pair
	owner  *browser
	export ownedExport
	// marker is in every text, value and ID of the erased end user, and user is its ID.
	marker, user  string
	conversations int
	// ids are those of its conversations, and then those of its turns.
	ids []string
}

// TestEraseEndUserOverTwoReplicas: once an owner has erased an end user over one replica, neither shows anything of it; soon nothing is
// stored any more. The ledger, the limits and everybody else's conversations stay.
func TestEraseEndUserOverTwoReplicas(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	const turns = 500
	p, c := newPair(t, "STARTING_CREDITS=1000000", "TRUSTED_PROXIES=127.0.0.1/32"), client(t)
	auditing(t, p.store)
	owner, export := newOwnedExport(t, p.replicas[0], "10.5.0.1")
	e := &endUserErasure{t: t, pair: p, owner: owner, export: export, marker: "mk" + strings.ReplaceAll(uuid.NewString(), "-", "")}
	awayFromMidnight(t, 2*time.Minute)
	e.user = "Ada " + e.marker
	e.prepare(turns + 3) // with the message that is sent again; two are left over
	e.fill(e.user, "of "+e.marker, e.marker, turns)
	e.fill("kept", "kept", "kept", 20)
	body := map[string]any{"message": e.marker, "user_id": e.user, "session_id": "sent again " + e.marker}
	key := []string{"Idempotency-Key", uuid.NewString()}
	if got, err := askWith(t.Context(), c, p.chat(0), export.key, body, key...); err != nil || got.Status != 200 {
		t.Fatalf("the message that is sent again later: %s %v", got.Body, err)
	}
	underWay := make(chan string, len(p.replicas))
	for i := range p.replicas {
		go func() {
			got, err := askWith(t.Context(), c, p.chat(i), export.key,
				map[string]any{"message": "[[sandbox delay=3s]] " + e.marker, "user_id": e.user})
			underWay <- fmt.Sprint(got.outcome(), err)
		}()
	}
	eventually(t, "two messages are under way", func() bool { return e.number(`SELECT count(*) FROM turns WHERE state = 'PENDING'`) == 2 })
	e.learn()
	ledger, turnless := e.ledger(), e.refuse(c, body, key)
	if left := storetest.Traces(e.t, e.pair.store, e.marker); left["turns"] < turns || left["conversations"] != e.conversations {
		t.Errorf("before the erasure only these traces are found: %v", left)
	}

	began := time.Now()
	var deleted struct{ DeletedCount int }
	owner.must(p.replicas[0], deleteEndUser, map[string]any{"userId": e.user}).into(t, "deleteEndUser", &deleted)
	if deleted.DeletedCount != e.conversations {
		t.Errorf("%d conversations deleted, want %d", deleted.DeletedCount, e.conversations)
	}
	for i := range p.replicas {
		e.expectHidden(p.replicas[i])
		got, err := askWith(t.Context(), c, p.chat(i), export.key, body, key...)
		if err != nil || got.Status != 410 || got.outcome() != "conversation_deleted" {
			t.Errorf("replica %d, sent again: %d %s %v", i, got.Status, got.Body, err)
		}
	}
	eventually(t, "all turnless requests are recorded", func() bool {
		return e.number(`SELECT count(*) FROM turnless_requests`) == turnless+len(p.replicas) // with those that were sent again
	})
	e.expectErased(began)
	for range p.replicas {
		if got := <-underWay; got != "conversation_deleted<nil>" {
			t.Errorf("a message under way: %s", got)
		}
	}
	e.expectErased(time.Now()) // what was under way has left nothing either
	if now := e.ledger(); now != ledger {
		t.Errorf("the ledger is %s, was %s", now, ledger)
	}
	e.expectVerified()
	for i, want := range []string{"200", "200", "limit_reached", "limit_reached"} {
		got, err := askWith(t.Context(), c, p.chat(i), export.key, map[string]any{"message": "hello", "user_id": e.user})
		if err != nil || got.outcome() != want {
			t.Errorf("message %d after the erasure: %s %v, want %s", i, got.Body, err, want)
		}
	}
	storetest.Audit(t, p.store)
}

// prepare gives the agent a variable, and the export a limit of messages for each end user.
func (e *endUserErasure) prepare(limit int) {
	r := e.pair.replicas[0]
	e.owner.must(r, updateDraft, map[string]any{"id": e.export.agent, "variables": []any{map[string]any{"name": "plan"}}})
	e.owner.must(r, publishDraft, map[string]any{"id": e.export.agent})
	e.owner.must(r, setLimits, map[string]any{"id": e.export.export, "rateLimitPerMinute": 1_000_000, "userDailyMessageLimit": limit})
}

// fill stores answered turns of an end user, whose texts and values hold a word, in eight conversations.
func (e *endUserErasure) fill(user, session, word string, turnCount int) {
	e.t.Helper()
	key, ok := apikey.Parse(e.export.key)
	if !ok {
		e.t.Fatal("the key cannot be parsed")
	}
	const conversations = 8
	parallel(conversations, conversations, func(caller int) string {
		for n := caller; n < turnCount; n += conversations {
			id := uuid.Must(uuid.NewV7())
			b := turns.Begin{
				Key: key.Hash(), Models: []string{storetest.SandboxModel}, Prices: []int64{1}, UserID: &user,
				Variables: map[string]string{"plan": "plan " + word},
				Session:   fmt.Sprint(session, caller), Message: "message " + word, TurnID: id, ConversationID: uuid.Must(uuid.NewV7()),
				HoldFor: time.Minute, RequestID: "r", MaxContextBytes: 1 << 10,
			}
			if n%5 == 0 {
				b.IdempotencyKey = id.String()
			}
			begun, err := turns.On(e.pair.store).BeginTurn(e.t.Context(), b)
			for err == nil && begun.Outcome == turns.Retry {
				begun, err = turns.On(e.pair.store).BeginTurn(e.t.Context(), b)
			}
			if err == nil && begun.Outcome == turns.Begun {
				_, err = turns.On(e.pair.store).SettleTurn(e.t.Context(), turns.Settlement{TurnID: id, State: conversation.Answered,
					Reply: "reply " + word, FinishReason: "stop"})
			}
			if err != nil || begun.Outcome != turns.Begun {
				e.t.Errorf("fill: %s %v", begun.Outcome, err)
			}
		}
		return ""
	})
}

// refuse sends messages that begin no turn over both replicas, which record them in a moment: one that is sent again, and refused ones. It
// returns how many.
func (e *endUserErasure) refuse(c *http.Client, again map[string]any, key []string) (sent int) {
	e.t.Helper()
	with := func(more map[string]any) map[string]any {
		body := map[string]any{"message": e.marker, "user_id": e.user, "session_id": "refused " + e.marker}
		maps.Copy(body, more)
		return body
	}
	for i := range e.pair.replicas {
		for _, m := range []struct {
			body map[string]any
			key  []string
			want string
		}{
			{again, key, "200"},
			{with(map[string]any{"message": "another"}), key, "idempotency_key_reused"},
			{with(map[string]any{"variables": map[string]any{"unknown": e.marker}}), nil, "invalid_request"},
			{with(map[string]any{"user_id": nil, "session_id": "of " + e.marker + "0"}), nil, "invalid_request"}, // it is the end user's
		} {
			got, err := askWith(e.t.Context(), c, e.pair.chat(i), e.export.key, m.body, m.key...)
			if err != nil || got.outcome() != m.want {
				e.t.Errorf("a message that begins no turn: %d %s %v, want %s", got.Status, got.Body, err, m.want)
			}
			sent++
		}
	}
	return sent
}

// learn reads the IDs of the end user's conversations and turns.
func (e *endUserErasure) learn() {
	e.t.Helper()
	e.conversations = e.number(`SELECT count(*) FROM conversations WHERE user_id = $1`, e.user)
	rows, err := e.pair.store.SQL().QueryContext(e.t.Context(), `SELECT x.id FROM (
		SELECT 1 AS part, id FROM conversations WHERE user_id = $1
		UNION ALL SELECT 2, t.id FROM turns t JOIN conversations c ON c.id = t.conversation_id WHERE c.user_id = $1) x ORDER BY x.part`, e.user)
	if err != nil {
		e.t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			e.t.Fatal(err)
		}
		e.ids = append(e.ids, id)
	}
	if err := rows.Err(); err != nil || len(e.ids) == 0 {
		e.t.Fatal(err)
	}
}

func (e *endUserErasure) number(query string, args ...any) (n int) {
	e.t.Helper()
	if err := e.pair.store.SQL().QueryRowContext(e.t.Context(), query, args...).Scan(&n); err != nil {
		e.t.Fatal(err)
	}
	return n
}

// ledger describes the account's credits and its ledger.
func (e *endUserErasure) ledger() (all string) {
	e.t.Helper()
	err := e.pair.store.SQL().QueryRowContext(e.t.Context(), `SELECT format('balance %s, %s entries of %s, up to %s', a.credit_balance,
		count(*), sum(e.amount), max(e.number)) FROM accounts a JOIN credit_entries e ON e.account_id = a.id GROUP BY a.id`).Scan(&all)
	if err != nil {
		e.t.Fatal(err)
	}
	return all
}

// expectHidden reads everything over a replica in which the end user could still be seen.
func (e *endUserErasure) expectHidden(r *replica) {
	e.t.Helper()
	text := e.owner.must(r, fmt.Sprintf(`{ viewer { endUsers(first: 100) { nodes { userId } }
		all: conversations(first: 100) { nodes { id sessionId userId } }
		erased: conversations(filter: { userId: %q }) { nodes { id } }
		kept: conversations(first: 100, filter: { userId: "kept" }) { nodes { id } } } agent(id: %q) {
		conversations(first: 100) { nodes { id sessionId userId turns { nodes { id message reply } } } } } }`, e.user, e.export.agent), nil)
	var viewer struct {
		EndUsers  struct{ Nodes []struct{ UserID string } }
		All, Kept struct{ Nodes []struct{ ID string } }
	}
	text.into(e.t, "viewer", &viewer)
	if len(viewer.EndUsers.Nodes) != 1 || len(viewer.Kept.Nodes) != 8 || len(viewer.All.Nodes) != 8 {
		e.t.Errorf("the others are not all there: %.500s", text.Raw)
	}
	pages, seen := e.history(r)
	if seen != 20 {
		e.t.Errorf("%d turns of the others in the credit history, want 20", seen)
	}
	for _, id := range append([]string{e.marker}, e.ids...) {
		if strings.Contains(text.Raw, id) || strings.Contains(pages, id) {
			e.t.Errorf("%s is still shown", id)
		}
	}
	for _, id := range e.ids[:e.conversations] {
		got, err := e.owner.do(r, fmt.Sprintf(`{ conversation(id: %q) { id } }`, id), nil)
		if err != nil || got.code() != "NOT_FOUND" {
			e.t.Errorf("conversation %s: %s %v", id, got.Raw, err)
		}
	}
}

// history reads the whole credit history over a replica, and counts the entries that have a turn.
func (e *endUserErasure) history(r *replica) (pages string, seen int) {
	e.t.Helper()
	var all strings.Builder
	for after := "null"; after != ""; {
		got := e.owner.must(r, fmt.Sprintf(`{ viewer { creditHistory(first: 100, after: %s) { pageInfo { hasNextPage endCursor }
			nodes { note turn { id message reply userId } } } } }`, after), nil)
		var viewer struct {
			CreditHistory struct {
				PageInfo struct {
					HasNextPage bool
					EndCursor   string
				}
				Nodes []struct{ Turn json.RawMessage }
			}
		}
		got.into(e.t, "viewer", &viewer)
		for _, n := range viewer.CreditHistory.Nodes {
			if string(n.Turn) != "null" {
				seen++
			}
		}
		all.WriteString(got.Raw)
		if after = ""; viewer.CreditHistory.PageInfo.HasNextPage {
			after = fmt.Sprintf("%q", viewer.CreditHistory.PageInfo.EndCursor)
		}
	}
	return all.String(), seen
}

// expectErased waits until the marker is in no column of any table, and in no log.
func (e *endUserErasure) expectErased(began time.Time) {
	e.t.Helper()
	for {
		left := storetest.Traces(e.t, e.pair.store, e.marker)
		took := time.Since(began)
		if len(left) == 0 {
			break
		}
		if took > 10*time.Second {
			e.t.Errorf("after %v there are still traces: %v", took, left)
			break
		}
		<-time.After(100 * time.Millisecond)
	}
	for i, r := range e.pair.replicas {
		if strings.Contains(r.log.String(), e.marker) {
			e.t.Errorf("the log of replica %d has the marker", i)
		}
	}
}

// expectVerified runs agentchat verify.
func (e *endUserErasure) expectVerified() {
	e.t.Helper()
	command := exec.CommandContext(e.t.Context(), binary, "verify")
	command.Env = []string{"DATABASE_URL=" + e.pair.url, "HOME=" + e.t.TempDir()}
	if out, err := command.CombinedOutput(); err != nil || !strings.Contains(string(out), "is consistent") {
		e.t.Errorf("verify: %v %s", err, out)
	}
}

// awayFromMidnight waits until the next UTC midnight, at which limits start afresh, is not nearer than a time.
func awayFromMidnight(t testing.TB, far time.Duration) {
	t.Helper()
	midnight := time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, 1)
	if left := time.Until(midnight); left < far {
		t.Logf("waiting %v for midnight to pass", left)
		<-time.After(left + time.Second)
	}
}
