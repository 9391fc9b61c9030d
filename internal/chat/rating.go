package chat

import (
	"context"
	"net/netip"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/apikey"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/ratings"
	"agentchat/internal/store/turns"
)

// Rating is a caller's rating of a reply. The API has checked its form.
type Rating struct {
	// Key is the caller's API key, and Address the caller's network address.
	Key     apikey.Hash
	Address netip.Addr
	// KeyChecked means that CheckKey has already spent one request of the rate.
	KeyChecked bool
	// UserID is the required end user of the conversation; nil for any or none.
	UserID    *string
	MessageID uuid.UUID
	// Value is conversation.Withdrawn to remove the rating.
	Value conversation.RatingValue
	Note  string
}

// Rated is the result of Rate. Caller is nil only with the faults Unauthorized and
// Unavailable.
type Rated struct {
	Caller    *Caller
	SessionID string
	// RatedAt is nil if the rating was withdrawn.
	RatedAt *time.Time
}

// Rate stores the rating of a reply by the key's agent, which may be offline. It uses one request of
// the rate limit and no credits. Faults: those of CheckKey; UserBlocked; NotFound unless the agent
// answered this message, for this end user, in a conversation that was not deleted.
func (s *Service) Rate(ctx context.Context, in Rating) (Rated, error) {
	b := &turns.Begin{Key: in.Key, SpendRate: !in.KeyChecked, UserID: in.UserID}
	caller, err := s.admit(ctx, b, in.Address, nil)
	if err != nil {
		return Rated{Caller: caller}, err
	}
	ctx = store.ForAccount(ctx, caller.AccountID)
	rated, err := ratings.On(s.cfg.Store).Rate(ctx, caller.AccountID, ratings.Given{
		Rating: conversation.Rating{
			TurnID: in.MessageID,
			Kind:   conversation.ByCaller,
			Value:  in.Value,
			Note:   in.Note,
		},
		AgentID: &caller.AgentID,
		UserID:  in.UserID,
	})
	if fault.Is(err, fault.NotFound) {
		err = &fault.Error{
			Kind:    fault.NotFound,
			Details: map[string]any{"field": "rating.message_id"},
			Message: "There is no reply with this message_id, or it belongs to another agent or user_id, or was " +
				"deleted. Send the message_id of one of this agent's replies.",
		}
	}
	return Rated{Caller: caller, SessionID: rated.SessionID, RatedAt: rated.RatedAt}, err
}
