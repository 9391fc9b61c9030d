package store_test

import (
	"fmt"
	"slices"
	"time"

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

// send sends messages with one price and one time to the deadline, as a batch has them. What the batch leaves alone is sent after it.
func (m *machine) send(rt *rapid.T, messages ...message) {
	price := rapid.Int64Range(0, 3).Draw(rt, "price")
	// Half of the time one of several messages takes all that its account has left: it then refuses the others.
	if account := messages[0].key.agent.account; len(messages) > 1 && rapid.Bool().Draw(rt, "all that is left") {
		price = account.balance - account.held
	}
	overdue := rapid.IntRange(0, 3).Draw(rt, "overdue at once") == 0
	for i := range messages {
		b := &messages[i].begin
		if b.Prices = []int64{price}; overdue {
			b.HoldFor = -time.Second
		}
	}
	taken := m.beginMany(messages)
	for i, got := range taken {
		if got != nil {
			m.checkBegin(rt, messages[i], *got)
			m.count("begun", len(messages))
		}
	}
	for i, message := range messages {
		if taken[i] != nil {
			continue
		}
		// Nothing in these histories but a refusal keeps a batch from a message.
		if want, _ := m.outcome(message.key, message.begin); m.batches && want == store.Begun {
			rt.Fatalf("message %d of %d was left alone, want it begun", i, len(messages))
		}
		got, err := m.s.BeginTurn(m.Context(), message.begin)
		m.must(err, "begin")
		m.checkBegin(rt, message, got)
	}
}

// count counts what a batch of so many did.
func (m *machine) count(what string, batch int) {
	if what += " in a batch"; batch > 1 {
		what += " of several"
	}
	m.seen[store.Outcome(what)]++
}

// beginMany sends messages in a batch, or none in the mode without.
func (m *machine) beginMany(messages []message) []*store.BeginResult {
	if !m.batches {
		return make([]*store.BeginResult, len(messages))
	}
	items := make([]store.Begin, len(messages))
	for i, message := range messages {
		items[i] = message.begin
	}
	taken, err := m.s.BeginMany(m.Context(), items)
	m.must(err, "begin a batch")
	for i, got := range taken {
		if got != nil && got.Outcome != store.Begun {
			m.Fatalf("message %d of a batch: %s", i, got.Outcome)
		}
	}
	return taken
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
		p := got.Prior
		if p.TurnID != prior.id || p.Reply != prior.reply || p.Price != prior.price || p.CreditsRemaining != prior.remaining {
			rt.Fatalf("replay: %+v, want %+v", p, prior)
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

// rank is 0 for what a batch settles, 1 for what it leaves alone, and 2 for what is not sent in one.
func (s settlement) rank() int {
	switch {
	case s.in.State != conversation.Answered:
		return 2
	case !s.turn.pending() || s.turn.deleted:
		return 1
	}
	return 0
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

// settle settles turns. Their order decides the numbers of their entries and what remains after each, and a batch comes before what it
// leaves alone: so in both modes they are settled in the order of their ranks.
func (m *machine) settle(rt *rapid.T, all ...settlement) {
	slices.SortStableFunc(all, func(a, b settlement) int { return a.rank() - b.rank() })
	for i, taken := range m.finishMany(all) {
		s := all[i]
		if taken != nil {
			m.checkFinished(rt, s, *taken)
			m.count("settled", len(all))
			continue
		}
		got, err := m.s.FinishTurn(m.Context(), s.in)
		m.must(err, "finish")
		m.checkFinished(rt, s, got)
	}
}

// finishMany settles the answered turns in a batch, or none in the mode without.
func (m *machine) finishMany(all []settlement) []*store.Finished {
	taken := make([]*store.Finished, len(all))
	var items []store.Settlement
	for _, s := range all {
		if s.in.State == conversation.Answered {
			items = append(items, s.in)
		}
	}
	if !m.batches || len(items) == 0 {
		return taken
	}
	got, err := m.s.FinishMany(m.Context(), items)
	m.must(err, "finish a batch")
	copy(taken, got) // the answered turns are the first ones
	for i, s := range all {
		if want := s.rank() == 0; (taken[i] != nil) != want || want && taken[i].Outcome != store.Settled {
			m.Fatalf("turn %d of a batch: %+v of %+v", i, taken[i], s.turn)
		}
	}
	return taken
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
	// A turn that the reaper failed has no remaining credits stored.
	remainingOK := t.gone || t.code == "unavailable" || got.CreditsRemaining == t.remaining
	if got.Outcome != want || !remainingOK || !t.gone && got.ErrorCode != t.code {
		rt.Fatalf("finish: %+v, want %s of %+v", got, want, t)
	}
}
