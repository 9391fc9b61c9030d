package store

import (
	"database/sql"
	"encoding/binary"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
)

// gateRow receives the columns that admit and begin share.
type gateRow struct {
	outcome, config                  string
	key, account, agent, export      uuid.NullUUID
	rate                             sql.NullInt64
	ahead                            sql.NullFloat64
	prior                            uuid.NullUUID
	session, reply, finish, model    sql.NullString
	price, remaining, input, outputs sql.NullInt64
}

func (r *gateRow) targets() []any {
	return []any{&r.key, &r.account, &r.agent, &r.export, &r.rate, &r.ahead, &r.prior, &r.session, &r.reply, &r.finish,
		&r.model, &r.price, &r.remaining, &r.input, &r.outputs}
}

func (r *gateRow) begun() Begun {
	out := Begun{Outcome: Outcome(r.outcome), Asker: Asker{KeyID: r.key.UUID, AccountID: r.account.UUID, AgentID: r.agent.UUID,
		ExportID: r.export.UUID, RatePerMinute: int(r.rate.Int64), RateAhead: seconds(r.ahead)}}
	if out.Outcome == Replay {
		out.Prior = &Stored{TurnID: r.prior.UUID, Session: r.session.String, Reply: r.reply.String, FinishReason: r.finish.String,
			Model: r.model.String, Price: r.price.Int64, CreditsRemaining: r.remaining.Int64,
			InputTokens: pointer(r.input), OutputTokens: pointer(r.outputs)}
	}
	return out
}

// turnRow receives the columns that only begin has.
type turnRow struct {
	available, price, number sql.NullInt64
	model, instructions      sql.NullString
	temperature              *float64
	maxOutput                *int
	conversation             uuid.NullUUID
	texts                    sql.NullString
	numbers                  []byte
}

func (r *turnRow) targets() []any {
	return []any{&r.available, &r.price, &r.model, &r.instructions, &r.temperature, &r.maxOutput, &r.conversation, &r.number,
		&r.texts, &r.numbers}
}

func (r *turnRow) fill(out *Begun) error {
	out.Available, out.Price, out.Model, out.Instructions = r.available.Int64, r.price.Int64, r.model.String, r.instructions.String
	out.Temperature, out.MaxOutputTokens = r.temperature, r.maxOutput
	out.Conversation, out.Number = r.conversation.UUID, r.number.Int64
	return r.fillTurns(out)
}

// earlierTurn is what begin says of an earlier turn besides its texts: their lengths in bytes, and the model's counts, or -1.
type earlierTurn struct {
	Message, Reply                        int32
	InputTokens, InputBytes, OutputTokens int64
}

var errEarlierTurns = fault.Wrap(fault.Internal, errors.New("the earlier turns are not as long as their lengths say"))

// fillTurns takes the earlier turns apart. They come the newest first.
func (r *turnRow) fillTurns(out *Begun) error {
	turns := make([]earlierTurn, len(r.numbers)/binary.Size(earlierTurn{}))
	if _, err := binary.Decode(r.numbers, binary.BigEndian, turns); err != nil {
		return fault.Wrap(fault.Internal, err)
	}
	rest := r.texts.String
	for _, t := range slices.Backward(turns) {
		replyAt := len(rest) - int(t.Reply)
		messageAt := replyAt - int(t.Message)
		if messageAt < 0 {
			return errEarlierTurns
		}
		out.Messages, out.Replies = append(out.Messages, rest[messageAt:replyAt]), append(out.Replies, rest[replyAt:])
		out.InputTokens = append(out.InputTokens, known(t.InputTokens))
		out.InputBytes = append(out.InputBytes, known(t.InputBytes))
		out.OutputTokens = append(out.OutputTokens, known(t.OutputTokens))
		rest = rest[:messageAt]
	}
	if rest != "" {
		return errEarlierTurns
	}
	return nil
}

func known(n int64) *int64 {
	if n < 0 {
		return nil
	}
	return &n
}

func seconds(f sql.NullFloat64) time.Duration { return time.Duration(f.Float64 * float64(time.Second)) }

func pointer(n sql.NullInt64) *int64 {
	if !n.Valid {
		return nil
	}
	return &n.Int64
}
