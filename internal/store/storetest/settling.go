package storetest

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/turns"
)

// SettleFully settles a turn, again while the store asks for a retry.
func SettleFully(
	ctx context.Context, s *store.DB, id uuid.UUID, state conversation.TurnState,
) (turns.SettleResult, error) {
	return SettleFor(ctx, s, id, state, nil)
}

// SettleFor is SettleFully with a charge in credits; nil charges the price.
func SettleFor(
	ctx context.Context, s *store.DB, id uuid.UUID, state conversation.TurnState, charge *int64,
) (turns.SettleResult, error) {
	for {
		f, err := turns.On(s).SettleTurn(ctx, turns.Settlement{TurnID: id, State: state, Reply: "hi",
			FinishReason: "stop", ErrorCode: "internal",
			Charge: charge})
		if err != nil || f.Outcome != turns.Retry {
			return f, err
		}
	}
}
