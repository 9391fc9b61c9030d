package chat_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/store"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
)

// turnOf returns the id of a turn by its session ID and number.
func turnOf(t *testing.T, s *store.DB, session string, number int) (id uuid.UUID) {
	t.Helper()
	err := s.SQL().QueryRowContext(t.Context(), `SELECT t.id FROM turns t JOIN conversations c ON c.id = t.conversation_id
		WHERE c.session_id = $1 AND t.number = $2`, session, number).Scan(&id)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// continued returns a message of the playground that continues from a turn.
func continued(f storetest.Fixture, session, message string, from uuid.UUID) chat.Message {
	msg := newTestMessage(f, session, message)
	msg.ContinueFrom = &from
	return msg
}

// history is the message that wantSeen sends.
const history = "[[sandbox history]]"

// TestContinueFrom tests that a session of the playground reads another conversation up to a turn,
// and its own turns after that. Nothing is copied.
func TestContinueFrom(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 2)
	f := storetest.Seed(t, b.store, storetest.Options{})
	one, two := b.replicas[0], b.replicas[1]
	for _, text := range []string{"first", "second", "third"} {
		send(t, one, newMessage(f, "live", text))
	}
	from := turnOf(t, b.store, "live", 2)
	wantSeen(t, "the first message", one, continued(f, "try", "", from), "first", "second")
	wantSeen(t, "a later one", two, newTestMessage(f, "try", ""), "first", "second", history)
	wantSeen(t, "one that names the turn again", two, continued(f, "try", "", from), "first", "second",
		history, history)
	wantSeen(t, "the caller's session", one, newMessage(f, "live", ""), "first", "second", "third")
	wantSeen(t, "a session that continues that one", two,
		continued(f, "again", "", turnOf(t, b.store, "try", 1)), "first", "second", history)
	retry := continued(f, "once", "hello", from)
	retry.IdempotencyKey = "k"
	send(t, one, retry)
	*retry.ContinueFrom = turnOf(t, b.store, "live", 1)
	wantFault(t, one, retry, fault.IdempotencyKeyReused)
}

// TestContinueFromRefusals tests that a session continues only from an existing turn of the same
// agent, and only at its beginning.
func TestContinueFromRefusals(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1)
	f := storetest.Seed(t, b.store, storetest.Options{})
	stranger := storetest.Seed(t, b.store, storetest.Options{})
	s := b.replicas[0]
	sibling := f
	sibling.Agent = storetest.SeedAgent(t, b.store, f.Account.ID, storetest.Options{})
	adas := newMessage(f, "adas", "hello")
	adas.UserID = new("ada")
	for _, msg := range []chat.Message{
		newMessage(f, "mine", "hello"),
		newMessage(f, "deleted", "hello"),
		newMessage(stranger, "theirs", "hello"),
		newTestMessage(sibling, "sibling", "hello"),
		newTestMessage(f, "plain", "hello"),
		adas,
	} {
		send(t, s, msg)
	}
	mine, deleted := turnOf(t, b.store, "mine", 1), turnOf(t, b.store, "deleted", 1)
	if _, err := erasure.On(b.store).DeleteConversationsBySessionID(t.Context(), f.Account.ID,
		"deleted", nil); err != nil {
		t.Fatal(err)
	}
	send(t, s, continued(f, "begun", "hello", mine))
	of := func(user string, msg chat.Message) chat.Message {
		msg.UserID = &user
		return msg
	}
	send(t, s, of("grace", continued(f, "graces", "hello", mine))) // the conversation of mine has no end user
	before := b.left(t, f)
	for name, c := range map[string]struct {
		session string
		from    uuid.UUID
		user    string
		want    fault.Kind
	}{
		"another account's turn":  {"new", turnOf(t, b.store, "theirs", 1), "", fault.NotFound},
		"another agent's turn":    {"new", turnOf(t, b.store, "sibling", 1), "", fault.NotFound},
		"a deleted turn":          {"new", deleted, "", fault.NotFound},
		"an unknown turn":         {"new", uuid.New(), "", fault.NotFound},
		"session of another turn": {"begun", turnOf(t, b.store, "plain", 1), "", fault.Conflict},
		"session without a turn":  {"plain", mine, "", fault.Conflict},
		"another end user":        {"new", turnOf(t, b.store, "adas", 1), "grace", fault.InvalidInput},
		"another end user, later": {"graces", mine, "ada", fault.InvalidInput},
	} {
		msg := continued(f, c.session, "hello", c.from)
		if c.user != "" {
			msg = of(c.user, msg)
		}
		if _, err := s.Send(t.Context(), msg); !fault.Is(err, c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	if after := b.left(t, f); after != before {
		t.Errorf("refusals left %+v after %+v", after, before)
	}
	caller := newMessage(f, "api", "")
	caller.ContinueFrom = &mine
	wantSeen(t, "a caller", s, caller)
}

// TestContinueFromWithinBounds tests that a continued conversation gets the turns and bytes that
// the session's own turns leave, newest first, without gaps.
func TestContinueFromWithinBounds(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1)
	s := b.replicas[0]
	few := storetest.Seed(t, b.store, storetest.Options{ContextTurns: new(3)})
	b.seedTurns(t, few, "long", 9)
	from := turnOf(t, b.store, "long", 8)
	wantSeen(t, "the agent's turns", s, continued(few, "try", "", from), "message 6", "message 7",
		"message 8")
	wantSeen(t, "with one of its own", s, newTestMessage(few, "try", ""), "message 7", "message 8", history)
	wantSeen(t, "with two of its own", s, newTestMessage(few, "try", ""), "message 8", history, history)
	wantSeen(t, "only its own", s, newTestMessage(few, "try", ""), history, history, history)
	storetest.Exec(t, b.store, `UPDATE turns SET finish_reason = 'content_blocked' WHERE id = $1`, from)
	wantSeen(t, "a blocked one", s, continued(few, "blocked", "", from), "message 5", "message 6",
		"message 7")

	alone := storetest.Seed(t, b.store, storetest.Options{ContextTurns: new(0)})
	b.seedTurns(t, alone, "alone", 2)
	wantSeen(t, "no earlier turns", s, continued(alone, "try", "", turnOf(t, b.store, "alone", 2)))

	big := storetest.Seed(t, b.store, storetest.Options{})
	b.seedTurns(t, big, "big", 4)
	storetest.Exec(t, b.store, `
		UPDATE turns SET reply = repeat('x', CASE number WHEN 2 THEN 90000 ELSE 4000 END)
		WHERE agent_id = $1`, big.Agent.ID)
	wantSeen(t, "the bytes that fit", s,
		continued(big, "try big", "", turnOf(t, b.store, "big", 4)), "message 3", "message 4")
	wantSeen(t, "with one of its own", s, newTestMessage(big, "try big", ""), "message 3",
		"message 4", history)
}

