package turns_test

import (
	"slices"

	"github.com/google/uuid"

	"agentchat/internal/apikey"
	"agentchat/internal/conversation"
	"agentchat/internal/store/turns"
)

// The model of the ledger: the expected contents of the tables after each step.

type modelAccount struct {
	id, owner              uuid.UUID
	balance, held, entries int64
	deleted                bool
	references             map[string]int64
}

type modelAgent struct {
	id      uuid.UUID
	account *modelAccount
	deleted bool
}

type modelKey struct {
	key     apikey.Key
	export  uuid.UUID
	agent   *modelAgent
	removed bool
	// used is the sum of the credits that its turns hold or were charged.
	used int64
}

type modelConversation struct {
	id      uuid.UUID
	agent   *modelAgent
	session string
	count   int64
	deleted bool
	purged  bool
}

type modelTurn struct {
	id             uuid.UUID
	conversation   *modelConversation
	number         int64
	state          conversation.TurnState
	key            *modelKey
	model          string
	fallback       bool
	price          int64
	message, reply string
	idempotency    string
	fingerprint    [32]byte
	remaining      int64
	code           string
	overdue        bool
	// asked counts the actions that its reply asks for. results are the action results it was sent
	// instead of a message, and first is the message's turn.
	asked   int
	results *conversation.ActionResults
	first   *modelTurn
	// deleted is a turn that was pending when its conversation was deleted.
	deleted bool
	// gone is a turn whose row was removed.
	gone bool
}

func (t *modelTurn) account() *modelAccount { return t.conversation.agent.account }

type model struct {
	accounts      []*modelAccount
	agents        []*modelAgent
	keys          []*modelKey
	conversations []*modelConversation
	turns         []*modelTurn
}

// live returns the conversation of a session ID, or nil.
func (m *model) live(a *modelAgent, session string) *modelConversation {
	for _, c := range m.conversations {
		if c.agent == a && c.session == session && !c.deleted {
			return c
		}
	}
	return nil
}

// of returns the turns of a conversation that still have a row.
func (m *model) of(c *modelConversation) (turns []*modelTurn) {
	for _, t := range m.turns {
		if t.conversation == c && !t.gone {
			turns = append(turns, t)
		}
	}
	return turns
}

// prior returns the turn that an idempotency key refers to, or nil.
func (m *model) prior(a *modelAgent, key string) *modelTurn {
	for _, t := range m.turns {
		if key != "" && !t.gone && t.conversation.agent == a && t.idempotency == key && t.state != conversation.Failed {
			return t
		}
	}
	return nil
}

// outcome predicts the outcome of a begin, with the prior turn for a replay.
func (m *model) outcome(k *modelKey, b turns.Begin) (turns.Outcome, *modelTurn) {
	if k.removed || k.agent.deleted {
		return turns.Unauthorized, nil
	}
	if prior := m.prior(k.agent, b.IdempotencyKey); prior != nil {
		switch {
		case prior.fingerprint != b.Fingerprint:
			return turns.KeyReused, nil
		case prior.conversation.deleted:
			return turns.ConversationDeleted, nil
		case prior.state == conversation.Pending:
			return turns.InProgress, nil
		}
		return turns.Replay, prior
	}
	if c := m.live(k.agent, b.Session); c != nil && slices.ContainsFunc(m.of(c), (*modelTurn).pending) {
		return turns.Busy, nil
	}
	if b.Results != nil {
		newest := m.newestReply(m.live(k.agent, b.Session))
		switch {
		case newest != nil && newest.results != nil && newest.results.For == b.Results.For && newest.results.Text() == b.Results.Text():
			return turns.Replay, newest
		case newest == nil || newest.asked == 0 || newest.id != b.Results.For || newest.asked != len(b.Results.List):
			return turns.ActionMismatch, nil
		}
	}
	if account := k.agent.account; account.balance-account.held < b.Prices[0] {
		return turns.InsufficientCredits, nil
	}
	return turns.Begun, nil
}

// newestReply is the newest answered turn of a conversation; nil for none.
func (m *model) newestReply(c *modelConversation) (newest *modelTurn) {
	for _, t := range m.of(c) {
		if t.state == conversation.Answered {
			newest = t
		}
	}
	return newest
}

