package turns

import (
	"context"
	"slices"

	"github.com/google/uuid"
)

// BeginTurns begins turns in one call, for tests.
func (s Store) BeginTurns(ctx context.Context, items ...Begin) ([]BeginResult, error) {
	rows, err := s.beginTurns(ctx, eachOf(items))
	out := make([]BeginResult, len(rows))
	for i := range rows {
		if err == nil {
			out[i], err = rows[i].decoded()
		}
	}
	return out, err
}

// OtherReplicaActive begins turns in one call, and reports whether another replica spent the same
// rate meanwhile.
func (s Store) OtherReplicaActive(ctx context.Context, items ...Begin) (bool, error) {
	rows, err := s.beginTurns(ctx, eachOf(items))
	return slices.ContainsFunc(rows, s.queues.begins.otherReplicaActive), err
}

// MaxResponseBytes is maxResponseBytes.
const MaxResponseBytes = maxResponseBytes

// ExpectedResponse estimates the response bytes for a message of an account.
func (s Store) ExpectedResponse(account uuid.UUID) int64 {
	return s.queues.begins.size(account, &Begin{})
}

func eachOf(items []Begin) (pointers []*Begin) {
	for i := range items {
		pointers = append(pointers, &items[i])
	}
	return pointers
}

// SettleTurns settles turns in one call, for tests.
func (s Store) SettleTurns(ctx context.Context, items ...Settlement) ([]SettleResult, error) {
	return s.settleTurns(ctx, items)
}
