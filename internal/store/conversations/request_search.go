package conversations

import (
	"context"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/find"
	"agentchat/internal/store/internal/db"
)

// searchRequests searches the texts of the requests that match the rest of the filter, as
// searchTexts does for conversations.
func (s Store) searchRequests(ctx context.Context, accountID uuid.UUID, q RequestQuery,
) (db.Page[conversation.Request], error) {
	needle, step := find.New(q.Filter.Text), q
	step.First = db.MaxPage
	read := func(after *db.Cursor) (db.Page[conversation.Request], error) {
		step.After = after
		return s.requestPage(ctx, accountID, step)
	}
	match := func(items []conversation.Request, _ time.Time) ([]bool, error) {
		return s.requestsWith(ctx, accountID, items, needle)
	}
	place := func(r conversation.Request) db.Cursor { return db.Cursor{ID: r.ID} }
	return searchPage(q.First, q.After, read, match, place)
}

// requestsWith reports which of the first requests have a turn with the text: of all, unless their
// texts are longer than one statement may read. Accounts take turns, as in searchSome.
func (s Store) requestsWith(ctx context.Context, accountID uuid.UUID, requests []conversation.Request,
	needle find.Needle,
) ([]bool, error) {
	leave, err := db.EnterSearch(ctx, s.db)
	if err != nil {
		return nil, err
	}
	defer leave()
	ids := db.Mapped(requests, func(r conversation.Request) uuid.UUID {
		if r.TurnID == nil {
			return uuid.Nil // no turn has it
		}
		return *r.TurnID
	})
	turns, err := db.All[searchedTurn](ctx, s.db, `
		SELECT t.place, t.message, t.reply, t.total FROM (
			SELECT t.*, sum(t.length) OVER (ORDER BY t.place) - t.length AS before, count(*) OVER () AS total FROM (
				SELECT r.place, t.message, t.reply,
					octet_length(t.message) + coalesce(octet_length(t.reply), 0) AS length
				FROM unnest($1::uuid[]) WITH ORDINALITY r(id, place) CROSS JOIN LATERAL (
					SELECT * FROM turns t WHERE t.id = r.id AND t.account_id = $2::uuid AND (
						SELECT c.deleted_at FROM conversations c WHERE c.id = t.conversation_id) IS NULL LIMIT 1
				) t
			) t
		) t WHERE t.before < $3 ORDER BY t.place`, db.Texts(ids), accountID, searchText)
	if err != nil {
		return nil, err
	}
	matches := make([]bool, len(requests))
	for i, t := range turns {
		matches[t.Place-1] = len(t.addHits(nil, needle)) > 0
		if i == len(turns)-1 && len(turns) < t.Total {
			matches = matches[:t.Place]
		}
	}
	return matches, nil
}
