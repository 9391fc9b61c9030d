package chat_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/store"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
)

// turnOf is the id of a turn, by its session ID and number.
func turnOf(t *testing.T, s *store.DB, session string, number int) (id uuid.UUID) {
	t.Helper()
	err := s.SQL().QueryRowContext(t.Context(), `SELECT t.id FROM turns t JOIN conversations c ON c.id = t.conversation_id
		WHERE c.session_id = $1 AND t.number = $2`, session, number).Scan(&id)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// continued sends a message of the playground that continues from a turn.
func continued(f storetest.Fixture, session, message string, from uuid.UUID) chat.Message {
	msg := newTestMessage(f, session, message)
	msg.ContinueFrom = &from
	return msg
}

// wantSeen sends a message whose reply is the context that the model was given, and compares the
// messages in it.
func wantSeen(t *testing.T, what string, b *setup, s *chat.Service, msg chat.Message, want ...string) {
	t.Helper()
	msg.Text = "[[sandbox history]]"
	got, err := s.Send(t.Context(), msg)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	_, _, reply := replyOf(t, b.store, got.Answer.MessageID)
	var context seen
	if err := json.Unmarshal([]byte(reply), &context); err != nil {
		t.Fatal(err)
	}
	var messages []string
	for i := 0; i < len(context.Turns)-1; i += 2 {
		messages = append(messages, context.Turns[i].Text)
	}
	if !slices.Equal(messages, want) {
		t.Errorf("%s: the model was given %q, want %q", what, messages, want)
	}
}

// TestContinueFrom: a session of the playground reads another conversation up to a turn, and its
// own turns after that. Nothing is copied.
func TestContinueFrom(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 2, nil)
	f := storetest.Seed(t, b.store, storetest.Options{})
	one, two := b.replicas[0], b.replicas[1]
	for _, text := range []string{"first", "second", "third"} {
		send(t, one, newMessage(f, "live", text))
	}
	from := turnOf(t, b.store, "live", 2)
	wantSeen(t, "the first message", b, one, continued(f, "try", "", from), "first", "second")
	wantSeen(t, "a later one", b, two, newTestMessage(f, "try", ""), "first", "second", "[[sandbox history]]")
	wantSeen(t, "one that names the turn again", b, two, continued(f, "try", "", from),
		"first", "second", "[[sandbox history]]", "[[sandbox history]]")
	wantSeen(t, "what the caller's session reads", b, one, newMessage(f, "live", ""), "first", "second", "third")
	wantSeen(t, "a session that continues that one", b, two,
		continued(f, "again", "", turnOf(t, b.store, "try", 1)),
		"first", "second", "[[sandbox history]]")
	retry := continued(f, "once", "hello", from)
	retry.IdempotencyKey = "k"
	if _, err := one.Send(t.Context(), retry); err != nil {
		t.Fatal(err)
	}
	other := continued(f, "once", "hello", turnOf(t, b.store, "live", 1))
	other.IdempotencyKey = "k"
	if _, err := one.Send(t.Context(), other); !fault.Is(err, fault.IdempotencyKeyReused) {
		t.Errorf("the key with another turn: %v", err)
	}
	storetest.Audit(t, b.store)
}

