package store

import (
	"encoding/binary"
	"errors"
	"slices"

	"agentchat/internal/conversation"
	"agentchat/internal/fault"
)

// beginRow is a row of begin_turns, with the history still encoded.
type beginRow struct {
	BeginResult
	// Texts is the message and reply of each earlier turn, and Counts an encoded turnCounts of each, both newest first.
	Texts  string
	Counts []byte
	// Elsewhere says that another replica spent the rate of one of the call's exports while the call waited for it.
	Elsewhere bool
}

// turnCounts are the byte lengths of a turn's texts and what its model reported; -1 is unknown.
type turnCounts struct {
	Message, Reply                        int32
	InputTokens, InputBytes, OutputTokens int64
}

var errHistory = fault.Wrap(fault.Internal, errors.New("the history's texts do not have the lengths that were sent with them"))

// history decodes the earlier turns, oldest first.
func (r *beginRow) history() ([]conversation.EarlierTurn, error) {
	counts := make([]turnCounts, len(r.Counts)/binary.Size(turnCounts{}))
	if _, err := binary.Decode(r.Counts, binary.BigEndian, counts); err != nil {
		return nil, fault.Wrap(fault.Internal, err)
	}
	out := make([]conversation.EarlierTurn, 0, len(counts))
	rest := r.Texts
	for _, c := range slices.Backward(counts) {
		replyAt := len(rest) - int(c.Reply)
		messageAt := replyAt - int(c.Message)
		if messageAt < 0 {
			return nil, errHistory
		}
		out = append(out, conversation.EarlierTurn{Message: rest[messageAt:replyAt], Reply: rest[replyAt:],
			InputTokens: known(c.InputTokens), InputBytes: known(c.InputBytes), OutputTokens: known(c.OutputTokens)})
		rest = rest[:messageAt]
	}
	if rest != "" {
		return nil, errHistory
	}
	return out, nil
}

func known(n int64) *int64 {
	if n < 0 {
		return nil
	}
	return &n
}
