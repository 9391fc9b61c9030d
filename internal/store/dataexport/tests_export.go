package dataexport

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/store/conversations"
	"agentchat/internal/store/internal/db"
)

// testCases writes the test cases of agents, including replaced and deleted ones; with a userID, only
// those linked to the end user's conversations. A statement reads little more text than a page of
// turns.
func (x *accountExport) testCases(ctx context.Context, userID *string) error {
	var after uuid.UUID
	return x.pages(1, func() ([]exported, error) {
		rows, err := db.All[exported](ctx, x.DB, `SELECT t.id, `+line("test_case", `t.id, t.agent_id, t.number,
			t.document, t.conversation_id, t.created_by, t.created_at, t.ended_at`)+`
			FROM (
				SELECT t.*, sum(octet_length(t.document)) OVER (ORDER BY t.id) - octet_length(t.document) AS before FROM (
					SELECT c.* FROM agents a JOIN test_cases c ON c.agent_id = a.id
					WHERE a.account_id = $1 AND a.deleted_at IS NULL AND c.erased_at IS NULL AND c.id > $2
						AND ($5::text IS NULL OR c.conversation_id IN (
							SELECT v.id FROM conversations v WHERE v.account_id = $1 AND v.user_id = $5 AND v.deleted_at IS NULL))
					ORDER BY c.id LIMIT $3
				) t
			) t WHERE t.before < $4::bigint ORDER BY t.id`, x.account, after, exportRows,
			conversations.MaxPageText, userID)
		if len(rows) > 0 {
			after = rows[len(rows)-1].ID
		}
		return rows, err
	})
}

// keptRuns are the test runs t of the account that are not deleted.
const keptRuns = `test_runs t WHERE t.account_id = $1 AND t.deleted_at IS NULL
	AND EXISTS (SELECT 1 FROM agents a WHERE a.id = t.agent_id AND a.deleted_at IS NULL)`

func (x *accountExport) testResults(ctx context.Context) error {
	after := exported{}
	return x.pages(exportRows, func() ([]exported, error) {
		rows, err := db.All[exported](ctx, x.DB, `SELECT o.run_id AS id, o.case_number::bigint * 8 + o.repeat AS number, `+
			line("test_result", `o.run_id, o.case_number, o.repeat, o.case_id, o.passed, o.verdicts, o.error_code, o.turn_id,
				o.credits, o.model, o.input_tokens, o.output_tokens, o.duration_ms`)+`
			FROM (SELECT t.id FROM `+keptRuns+`) r JOIN test_results o ON o.run_id = r.id
			WHERE (o.run_id, o.case_number, o.repeat) > ($2, $3, $4)
			ORDER BY o.run_id, o.case_number, o.repeat LIMIT $5`,
			x.account, after.ID, after.Number/8, after.Number%8, exportRows)
		if len(rows) > 0 {
			after = rows[len(rows)-1]
		}
		return rows, err
	})
}
