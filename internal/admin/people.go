package admin

import (
	"net/http"

	"agentchat/internal/conversation"
	"agentchat/internal/httpapi"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/dataexport"
	"agentchat/internal/store/erasure"
)

// exportPerson sends all data that an account has about an end user, as lines of JSON. If that
// fails halfway, it breaks the connection, so that the client does not take a part for the whole.
func (ex *exchange) exportPerson() (any, error) {
	found, user, err := ex.person(ex.account)
	if err != nil {
		return nil, err
	}
	lines := &httpapi.Lines{Exchange: ex.Exchange, MediaType: "application/jsonl"}
	err = dataexport.On(ex.api.Store).ExportEndUser(ex.acting("end-user export"), found.ID, user, lines.Write)
	if err == nil {
		err = lines.Flush()
	}
	if err != nil && lines.Started() {
		ex.LogUnavailable(err)
		panic(http.ErrAbortHandler)
	}
	return nil, noAccount(err)
}

// erased is the response to the deletion of an end user's data.
type erased struct {
	DeletedCount int `json:"deleted_count"`
}

func (ex *exchange) erasePerson() (any, error) {
	found, user, err := ex.person(ex.accountByID)
	if err != nil {
		return nil, err
	}
	n, err := erasure.On(ex.api.Store).DeleteEndUser(ex.acting("end-user delete"), found.ID, user, nil)
	return erased{n}, err
}

// person returns the account of the path and the end user's ID.
func (ex *exchange) person(find func() (accounts.Owned, error)) (accounts.Owned, string, error) {
	user := ex.R.PathValue("user_id")
	if err := conversation.FindUser("user_id", user); err != nil {
		return accounts.Owned{}, "", err
	}
	found, err := find()
	return found, user, err
}