// TestContinueFromDoors: only from a turn of the same agent that is there, and only at a session's
// beginning.
func TestContinueFromDoors(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1, nil)
	f, stranger := storetest.Seed(t, b.store, storetest.Options{}), storetest.Seed(t, b.store, storetest.Options{})
	s := b.replicas[0]
	sibling := f
	sibling.Agent = storetest.SeedAgent(t, b.store, f.Account.ID, storetest.Options{})
	send(t, s, newMessage(f, "mine", "hello"))
	send(t, s, newMessage(f, "deleted", "hello"))
	send(t, s, newMessage(stranger, "theirs", "hello"))
	for _, m := range []chat.Message{newTestMessage(sibling, "sibling", "hello"),
		newTestMessage(f, "plain", "hello")} {
		if _, err := s.Send(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	mine, deleted := turnOf(t, b.store, "mine", 1), turnOf(t, b.store, "deleted", 1)
	if _, err := erasure.On(b.store).DeleteConversationsBySessionID(t.Context(), f.Account.ID,
		"deleted", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Send(t.Context(), continued(f, "begun", "hello", mine)); err != nil {
		t.Fatal(err)
	}
	adas := newMessage(f, "adas", "hello")
	adas.UserID = new("ada")
	send(t, s, adas)
	named := continued(f, "new", "hello", turnOf(t, b.store, "adas", 1))
	named.UserID = new("grace")
	graces := continued(f, "graces", "hello", mine)
	graces.UserID = new("grace")
	if _, err := s.Send(t.Context(), graces); err != nil {
		t.Errorf("an end user for a conversation without one: %v", err)
	}
	count := func() (n int) {
		if err := b.store.SQL().QueryRowContext(t.Context(), `SELECT count(*) FROM turns`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := count()
	for name, c := range map[string]struct {
		msg  chat.Message
		want fault.Kind
	}{
		"another account's turn": {continued(f, "new", "hello",
			turnOf(t, b.store, "theirs", 1)), fault.NotFound},
		"another agent's turn": {continued(f, "new", "hello",
			turnOf(t, b.store, "sibling", 1)), fault.NotFound},
		"a deleted turn": {continued(f, "new", "hello", deleted), fault.NotFound},
		"no turn at all": {continued(f, "new", "hello", uuid.New()), fault.NotFound},
		"a session that continues from another turn": {continued(f, "begun", "hello",
			turnOf(t, b.store, "plain", 1)), fault.Conflict},
		"a session that continues from none": {continued(f, "plain", "hello", mine), fault.Conflict},
		"another end user":                   {named, fault.InvalidInput},
		"another end user later":             {func() chat.Message { graces.UserID = new("ada"); return graces }(), fault.InvalidInput},
	} {
		if _, err := s.Send(t.Context(), c.msg); !fault.Is(err, c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	if n := count(); n != before {
		t.Errorf("refusals left %d turns", n-before)
	}
	caller := newMessage(f, "api", "")
	caller.ContinueFrom = &mine
	wantSeen(t, "a caller", b, s, caller)
	storetest.Audit(t, b.store)
}

// TestContinueFromWithinBounds: what is continued has the turns and bytes that the session's own
// turns leave, newest first, without gaps.
func TestContinueFromWithinBounds(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1, nil)
	turns := 3
	few := storetest.Seed(t, b.store, storetest.Options{ContextTurns: &turns})
	seedTurns(t, b.store, few, "long", 9)
	from := turnOf(t, b.store, "long", 8)
	s, h := b.replicas[0], "[[sandbox history]]"
	wantSeen(t, "as many turns as the agent's setting", b, s, continued(few, "try", "", from),
		"message 6", "message 7", "message 8")
	wantSeen(t, "its own among them", b, s, newTestMessage(few, "try", ""), "message 7", "message 8", h)
	wantSeen(t, "more of them", b, s, newTestMessage(few, "try", ""), "message 8", h, h)
	wantSeen(t, "enough of its own", b, s, newTestMessage(few, "try", ""), h, h, h)
	if _, err := b.store.SQL().ExecContext(t.Context(),
		`UPDATE turns SET finish_reason = 'content_blocked' WHERE id = $1`, from); err != nil {
		t.Fatal(err)
	}
	wantSeen(t, "without what was blocked", b, s, continued(few, "blocked", "", from), "message 5",
		"message 6", "message 7")

	none := 0
	alone := storetest.Seed(t, b.store, storetest.Options{ContextTurns: &none})
	seedTurns(t, b.store, alone, "alone", 2)
	wantSeen(t, "no earlier turns", b, s, continued(alone, "try", "", turnOf(t, b.store, "alone", 2)))

	big := storetest.Seed(t, b.store, storetest.Options{})
	seedTurns(t, b.store, big, "big", 4)
	if _, err := b.store.SQL().ExecContext(t.Context(), `UPDATE turns SET reply = repeat('x', CASE number WHEN 2 THEN 90000 ELSE 4000 END)
		WHERE agent_id = $1`, big.Agent.ID); err != nil {
		t.Fatal(err)
	}
	wantSeen(t, "as many bytes as there are", b, s,
		continued(big, "try big", "", turnOf(t, b.store, "big", 4)), "message 3", "message 4")
	wantSeen(t, "and no more for its own", b, s, newTestMessage(big, "try big", ""), "message 3", "message 4", h)
	grow := func(session string, bytes int) {
		if _, err := b.store.SQL().ExecContext(t.Context(),
			`UPDATE turns SET reply = repeat('x', $2) WHERE id = $1`, turnOf(t, b.store, session, 1),
			bytes); err != nil {
			t.Fatal(err)
		}
	}
	grow("try big", 60_000)
	wantSeen(t, "beside a large one", b, s,
		continued(big, "after", "", turnOf(t, b.store, "try big", 1)), "message 3", "message 4", h)
	grow("after", 50_000)
	wantSeen(t, "no small one before a large one that is left out", b, s, newTestMessage(big, "after", ""), h)
}

// noting is a model that says when it is called, and answers with the messages it was given once it
// may.
type noting struct{ called, open chan struct{} }

func (m noting) Generate(ctx context.Context, req llm.Request, emit func(string) error) (llm.Reply, error) {
	m.called <- struct{}{}
	<-m.open
	var given []string
	for _, e := range req.History {
		given = append(given, e.User)
	}
	return llm.Reply{Text: "I was given: " + strings.Join(given, ", ") + ".", Finish: llm.FinishStop}, nil
}

// TestContinueFromErased tests that the next message does not read what was erased while a session
// that continues it was being answered. A session that continues an end user's conversation is
// erased together with that conversation.
func TestContinueFromErased(t *testing.T) {
	t.Parallel()
	model := noting{called: make(chan struct{}), open: make(chan struct{})}
	b := newSetup(t, 2, func(c *chat.Config) {
		c.Catalogue = sandboxOnly(catalogue.Entry{Name: "test/noting", CreditsPerMessage: 1, Model: model})
	})
	f := storetest.Seed(t, b.store, storetest.Options{})
	const secret = "marker-of-ada"
	for i, s := range b.replicas {
		session := fmt.Sprint("live ", i)
		live := newMessage(f, session, secret)
		live.IdempotencyKey = session // its row stays, without the text
		send(t, s, live)
		msg := continued(f, fmt.Sprint("try ", i), "hello", turnOf(t, b.store, session, 1))
		msg.Model = "test/noting"
		done := make(chan error, 1)
		go func() {
			_, err := s.Send(context.WithoutCancel(t.Context()), msg)
			done <- err
		}()
		<-model.called
		if _, err := erasure.On(b.stores[0]).DeleteConversationsBySessionID(t.Context(), f.Account.ID,
			session, nil); err != nil {
			t.Fatal(err)
		}
		model.open <- struct{}{}
		if err := <-done; err != nil {
			t.Fatalf("the message that was being answered: %v", err)
		}
		wantSeen(t, "the next message", b, b.replicas[1-i], newTestMessage(f, fmt.Sprint("try ", i), ""), "hello")
		wantSeen(t, "the next message that names the turn", b, s, func() chat.Message {
			msg.Model = ""
			return msg
		}(), "hello", "[[sandbox history]]")
	}

	send(t, b.replicas[0], newMessage(f, "hidden", secret))
	hidden := continued(f, "of hidden", "", turnOf(t, b.store, "hidden", 1))
	wantSeen(t, "before it is hidden", b, b.replicas[0], hidden, secret)
	if _, err := b.store.SQL().ExecContext(t.Context(),
		`UPDATE conversations SET deleted_at = now() WHERE session_id = 'hidden'`); err != nil {
		t.Fatal(err)
	}
	wantSeen(t, "what is hidden until it is erased", b, b.replicas[0], hidden, "[[sandbox history]]")

	mine := newMessage(f, "of ada", secret+" again")
	mine.UserID = new("ada")
	send(t, b.replicas[0], mine)
	from := turnOf(t, b.store, "of ada", 1)
	wantSeen(t, "an end user's", b, b.replicas[0], continued(f, "as ada", "", from), secret+" again")
	wantSeen(t, "later", b, b.replicas[0], newTestMessage(f, "as ada", ""), secret+" again", "[[sandbox history]]")
	if n, err := erasure.On(b.store).DeleteEndUser(t.Context(), f.Account.ID, "ada", nil); err != nil || n != 2 {
		t.Fatalf("%d conversations were erased, %v; want 2: the caller's and its continuation", n, err)
	}
	if _, err := b.replicas[0].Send(t.Context(),
		continued(f, "as ada", "hello", from)); !fault.Is(err, fault.NotFound) {
		t.Errorf("continuing what is being erased: %v", err)
	}
	if _, err := erasure.On(b.store).EraseEndUsers(t.Context(), 100); err != nil {
		t.Fatal(err)
	}
	if left := storetest.Traces(t, b.store, secret+" again"); len(left) > 0 {
		t.Errorf("the text is left in %v", left)
	}
	storetest.Audit(t, b.store)
}
