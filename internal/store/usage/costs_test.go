package usage_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
	"agentchat/internal/store/usage"
)

// TestProviderCosts tests that the usage has the costs and cached tokens of turns, also of those
// whose conversation is deleted before they are counted, and the number of turns without a cost: a
// released turn has none, nor has a charge whose turn is gone.
func TestProviderCosts(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	for _, session := range []string{"deleted", "kept"} {
		var begun turns.BeginResult
		end := func(state conversation.TurnState, cached, cost *int64) (id uuid.UUID) {
			begun = storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { b.Session, id = session, b.TurnID })
			in := turns.Settlement{TurnID: id, State: state, Reply: "hi", FinishReason: "stop",
				ErrorCode: "model_error", CachedTokens: cached, ProviderCost: cost}
			if _, err := turns.On(s).SettleTurn(t.Context(), in); err != nil {
				t.Fatal(err)
			}
			return id
		}
		end(conversation.Answered, new(int64(3)), new(int64(1_000_000)))
		end(conversation.Answered, new(int64(4)), nil)
		end(conversation.Failed, new(int64(5)), new(int64(30)))
		end(conversation.Failed, nil, nil)
		end(conversation.Answered, nil, new(int64(0)))
		storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { b.Session, b.HoldFor = session, -time.Second })
		if n, err := turns.On(s).ReapTurns(t.Context(), 10); err != nil || n != 1 {
			t.Fatalf("%d turns were released, %v", n, err)
		}
		if session == "deleted" {
			err := erasure.On(s).DeleteConversation(t.Context(), f.Account.ID, begun.ConversationID)
			if err != nil {
				t.Fatal(err)
			}
			continue
		}
		gone := end(conversation.Answered, nil, new(int64(100)))
		storetest.Exec(t, s, `DELETE FROM turns WHERE id = $1`, gone)
	}
	for _, count := range []func(context.Context) (int, error){
		func(ctx context.Context) (int, error) { return usage.On(s).RollUpCharges(ctx, 1, 10) },
		func(ctx context.Context) (int, error) { return usage.On(s).CountFailedTurns(ctx, 10) },
	} {
		if _, err := count(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for _, minutes := range []int{15, 60, 360, 1440} {
		var messages, failed, cached, cost, uncosted int64
		err := s.SQL().QueryRowContext(t.Context(), `SELECT sum(messages), sum(failed), sum(cached_tokens),
			sum(provider_cost), sum(uncosted) FROM usage_rollups WHERE minutes = $1`, minutes).
			Scan(&messages, &failed, &cached, &cost, &uncosted)
		got := fmt.Sprint(messages, failed, cached, cost, uncosted)
		if want := fmt.Sprint(7, 6, 14, 2_000_060, 7); err != nil || got != want {
			t.Errorf("in spans of %d minutes: %s, want %s (%v)", minutes, got, want, err)
		}
	}
}
