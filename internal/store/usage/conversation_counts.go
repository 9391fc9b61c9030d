package usage

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/notifications"
)

// CountFailedTurns adds at most limit failed turns to the usage and to their conversations, and
// returns how many. Several replicas can run it at once: each turn is counted once, and reported to
// webhooks in the same transaction.
func (s Store) CountFailedTurns(ctx context.Context, limit int) (int, error) {
	return s.countFailed(ctx, nil, limit)
}

// countFailed is CountFailedTurns for some accounts; nil for all. Without owners' webhooks it is one
// statement.
func (s Store) countFailed(ctx context.Context, of []uuid.UUID, limit int) (n int, err error) {
	if !db.ConfigOf(s.db).OwnerWebhooks {
		counted, err := s.markCounted(ctx, of, limit)
		return len(counted), err
	}
	err = db.InTx(ctx, s.db, func(tx *db.DB) error {
		counted, err := On(tx).markCounted(ctx, of, limit)
		if n = len(counted); err != nil || n == 0 {
			return err
		}
		return notifications.On(tx).NotifyFailed(ctx, counted)
	})
	return n, err
}

// markCounted counts failed turns and returns them.
func (s Store) markCounted(ctx context.Context, of []uuid.UUID, limit int) ([]uuid.UUID, error) {
	return db.All[uuid.UUID](ctx, s.db, `SELECT unnest(count_failed_turns_1(array(
		SELECT t.id FROM turns t WHERE t.state = 'FAILED' AND NOT t.counted
			AND ($2 OR t.account_id = ANY ($3::uuid[])) ORDER BY t.account_id, t.id LIMIT $1)))`,
		limit, of == nil, db.Texts(of))
}

// countAllFailed counts all failed turns of accounts, before some of them are erased. It leaves
// those of other accounts alone: a command does not report them to webhooks.
func (s Store) countAllFailed(ctx context.Context, of []uuid.UUID) error {
	for {
		if n, err := s.countFailed(ctx, of, RollUpBatch); err != nil || n < RollUpBatch {
			return err
		}
	}
}

// CountConversations adds up what the turns of at most limit long conversations cost, so that
// readers need not. It returns the number of conversations. All turns but the last are settled,
// because a turn begins only after the one before has ended.
func (s Store) CountConversations(ctx context.Context, limit int) (n int, err error) {
	err = db.InTx(ctx, s.db, func(tx *db.DB) error {
		ids, err := db.All[uuid.UUID](ctx, tx, `
			SELECT c.id FROM conversations c WHERE c.turn_count - c.counted_turns > 200
				AND c.deleted_at IS NULL
			ORDER BY c.id LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED`, limit)
		if err != nil || len(ids) == 0 {
			return err
		}
		// This statement sees the end of every turn that the locked rows count.
		n, err = db.Exec(ctx, tx, `
			UPDATE conversations c SET counted_turns = c.turn_count - 1,
				counted_credits = c.counted_credits + (
				SELECT coalesce(sum(t.price), 0) FROM turns t
				WHERE t.conversation_id = c.id AND t.number > c.counted_turns AND t.number < c.turn_count
					AND t.state = 'ANSWERED')
			WHERE c.id = ANY($1::uuid[])`, db.Texts(ids))
		return err
	})
	return n, err
}

// CreditsByConversations returns what the account's conversations cost.
func (s Store) CreditsByConversations(
	ctx context.Context, accountID uuid.UUID, ids []uuid.UUID,
) (map[uuid.UUID]int64, error) {
	return db.ValuesByID[int64](ctx, s.db, `
		SELECT c.id, c.counted_credits + (SELECT coalesce(sum(t.price), 0) FROM turns t
			WHERE t.conversation_id = c.id AND t.number > c.counted_turns
				AND t.state = 'ANSWERED')::bigint AS value
		FROM conversations c WHERE c.account_id = $1 AND c.id = ANY($2::uuid[])`, accountID, ids)
}

// BeginningsByConversations returns the first 1,000 characters of the first message of each of the
// account's conversations.
func (s Store) BeginningsByConversations(
	ctx context.Context, accountID uuid.UUID, ids []uuid.UUID,
) (map[uuid.UUID]string, error) {
	return db.ValuesByID[string](ctx, s.db, `
		SELECT c.id, t.value FROM conversations c CROSS JOIN LATERAL (
			SELECT left(t.message, 1000) AS value FROM turns t WHERE t.conversation_id = c.id
				ORDER BY t.number LIMIT 1
		) t WHERE c.account_id = $1 AND c.id = ANY($2::uuid[])`, accountID, ids)
}
