package dataexport

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/google/uuid"

	"agentchat/internal/store/accounts"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/sources"
	"agentchat/internal/store/tests"
)

const (
	// exportRows is the number of rows that one statement reads, and exportLong that of rows with
	// settings or other long texts. Of messages, exportTurns of each conversation are read at a time,
	// for exportTogether conversations at once, but little more than conversations.MaxPageText.
	exportRows     = 500
	exportLong     = 20
	exportTurns    = 10
	exportTogether = 20
)

// accountExport writes an account as JSON lines.
type accountExport struct {
	*db.DB
	account uuid.UUID
	// user is the only user whose sign-ins are written; nil for all users.
	user  *uuid.UUID
	write func(line json.RawMessage) error
}

// ExportAccount passes all data of an account to write, one JSON object with a "type" at a time.
// Deleted data is left out. The objects are the account, its users, their sign-ins, its tokens, its
// webhooks and their deliveries, its agents with their versions, its exports, its test runs with their results, its rejected
// requests, its knowledge sources, its test cases, the end users that it has blocked or limited, its conversations,
// each before its messages, and its credit history. It reads page by page, so concurrent changes
// may be missing. Ids are UUIDs, times RFC 3339. With a user, the sign-ins of other users are left
// out. Fault: NotFound.
func (s Store) ExportAccount(
	ctx context.Context, id uuid.UUID, user *uuid.UUID, write func(line json.RawMessage) error,
) error {
	x := accountExport{s.db, id, user, write}
	if _, err := accounts.On(s.db).Account(ctx, id); err != nil {
		return err
	}
	for _, table := range exportedTables {
		if err := x.table(ctx, table); err != nil {
			return err
		}
	}
	if err := x.knowledge(ctx); err != nil {
		return err
	}
	if err := x.testCases(ctx, nil); err != nil {
		return err
	}
	if err := x.endUsers(ctx); err != nil {
		return err
	}
	agents, err := db.All[uuid.UUID](ctx, s.db, `SELECT id FROM agents WHERE account_id = $1
		AND deleted_at IS NULL ORDER BY id`, id)
	for _, agent := range agents {
		if err == nil {
			err = x.conversations(ctx, agent)
		}
	}
	if err != nil {
		return err
	}
	return x.history(ctx)
}

// exportedTable is a type of object that is read in the order of its row's id, with its source, whose
// t has the id.
type exportedTable struct{ kind, fields, from string }

// exportedTables are such types. $4 is the user whose sign-ins are read.
var exportedTables = []exportedTable{
	{"account", `t.id, t.name, t.state, t.credit_balance, t.credits_held, t.created_at`,
		`accounts t WHERE t.id = $1`},
	{"user", `t.id, t.email, t.created_at`, `users t WHERE t.id IN (` + members + `)`},
	{"sign_in", `t.id, t.browser, t.address, t.created_at, t.last_used_at, t.ended_at`,
		`sign_ins t WHERE t.user_id IN (` + members + `) AND ($4::uuid IS NULL OR t.user_id = $4)`},
	{"account_token",
		`t.id, t.name, t.hint, t.role, t.created_by, t.created_at, t.last_used_at, t.expires_at`,
		`account_tokens t WHERE t.account_id = $1`},
	{"webhook", `t.id, t.url, t.events, t.state, t.dropped, t.created_by, t.created_at`,
		`webhooks t WHERE t.account_id = $1`},
	{"webhook_delivery", `t.id, t.webhook_id, t.message AS event, t.data, t.tries, t.status, t.took_ms, t.error,
		t.created_at, t.sent_at, t.failed_at`,
		`outbox t WHERE t.webhook_id IN (SELECT w.id FROM webhooks w WHERE w.account_id = $1)`},
	{"agent", `t.id, t.name, t.description, t.settings, t.tests, t.state, t.created_at, t.updated_at`,
		`agents t WHERE t.account_id = $1 AND t.deleted_at IS NULL`},
	{"api_export",
		`t.id, t.agent_id, t.name, t.rate_per_minute, t.version, t.expires_at, t.created_at, t.removed_at,
		(SELECT array_agg(k.hint ORDER BY k.id) FROM api_keys k WHERE k.export_id = t.id) AS key_hints`,
		`api_exports t WHERE t.account_id = $1`},
	{"test_run", `t.id, t.agent_id, t.number, t.version, t.model, t.judge_agent_id, t.judge_version, t.cases, t.whole,
		t.repeats, t.needed, t.most_credits, t.budget, t.state, t.stop_reason, t.done, ` + tests.PassedCases("t") + `,
		t.credits, t.started_by, t.created_at, t.ended_at`, keptRuns},
	{"rejected_request", exportedRequest, `rejected_requests t WHERE t.account_id = $1`},
}

// exportedRequest are the fields of a rejected request, of rejected_requests AS t.
const exportedRequest = `t.id, t.agent_id, t.export_id, t.key_hint, t.created_at, t.request_id, t.status, t.code, t.detail,
	t.client_address, t.session_id, t.user_id`

