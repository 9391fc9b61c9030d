package admin

import (
	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"agentchat/internal/credit"
	"agentchat/internal/fault"
	"agentchat/internal/httpapi"
	"agentchat/internal/store/credits"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/operator"
)

const (
	// pageSize is the number of accounts on a page.
	pageSize = 100
	// maxBody is the largest body, in bytes.
	maxBody = 16 << 10
	// uniqueOverAll allows a reference in only one account of the service.
	uniqueOverAll = "service"
)

// page is a page of accounts. Next is the parameter after of the next page; nil on the last.
type page struct {
	Accounts []Account  `json:"accounts"`
	Next     *uuid.UUID `json:"next"`
}

func (ex *exchange) list() (any, error) {
	query := ex.R.URL.Query()
	q := operator.AccountQuery{First: pageSize + 1, Search: query.Get("search")}
	if after := query.Get("after"); after != "" {
		var err error
		if q.After, err = uuid.Parse(after); err != nil {
			return nil, badAfter()
		}
	}
	found, err := operator.On(ex.api.Store).AccountPage(ex.R.Context(), q)
	if err != nil {
		return nil, err
	}
	out := page{Accounts: []Account{}}
	for i, a := range found {
		if i == pageSize {
			out.Next = &found[i-1].ID
			break
		}
		out.Accounts = append(out.Accounts, AccountOf(a))
	}
	return out, nil
}

func (ex *exchange) show() (any, error) {
	found, err := ex.account()
	if err != nil {
		return nil, err
	}
	n, err := operator.On(ex.api.Store).CountOfAccount(ex.R.Context(), found.ID)
	return AccountOf(found).With(n), err
}

func (ex *exchange) suspend() (any, error) { return ex.setState("account suspend", true) }

func (ex *exchange) resume() (any, error) { return ex.setState("account resume", false) }

func (ex *exchange) setState(command string, suspend bool) (any, error) {
	found, err := ex.account()
	if err != nil {
		return nil, err
	}
	changed, err := operator.On(ex.api.Store).SuspendAccount(ex.acting(command), found.ID, suspend)
	return AccountOf(changed), err
}

// removed is the response to a deletion.
type removed struct {
	ID      uuid.UUID `json:"id"`
	Deleted bool      `json:"deleted"`
}

func (ex *exchange) remove() (any, error) {
	found, err := ex.accountByID()
	if err != nil {
		return nil, err
	}
	err = erasure.On(ex.api.Store).DeleteAnyAccount(ex.R.Context(), found.ID, ex.does("account delete"))
	return removed{found.ID, true}, noAccount(err)
}

// grant is the body of a grant or an adjustment.
type grant struct {
	Kind      string `json:"kind"`
	Amount    *int64 `json:"amount"`
	Note      string `json:"note"`
	Reference string `json:"reference"`
	Unique    string `json:"unique"`
}

// granted is the response to a grant or an adjustment.
type granted struct {
	ID       uuid.UUID `json:"id"`
	Amount   int64     `json:"amount"`
	Balance  int64     `json:"balance"`
	Repeated bool      `json:"repeated"`
}

func (ex *exchange) credits() (any, error) {
	in, err := ex.readGrant()
	if err != nil {
		return nil, err
	}
	found, err := ex.account()
	if err != nil {
		return nil, err
	}
	command := "credits grant"
	if in.Kind == "ADJUSTMENT" {
		command = "credits adjust"
	}
	done, err := credits.On(ex.api.Store).GrantCredits(ex.acting(command), credits.Grant{
		AccountID:  found.ID,
		Adjustment: in.Kind == "ADJUSTMENT",
		Amount:     *in.Amount,
		Note:       in.Note,
		Reference:  in.Reference,
		Unique:     in.Unique == uniqueOverAll,
	})
	return granted{found.ID, *in.Amount, done.Balance, done.Repeated}, noAccount(err)
}

func (ex *exchange) readGrant() (in grant, err error) {
	err = ex.readBody(&in, "The body must be a JSON object with amount (a whole number), "+
		"note and reference, and optionally kind and unique.")
	if err != nil {
		return in, err
	}
	reference, ok := credit.ParseReference(in.Reference)
	in.Reference = reference
	switch {
	case in.Kind != "" && in.Kind != "GRANT" && in.Kind != "ADJUSTMENT":
		err = invalid("kind", "kind must be GRANT or ADJUSTMENT.")
	case in.Unique != "" && in.Unique != uniqueOverAll:
		err = invalid("unique", "unique must be service, or left out.")
	case in.Amount == nil:
		err = invalid("amount", "amount is required: a whole number of credits.")
	case !credit.IsNote(in.Note):
		err = invalid("note", "note "+credit.NoteRule+".")
	case !ok:
		err = invalid("reference", "reference "+credit.ReferenceRule+".")
	}
	return in, err
}

// readBody reads a JSON body. must is the error message for a malformed one.
func (ex *exchange) readBody(in any, must string) error {
	err := httpapi.CheckJSON(ex.R.Header)
	if err == nil {
		err = httpapi.CheckDeclaredSize(ex.W, ex.R, maxBody)
	}
	if err != nil {
		return err
	}
	body, err := httpapi.ReadBody(ex.W, ex.R, maxBody, func() error { return nil })
	if err == nil && json.Unmarshal(body, in, json.RejectUnknownMembers(true)) != nil {
		err = fault.New(httpapi.InvalidJSON, must)
	}
	return err
}
