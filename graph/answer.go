package graph

import (
	"context"
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agentchat/internal/fault"
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

// withinBudget counts a field's children before they are resolved. Over the budget it leaves lists and texts empty, so that the rest
// of the request ends soon and without an error for each field; bounded then refuses the whole answer.
func withinBudget(ctx context.Context, next graphql.Resolver) (any, error) {
	res, err := next(ctx)
	if err != nil || res == nil {
		return res, err
	}
	answer := &exchangeOf(ctx).answer
	if text, ok := res.(string); ok {
		if !answer.spend(len(text)) {
			return "", nil
		}
		return res, nil
	}
	if field := graphql.GetFieldContext(ctx).Field; len(field.Selections) > 0 {
		cost := fieldCost * len(graphql.CollectFieldsCtx(ctx, nil))
		list := reflect.ValueOf(res)
		if list.Kind() != reflect.Slice {
			answer.spend(cost)
		} else if !answer.spend(cost * list.Len()) {
			return reflect.MakeSlice(list.Type(), 0, 0).Interface(), nil
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

// heldPerByte is how much memory a byte of text takes until its answer is sent: it is there as read, in the answer's parts, and in the
// whole answer.
const heldPerByte = 4

// haveRead counts long texts that were read for the request, in bytes, and holds memory for them until the request ends. Faults:
// TextTooLong over maxRead, Unavailable when no memory is left.
func (ex *exchange) haveRead(size int) error {
	if ex.read.Add(int64(size)) > maxRead {
		return store.TextsTooLong()
	}
	giveBack, ok := ex.memory.TryTake(int64(size) * heldPerByte)
	if !ok {
		return fault.New(fault.Unavailable,
			"The service has no memory left for such long texts at the moment. Try again, or request smaller pages.")
	}
	ex.held.add(giveBack)
	return nil
}

// held is what gives memory back at the end of a request.
type held struct {
	mu       sync.Mutex
	giveBack []func()
}

func (h *held) add(giveBack func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.giveBack = append(h.giveBack, giveBack)
}

func (h *held) release() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, giveBack := range h.giveBack {
		giveBack()
	}
	h.giveBack = nil
}
