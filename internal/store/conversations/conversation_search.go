package conversations

import (
	"context"
	"maps"
	"strconv"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/find"
	"agentchat/internal/store/internal/db"
)

const (
	// searchWithin is the time after which a page of a text search ends, with the position it has
	// reached.
	searchWithin = 400 * time.Millisecond
	// searchTurns and searchText limit the turns, and the bytes of their texts, that one statement of
	// a text search reads, so that it stays far below the statement timeout. The last turn may exceed
	// searchText.
	searchTurns = 1_000
	searchText  = 1 << 20
	// SearchMemory is the most memory that a text search holds, in bytes. It covers the texts of a
	// statement, whose last may be a reply of 2 MiB, and twice as much for the row that carries it.
	SearchMemory = 8 << 20
	// maxHits is the largest number of hits shown for a conversation.
	maxHits = 3
)

// FoundConversations is a page of conversations.
type FoundConversations struct {
	db.Page[conversation.Conversation]
	// Hits holds the first hits of each conversation, by its id; nil unless texts were searched.
	Hits map[uuid.UUID][]TextHit
}

// TextHit is a message or reply that matches a text search.
type TextHit struct {
	TurnID uuid.UUID
	// Number is the turn's number in its conversation.
	Number int64
	// InReply reports whether the hit is in the turn's reply; otherwise it is in the message.
	InReply bool
	find.Excerpt
}

// searchPage reads a page of a text search. read returns a list of items after a place, and match
// searches the texts of its first items, at least one, and reports which of them match. A page may
// be short, or empty, although there are more: Looked is the position it has reached.
func searchPage[T any](size int, after *db.Cursor, read func(after *db.Cursor) (db.Page[T], error),
	match func(items []T, until time.Time) ([]bool, error), place func(T) db.Cursor,
) (page db.Page[T], err error) {
	for until := time.Now().Add(searchWithin); ; after = page.Looked {
		next, err := read(after)
		if err != nil {
			return page, err
		}
		for n := 0; n < len(next.Items); {
			matches, err := match(next.Items[n:], until)
			if err != nil {
				return page, err
			}
			for _, found := range matches {
				item := next.Items[n]
				if found {
					page.Items = append(page.Items, item)
				}
				n++
				looked := place(item)
				page.Looked, page.HasNext = &looked, next.HasNext || n < len(next.Items)
				if len(page.Items) == size {
					return page, nil
				}
			}
			if time.Now().After(until) && page.HasNext {
				return page, nil
			}
		}
		if !next.HasNext {
			page.HasNext = false
			return page, nil
		}
	}
}

// searchTexts searches the texts of the conversations that match the rest of the filter, the latest
// first, with a sequence of statements.
func (s Store) searchTexts(ctx context.Context, accountID uuid.UUID, q ConversationQuery,
) (FoundConversations, error) {
	needle, step, all := find.New(q.Filter.Text), q, map[uuid.UUID][]TextHit{}
	step.First, step.Filter.Text = db.MaxPage, ""
	read := func(after *db.Cursor) (db.Page[conversation.Conversation], error) {
		step.After = after
		next, err := s.ConversationPage(ctx, accountID, step)
		return next.Page, err
	}
	match := func(items []conversation.Conversation, until time.Time) ([]bool, error) {
		some := fewTurns(items)
		hits, read, err := s.hitsIn(ctx, some, needle, until)
		maps.Copy(all, hits)
		return db.Mapped(some[:read], func(c conversation.Conversation) bool {
			return hits[c.ID] != nil
		}), err
	}
	page, err := searchPage(q.First, q.After, read, match, ConversationPlace)
	out := FoundConversations{Page: page, Hits: map[uuid.UUID][]TextHit{}}
	for _, c := range page.Items {
		out.Hits[c.ID] = all[c.ID]
	}
	return out, err
}

// fewTurns returns the first conversations with at most searchTurns turns in total, at least one
// conversation.
func fewTurns(items []conversation.Conversation) []conversation.Conversation {
	turns := int64(0)
	for i, c := range items {
		if turns += c.TurnCount; turns > searchTurns && i > 0 {
			return items[:i]
		}
	}
	return items
}

