package graph

import (
	"context"
	"reflect"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agentchat/internal/fault"
	"agentchat/internal/memory"
	"agentchat/internal/store"
)

const (
	// maxAnswer is the largest response, in bytes. Nested lists multiply, and long texts with them,
	// far beyond what the limits of a document can foresee. A page of 100 agents with the longest
	// instructions and a thousand exports stays below it.
	maxAnswer = 16 << 20
	// maxRead is the most bytes of long texts that one request reads from the database. A response
	// cannot hold more.
	maxRead = maxAnswer
	// maxSure is the memory, in bytes, that the response of a mutation or a subscription takes even
	// without free memory. It is far more than such an operation itself returns, and little compared
	// with the budget, even for all requests that a user may have in flight.
	maxSure = 1 << 20
	// fieldCost is the cost of every field, in addition to its text.
	fieldCost = 200
)

// budget counts the size of a response, in bytes.
type budget struct{ spent atomic.Int64 }

func (b *budget) over() bool { return b.spent.Load() > maxAnswer }

// spend adds a cost and reports whether the response may still grow.
func (b *budget) spend(cost int) bool { return b.spent.Add(int64(cost)) <= maxAnswer }

// withinBudget counts a field's children before they are resolved, and reserves memory for them.
// Over the budget it leaves lists and texts empty, so that the rest of the request ends soon and
// without an error for each field; bounded then refuses the whole response. Without memory for an
// operation that has run, it leaves lists empty as well and adds an error.
func withinBudget(ctx context.Context, next graphql.Resolver) (any, error) {
	res, err := next(ctx)
	if err != nil || res == nil {
		return res, err
	}
	req := requestOf(ctx)
	answer := &req.answer
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
		err := req.take(int64(cost))
		switch {
		case err != nil && !req.done():
			return nil, err
		case isList && (err != nil || req.short.Load()):
			graphql.AddError(ctx, fault.New(store.TextTooLong, noRoom))
			return reflect.MakeSlice(list.Type(), 0, 0).Interface(), nil
		}
	}
	return res, nil
}

// noRoom is the error of a list that a mutation's response has no memory for.
const noRoom = "Your request was carried out, but the service had no memory left for this list. Request the list again, in a query."

// done reports whether the operation has already changed something, and may have been paid for,
// before memory is reserved for its response. A null instead of the response would lose a new key,
// and a client would repeat the operation.
func (req *request) done() bool { return req.operation != string(ast.Query) }

// take reserves memory for a part of the response. Fault: Unavailable if too little is left, except
// for the first maxSure bytes of an operation that has run.
func (req *request) take(n int64) error {
	if req.done() && req.sure.Add(n) <= maxSure {
		req.hold.Take(n)
		return nil
	}
	return req.hold.Grow(n)
}

// bounded returns the response, or an error if it exceeds the budget.
func (req *request) bounded(resp *graphql.Response) *graphql.Response {
	if !req.answer.over() {
		return resp
	}
	refusal := req.stamp(
		limitExceeded(
			"The response would be too long. Request fewer fields, fewer nested lists, or smaller pages.",
		),
	)
	return &graphql.Response{Errors: gqlerror.List{refusal}}
}

// encoded is the number of copies of a text as JSON until the response is sent: in its parts, and
// twice in the whole.
const encoded = 3

// texts adds up long texts.
type texts struct{ bytes, json int64 }

func (t *texts) add(text string) {
	t.bytes += int64(len(text))
	t.json += memory.JSON(text)
}

// haveRead counts long texts that were read for the request, and reserves memory for them until the
// request ends: for the texts, and for their JSON. Without memory for texts below an operation that
// has run, their lists stay empty. Faults: TextTooLong over maxRead, Unavailable when no memory is
// left.
func (req *request) haveRead(t texts) error {
	if req.read.Add(t.bytes) > maxRead {
		return store.TextsTooLong()
	}
	err := req.take(t.bytes + encoded*t.json)
	if err != nil && req.done() {
		req.short.Store(true)
		return nil
	}
	return err
}
