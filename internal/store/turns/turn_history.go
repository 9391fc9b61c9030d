package turns

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"slices"

	"agentchat/internal/conversation"
	"agentchat/internal/fault"
)

// beginRow is a row of begin_turns, with the earlier turns still encoded.
type beginRow struct {
	BeginResult
	// Texts is the message and reply of each earlier turn, and Counts an encoded turnCounts of each,
	// both newest first.
	Texts  string
	Counts []byte
	// ChainText is a JSON list of chainRow.
	ChainText string `bun:"chain"`
	// OtherReplicaActive is true if another replica spent the rate of one of the call's exports while
	// the call waited.
	OtherReplicaActive bool
}

// turnCounts are the byte lengths of a turn's texts, its kind, and what its model reported; -1 is
// unknown.
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

// history decodes the earlier turns, oldest first. A message is one turn with the results that
// followed it.
func (r *beginRow) history() ([]conversation.EarlierTurn, error) {
	counts, err := decodeCounts(r.Counts)
	if err != nil {
		return nil, err
	}
	type said struct{ message, reply string }
	texts := make([]said, len(counts))
	rest := r.Texts
	for i, c := range slices.Backward(counts) {
		replyAt := len(rest) - int(c.Reply)
		messageAt := replyAt - int(c.Message)
		if messageAt < 0 {
			return nil, errHistory
		}
		texts[i] = said{message: rest[messageAt:replyAt], reply: rest[replyAt:]}
		rest = rest[:messageAt]
	}
	if rest != "" {
		return nil, errHistory
	}
	grouped := exchanges(counts)
	out := make([]conversation.EarlierTurn, len(grouped))
	for n, x := range grouped {
		newest := counts[x.newest]
		e := conversation.EarlierTurn{Message: texts[x.message].message, InputTokens: known(newest.InputTokens),
			InputBytes: known(newest.InputBytes), OutputTokens: known(newest.OutputTokens)}
		if x.message != x.newest { // they are those of a part of the reply
			e.OutputTokens = nil
		}
		for i := x.message; i >= x.newest; i-- {
			e.Reply = paragraphs(e.Reply, texts[i].reply)
			if closed(counts, i) {
				e.Reply = paragraphs(e.Reply, notRun)
			}
		}
		out[n] = e
	}
	return out[max(0, len(out)-max(r.Settings.ContextTurns, 0)):], nil
}

func decodeCounts(encoded []byte) ([]turnCounts, error) {
	counts := make([]turnCounts, len(encoded)/binary.Size(turnCounts{}))
	if _, err := binary.Decode(encoded, binary.BigEndian, counts); err != nil {
		return nil, fault.Wrap(fault.Internal, err)
	}
	return counts, nil
}

// exchange is a message with the results that followed it, by the places of their turns in a list
// that begins with the newest one.
type exchange struct{ message, newest int }

// exchanges are those of a list of earlier turns, oldest first, without results whose message was
// too long ago.
func exchanges(counts []turnCounts) (out []exchange) {
	for i, c := range slices.Backward(counts) {
		if c.Kind&bringsResults == 0 {
			out = append(out, exchange{message: i, newest: i})
		} else if len(out) > 0 {
			out[len(out)-1].newest = i
		}
	}
	return out
}

// closed reports whether a turn of a list asks for actions that another message has closed: what
// came next brought no results.
func closed(counts []turnCounts, i int) bool {
	return counts[i].Kind&asksForActions != 0 && (i == 0 || counts[i-1].Kind&bringsResults == 0)
}

// notRun is appended to a reply with actions if the caller sent a message instead of their results.
const notRun = "(The actions that I asked for here were not run.)"

// paragraphs joins two texts. Either may be empty.
func paragraphs(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n\n" + b
}

// chainRow is a turn of a chain as begin_turns encodes it.
type chainRow struct {
	Message, Reply, Model               string
	Calls, Provider, Results, Knowledge *string
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
		out[i] = conversation.ChainTurn{Message: row.Message, Reply: row.Reply, Model: row.Model, Knowledge: row.Knowledge}
		if row.Provider != nil {
			out[i].Provider = *row.Provider
		}
		calls, err := stored[[]conversation.ActionCall](row.Calls)
		results, wrong := stored[[]conversation.ActionResult](row.Results)
		if err = errors.Join(err, wrong); err != nil {
			return nil, err
		}
		out[i].Calls, out[i].Results = calls, results
	}
	return out, nil
}

// stored is conversation.DecodeJSON with its error as a fault.
func stored[T any](text *string) (T, error) {
	value, err := conversation.DecodeJSON[T](text)
	if err != nil {
		err = fault.Wrap(fault.Internal, err)
	}
	return value, err
}

func known(n int64) *int64 {
	if n < 0 {
		return nil
	}
	return &n
}
