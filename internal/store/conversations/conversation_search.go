package conversations

import (
	"context"
	"strconv"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/find"
	"agentchat/internal/store/internal/db"
)

const (
	// searchWithin is how long a page of a search in texts looks before it says how far it came.
	searchWithin = 400 * time.Millisecond
	// searchTurns and searchText are how many turns, and how many bytes of their texts, one statement of it reads, but for its last turn:
	// that keeps it far under the statement timeout.
	searchTurns = 1_000
	searchText  = 1 << 20
	// SearchMemory is how much memory a search in texts holds at most, in bytes: the texts of a statement, of which the last may be a reply
	// of 2 MiB, and twice as much for the row in which that one comes.
	SearchMemory = 8 << 20
	// maxHits is how many hits of a conversation are shown.
	maxHits = 3
)

// FoundConversations is a page of conversations.
type FoundConversations struct {
	db.Page[conversation.Conversation]
	// Hits holds the first hits of each conversation, by its id; nil unless texts were searched.
	Hits map[uuid.UUID][]TextHit
}

// TextHit is a message or a reply that has the text that was searched for.
type TextHit struct {
	TurnID uuid.UUID
	// Number is the turn's number in its conversation.
	Number int64
	// InReply says that it is the turn's reply, and not its message.
	InReply bool
	find.Excerpt
}

// searchTexts looks for a text in the conversations that match the rest of the filter, the latest first, in steps of a statement each.
// The page may be short, or empty, while there are more: Looked says how far it came.
func (s Store) searchTexts(ctx context.Context, accountID uuid.UUID, q ConversationQuery) (FoundConversations, error) {
	page := FoundConversations{Hits: map[uuid.UUID][]TextHit{}}
	needle, until := find.New(q.Filter.Text), time.Now().Add(searchWithin)
	step := q
	step.First, step.Filter.Text = db.MaxPage, ""
	for {
		next, err := s.ConversationPage(ctx, accountID, step)
		if err != nil {
			return page, err
		}
		for n := 0; n < len(next.Items); {
			some := fewTurns(next.Items[n:])
			found, read, err := s.hitsIn(ctx, some, needle, until)
			if err != nil {
				return page, err
			}
			for i, c := range some[:read] {
				if hits := found[c.ID]; hits != nil {
					page.Items, page.Hits[c.ID] = append(page.Items, c), hits
				}
				place := ConversationPlace(c)
				page.Looked = &place
				page.HasNext = next.HasNext || n+i+1 < len(next.Items)
				if len(page.Items) == q.First {
					return page, nil
				}
			}
			n += read
			if time.Now().After(until) && page.HasNext {
				return page, nil
			}
		}
		if !next.HasNext {
			page.HasNext = false
			return page, nil
		}
		step.After = page.Looked
	}
}

// fewTurns are the first conversations with at most searchTurns turns together, and at least one.
func fewTurns(items []conversation.Conversation) []conversation.Conversation {
	turns := int64(0)
	for i, c := range items {
		if turns += c.TurnCount; turns > searchTurns && i > 0 {
			return items[:i]
		}
	}
	return items
}

// searchedTurn is a turn with its texts, of the conversation at a place in a list, from 1, and how many turns the statement would read
// if their texts were shorter.
type searchedTurn struct {
	Place   int
	ID      uuid.UUID
	Number  int64
	Message string
	Reply   *string
	Total   int
}

// hitsIn returns the first hits in each of the conversations that have some, and how many conversations it has read: all, or at least
// one, where it takes too long. Texts are compared here and not in the database, whose collation would decide what is found.
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
		last.Message, last.Reply = "", nil // not held beside those of the next statement
		whole := len(turns) == last.Total && last.Total < searchTurns
		if whole || last.Place == len(ids) && len(hits[ids[last.Place-1]]) == maxHits {
			return hits, len(ids), nil
		}
		if done := last.Place - 1; done > 0 && time.Now().After(until) {
			return hits, done, nil
		}
	}
}

// searchSome reads the turns of one statement, and adds their hits. Accounts take turns at it, one at a time: chats need the processors,
// too.
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

// turnsToSearch reads the turns of conversations after one of them, in the order of the conversations, until there is enough text.
func (s Store) turnsToSearch(ctx context.Context, ids []uuid.UUID, after searchedTurn) ([]searchedTurn, error) {
	// The lengths of texts are known without reading them. The limit is constant for the reason that statement.page gives.
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
		) t WHERE t.before < $4 ORDER BY t.place, t.number`, db.Texts(ids), after.Place, after.Number, searchText)
}
