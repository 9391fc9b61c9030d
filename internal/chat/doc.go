// Package chat answers messages: it begins a turn, has the model generate the reply, and settles
// the turn (Service.run). The REST API, the panel's playground and runs of test cases use it.
//
// # The states of a turn
//
//	           begin                     settle
//	(none) ------------> PENDING --------------------> ANSWERED   reply stored, balance -= price, history row: one transaction
//	   ^       hold          |
//	   |                     +------------------------> FAILED    hold released, nothing charged, not in the context
//	   |                     |    the model failed, its replica died, its deadline passed, or its conversation was
//	   |                     |    deleted before any text was sent
//	   +---------------------+
//	     withdraw: refused before a model was called; hold released, the turn and the conversation that it opened deleted
//
// A pending turn is the hold: accounts.credits_held is the sum of the prices of the account's
// pending turns, and the available credits are the balance minus it. Each state change is one call
// of a function of the database (store/sql/functions), which is a transaction: a crash leaves
// either all of it or nothing.
//
//   - begin (begin_turns) applies every rule that refuses a message, in the order of the public contract, and inserts the
//     turn with its hold. No connection is held while the model generates.
//   - A version with knowledge costs one more statement, which reads the passages for the prompt (readKnowledge). If it
//     fails, the message is refused as unavailable and no model is called.
//   - Before the model is called, the turn reserves memory for its true size. It reserves more as the reply grows
//     (memory.go). Without memory, a message is refused as unavailable and a reply fails; a streamed reply ends with the
//     finish reason length and is charged.
//   - A message that is refused after its turn began leaves no turn: settle withdraws it (turn.called). Reasons are
//     results that are too long for their chain or the model's window, a lack of memory, knowledge that cannot be read,
//     and an open circuit. If the process crashes in between, another replica fails the turn.
//   - An agent's fallback model is called when its model has failed by itself (turn.fallback). The hold is the higher of
//     both prices. The turn ends with the model that was called last, and its price.
//   - Every model call adds to the turn's cost at its providers (Service.spend), which is stored and charges nothing.
//   - settle (settle_turns) finds the turn by its id and is safe to repeat: after an error it is unknown whether it was
//     committed, and repeating it finds out. If the database stays unavailable, the caller gets 503, and the turn is
//     failed in the background, like one that may have begun although its begin gave up (unsettled.go).
//   - Every replica beats: it increments a number in its row every 3 s, and reads those of the others. From the fourth
//     read in a row in which a number stands still, it fails the turns of that replica (replicas.go). No clock is
//     compared. A replica without a connection for beats has no row.
//   - The reaper fails pending turns whose deadline (model timeout plus a grace period) has passed by the database's
//     clock.
//   - Settling that comes after any of these finds a failed turn and charges nothing. The caller gets 503.
//
// # Text that left the service is paid for
//
// A streamed reply has left the service with its first piece (delivery). From then on the turn ends
// ANSWERED and charged, however the model ends the reply, and even if
//
//   - the model timeout cuts it: the stream ends normally with the finish reason timeout, and the sent text is stored;
//   - it grows longer than the service accepts: it ends in the same way with the finish reason length;
//   - the model's safety rules refuse the rest: the finish reason is content_blocked, and later turns do not see this one;
//   - its conversation, agent or account is deleted. A deletion marks pending turns (deleted_at) and wipes their messages,
//     and leaves settling to the process that answers them. That process lets a stream with text continue to its end;
//     settling then charges it and stores no reply. A turn without sent text fails and is free. In the process of the
//     deletion it stops at once (turn.deleted). In other processes its model's reply is dropped, or charged if its text
//     was first sent after the deletion.
//
// After text was sent, only failures of the provider (llm.ErrProvider) are free: no caller can
// provoke them. An unsent reply is free whenever its model call failed. A reply
// that the model itself ended is a reply, whatever its finish reason is called.
//
// A model call without a charge is an unpaid call if the owner or a caller could have provoked it
// (turn.unpaid, and replies that a deletion drops). An account has 60 of them over all replicas:
// see settle_turns. When they are used up, its messages are refused with rate_limited.
//
// # In the background
//
// Send returns when the turn of a background message is about to call its model. The turn then
// continues in its session, keeps the memory of its request, and is counted by Wait. Sending the
// same message again returns the ids of the turn, and later its result. So a turn that fails keeps
// its idempotency key, unless the model or the service was unavailable (begin_turns). Without a
// slot (backgroundSlots), the key is checked first, so that a message whose turn is in progress
// finds it.
//
// # Order within a session
//
// Messages of one conversation are answered one at a time. Within a process a FIFO queue for each
// conversation keeps the order of arrival (queue.go). Across replicas, a partial unique index
// allows one pending turn per conversation. A replica that finds the conversation busy tries again
// at a jittered interval that grows with the wait. A replica whose own queue is never empty can be
// faster each time: no order is promised between replicas. A waiting message holds neither credits
// nor a connection. The key is checked again when the turn begins.
//
// # Retries join
//
// A request whose idempotency key belongs to a pending turn begins none. It leaves its session's
// queue and waits for the end of that turn (join.go). If another process answers the turn, a poll
// of the database notices the end (join_poll.go). A stream of this process passes its text on to
// streams that join it (broadcast.go). Otherwise a stored reply is sent after the key is checked
// again. After a failure the next retry is a new attempt.
//
// # Where a message waits
//
// In this order, each wait with its limit. The waits for a session, another replica, a joined turn
// and an unknown caller's slot end when the client leaves. The first three of these are
// Result.Waited.
//
//	key check        a request of a known key that is refused anyway   16 at once, 8 of one account; the REST API waits 5 s
//	unknown caller   a key that this process has not seen              64 at once, 32 of one network; 10 s
//	session          an earlier message, in this process               64 waiting (MaxWaiting); 30 s after arrival (SessionWait)
//	other replica    an earlier message, in another process            polled every 10 to 250 ms; the same 30 s
//	begin            the account's slot at the database, a batch       10 s
//	joined turn      an earlier request with the same idempotency key  4 of a turn, 64 of one account; 85 s after arrival
//	knowledge        the account's slot at the database                10 s
//	model            the provider, with retries                        55 s (ModelTimeout), fallback and repair included;
//	                                                                   10 minutes in the background (BackgroundTimeout)
//	settle           the account's slot at the database, with retries  20 s, 2 s for a failed turn
//
// # Faults
//
// Send and CheckKey return the kinds of package fault that the public API lists: Unauthorized,
// AccountSuspended, ExportPaused, RateLimited, IdempotencyKeyReused, RequestInProgress,
// ConversationDeleted, AgentNotReady, SessionBusy, InsufficientCredits, ContentBlocked, ModelError,
// ModelUnavailable, ModelTimeout, Unavailable, Internal; for the playground also NotFound and
// Stopped.
package chat