// searchedTurn is a turn with its texts. Place is the position of its conversation in a list, from
// 1. Total is the number of turns that the statement would read if their texts were shorter.
type searchedTurn struct {
	Place   int
	ID      uuid.UUID
	Number  int64
	Message string
	Reply   *string
	Total   int
}

// hitsIn returns the first hits of each conversation that has any, and the number of conversations
// it has read: all of them, or at least one if time is up. Texts are compared here, because in the
// database the collation would decide what matches.
func (s Store) hitsIn(ctx context.Context, items []conversation.Conversation, needle find.Needle, until time.Time,
) (hits map[uuid.UUID][]TextHit, read int, err error) {
	ids := db.Mapped(items, func(c conversation.Conversation) uuid.UUID { return c.ID })
	hits = map[uuid.UUID][]TextHit{}
	for last := (searchedTurn{Place: 1}); ; {
		turns, err := s.searchSome(ctx, ids, last, needle, hits)
		if err != nil || len(turns) == 0 {
			return hits, len(ids), err
		}
		last = turns[len(turns)-1]
		last.Message, last.Reply = "", nil // not held while the next statement runs
		whole := len(turns) == last.Total && last.Total < searchTurns
		if whole || last.Place == len(ids) && len(hits[ids[last.Place-1]]) == maxHits {
			return hits, len(ids), nil
		}
		if done := last.Place - 1; done > 0 && time.Now().After(until) {
			return hits, done, nil
		}
	}
}

// searchSome reads the turns of one statement and adds their hits. Accounts take turns, one
// statement at a time, because chats need the processors too.
func (s Store) searchSome(ctx context.Context, ids []uuid.UUID, after searchedTurn, needle find.Needle, hits map[uuid.UUID][]TextHit,
) ([]searchedTurn, error) {
	leave, err := db.EnterSearch(ctx, s.db)
	if err != nil {
		return nil, err
	}
	defer leave()
	turns, err := s.turnsToSearch(ctx, ids, after)
	for _, t := range turns {
		id := ids[t.Place-1]
		hits[id] = t.addHits(hits[id], needle)
	}
	return turns, err
}

// addHits adds the turn's hits to those of its conversation.
func (t searchedTurn) addHits(hits []TextHit, needle find.Needle) []TextHit {
	for i, text := range []*string{&t.Message, t.Reply} {
		if text == nil || len(hits) == maxHits {
			continue
		}
		if excerpt, ok := needle.Excerpt(*text); ok {
			hits = append(hits, TextHit{TurnID: t.ID, Number: t.Number, InReply: i == 1, Excerpt: excerpt})
		}
	}
	return hits
}

// turnsToSearch reads the turns that follow one of them, in the order of the conversations, until
// there is enough text.
func (s Store) turnsToSearch(ctx context.Context, ids []uuid.UUID, after searchedTurn,
) ([]searchedTurn, error) {
	// The lengths of texts are known without reading the texts. The limit is a constant for the reason
	// given at Statement.Page.
	return db.All[searchedTurn](ctx, s.db, `
		SELECT t.place, t.id, t.number, t.message, t.reply, t.total FROM (
			SELECT t.*, sum(t.length) OVER (ORDER BY t.place, t.number) - t.length AS before, count(*) OVER () AS total FROM (
				SELECT c.place, t.id, t.number, t.message, t.reply,
					octet_length(t.message) + coalesce(octet_length(t.reply), 0) AS length
				FROM unnest($1::uuid[]) WITH ORDINALITY c(id, place) CROSS JOIN LATERAL (
					SELECT * FROM turns t WHERE t.conversation_id = c.id AND t.number > CASE c.place WHEN $2::int THEN $3::bigint ELSE 0 END
					ORDER BY t.number LIMIT `+strconv.Itoa(searchTurns)+`
				) t WHERE c.place >= $2::int
			) t
		) t WHERE t.before < $4 ORDER BY t.place, t.number`,
		db.Texts(ids), after.Place, after.Number, searchText)
}