// exportedConversation are the fields of a conversation, of conversations AS c.
const exportedConversation = `c.id, c.agent_id, c.source, c.session_id, c.user_id, c.created_at, c.last_turn_at`

// members selects the users of the account.
const members = `SELECT m.user_id FROM memberships m WHERE m.account_id = $1`

// exported is a line and the keys after which the next page begins.
type exported struct {
	Line      string
	ID        uuid.UUID
	Number    int64
	Source    string
	SessionID string
	// Total is the number of rows without the bound on their texts.
	Total int
}

// line returns an expression that encodes fields as one line of JSON.
func line(kind, fields string) string {
	return `(SELECT json_strip_nulls(row_to_json(f)) FROM (SELECT '` + kind + `' AS type, ` + fields +
		`) f)::text AS line`
}

// pages writes page after page until one is not full.
func (x *accountExport) pages(size int, read func() ([]exported, error)) error {
	for {
		rows, err := read()
		if err != nil {
			return err
		}
		if err := x.rows(rows); err != nil || len(rows) < size {
			return err
		}
	}
}

func (x *accountExport) rows(rows []exported) error {
	for _, row := range rows {
		if err := x.write(json.RawMessage(row.Line)); err != nil {
			return err
		}
	}
	return nil
}

func (x *accountExport) table(ctx context.Context, t exportedTable) error {
	var after uuid.UUID
	size := exportRows
	switch t.kind {
	case "agent", "test_run", "webhook_delivery":
		size = exportLong
	}
	err := x.pages(size, func() ([]exported, error) {
		args := []any{x.account, after, size}
		if t.kind == "sign_in" {
			args = append(args, x.user)
		}
		rows, err := db.All[exported](ctx, x.DB, `SELECT t.id, `+line(t.kind, t.fields)+`
			FROM `+t.from+` AND t.id > $2 ORDER BY t.id LIMIT $3`, args...)
		if len(rows) > 0 {
			after = rows[len(rows)-1].ID
		}
		return rows, err
	})
	if err != nil {
		return err
	}
	switch t.kind {
	case "agent":
		return x.versions(ctx)
	case "test_run":
		return x.testResults(ctx)
	}
	return nil
}

func (x *accountExport) endUsers(ctx context.Context) error {
	after := ""
	return x.pages(exportRows, func() ([]exported, error) {
		rows, err := db.All[exported](ctx, x.DB, `SELECT u.user_id AS session_id, `+
			line("end_user", `u.user_id, u.blocked_at, u.daily_message_limit, u.created_at`)+`
			FROM end_users u WHERE u.account_id = $1 AND u.user_id > $2 ORDER BY u.user_id LIMIT $3`,
			x.account, after, exportRows)
		if len(rows) > 0 {
			after = rows[len(rows)-1].SessionID
		}
		return rows, err
	})
}

// knowledge writes the sources of agents. One statement reads little more text than one source can
// have.
func (x *accountExport) knowledge(ctx context.Context) error {
	var after uuid.UUID
	return x.pages(1, func() ([]exported, error) {
		rows, err := db.All[exported](ctx, x.DB, `SELECT t.id, `+line("knowledge_source",
			`t.id, t.agent_id, t.kind, t.name, t.questions,
			t.state, t.reason, t.pages, t.in_draft, t.in_versions, t.text, t.created_at`)+`
			FROM (
				SELECT t.*, sum(t.bytes) OVER (ORDER BY t.id) - t.bytes AS before FROM (
					SELECT s.*, `+sources.InDraft+` AS in_draft, `+sources.InVersions+` AS in_versions
						FROM`+sources.SourceTable+`
					WHERE s.account_id = $1 AND s.id > $2 ORDER BY s.id LIMIT $3
				) t
			) t WHERE t.before < $4::bigint ORDER BY t.id`, x.account, after, exportRows,
			conversations.MaxPageText)
		if len(rows) > 0 {
			after = rows[len(rows)-1].ID
		}
		return rows, err
	})
}

func (x *accountExport) versions(ctx context.Context) error {
	after := exported{}
	return x.pages(exportLong, func() ([]exported, error) {
		rows, err := db.All[exported](ctx, x.DB, `SELECT v.agent_id AS id, v.number, `+
			line("agent_version", `v.agent_id, v.number, v.note, v.settings, v.created_at`)+`
			FROM agents a JOIN agent_versions v ON v.agent_id = a.id
			WHERE a.account_id = $1 AND a.deleted_at IS NULL AND (v.agent_id, v.number) > ($2, $3)
				ORDER BY v.agent_id, v.number LIMIT $4`,
			x.account, after.ID, after.Number, exportLong)
		if len(rows) > 0 {
			after = rows[len(rows)-1]
		}
		return rows, err
	})
}

