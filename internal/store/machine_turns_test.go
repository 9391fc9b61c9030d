package store_test

import (
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"agentchat/internal/conversation"
	"agentchat/internal/store"
)

// message is a turn to begin, with the key that sends it.
type message struct {
	key   *modelKey
	begin store.Begin
}

var (
	sessions        = []string{"s1", "s2", "s3", "s4"}
	texts           = []string{"hello", "a longer question"}
	idempotencyKeys = []string{"", "", "", "k1", "k2", "k3", "k4"}
)

// someKeys returns the usable keys, one time in ten all of them.
func (m *machine) someKeys(rt *rapid.T) []*modelKey {
	if rapid.IntRange(0, 9).Draw(rt, "any key") == 0 {
		return m.keys
	}
	return filter(m.keys, (*modelKey).usable)
}

func newMessage(k *modelKey, session, text, idempotency string) message {
	b := newBegin(k.key)
	b.Session, b.Message, b.IdempotencyKey = session, text, idempotency
	b.Fingerprint = conversation.Body{Message: b.Message, Session: &b.Session}.Fingerprint()
	return message{k, b}
}

func (m *machine) beginTurn(rt *rapid.T) {
	k := pick(rt, "key", m.someKeys(rt))
	m.send(rt, newMessage(k, rapid.SampledFrom(sessions).Draw(rt, "session"), rapid.SampledFrom(texts).Draw(rt, "message"),
		rapid.SampledFrom(idempotencyKeys).Draw(rt, "idempotency key")))
}

// repeatTurn sends an earlier message again, with any usable key of its agent.
func (m *machine) repeatTurn(rt *rapid.T) {
	t := pick(rt, "keyed turn", filter(m.turns, (*modelTurn).keyed))
	k := pick(rt, "key", filter(m.keys, func(k *modelKey) bool { return k.usable() && k.agent == t.conversation.agent }))
	m.send(rt, newMessage(k, t.conversation.session, t.message, t.idempotency))
}

func (t *modelTurn) keyed() bool { return t.idempotency != "" }

// send sends messages with one price and one time to the deadline.
func (m *machine) send(rt *rapid.T, messages ...message) {
	price := rapid.Int64Range(0, 3).Draw(rt, "price")
	// Half of the time one of several messages takes all that its account has left: it then refuses the others.
	if account := messages[0].key.agent.account; len(messages) > 1 && rapid.Bool().Draw(rt, "all that is left") {
		price = account.balance - account.held
	}
	overdue := rapid.IntRange(0, 3).Draw(rt, "overdue at once") == 0
	items := make([]store.Begin, len(messages))
	for i := range messages {
		b := &messages[i].begin
		if b.Prices = []int64{price}; overdue {
			b.HoldFor = -time.Second
		}
		items[i] = *b
	}
	if m.mode == modeTogether {
		got, err := m.s.BeginTurns(m.Context(), items...)
		m.must(err, "begin")
		for i, message := range messages {
			m.checkBegin(rt, message, got[i])
		}
		return
	}
	for i, message := range messages {
		got := make([]store.BeginResult, 1)
		var err error
		if m.mode == modeBefore {
			got[0], err = m.s.BeginBefore(m.Context(), items[i])
			if got[0].Prior.TurnID != uuid.Nil {
				got[0].ReplayOf = got[0].Prior.TurnID
			}
		} else {
			got, err = m.s.BeginTurns(m.Context(), items[i])
		}
		m.must(err, "begin")
		m.checkBegin(rt, message, got[0])
	}
}

// checkBegin compares what became of a message with the model's prediction.
func (m *machine) checkBegin(rt *rapid.T, sent message, got store.BeginResult) {
	want, prior := m.outcome(sent.key, sent.begin)
	if got.Outcome == store.RetryUnspent || got.Outcome == store.Retry || got.Outcome != want {
		rt.Fatalf("begin: %s, want %s", got.Outcome, want)
	}
	m.seen[want]++
	switch want {
	case store.Replay:
		if got.ReplayOf != prior.id {
			rt.Fatalf("replay: %s, want %+v", got.ReplayOf, prior)
		}
	case store.Begun:
		m.checkBegun(rt, got, m.begin(sent.key, sent.begin))
	default:
	}
}

// checkBegun compares what begin returned with the conversation so far.
func (m *machine) checkBegun(rt *rapid.T, got store.BeginResult, turn *modelTurn) {
	var history []conversation.Exchange
	for _, t := range m.of(turn.conversation) {
		if t.state == conversation.Answered {
			history = append(history, conversation.Exchange{Message: t.message, Reply: t.reply})
		}
	}
	history = history[max(0, len(history)-40):]
	if got.ConversationID != turn.conversation.id || got.Number != turn.number || got.Price != turn.price ||
		!slices.Equal(got.History, history) {
		rt.Fatalf("begun: %+v, want turn %+v after %+v", got, turn, history)
	}
}

// settlement is how a turn is to be settled.
type settlement struct {
	turn *modelTurn
	in   store.Settlement
}

func (m *machine) settleTurn(rt *rapid.T) {
	m.settle(rt, newSettlement(rt, pick(rt, "pending turn", filter(m.turns, (*modelTurn).pending))))
}

// finishAgain settles any turn, in most cases one that is settled, reaped or deleted.
func (m *machine) finishAgain(rt *rapid.T) {
	m.settle(rt, newSettlement(rt, pick(rt, "turn", m.turns)))
}

func newSettlement(rt *rapid.T, t *modelTurn) settlement {
	in := store.Settlement{TurnID: t.id, State: conversation.Failed, ErrorCode: "model_error"}
	if rapid.IntRange(0, 3).Draw(rt, "failed") > 0 {
		in = store.Settlement{TurnID: t.id, State: conversation.Answered, Reply: fmt.Sprint("reply ", t.number), FinishReason: "stop",
			Sent: rapid.Bool().Draw(rt, "sent")}
	}
	return settlement{t, in}
}

func (m *machine) settle(rt *rapid.T, all ...settlement) {
	items := make([]store.Settlement, len(all))
	for i, s := range all {
		items[i] = s.in
	}
	if m.mode == modeTogether {
		got, err := m.s.SettleTurns(m.Context(), items...)
		m.must(err, "settle")
		for i, s := range all {
			m.checkFinished(rt, s, got[i])
		}
		return
	}
	for i, s := range all {
		got := make([]store.Finished, 1)
		var err error
		if m.mode == modeBefore {
			got[0], err = m.s.FinishBefore(m.Context(), items[i])
		} else {
			got, err = m.s.SettleTurns(m.Context(), items[i])
		}
		m.must(err, "settle")
		m.checkFinished(rt, s, got[0])
	}
}

// checkFinished compares what became of a turn with the model's prediction.
func (m *machine) checkFinished(rt *rapid.T, s settlement, got store.Finished) {
	t := s.turn
	want := store.Outcome(t.state)
	switch {
	case t.gone:
		want = store.Gone
	case t.pending():
		want = store.Settled
		t.finish(s.in)
	}
	m.seen["finish: "+want]++
	if t.deleted {
		m.seen[store.Outcome("finish a deleted turn: "+t.state)]++
	}
	// The reaper before functions stored no remaining credits.
	remainingOK := t.gone || m.mode == modeBefore && t.code == "unavailable" || got.CreditsRemaining == t.remaining
	if got.Outcome != want || !remainingOK || !t.gone && got.ErrorCode != t.code {
		rt.Fatalf("finish: %+v, want %s of %+v", got, want, t)
	}
}
