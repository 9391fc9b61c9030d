package conversations

import (
	"context"
	"reflect"
	"strings"
	"sync"

	"github.com/google/uuid"
	"github.com/uptrace/bun/dialect/pgdialect"

	"agentchat/internal/conversation"
	"agentchat/internal/store/internal/db"
)

// TurnQuery selects a page of a conversation's turns.
type TurnQuery struct {
	// Size is the number of turns, 1 to MaxPage.
	Size int
	// FromEnd selects the last turns instead of the first ones, still in ascending order.
	FromEnd bool
	// Texts reads messages, replies and variables, which may be megabytes. Without it they are empty.
	Texts bool
	// After and Before bound the page, exclusive; nil is unbounded. They must be cursors of the same
	// conversation.
	After, Before *db.Cursor
}

// TurnPlace returns a turn's cursor in its conversation.
func TurnPlace(t conversation.Turn) db.Cursor { return db.Cursor{Key: t.Number, ID: t.ConversationID} }

// MaxPageText is the largest amount of text, in bytes, that one statement reads for a page. The
// next statement continues the page.
const MaxPageText = 4 << 20

// The text columns of turns AS t, and their replacement when no text is needed.
const (
	turnTexts = `, t.message, t.action_results, t.asked_calls, t.reply, t.action_calls, t.rejected_reply, t.variables, t.knowledge`
	noTexts   = `, '' AS message`
)

// TextLength is the length of the texts of turns AS t in bytes, which is known without reading them.
const TextLength = `octet_length(t.message) + coalesce(octet_length(t.reply), 0) + coalesce(octet_length(t.rejected_reply), 0)
	+ coalesce(octet_length(t.action_results), 0) + coalesce(octet_length(t.action_calls), 0)
	+ coalesce(octet_length(t.variables::text), 0) + coalesce(octet_length(t.knowledge), 0)`

// turnColumns are the columns of conversation.Turn without its texts, of turns AS t: one for each
// field.
var turnColumns = sync.OnceValue(func() string {
	var columns []string
	for _, field := range pgdialect.New().Tables().Get(reflect.TypeFor[conversation.Turn]()).Fields {
		if column := "t." + field.Name; !strings.Contains(turnTexts, column) {
			columns = append(columns, column)
		}
	}
	return strings.Join(columns, ", ")
})

// turnRow is a turn. Total is the number of turns without the bound on their texts.
type turnRow struct {
	conversation.Turn
	Total int
}

// readTurns reads the turns t that a statement selects with all their columns and user_id. If texts
// is not 0, it reads their texts in the given order, up to that many bytes; short reports that it
// stopped there.
func (s Store) readTurns(ctx context.Context, from *db.Statement, texts int, order string,
) (turns []conversation.Turn, short bool, err error) {
	var out db.Statement
	columns := turnColumns() + noTexts
	if texts > 0 {
		columns = turnColumns() + turnTexts
	}
	out.Add(`SELECT ` + columns + `, t.total FROM (
		SELECT t.*, sum(t.length) OVER (ORDER BY ` + order + `) - t.length AS before, count(*) OVER () AS total FROM (
			SELECT t.*, ` + TextLength + ` + coalesce(octet_length(t.asked_calls), 0) AS length FROM (
				SELECT t.*, (SELECT a.action_calls FROM turns a WHERE a.id = t.results_for) AS asked_calls,
					CASE WHEN t.action_count > 0 THEN coalesce((
						SELECT CASE WHEN n.results_for = t.id THEN 'ANSWERED' ELSE 'NOT_RUN' END FROM turns n
						WHERE n.conversation_id = t.conversation_id AND n.number > t.number AND n.state = 'ANSWERED'
						ORDER BY n.number LIMIT 1), 'OPEN') END AS calls_state FROM (`)
	out.Embed(from)
	out.Add(`) t) t) t) t`)
	if texts > 0 {
		out.Add(` WHERE t.before < ?::bigint`, texts)
	}
	out.Add(` ORDER BY t.conversation_id, t.number`)
	rows, err := db.All[turnRow](ctx, s.db, out.String(), out.Args()...)
	for _, row := range rows {
		row.CreatedAt, row.SettledAt = row.CreatedAt.UTC(), db.InUTC(row.SettledAt)
		turns = append(turns, row.Turn)
	}
	return turns, len(rows) > 0 && len(rows) < rows[0].Total, err
}