// history returns the earlier turns that a turn's model is given.
func (m *model) history(turn *modelTurn) (history []conversation.EarlierTurn) {
	var newest *modelTurn
	end := func() {
		if newest != nil && newest.asked > 0 {
			history[len(history)-1].Reply += "\n\n(The actions that I asked for here were not run.)"
		}
	}
	for _, t := range m.of(turn.conversation) {
		if t.state != conversation.Answered || t.first == turn.first {
			continue
		}
		if t.first == t {
			end()
			history = append(history, conversation.EarlierTurn{Message: t.message, Reply: t.reply})
		} else {
			history[len(history)-1].Reply += "\n\n" + t.reply
		}
		newest = t
	}
	end()
	return history[max(0, len(history)-40):]
}

// chain returns what the model is given of a message and its results so far; nil for a message.
func (m *model) chain(turn *modelTurn) (chain []string) {
	for _, t := range m.of(turn.conversation) {
		if t.state == conversation.Answered && t.first == turn.first {
			chain = append(chain, t.message+t.results.Text()+" "+t.reply)
		}
	}
	return chain
}

func (t *modelTurn) pending() bool { return t.state == conversation.Pending }

// begin records a turn that began.
func (m *model) begin(k *modelKey, b turns.Begin) *modelTurn {
	c := m.live(k.agent, b.Session)
	if c == nil {
		c = &modelConversation{id: b.ConversationID, agent: k.agent, session: b.Session}
		m.conversations = append(m.conversations, c)
	}
	c.count++
	k.agent.account.held += b.Prices[0]
	k.used += b.Prices[0]
	t := &modelTurn{id: b.TurnID, conversation: c, number: c.count, state: conversation.Pending, price: b.Prices[0], message: b.Message,
		key: k, model: b.Models[0], idempotency: b.IdempotencyKey, fingerprint: b.Fingerprint, overdue: b.HoldFor < 0, results: b.Results}
	if t.first = t; b.Results != nil {
		t.first = m.newestReply(c).first
	}
	m.turns = append(m.turns, t)
	return t
}

// finish records how a pending turn is settled: nothing of a deleted one is kept, and it is charged
// only if text was sent.
func (t *modelTurn) finish(in turns.Settlement) {
	if t.fallback = in.FallbackModel != ""; t.fallback {
		t.model = in.FallbackModel
	}
	if held := t.price; in.Charge != nil { // the difference goes back, and then the turn costs its new price
		t.price = *in.Charge
		t.account().held -= held - t.price
		t.key.used -= held - t.price
	}
	switch {
	case in.State == turns.Withdrawn:
		t.withdraw()
	case !t.deleted:
		t.settle(in.State, in.Reply, in.ErrorCode)
		t.asked = len(in.Calls)
	case in.State == conversation.Answered && !in.Sent:
		t.settle(conversation.Failed, "", "conversation_deleted")
	default:
		t.settle(in.State, "", in.ErrorCode)
	}
}

// withdraw records that a pending turn was refused after all: it is gone, with the conversation
// that it opened.
func (t *modelTurn) withdraw() {
	t.account().held -= t.price
	t.key.used -= t.price
	t.state, t.gone = "", true
	if t.conversation.count--; t.conversation.count == 0 {
		t.conversation.deleted, t.conversation.purged = true, true
	}
}

// settle records how a pending turn ended.
func (t *modelTurn) settle(state conversation.TurnState, reply, code string) {
	account := t.account()
	account.held -= t.price
	if t.state = state; state == conversation.Answered {
		account.balance -= t.price
		account.entries++
		t.reply = reply
	} else {
		t.key.used -= t.price
		t.code = code
	}
	t.remaining = account.balance - account.held
}

// erase records the deletion of a conversation: pending turns are marked and stay; of the others,
// only answered turns whose idempotency keys are kept stay.
func (m *model) erase(c *modelConversation, keepKeys bool) {
	for _, t := range m.of(c) {
		if t.pending() {
			t.deleted = true
			continue
		}
		t.gone = !keepKeys || t.state == conversation.Failed || t.idempotency == ""
	}
	c.deleted = true
}

// stop records the deletion of an agent.
func (m *model) stop(a *modelAgent) {
	for _, c := range m.conversations {
		if c.agent == a && !c.deleted {
			m.erase(c, false)
		}
	}
	a.deleted = true
}
