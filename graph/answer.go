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
	// maxAnswer bounds an answer, in bytes: nested lists multiply, and long texts with them, far beyond what the limits of a
	// document can foresee. A page of 100 agents with the longest instructions and a thousand exports stays below it.
	maxAnswer = 16 << 20
	// maxRead bounds the long texts that one request reads from the database, in bytes. An answer cannot hold more.
	maxRead = maxAnswer
	// maxSure is how much memory the answer of a mutation or a subscription takes whatever is left, in bytes: far more than what such an
	// operation itself returns, and little beside the budget even for all that a user may have under way.
	maxSure = 1 << 20
	// fieldCost is the cost of every field, in addition to its text.
	fieldCost = 200
)

// budget counts the size of a request's answer, in bytes.
type budget struct{ spent atomic.Int64 }

func (b *budget) over() bool { return b.spent.Load() > maxAnswer }

// spend adds a cost and reports whether the answer may still grow.
func (b *budget) spend(cost int) bool { return b.spent.Add(int64(cost)) <= maxAnswer }

// withinBudget counts a field's children before they are resolved, and holds memory for them. Over the budget it leaves lists and texts
// empty, so that the rest of the request ends soon and without an error for each field; bounded then refuses the whole answer. When there
// is no memory for what was done it leaves lists empty as well, with an error that says so.
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

// noRoom tells of a list that a mutation's answer has no memory for.
const noRoom = "Your request was carried out, but the service had no memory left for this list. Request the list again, in a query."

// done reports whether what is answered was done, and may have been paid for, before memory is taken for it. An error would leave null in
// its place: a new key would be lost, and a client would do everything again.
func (req *request) done() bool { return req.operation != string(ast.Query) }

// take takes memory for a part of the answer. Fault: Unavailable when there is too little, for all but the first maxSure bytes of what was
// done.
func (req *request) take(n int64) error {
	if req.done() && req.sure.Add(n) <= maxSure {
		req.hold.Take(n)
		return nil
	}
	return req.hold.Grow(n)
}

// bounded returns the response, or a refusal when it exceeds the budget.
func (req *request) bounded(resp *graphql.Response) *graphql.Response {
	if !req.answer.over() {
		return resp
	}
	refusal := req.stamp(limitExceeded("The answer would be too long. Request fewer fields, fewer nested lists, or smaller pages."))
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
// JSON. When no memory is left for texts below what was done, the lists that they are in stay empty. Faults: TextTooLong over maxRead,
// Unavailable when no memory is left.
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
