package store_test

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/store"
)

func settleFully(ctx context.Context, s *store.Store, id uuid.UUID, state conversation.TurnState) (store.SettleResult, error) {
	return settleFor(ctx, s, id, state, nil)
}

func settleFor(ctx context.Context, s *store.Store, id uuid.UUID, state conversation.TurnState, charge *int64) (store.SettleResult, error) {
	for {
		f, err := s.SettleTurn(ctx, store.Settlement{TurnID: id, State: state, Reply: "hi", FinishReason: "stop", ErrorCode: "internal",
			Charge: charge})
		if err != nil || f.Outcome != store.Retry {
			return f, err
		}
	}
}