// TurnsByConversations returns a page of turns for each conversation, in ascending order, with one
// statement. The page is empty for conversations of other accounts. The page of a single
// conversation ends early when its text is long; for several conversations that is the fault
// TextTooLong. Faults, before any statement: InvalidInput on size, and on after and before for a
// cursor of another conversation.
func (s Store) TurnsByConversations(ctx context.Context, accountID uuid.UUID, ids []uuid.UUID, q TurnQuery,
) (map[uuid.UUID]db.Page[conversation.Turn], error) {
	if _, err := db.SizeOf("size", &q.Size); err != nil {
		return nil, err
	}
	foreign := func(c *db.Cursor) bool { return c != nil && (len(ids) != 1 || ids[0] != c.ID) }
	switch {
	case foreign(q.After):
		return nil, db.BadCursor("after")
	case foreign(q.Before):
		return nil, db.BadCursor("before")
	}
	items, short, err := s.readTurns(ctx, turnStatement(accountID, ids, q), q.maxText(len(ids)),
		q.order())
	switch {
	case err != nil:
		return nil, err
	case short && len(ids) > 1:
		return nil, db.TextsTooLong()
	}
	lists := make(map[uuid.UUID][]conversation.Turn, len(ids))
	for _, t := range items {
		lists[t.ConversationID] = append(lists[t.ConversationID], t)
	}
	out := make(map[uuid.UUID]db.Page[conversation.Turn], len(ids))
	for _, id := range ids {
		out[id] = q.page(lists[id], short)
	}
	return out, nil
}

// maxText returns the largest amount of text to read for a number of lists, in bytes; 0 for none.
func (q TurnQuery) maxText(lists int) int {
	switch {
	case !q.Texts:
		return 0
	case lists == 1:
		return MaxPageText
	}
	return db.MaxListsText
}

// order returns the order in which the page is read, of turns t of one conversation after another.
func (q TurnQuery) order() string {
	if q.FromEnd {
		return `t.conversation_id, t.number DESC`
	}
	return `t.conversation_id, t.number`
}

// page returns a page of turns in ascending order. One turn more than the page's size was read to
// detect a next page, unless the page is short because of its text.
func (q TurnQuery) page(items []conversation.Turn, short bool) db.Page[conversation.Turn] {
	over := len(items) > q.Size
	switch {
	case over && q.FromEnd:
		items = items[1:]
	case over:
		items = items[:q.Size]
	}
	more := over || short
	return db.Page[conversation.Turn]{Items: items, HasNext: more && !q.FromEnd || q.Before != nil,
		HasPrevious: more && q.FromEnd || q.After != nil}
}

func turnStatement(accountID uuid.UUID, ids []uuid.UUID, q TurnQuery) *db.Statement {
	var out db.Statement
	order := `number`
	if q.FromEnd {
		order = `number DESC`
	}
	out.Add(`
		SELECT t.*, c.user_id FROM` + ofLiveConversation + `CROSS JOIN LATERAL (`)
	out.Page(order, q.Size, func() {
		out.Add(`SELECT t.* FROM turns t WHERE t.conversation_id = c.id`)
		if q.After != nil {
			out.Add(` AND t.number > ?::bigint`, q.After.Key)
		}
		if q.Before != nil {
			out.Add(` AND t.number < ?::bigint`, q.Before.Key)
		}
	})
	out.Add(`) t WHERE c.account_id = ?::uuid AND c.id = ANY(?::uuid[])`, accountID, db.Texts(ids))
	return &out
}

