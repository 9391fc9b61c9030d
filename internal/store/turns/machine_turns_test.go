package turns_test

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// message is a turn to begin, with the key that sends it.
type message struct {
	key   *modelKey
	begin turns.Begin
}

var (
	sessions        = []string{"s1", "s2", "s3", "s4"}
	users           = map[string]*string{"s2": new("ada"), "s3": new("ada"), "s4": new("bob")}
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

// beginWithResults brings results for the newest reply of a conversation, or sometimes for another,
// or too few.
func (m *machine) beginWithResults(rt *rapid.T) {
	t := pick(rt, "reply with actions", filter(m.turns, func(t *modelTurn) bool { return t.asked > 0 }))
	k := pick(rt, "key", filter(m.keys, func(k *modelKey) bool { return k.usable() && k.sendsTo(t.conversation) }))
	m.send(rt, drawResults(rt, k, t))
}

func drawResults(rt *rapid.T, k *modelKey, t *modelTurn) message {
	results := resultsFor(t, rapid.IntRange(max(1, t.asked-1), t.asked+1).Draw(rt, "results"), rapid.SampledFrom(texts).Draw(rt, "result"))
	return newResults(k, t.conversation.session, results, rapid.SampledFrom(idempotencyKeys).Draw(rt, "idempotency key"))
}

func resultsFor(t *modelTurn, count int, text string) *conversation.ActionResults {
	list := make([]conversation.ActionResult, count)
	for i, id := range conversation.ActionCallIDs(t.id, count) {
		list[i] = conversation.ActionResult{ID: id, Result: []byte(strconv.Quote(text))}
	}
	return conversation.NewActionResults(list)
}

func newResults(k *modelKey, session string, results *conversation.ActionResults, idempotency string) message {
	sent := newMessage(k, session, "", idempotency)
	sent.begin.Results = results
	sent.begin.Fingerprint = conversation.Body{Results: results.Text(), Session: &session}.Fingerprint()
	return sent
}

func newMessage(k *modelKey, session, text, idempotency string) message {
	b := storetest.NewBegin(k.key)
	b.Session, b.Message, b.IdempotencyKey = session, text, idempotency
	if k.source == conversation.Test {
		b.Source, b.SpendRate, b.AccountID, b.AgentID = k.source, false, k.agent.account.id, k.agent.id
	}
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
	k := pick(rt, "key", filter(m.keys, func(k *modelKey) bool { return k.usable() && k.sendsTo(t.conversation) }))
	if t.results != nil {
		m.send(rt, newResults(k, t.conversation.session, t.results, t.idempotency))
		return
	}
	m.send(rt, newMessage(k, t.conversation.session, t.message, t.idempotency))
}

func (t *modelTurn) keyed() bool { return t.idempotency != "" }

// send sends messages with one price and one time to the deadline.
func (m *machine) send(rt *rapid.T, messages ...message) {
	price := rapid.Int64Range(0, 3).Draw(rt, "price")
	// Half of the time one of several messages takes all that its account has left: it then refuses
	// the others.
	if account := messages[0].key.agent.account; len(messages) > 1 && rapid.Bool().Draw(rt, "all that is left") {
		price = account.balance - account.held
	}
	overdue := rapid.IntRange(0, 3).Draw(rt, "overdue at once") == 0
	background := !slices.ContainsFunc(messages, func(m message) bool { return m.begin.IdempotencyKey == "" }) &&
		rapid.Bool().Draw(rt, "in the background")
	otherUser := len(messages) == 1 && rapid.IntRange(0, 7).Draw(rt, "other user") == 0
	items := make([]turns.Begin, len(messages))
	for i := range messages {
		b := &messages[i].begin
		if b.Prices = []int64{price}; overdue {
			b.HoldFor = -time.Second
		}
		b.UserID = users[b.Session]
		b.Background = background
		if otherUser {
			b.UserID = new("eve")
		}
		items[i] = *b
	}
	for _, part := range m.calls(len(items)) {
		got, err := turns.On(m.s).BeginTurns(m.Context(), items[part.from:part.to]...)
		m.must(err, "begin")
		for i := range got {
			m.checkBegin(rt, messages[part.from+i], got[i])
		}
	}
}

// part is the range of items that one call sends.
type part struct{ from, to int }

// calls divides items into calls.
func (m *machine) calls(items int) (parts []part) {
	if m.together {
		return []part{{0, items}}
	}
	for i := range items {
		parts = append(parts, part{i, i + 1})
	}
	return parts
}

// checkBegin compares the result of a message with the model's prediction.
func (m *machine) checkBegin(rt *rapid.T, sent message, got turns.BeginResult) {
	want, prior := m.outcome(sent.key, sent.begin)
	if got.Outcome != want {
		rt.Fatalf("begin: %s, want %s", got.Outcome, want)
	}
	m.seen[want]++
	switch want {
	case turns.Replay:
		p, err := turns.On(m.s).StoredReply(m.Context(), prior.account().id, got.ReplayOf)
		m.must(err, "replay")
		if p.TurnID != prior.id || p.Reply != prior.reply || p.Price != prior.price || p.CreditsRemaining != prior.remaining ||
			p.Model != prior.model || p.SessionID != prior.conversation.session {
			rt.Fatalf("replay: %+v, want %+v", p, prior)
		}
		m.expectNoReply(uuid.New(), prior)
	case turns.InProgress:
		session, err := turns.On(m.s).PendingTurn(m.Context(), prior.account().id, got.ReplayOf)
		m.must(err, "the session of a pending turn")
		if got.ReplayOf != prior.id || session != prior.conversation.session {
			rt.Fatalf("in progress: %s of session %q, want %+v", got.ReplayOf, session, prior)
		}
	case turns.KeptFailure:
		code, err := turns.On(m.s).FailedTurn(m.Context(), prior.account().id, got.ReplayOf)
		m.must(err, "the code of a failed turn")
		if got.ReplayOf != prior.id || code != prior.code {
			rt.Fatalf("the failure of %s with %s, want %+v", got.ReplayOf, code, prior)
		}
	case turns.ConversationDeleted:
		m.expectNoReply(prior.account().id, prior)
	case turns.ActionMismatch:
		newest := m.newestReply(m.live(sent.key, sent.begin.Session))
		if newest == nil {
			newest = &modelTurn{}
		}
		if got.AskedBy != newest.id || got.Asked != newest.asked {
			rt.Fatalf("%s has %d actions, want %s with %d", got.AskedBy, got.Asked, newest.id, newest.asked)
		}
	case turns.LimitReached:
		limit := *got.Limit
		limit.Ends = time.Time{}
		if reached := sent.key.reached(sent.begin); !slices.Contains(reached, limit) {
			rt.Fatalf("%+v is reached, want any of %+v", limit, reached)
		}
	case turns.Begun:
		m.checkBegun(rt, got, m.begin(sent.key, sent.begin))
	default:
	}
}

// expectNoReply checks that an account cannot read the reply of a turn.
func (m *machine) expectNoReply(account uuid.UUID, t *modelTurn) {
	_, err := turns.On(m.s).StoredReply(m.Context(), account, t.id)
	m.expectFault(err, fault.ConversationDeleted)
}

// checkBegun compares what begin returned with the conversation so far.
func (m *machine) checkBegun(rt *rapid.T, got turns.BeginResult, turn *modelTurn) {
	history := m.history(turn)
	var chain []string
	for _, t := range got.Chain {
		chain = append(chain, t.Message+(&conversation.ActionResults{List: t.Results}).Text()+" "+t.Reply)
	}
	want := m.chain(turn)
	if !slices.Equal(chain, want) {
		rt.Fatalf("begun: chain %q, want %q", chain, want)
	}
	if got.ConversationID != turn.conversation.id || got.Number != turn.number || got.Price != turn.price ||
		!slices.Equal(got.History, history) {
		rt.Fatalf("begun: %+v, want turn %+v after %+v", got, turn, history)
	}
}

// settlement describes how to settle a turn.
type settlement struct {
	turn *modelTurn
	in   turns.Settlement
}

func (m *machine) settleTurn(rt *rapid.T) {
	m.settle(rt, newSettlement(rt, pick(rt, "pending turn", filter(m.turns, (*modelTurn).pending))))
}

// finishAgain settles any turn, in most cases one that is settled, reaped or deleted.
func (m *machine) finishAgain(rt *rapid.T) {
	m.settle(rt, newSettlement(rt, pick(rt, "turn", m.turns)))
}

func newSettlement(rt *rapid.T, t *modelTurn) settlement {
	in := turns.Settlement{TurnID: t.id, State: conversation.Failed,
		ErrorCode: rapid.SampledFrom([]string{"model_error", "model_unavailable"}).Draw(rt, "code")}
	end := rapid.IntRange(0, 4).Draw(rt, "failed or withdrawn")
	if end == 1 {
		in = turns.Settlement{TurnID: t.id, State: turns.Withdrawn}
	}
	if end > 1 {
		in = turns.Settlement{TurnID: t.id, State: conversation.Answered, Reply: fmt.Sprint("reply ", t.number), FinishReason: "stop",
			Sent: rapid.Bool().Draw(rt, "sent")}
		for _, id := range conversation.ActionCallIDs(t.id, max(0, rapid.IntRange(-1, 2).Draw(rt, "actions"))) {
			in.Calls = append(in.Calls, conversation.ActionCall{ID: id, Name: "look_up", Arguments: []byte(`{}`)})
		}
	}
	if rapid.Bool().Draw(rt, "at another price") {
		in.Charge = new(rapid.Int64Range(0, t.price).Draw(rt, "charge"))
		if rapid.Bool().Draw(rt, "fallback") {
			in.FallbackModel = "sandbox/second"
		}
	}
	return settlement{t, in}
}

func (m *machine) settle(rt *rapid.T, all ...settlement) {
	items := make([]turns.Settlement, len(all))
	for i, s := range all {
		items[i] = s.in
	}
	for _, part := range m.calls(len(items)) {
		got, err := turns.On(m.s).SettleTurns(m.Context(), items[part.from:part.to]...)
		m.must(err, "settle")
		for i := range got {
			m.checkSettled(rt, all[part.from+i], got[i])
		}
	}
}

// checkSettled compares the result of a settlement with the model's prediction.
func (m *machine) checkSettled(rt *rapid.T, s settlement, got turns.SettleResult) {
	t := s.turn
	want := turns.Outcome(t.state)
	switch {
	case t.gone:
		want = turns.Gone
	case t.pending():
		want = turns.Settled
		t.finish(s.in)
	}
	m.seen["finish: "+want]++
	if s.in.State == turns.Withdrawn {
		m.seen["withdraw: "+want]++
	}
	if t.deleted {
		m.seen[turns.Outcome("finish a deleted turn: "+t.state)]++
	}
	if got.Outcome != want || !t.gone && got.CreditsRemaining != t.remaining || !t.gone && got.ErrorCode != t.code {
		rt.Fatalf("finish: %+v, want %s of %+v", got, want, t)
	}
}
