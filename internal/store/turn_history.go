package store

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"agentchat/internal/conversation"
	"agentchat/internal/fault"
)

// beginRow is a row of begin_turns, with the earlier turns still encoded.
type beginRow struct {
	BeginResult
	// Texts is the message and reply of each earlier turn, and Counts an encoded turnCounts of each, both newest first.
	Texts  string
	Counts []byte
	// ChainText is a JSON list of chainRow.
	ChainText string `bun:"chain"`
	// Elsewhere says that another replica spent the rate of one of the call's exports while the call waited for it.
	Elsewhere bool
}

// turnCounts are the byte lengths of a turn's texts, its kind, and what its model reported; -1 is unknown.
type turnCounts struct {
	Message, Reply, Kind                  int32
	InputTokens, InputBytes, OutputTokens int64
}

// The bits of turnCounts.Kind.
const (
	bringsResults = 1 << iota
	asksForActions
)

var errHistory = fault.Wrap(fault.Internal, errors.New("the history's texts do not have the lengths that were sent with them"))

// decoded is the result with its earlier turns.
func (r *beginRow) decoded() (result BeginResult, err error) {
	result = r.BeginResult
	if result.History, err = r.history(); err == nil {
		result.Chain, err = r.chain()
	}
	return result, err
}

// history decodes the earlier turns, oldest first. A message is one turn with the results that followed it.
func (r *beginRow) history() ([]conversation.EarlierTurn, error) {
	counts := make([]turnCounts, len(r.Counts)/binary.Size(turnCounts{}))
	if _, err := binary.Decode(r.Counts, binary.BigEndian, counts); err != nil {
		return nil, fault.Wrap(fault.Internal, err)
	}
	out := make([]conversation.EarlierTurn, 0, len(counts))
	rest := r.Texts
	for i, c := range slices.Backward(counts) {
		replyAt := len(rest) - int(c.Reply)
		messageAt := replyAt - int(c.Message)
		if messageAt < 0 {
			return nil, errHistory
		}
		e := conversation.EarlierTurn{Message: rest[messageAt:replyAt], Reply: rest[replyAt:],
			InputTokens: known(c.InputTokens), InputBytes: known(c.InputBytes), OutputTokens: known(c.OutputTokens)}
		rest = rest[:messageAt]
		// The newest reply of a message is the last that asks for something: what came after it was another message.
		if c.Kind&asksForActions != 0 && (i == 0 || counts[i-1].Kind&bringsResults == 0) {
			e.Reply = paragraphs(e.Reply, notRun)
		}
		switch {
		case c.Kind&bringsResults == 0:
			out = append(out, e)
		case len(out) > 0: // else its message was too long ago
			begun := &out[len(out)-1]
			e.Message, e.Reply, e.OutputTokens = begun.Message, paragraphs(begun.Reply, e.Reply), nil
			*begun = e
		}
	}
	if rest != "" {
		return nil, errHistory
	}
	return out[max(0, len(out)-max(r.Settings.ContextTurns, 0)):], nil
}

// notRun stands for the actions that a reply asked for, and whose caller went on with a message.
const notRun = "(The actions that I asked for here were not run.)"

// paragraphs joins two texts, of which either may be empty.
func paragraphs(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n\n" + b
}

// chainRow is a turn of a chain as begin_turns encodes it.
type chainRow struct {
	Message, Reply, Model    string
	Calls, Provider, Results *string
}

// chain decodes the answered turns that results go on with, oldest first.
func (r *beginRow) chain() ([]conversation.ChainTurn, error) {
	if r.ChainText == "" {
		return nil, nil
	}
	var rows []chainRow
	if err := json.Unmarshal([]byte(r.ChainText), &rows); err != nil {
		return nil, fault.Wrap(fault.Internal, err)
	}
	out := make([]conversation.ChainTurn, len(rows))
	for i, row := range rows {
		out[i] = conversation.ChainTurn{Message: row.Message, Reply: row.Reply, Model: row.Model}
		if row.Provider != nil {
			out[i].Provider = *row.Provider
		}
		if err := errors.Join(decodeStored(row.Calls, &out[i].Calls), decodeStored(row.Results, &out[i].Results)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// decodeStored reads stored JSON, if there is any.
func decodeStored(text *string, into any) error {
	if text == nil {
		return nil
	}
	if err := json.Unmarshal([]byte(*text), into); err != nil {
		return fault.Wrap(fault.Internal, fmt.Errorf("stored JSON: %w", err))
	}
	return nil
}

func known(n int64) *int64 {
	if n < 0 {
		return nil
	}
	return &n
}