// TurnsByIDs returns the turns by id, without those of other accounts and of deleted conversations.
// Without withTexts their texts are empty. Fault: TextTooLong.
func (s Store) TurnsByIDs(ctx context.Context, accountID uuid.UUID, ids []uuid.UUID, withTexts bool,
) (map[uuid.UUID]conversation.Turn, error) {
	var from db.Statement
	from.Add(`
		SELECT t.*, c.user_id FROM`+ofLiveConversation+`JOIN turns t ON t.conversation_id = c.id
		WHERE t.account_id = ?::uuid AND c.account_id = ?::uuid AND t.id = ANY(?::uuid[])`,
		accountID, accountID, db.Texts(ids))
	rows, short, err := s.readTurns(ctx, &from, TurnQuery{Texts: withTexts}.maxText(2), `t.id`)
	switch {
	case err != nil:
		return nil, err
	case short:
		return nil, db.TextsTooLong()
	}
	return db.ByID(rows, func(t conversation.Turn) uuid.UUID { return t.ID }), nil
}

// ExchangeKey identifies a message of a conversation by the number of its turn.
type ExchangeKey struct {
	ConversationID uuid.UUID
	Number         int64
}

// AnsweredTurnsByExchanges returns the answered turns of the account's messages, with their texts:
// each message and the action results that followed it, in order. It leaves out deleted
// conversations. Fault: TextTooLong.
func (s Store) AnsweredTurnsByExchanges(ctx context.Context, accountID uuid.UUID, keys []ExchangeKey,
) (map[ExchangeKey][]conversation.Turn, error) {
	var from db.Statement
	from.Add(`
		SELECT t.*, c.user_id FROM unnest(?::uuid[], ?::bigint[]) x(conversation_id, number)
		JOIN`+ofLiveConversation+`ON c.id = x.conversation_id CROSS JOIN LATERAL (
			SELECT * FROM turns t WHERE t.conversation_id = x.conversation_id AND t.number >= x.number AND t.state = 'ANSWERED'
			ORDER BY t.number LIMIT ?::int
		) t WHERE c.account_id = ?::uuid AND coalesce(t.message_number, t.number) = x.number`,
		db.Texts(db.Mapped(keys, func(k ExchangeKey) uuid.UUID { return k.ConversationID })),
		db.Mapped(keys, func(k ExchangeKey) int64 { return k.Number }), 1+conversation.MaxRounds, accountID)
	turns, short, err := s.readTurns(ctx, &from, db.MaxListsText, `t.conversation_id, t.number`)
	switch {
	case err != nil:
		return nil, err
	case short:
		return nil, db.TextsTooLong()
	}
	out := map[ExchangeKey][]conversation.Turn{}
	for _, t := range turns {
		key := ExchangeOf(t)
		out[key] = append(out[key], t)
	}
	return out, nil
}

// ExchangeOf returns the message that a turn starts or continues.
func ExchangeOf(t conversation.Turn) ExchangeKey {
	if t.MessageNumber == nil {
		return ExchangeKey{t.ConversationID, t.Number}
	}
	return ExchangeKey{t.ConversationID, *t.MessageNumber}
}

// PreviewsByTurns returns the first 200 characters of the messages of turns, without those of other
// accounts and of deleted conversations.
func (s Store) PreviewsByTurns(ctx context.Context, accountID uuid.UUID, ids []uuid.UUID,
) (map[uuid.UUID]string, error) {
	return db.ValuesByID[string](ctx, s.db, `
		SELECT t.id, left(t.message, 200) AS value FROM`+ofLiveConversation+`JOIN turns t ON t.conversation_id = c.id
		WHERE t.account_id = $1 AND c.account_id = $1 AND t.id = ANY($2::uuid[])`, accountID, ids)
}
