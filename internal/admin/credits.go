package admin

import (
	"strconv"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/credit"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/credits"
)

// entry is an entry of an account's credit history.
type entry struct {
	AccountID    uuid.UUID        `json:"account_id"`
	Number       int64            `json:"number"`
	Kind         credit.EntryKind `json:"kind"`
	Amount       int64            `json:"amount"`
	BalanceAfter int64            `json:"balance_after"`
	Note         string           `json:"note"`
	Reference    *string          `json:"reference"`
	AgentID      *uuid.UUID       `json:"agent_id"`
	ExportID     *uuid.UUID       `json:"export_id"`
	CreatedAt    time.Time        `json:"created_at"`
}

// entries is a page of entries. Next is the parameter after of the next page; nil on the last.
type entries struct {
	Entries []entry `json:"entries"`
	Next    *string `json:"next"`
}

// entriesOf returns a page of entries. If there are more, next returns the parameter after of the
// next page from the last entry.
func entriesOf(found []credit.Entry, more bool, next func(credit.Entry) string) entries {
	out := entries{Entries: []entry{}}
	for _, e := range found {
		out.Entries = append(out.Entries, entry{
			AccountID:    e.AccountID,
			Number:       e.Number,
			Kind:         e.Kind,
			Amount:       e.Amount,
			BalanceAfter: e.BalanceAfter,
			Note:         e.Note,
			Reference:    e.Reference,
			AgentID:      e.AgentID,
			ExportID:     e.ExportID,
			CreatedAt:    e.CreatedAt.UTC(),
		})
	}
	if more {
		last := next(found[len(found)-1])
		out.Next = &last
	}
	return out
}

// history returns a page of an account's credit history, the newest entry first.
func (ex *exchange) history() (any, error) {
	query := credits.CreditQuery{First: pageSize}
	if after := ex.R.URL.Query().Get("after"); after != "" {
		number, err := strconv.ParseInt(after, 10, 64)
		if err != nil {
			return nil, badAfter()
		}
		query.After = &store.Cursor{Key: number}
	}
	found, err := ex.account()
	if err != nil {
		return nil, err
	}
	page, err := credits.On(ex.api.Store).CreditPage(ex.R.Context(), found.ID, query)
	number := func(e credit.Entry) string { return strconv.FormatInt(e.Number, 10) }
	return entriesOf(page.Items, page.HasNext, number), err
}

// byReference returns a page of the entries with a reference, of all accounts including deleted
// ones, ordered by account ID.
func (ex *exchange) byReference() (any, error) {
	query := ex.R.URL.Query()
	reference, ok := credit.ParseReference(query.Get("reference"))
	if !ok {
		return nil, invalid("reference", "reference "+credit.ReferenceRule+".")
	}
	var after uuid.UUID
	if text := query.Get("after"); text != "" {
		var err error
		if after, err = uuid.Parse(text); err != nil {
			return nil, badAfter()
		}
	}
	found, err := credits.On(ex.api.Store).EntriesByReference(ex.R.Context(), reference, after, pageSize+1)
	more := len(found) > pageSize
	account := func(e credit.Entry) string { return e.AccountID.String() }
	return entriesOf(found[:min(len(found), pageSize)], more, account), err
}

func invalid(path, message string) error {
	return fault.Invalid(fault.Field{Path: path, Reason: fault.InvalidValue, Message: message})
}

func badAfter() error { return invalid("after", "after must be the next value of an earlier page.") }
