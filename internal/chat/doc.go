// Package chat is the turn: one message, its price, the model's reply, and how they become one fact. Both edges use it.
//
// # The states of a turn
//
//	           begin                     finish
//	(none) ------------> PENDING --------------------> ANSWERED   reply stored, balance -= price, history row: one transaction
//	           hold          |
//	                         +------------------------> FAILED    hold released, nothing taken, not in the context
//	                           the model failed, its deadline passed (reaper), or its conversation was deleted
//
// A pending turn is the hold: accounts.credits_held is the sum of the prices of the account's pending turns, and the
// available credits are the balance minus it. Both ends of a state change are one SQL statement (store/sql), so that a crash
// leaves either all of it or nothing.
//
//   - begin checks key, rate, idempotency key, agent, session and credits, in that order, and inserts the turn with its hold.
//     No connection is held while the model thinks.
//   - finish is keyed by the turn's id and may be repeated: after an error it is not known whether it was committed, and a
//     repetition finds out. If the database stays away, the turn stays pending, the caller gets 503 and the reaper releases
//     the hold later: no reply stored, nothing taken.
//   - the reaper fails pending turns whose deadline (model timeout plus a grace) has passed by the database's clock. A finish
//     that comes later finds a failed turn and charges nothing.
//
// # Order within a session
//
// Messages of one conversation are answered one at a time. In the process a FIFO line per conversation keeps the order of
// arrival (line.go). Across replicas a partial unique index allows one pending turn per conversation; whoever finds it busy
// asks again with a jittered interval and leaves word when it will do so, and the replica that has the turn makes way for
// that long before its own next message begins, so that no replica starves. Waiting holds neither credits nor a connection,
// lasts 30 s at most, and ends when the client goes away. The key is checked again when the turn begins.
//
// # Faults
//
// Send and Admit return the kinds of package fault that the public API lists: Unauthorized, RateLimited,
// IdempotencyKeyReused, RequestInProgress, ConversationDeleted, AgentNotReady, SessionBusy, InsufficientCredits,
// ContentBlocked, ModelError, ModelUnavailable, ModelTimeout, Unavailable, Internal.
package chat