// TestContinueFromErased tests that the next message does not read what was erased while a session
// that continues it was being answered. A session that continues an end user's conversation is
// erased together with that conversation.
func TestContinueFromErased(t *testing.T) {
	t.Parallel()
	var erase func()
	b := newSetup(t, 2, offering(script(func(ctx context.Context) (llm.Reply, error) {
		erase()
		return says("Hi.")(ctx)
	})))
	f := storetest.Seed(t, b.store, storetest.Options{})
	const secret = "marker-of-ada"
	for i, s := range b.replicas {
		session, try := fmt.Sprint("live ", i), fmt.Sprint("try ", i)
		live := newMessage(f, session, secret)
		live.IdempotencyKey = session // its row stays, without the text
		send(t, s, live)
		erase = func() {
			if _, err := erasure.On(b.stores[0]).DeleteConversationsBySessionID(t.Context(), f.Account.ID,
				session, nil); err != nil {
				t.Error(err)
			}
		}
		msg := continued(f, try, "hello", turnOf(t, b.store, session, 1))
		msg.Model = testModel
		send(t, s, msg)
		wantSeen(t, "the next message", b.replicas[1-i], newTestMessage(f, try, ""), "hello")
		msg.Model = ""
		wantSeen(t, "the next message that names the turn", s, msg, "hello", history)
	}

	s := b.replicas[0]
	send(t, s, newMessage(f, "hidden", secret))
	hidden := continued(f, "of hidden", "", turnOf(t, b.store, "hidden", 1))
	wantSeen(t, "before it is hidden", s, hidden, secret)
	storetest.Exec(t, b.store, `UPDATE conversations SET deleted_at = now() WHERE session_id = 'hidden'`)
	wantSeen(t, "what is hidden until it is erased", s, hidden, history)

	mine := newMessage(f, "of ada", secret+" again")
	mine.UserID = new("ada")
	send(t, s, mine)
	as := continued(f, "as ada", "", turnOf(t, b.store, "of ada", 1))
	wantSeen(t, "an end user's", s, as, secret+" again")
	wantSeen(t, "later", s, newTestMessage(f, "as ada", ""), secret+" again", history)
	n, err := erasure.On(b.store).DeleteEndUser(t.Context(), f.Account.ID, "ada", nil)
	if err != nil || n != 2 {
		t.Fatalf("%d conversations were erased, %v; want 2: the caller's and its continuation", n, err)
	}
	wantFault(t, s, as, fault.NotFound)
	if _, err := erasure.On(b.store).EraseEndUsers(t.Context(), 100); err != nil {
		t.Fatal(err)
	}
	if left := storetest.Traces(t, b.store, secret+" again"); len(left) > 0 {
		t.Errorf("the text is left in %v", left)
	}
}
