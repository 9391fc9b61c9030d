package turns_test

import (
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

// modelKey is a sender: a key or, with a source, an account that runs test cases without an export.
type modelKey struct {
	source  conversation.Source
	key     apikey.Key
	export  uuid.UUID
	agent   *modelAgent
	removed bool
	// used is the sum of the credits that its turns hold or were charged.
	used int64
	// day, month and userDay are the limits of its export; nil for none. messages counts the messages
	// of each end user since userDay was set.
	day, month, userDay *int64
	messages            map[string]*int64
}

type modelConversation struct {
	id      uuid.UUID
	agent   *modelAgent
	source  conversation.Source
	session string
	user    string
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
	background     bool
	fingerprint    [32]byte
	remaining      int64
	code           string
	overdue        bool
	// counted counts the message against a limit of its end user; nil for none.
	counted *int64
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

// sendsTo reports whether a sender can reach a conversation: each source has its own.
func (k *modelKey) sendsTo(c *modelConversation) bool {
	return c.agent == k.agent && c.source == k.source
}

// live returns a sender's conversation of a session ID, or nil.
func (m *model) live(k *modelKey, session string) *modelConversation {
	for _, c := range m.conversations {
		if k.sendsTo(c) && c.session == session && !c.deleted {
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
	c := m.live(k, b.Session)
	if c == nil {
		c = &modelConversation{id: b.ConversationID, agent: k.agent, source: k.source, session: b.Session, user: userOf(b)}
		m.conversations = append(m.conversations, c)
	}
	c.count++
	k.agent.account.held += b.Prices[0]
	k.used += b.Prices[0]
	t := &modelTurn{id: b.TurnID, conversation: c, number: c.count, state: conversation.Pending, price: b.Prices[0], message: b.Message,
		key: k, model: b.Models[0], idempotency: b.IdempotencyKey, fingerprint: b.Fingerprint, overdue: b.HoldFor < 0,
		background: b.Background, results: b.Results}
	if t.first = t; b.Results != nil {
		t.first = m.newestReply(c).first
	} else if k.userDay != nil {
		t.counted = k.messagesOf(c.user)
		*t.counted++
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
	t.uncount()
	t.state, t.gone = "", true
	if t.conversation.count--; t.conversation.count == 0 {
		t.conversation.deleted, t.conversation.purged = true, true
	}
}

// uncount gives back what a turn counted against limits.
func (t *modelTurn) uncount() {
	t.key.used -= t.price
	if t.counted != nil {
		*t.counted--
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
		t.uncount()
		t.code = code
	}
	t.remaining = account.balance - account.held
}

// erase records the deletion of a conversation: pending turns are marked and stay; of the others,
// only those whose idempotency keys are kept stay.
func (m *model) erase(c *modelConversation, keepKeys bool) {
	for _, t := range m.of(c) {
		if t.pending() {
			t.deleted = true
			continue
		}
		t.gone = !keepKeys || !t.keepsKey() || t.idempotency == ""
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
