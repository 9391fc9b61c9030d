package turns_test

import (
	"slices"

	"pgregory.net/rapid"
)

// several draws 2 to 6 items of a list, each at most once; of a shorter list, rapid draws another
// action.
func several[T any](rt *rapid.T, what string, list []T) (drawn []T) {
	if len(list) < 2 {
		rt.Skip("too few for several: ", what)
	}
	list = slices.Clone(list)
	for range rapid.IntRange(2, min(6, len(list))).Draw(rt, "several") {
		i := rapid.IntRange(0, len(list)-1).Draw(rt, what)
		drawn = append(drawn, list[i])
		list = slices.Delete(list, i, i+1)
	}
	return drawn
}

// beginSeveral sends 2 to 6 messages at once, some of one session or with one idempotency key.
func (m *machine) beginSeveral(rt *rapid.T) {
	keys := m.someKeys(rt)
	first := pick(rt, "key", keys)
	keys = filter(keys, func(k *modelKey) bool { return k.source == first.source }) // a call has one
	messages := make([]message, rapid.IntRange(2, 6).Draw(rt, "several"))
	for i := range messages {
		k := pick(rt, "key", keys)
		asked := filter(m.turns, func(t *modelTurn) bool { return t.asked > 0 && k.sendsTo(t.conversation) })
		if len(asked) > 0 && rapid.Bool().Draw(rt, "results") {
			messages[i] = drawResults(rt, k, pick(rt, "reply with actions", asked))
			continue
		}
		session := rapid.SampledFrom(sessions).Draw(rt, "session")
		text, idempotency := m.drawText(rt, k, session)
		messages[i] = newMessage(k, session, text, idempotency)
	}
	m.send(rt, messages...)
}

// drawText draws a message's text and idempotency key: half of the time those of an earlier turn of
// the conversation, if there is one.
func (m *machine) drawText(rt *rapid.T, k *modelKey, session string) (text, idempotency string) {
	earlier := filter(m.turns, func(t *modelTurn) bool {
		return t.keyed() && k.sendsTo(t.conversation) && t.conversation.session == session
	})
	if len(earlier) > 0 && rapid.Bool().Draw(rt, "again") {
		t := pick(rt, "earlier turn", earlier)
		return t.message, t.idempotency
	}
	return rapid.SampledFrom(texts).Draw(rt, "message"), rapid.SampledFrom(idempotencyKeys).Draw(rt, "idempotency key")
}

// settleSeveral settles 2 to 6 pending turns at once.
func (m *machine) settleSeveral(rt *rapid.T) {
	indexes := make([]int, 0, len(m.turns))
	for i, t := range m.turns {
		if t.pending() {
			indexes = append(indexes, i)
		}
	}
	var all []settlement
	for _, i := range several(rt, "pending turn", indexes) {
		all = append(all, newSettlement(rt, m.turns[i]))
	}
	m.settle(rt, all...)
}
