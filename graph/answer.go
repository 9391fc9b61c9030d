package graph

import (
	"context"
	"reflect"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agentchat/internal/memory"
	"agentchat/internal/store"
)

const (
	// maxAnswer bounds an answer, in bytes: nested lists multiply, and long texts with them, far beyond what the limits of a
	// document can foresee. A page of 100 agents with the longest instructions and a thousand exports stays below it.
	maxAnswer = 16 << 20
	// maxRead bounds the long texts that one request reads from the database, in bytes. An answer cannot hold more.
	maxRead = maxAnswer
	// fieldCost is the cost of every field, in addition to its text.
	fieldCost = 200
)

// budget counts the size of a request's answer, in bytes.
type budget struct{ spent atomic.Int64 }

func (b *budget) over() bool { return b.spent.Load() > maxAnswer }

// spend adds a cost and reports whether the answer may still grow.
func (b *budget) spend(cost int) bool { return b.spent.Add(int64(cost)) <= maxAnswer }

// withinBudget counts a field's children before they are resolved, and holds memory for them. Over the budget it leaves lists and texts
// empty, so that the rest of the request ends soon and without an error for each field; bounded then refuses the whole answer.
func withinBudget(ctx context.Context, next graphql.Resolver) (any, error) {
	res, err := next(ctx)
	if err != nil || res == nil {
		return res, err
	}
	ex := exchangeOf(ctx)
	answer := &ex.answer
	if text, ok := res.(string); ok {
		if !answer.spend(len(text)) {
			return "", nil
		}
		return res, nil
	}
	if field := graphql.GetFieldContext(ctx).Field; len(field.Selections) > 0 {
		cost := fieldCost * len(graphql.CollectFieldsCtx(ctx, nil))
		list := reflect.ValueOf(res)
		isList := list.Kind() == reflect.Slice
		if isList {
			cost *= list.Len()
		}
		if !answer.spend(cost) && isList {
			return reflect.MakeSlice(list.Type(), 0, 0).Interface(), nil
		}
		if err := ex.hold.Grow(int64(cost)); err != nil {
			return nil, err
		}
	}
	return res, nil
}

// bounded returns the response, or a refusal when it exceeds the budget.
func (ex *exchange) bounded(resp *graphql.Response) *graphql.Response {
	if !ex.answer.over() {
		return resp
	}
	refusal := ex.stamp(limitExceeded("The answer would be too long. Request fewer fields, fewer nested lists, or smaller pages."))
	return &graphql.Response{Errors: gqlerror.List{refusal}}
}

// encoded is how often a text is there as JSON until its answer is sent: in the answer's parts, and twice in the whole answer.
const encoded = 3

// texts adds up long texts.
type texts struct{ bytes, json int64 }

func (t *texts) add(text string) {
	t.bytes += int64(len(text))
	t.json += memory.JSON(text)
}

// haveRead counts long texts that were read for the request, and holds memory for them until the request ends: as they were read, and as
// JSON. Faults: TextTooLong over maxRead, Unavailable when no memory is left.
func (ex *exchange) haveRead(t texts) error {
	if ex.read.Add(t.bytes) > maxRead {
		return store.TextsTooLong()
	}
	return ex.hold.Grow(t.bytes + encoded*t.json)
}
