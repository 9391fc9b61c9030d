// Package chat answers messages: it begins a turn, has the model generate the reply, and settles the turn (Service.run). The REST API
// and the panel's playground both use it.
//
// # The states of a turn
//
//	           begin                     settle
//	(none) ------------> PENDING --------------------> ANSWERED   reply stored, balance -= price, history row: one transaction
//	   ^       hold          |
//	   |                     +------------------------> FAILED    hold released, nothing charged, not in the context
//	   |                     |    the model failed, its deadline passed (reaper), or its conversation was deleted before
//	   |                     |    any text was sent
//	   +---------------------+
//	     withdraw: refused before a model was called; hold released, the turn and the conversation that it opened deleted
//
// A pending turn is the hold: accounts.credits_held is the sum of the prices of the account's pending turns, and the
// available credits are the balance minus it. Each state change is one call of a function of the database (store/sql/functions), which
// is a transaction: a crash leaves either all of it or nothing.
//
//   - begin (begin_turns) has all rules by which a message is refused, in the order of the public contract, and inserts the turn with its
//     hold. No connection is held while the model generates.
//   - a version with knowledge costs one statement more, which reads what the model is given of it (know). If that fails,
//     the message is refused as unavailable, and no model is asked.
//   - before the model is called, the turn takes memory for its true size, and for its reply as that grows (memory.go). A
//     message for which there is too little is refused as unavailable. A reply without memory fails; a streamed one ends
//     with the finish reason length, and is charged.
//   - a message that is refused after its turn began leaves no turn: settle withdraws it (turn.called). Reasons are
//     results that are too long for their chain or the model's window, a lack of memory, knowledge that cannot be
//     read, and an open circuit. If the process crashes in between, the reaper fails the turn.
//   - an agent's fallback model is asked when its model has failed by itself (turn.fallback). The hold is the higher of both prices; the
//     turn ends with the model that was asked last, and its price.
//   - settle (settle_turns) finds the turn by its id and is safe to repeat: after an error it is unknown whether it was committed, and
//     repeating it finds out. If the database stays unavailable, the turn stays pending, the caller gets 503, and the reaper releases
//     the hold later: no reply is stored and nothing is charged.
//   - the reaper fails pending turns whose deadline (model timeout plus a grace period) has passed by the database's clock. Settling
//     that comes later finds a failed turn and charges nothing.
//
// # Text that left the service is paid for
//
// A streamed reply has left the service with its first piece. From then on the turn ends ANSWERED and charged, however the model ends the
// reply, and even if
//
//   - the model timeout cuts it: the stream ends normally, with the finish reason timeout, and what was sent is stored;
//   - it grows longer than the service accepts: likewise, with the finish reason length;
//   - the model's safety rules refuse the rest: the finish reason is content_blocked, and later turns do not see this one;
//   - its conversation, agent or account is deleted. A deletion marks pending turns (deleted_at) and wipes their messages. Nobody else
//     settles them: the process that answers one lets a stream with text go on to its end, and settling charges it and stores no reply.
//     A turn without text sent fails and is free. In the process of the deletion it stops at once (turn.deleted); elsewhere its
//     model's reply is dropped, or charged if it began to be sent after the deletion.
//
// Only failures of the provider (llm.ErrProvider) are free after text was sent: nobody else can bring them about. A reply that nobody was
// sent a part of is free whenever its model's call failed, but one that the model itself ended is a reply, whatever its reason is called.
//
// A call of a model for nothing is a free call if the owner or a caller can have brought it about (turn.wasted, and what a deletion drops).
// An account has 60 of them over all replicas: see settle_turns. Without one left its messages are refused with rate_limited.
//
// # Order within a session
//
// Messages of one conversation are answered one at a time. Within a process a FIFO queue for each conversation keeps the order of
// arrival (queue.go). Across replicas, a partial unique index allows one pending turn per conversation. A replica that finds the
// conversation busy tries again at a jittered interval that grows with the wait. A replica whose own queue is never empty can be faster
// each time: nothing is promised between replicas. Waiting holds neither credits nor a connection, lasts 30 s at most, and ends when the
// client leaves. The key is checked again when the turn begins.
//
// # Faults
//
// Send and Admit return the kinds of package fault that the public API lists: Unauthorized, AccountSuspended, ExportPaused, RateLimited,
// IdempotencyKeyReused, RequestInProgress, ConversationDeleted, AgentNotReady, SessionBusy, InsufficientCredits,
// ContentBlocked, ModelError, ModelUnavailable, ModelTimeout, Unavailable, Internal; for the playground also NotFound and Stopped.
package chat
