package dataexport

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"

	"agentchat/internal/store/accounts"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
)

// ExportEndUser passes all data that an account has of an end user to write, as ExportAccount does:
// the block and limit, the stored rejected requests, the conversations, each before its messages,
// and the test cases that are linked to them. For an unknown end user it writes nothing. The audit
// trail records the read. Fault: NotFound for an unknown account.
func (s Store) ExportEndUser(
	ctx context.Context, accountID uuid.UUID, userID string, write func(line json.RawMessage) error,
) error {
	x := accountExport{s.db, accountID, nil, write}
	if _, err := accounts.On(s.db).Account(ctx, accountID); err != nil {
		return err
	}
	if err := audit.On(s.db).RecordRead(ctx, accountID, accountID.String()); err != nil {
		return err
	}
	rules, err := db.All[exported](ctx, s.db, `SELECT `+line("end_user",
		`$2::text AS user_id, u.blocked_at, u.daily_message_limit,
			u.created_at`)+`
		FROM end_users u WHERE u.account_id = $1 AND u.user_hash = end_user_hash_1($2::text)`,
		accountID, userID)
	if err == nil {
		err = x.rows(rules)
	}
	if err == nil {
		err = x.requestsOf(ctx, userID)
	}
	if err == nil {
		err = x.conversationsOf(ctx, userID)
	}
	if err == nil {
		err = x.testCases(ctx, &userID)
	}
	return err
}

func (x *accountExport) requestsOf(ctx context.Context, userID string) error {
	var after uuid.UUID
	return x.pages(exportRows, func() ([]exported, error) {
		rows, err := db.All[exported](ctx, x.DB, `SELECT t.id, `+line("rejected_request",
			exportedRequest)+`
			FROM rejected_requests t WHERE t.account_id = $1 AND t.user_id = $2 AND t.id > $3 ORDER BY t.id
				LIMIT $4`,
			x.account, userID, after, exportRows)
		if len(rows) > 0 {
			after = rows[len(rows)-1].ID
		}
		return rows, err
	})
}

func (x *accountExport) conversationsOf(ctx context.Context, userID string) error {
	var after uuid.UUID
	for {
		rows, err := db.All[exported](ctx, x.DB, `SELECT c.id, `+line("conversation",
			exportedConversation)+`
			FROM conversations c WHERE c.account_id = $1 AND c.user_id = $2 AND c.deleted_at IS NULL
				AND c.id > $3
				AND c.agent_id IN (SELECT a.id FROM agents a WHERE a.account_id = $1 AND a.deleted_at IS NULL)
			ORDER BY c.id LIMIT $4`, x.account, userID, after, exportRows)
		if err == nil {
			err = x.withTurns(ctx, rows)
		}
		if err != nil || len(rows) < exportRows {
			return err
		}
		after = rows[len(rows)-1].ID
	}
}
