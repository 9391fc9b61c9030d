package turns_test

import (
	"slices"

	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/turns"
)

// prior returns the turn that an idempotency key refers to, or nil.
func (m *model) prior(k *modelKey, key string) *modelTurn {
	for _, t := range m.turns {
		if key != "" && !t.gone && k.sendsTo(t.conversation) && t.idempotency == key && t.keepsKey() {
			return t
		}
	}
	return nil
}

// keepsKey reports whether a turn holds its idempotency key.
func (t *modelTurn) keepsKey() bool {
	return t.state != conversation.Failed || t.background && t.code != "unavailable" && t.code != "model_unavailable"
}

// outcome predicts the outcome of a begin, with the prior turn for a replay, a kept failure and a
// request in progress.
func (m *model) outcome(k *modelKey, b turns.Begin) (turns.Outcome, *modelTurn) {
	switch {
	case k.agent.deleted && k.source == conversation.Test:
		return turns.NotFound, nil
	case k.removed || k.agent.deleted:
		return turns.Unauthorized, nil
	}
	if prior := m.prior(k, b.IdempotencyKey); prior != nil {
		switch {
		case prior.fingerprint != b.Fingerprint:
			return turns.KeyReused, nil
		case prior.conversation.deleted:
			return turns.ConversationDeleted, prior
		case prior.state == conversation.Pending:
			return turns.InProgress, prior
		case prior.state == conversation.Failed:
			return turns.KeptFailure, prior
		}
		return turns.Replay, prior
	}
	if k.userDay != nil && b.UserID == nil {
		return turns.UserMissing, nil
	}
	if c := m.live(k, b.Session); c != nil && c.user != userOf(b) {
		return turns.OtherUser, nil
	} else if c != nil && slices.ContainsFunc(m.of(c), (*modelTurn).pending) {
		return turns.Busy, nil
	}
	if b.Results != nil {
		newest := m.newestReply(m.live(k, b.Session))
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
	if len(k.reached(b)) > 0 {
		return turns.LimitReached, nil
	}
	return turns.Begun, nil
}

// userOf returns the end user of a message; "" for none.
func userOf(b turns.Begin) string {
	if b.UserID == nil {
		return ""
	}
	return *b.UserID
}

// messagesOf returns the counter of an end user's messages.
func (k *modelKey) messagesOf(user string) *int64 {
	if k.messages[user] == nil {
		k.messages[user] = new(int64)
	}
	return k.messages[user]
}

// reached returns the limits that a message would exceed. The results of actions are no message.
func (k *modelKey) reached(b turns.Begin) (reached []turns.Limit) {
	check := func(period store.Period, allowed *int64, used, more int64) {
		if allowed != nil && used+more > *allowed {
			reached = append(reached, turns.Limit{Period: period, Allowed: *allowed, Used: used})
		}
	}
	check(store.Day, k.day, k.used, b.Prices[0])
	check(store.Month, k.month, k.used, b.Prices[0])
	if b.Results == nil && k.userDay != nil {
		check(store.UserDay, k.userDay, *k.messagesOf(userOf(b)), 1)
	}
	return reached
}
