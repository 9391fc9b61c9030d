package store

import (
	"context"
	_ "embed" // the statements of batches are in files of their own
	"slices"
	"time"

	"github.com/google/uuid"
)

var (
	//go:embed sql/begin_batch.sql
	beginBatchSQL string
	//go:embed sql/finish_batch.sql
	finishBatchSQL string

	beginBatchStatement = withHistory(beginBatchSQL, "$13")
)

// startBatchers has turns begun and settled together, through the connections of chats.
func (s *Store) startBatchers(waited func(time.Duration)) {
	s.begins = &batcher[Begin, beginRow]{name: "begin_batch", one: s.beginOne, many: s.beginMany, waited: waited}
	s.begins.sentElsewhere = func(row *beginRow) bool { return row.Elsewhere }
	s.begins.keys = func(b Begin) [2]string {
		keys := [2]string{string(b.Key[:]) + "s" + b.Session}
		if b.IdempotencyKey != "" {
			keys[1] = string(b.Key[:]) + "i" + b.IdempotencyKey
		}
		return keys
	}
	s.finishes = &batcher[Settlement, Finished]{name: "finish_batch", one: s.finishOne, many: s.finishMany, waited: waited,
		keys: func(in Settlement) [2]string { return [2]string{string(in.TurnID[:])} }}
}

// inOrder returns the items of the rows in the order of their numbers, nil for numbers without a row.
func inOrder[T any](n int, rows []numbered[T]) []*T {
	items := make([]*T, n)
	for i := range rows {
		items[rows[i].N-1] = &rows[i].Item
	}
	return items
}

// beginMany begins several turns in one statement. Limits and the like are those of the last one, which came last. Turns with other
// prices are left alone: there are some for a moment after the catalogue was replaced.
func (s *Store) beginMany(ctx context.Context, items []Begin) ([]*beginRow, error) {
	last := &items[len(items)-1]
	same := make([]Begin, 0, len(items))
	at := make([]int, 0, len(items))
	for i, b := range items {
		if slices.Equal(b.Models, last.Models) && slices.Equal(b.Prices, last.Prices) {
			same, at = append(same, b), append(at, i)
		}
	}
	rows, err := s.beginSamePrices(ctx, same)
	begun := make([]*beginRow, len(items))
	for i, row := range rows {
		begun[at[i]] = row
	}
	return begun, err
}

func (s *Store) beginSamePrices(ctx context.Context, items []Begin) ([]*beginRow, error) {
	n := len(items)
	hashes, fingerprints := make([][]byte, n), make([][]byte, n)
	idempotencyKeys, users := make([]*string, n), make([]*string, n)
	sessions, messages, requests := make([]string, n), make([]string, n), make([]string, n)
	turns, conversations := make([]uuid.UUID, n), make([]uuid.UUID, n)
	for i := range items {
		b := &items[i]
		hashes[i], fingerprints[i], users[i] = b.Key[:], b.Fingerprint[:], b.UserID
		if b.IdempotencyKey != "" {
			idempotencyKeys[i] = &b.IdempotencyKey
		}
		sessions[i], messages[i], requests[i] = b.Session, b.Message, b.RequestID
		turns[i], conversations[i] = b.TurnID, b.ConversationID
	}
	last := &items[n-1]
	rows, err := all[numbered[beginRow]](ctx, s, beginBatchStatement, hashes, idempotencyKeys, fingerprints, last.Models, last.Prices,
		users, sessions, messages, turns, conversations, requests, last.HoldFor, last.MaxContextBytes, last.UnavailableModels)
	return inOrder(n, rows), err
}

// finishMany settles several answered turns in one statement.
func (s *Store) finishMany(ctx context.Context, items []Settlement) ([]*Finished, error) {
	n := len(items)
	turns, entries := make([]uuid.UUID, n), make([]uuid.UUID, n)
	replies, reasons := make([]string, n), make([]string, n)
	input, output, bytes := make([]*int64, n), make([]*int64, n), make([]*int64, n)
	waited, model, firstText, total := make([]*int64, n), make([]*int64, n), make([]*int64, n), make([]*int64, n)
	streamed := make([]bool, n)
	for i := range items {
		in := &items[i]
		turns[i], entries[i] = in.TurnID, uuid.Must(uuid.NewV7())
		replies[i], reasons[i] = in.Reply, in.FinishReason
		input[i], output[i] = in.InputTokens, in.OutputTokens
		if in.InputBytes > 0 {
			bytes[i] = &in.InputBytes
		}
		waited[i], model[i], firstText[i], total[i] = wholeMs(in.Waited), wholeMs(in.Model), wholeMs(in.FirstText), wholeMs(in.Total)
		streamed[i] = in.Streamed
	}
	rows, err := all[numbered[Finished]](ctx, s, finishBatchSQL, turns, replies, reasons, input, output, entries, bytes, waited, model,
		firstText, total, streamed)
	return inOrder(n, rows), err
}
