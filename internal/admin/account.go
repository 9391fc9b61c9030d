package admin

import (
	"time"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/operator"
)

// Account is an account in the output of this API and of the commands.
type Account struct {
	ID            uuid.UUID     `json:"id"`
	Email         string        `json:"email"`
	Name          string        `json:"name"`
	State         account.State `json:"state"`
	CreditBalance int64         `json:"credit_balance"`
	CreditsHeld   int64         `json:"credits_held"`
	CreatedAt     time.Time     `json:"created_at"`
	*Counts
}

// Counts holds the numbers of an account's objects.
type Counts struct {
	Agents        int64 `json:"agents"`
	Exports       int64 `json:"exports"`
	Conversations int64 `json:"conversations"`
}

// AccountOf returns an account without counts.
func AccountOf(a accounts.Owned) Account {
	return Account{ID: a.ID, Email: a.Email, Name: a.Name, State: a.State, CreditBalance: a.CreditBalance,
		CreditsHeld: a.CreditsHeld, CreatedAt: a.CreatedAt.UTC()}
}

// With returns the account with counts.
func (a Account) With(n operator.AccountCounts) Account {
	a.Counts = &Counts{n.Agents, n.Exports, n.Conversations}
	return a
}