// conversations writes the conversations of an agent, each page followed by its messages.
func (x *accountExport) conversations(ctx context.Context, agent uuid.UUID) error {
	after := exported{}
	for {
		rows, err := db.All[exported](ctx, x.DB, `SELECT c.id, c.source, c.session_id, `+
			line("conversation", exportedConversation)+`
			FROM conversations c WHERE c.agent_id = $1 AND c.deleted_at IS NULL
				AND (c.source, c.session_id) > ($2, $3)
			ORDER BY c.source, c.session_id LIMIT $4`, agent, after.Source, after.SessionID, exportRows)
		if err == nil {
			err = x.withTurns(ctx, rows)
		}
		if err != nil || len(rows) < exportRows {
			return err
		}
		after = rows[len(rows)-1]
	}
}

// withTurns writes conversations, and then their messages.
func (x *accountExport) withTurns(ctx context.Context, conversations []exported) error {
	if err := x.rows(conversations); err != nil {
		return err
	}
	return x.turns(ctx, db.Mapped(conversations, func(c exported) uuid.UUID { return c.ID }))
}

// turns writes the messages of conversations: the first ones of several conversations at once, then
// the rest of each.
func (x *accountExport) turns(ctx context.Context, conversations []uuid.UUID) error {
	for ids := range slices.Chunk(conversations, exportTogether) {
		rows, err := x.readTurns(ctx, `unnest($1::uuid[]) c(id) CROSS JOIN LATERAL (
			SELECT * FROM turns t WHERE t.conversation_id = c.id ORDER BY t.number LIMIT $2) t`, ids, exportTurns)
		if err == nil {
			err = x.rows(rows)
		}
		read, last := map[uuid.UUID]int{}, map[uuid.UUID]int64{}
		for _, row := range rows {
			read[row.ID]++
			last[row.ID] = row.Number
		}
		short := len(rows) > 0 && len(rows) < rows[0].Total
		for _, id := range ids {
			if err == nil && (short || read[id] == exportTurns) {
				err = x.turnsAfter(ctx, id, last[id])
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (x *accountExport) turnsAfter(
	ctx context.Context, conversation uuid.UUID, number int64,
) error {
	return x.pages(1, func() ([]exported, error) {
		rows, err := x.readTurns(ctx, `(SELECT * FROM turns t WHERE t.conversation_id = $1 AND t.number > $4
			ORDER BY t.number LIMIT $2) t`, conversation, exportTurns, number)
		if len(rows) > 0 {
			number = rows[len(rows)-1].Number
		}
		return rows, err
	})
}

// readTurns reads the messages t of a source, in which $1 selects conversations and $2 is the number
// of messages. It reads little more text than conversations.MaxPageText: then the page has fewer
// rows than its Total.
func (x *accountExport) readTurns(
	ctx context.Context, from string, ids any, size int, args ...any,
) ([]exported, error) {
	return db.All[exported](ctx, x.DB, `SELECT t.conversation_id AS id, t.number, t.total, `+
		line("turn", exportedTurn)+`
		FROM (
			SELECT t.*, count(*) OVER () AS total,
				sum(t.length) OVER (ORDER BY t.conversation_id, t.number) - t.length AS before
			FROM (SELECT t.*, `+conversations.TextLength+` AS length FROM `+from+`) t
		) t WHERE t.before < $3::bigint ORDER BY t.conversation_id, t.number`,
		append([]any{ids, size, conversations.MaxPageText}, args...)...)
}

// exportedTurn are the fields of a message, of turns AS t.
const exportedTurn = `t.id, t.conversation_id, t.number, t.state, t.message, t.action_results, t.reply, t.action_calls,
	t.structured AS shaped, t.rejected_reply AS misfit, t.variables, t.knowledge, t.error_code, t.finish_reason,
	t.provider_status, t.provider_code, t.provider_error,
	t.model, t.fallback, t.version, t.export_id, t.request_id,
	t.input_tokens, t.output_tokens, t.created_at, t.settled_at,
	(SELECT json_agg(json_build_object('kind', r.kind, 'value', r.value, 'note', r.note, 'rated_by', r.rated_by,
		'rated_at', r.rated_at) ORDER BY r.kind) FROM ratings r WHERE r.turn_id = t.id) AS ratings`

func (x *accountExport) history(ctx context.Context) error {
	after := int64(0)
	return x.pages(exportRows, func() ([]exported, error) {
		rows, err := db.All[exported](ctx, x.DB, `SELECT e.number, `+
			line("credit_entry", `e.number, e.kind, e.amount, e.balance_after,
			e.note, e.reference, e.agent_name, e.export_name, e.turn_id, e.created_at`)+`
			FROM credit_entries e WHERE e.account_id = $1 AND e.number > $2 ORDER BY e.number LIMIT $3`,
			x.account, after, exportRows)
		if len(rows) > 0 {
			after = rows[len(rows)-1].Number
		}
		return rows, err
	})
}
