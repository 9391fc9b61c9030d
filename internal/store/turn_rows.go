package store

import (
	"database/sql"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"

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
	messages, replies        []int64
	inputs, sizes, outputs   []*int64
}

func (r *turnRow) targets() []any {
	m := pgtype.NewMap()
	return []any{&r.available, &r.price, &r.model, &r.instructions, &r.temperature, &r.maxOutput, &r.conversation, &r.number,
		&r.texts, m.SQLScanner(&r.messages), m.SQLScanner(&r.replies), m.SQLScanner(&r.inputs),
		m.SQLScanner(&r.sizes), m.SQLScanner(&r.outputs)}
}

func (r *turnRow) fill(out *Begun) error {
	out.Available, out.Price, out.Model, out.Instructions = r.available.Int64, r.price.Int64, r.model.String, r.instructions.String
	out.Temperature, out.MaxOutputTokens = r.temperature, r.maxOutput
	out.Conversation, out.Number = r.conversation.UUID, r.number.Int64
	out.InputTokens, out.InputBytes, out.OutputTokens = r.inputs, r.sizes, r.outputs
	rest := r.texts.String
	for i := range r.messages {
		message, reply := int(r.messages[i]), int(r.replies[i])
		if len(rest) < message+reply {
			return fault.Wrap(fault.Internal, errors.New("the earlier turns are not as long as their lengths say"))
		}
		out.Messages, out.Replies = append(out.Messages, rest[:message]), append(out.Replies, rest[message:message+reply])
		rest = rest[message+reply:]
	}
	slices.Reverse(out.Messages)
	slices.Reverse(out.Replies)
	slices.Reverse(out.InputTokens)
	slices.Reverse(out.InputBytes)
	slices.Reverse(out.OutputTokens)
	return nil
}

func seconds(f sql.NullFloat64) time.Duration { return time.Duration(f.Float64 * float64(time.Second)) }

func pointer(n sql.NullInt64) *int64 {
	if !n.Valid {
		return nil
	}
	return &n.Int64
}
