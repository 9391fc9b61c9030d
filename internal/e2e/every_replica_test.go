package e2e_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/store/storetest"
)

// tenant is an owner with an export, on a cluster.
type tenant struct {
	*cluster
	t     *testing.T
	http  *http.Client
	owner *browser
	ownedExport
	// address is the tenant's client address, and member the ID of its editor.
	address int
	member  string
}

// change makes a change over the first replica.
func (n *tenant) change(field, selection string, input map[string]any) panelAnswer {
	n.t.Helper()
	return n.owner.must(n.replicas[0], mutation(field, selection), input)
}

// outcome sends a message over a replica and returns its outcome.
func (n *tenant) outcome(r *replica, body map[string]any, header ...string) string {
	return outcomeOf(askWith(n.t.Context(), n.http, r.Chat, n.key, body, header...))
}

// asker returns what a caller gets from a replica at this moment.
type asker func(r *replica) string

// change is a row of TestChangesHoldOnEveryReplica.
type change struct {
	name string
	// before and after are what every caller gets before and after the change.
	before, after string
	// asks prepares the tenant and returns a caller.
	asks func(n *tenant) asker
	// apply returns when the change must hold everywhere.
	apply func(n *tenant)
}

// asksByKey sends messages with the export's key.
func asksByKey(n *tenant) asker {
	return func(r *replica) string { return n.outcome(r, map[string]any{"message": "hello"}) }
}

// revokes returns a row whose mutation stops the export's key.
func revokes(field, selection, code string, input func(n *tenant) map[string]any) change {
	return change{
		name:   field,
		before: "200",
		after:  code,
		asks:   asksByKey,
		apply:  func(n *tenant) { n.change(field, selection, input(n)) },
	}
}

// whenDue waits until a condition on the export holds in the database.
func (n *tenant) whenDue(condition string) {
	n.t.Helper()
	eventually(n.t, condition, func() (due bool) {
		readRow(n.t, n.store, `SELECT `+condition+` FROM api_exports e WHERE id = $1`,
			[]any{n.export}, &due)
		return due
	})
}

// soon returns a time that the database reaches in two seconds.
func soon() string { return time.Now().Add(2 * time.Second).UTC().Format(time.RFC3339Nano) }

// keyChanges are the changes that stop a key.
var keyChanges = []change{
	revokes("pauseApiExport", "export { state }", "export_paused", exportID),
	revokes("removeApiExport", "export { state }", "unauthorized", exportID),
	revokes("replaceApiKey", "export { state }", "unauthorized", func(n *tenant) map[string]any {
		return map[string]any{"exportId": n.export}
	}),
	revokes("deleteAgent", "deletedAgentId", "unauthorized", func(n *tenant) map[string]any {
		return map[string]any{"id": n.agent}
	}),
	revokes("deleteAccount", "ok", "unauthorized", func(*tenant) map[string]any {
		return map[string]any{"password": ownersPassword}
	}),
	{
		name:   "an export expires",
		before: "200",
		after:  "unauthorized",
		asks:   asksByKey,
		apply: func(n *tenant) {
			input := map[string]any{"id": n.export, "expiresAt": soon()}
			n.change("updateApiExport", "export { id }", input)
			n.whenDue(`expires_at <= clock_timestamp()`)
		},
	},
	{
		name:   "an old key stops",
		before: "200",
		after:  "unauthorized",
		asks:   asksByKey,
		apply: func(n *tenant) {
			var made struct{ APIKey string }
			input := map[string]any{"exportId": n.export, "oldKeyStopsAt": soon()}
			n.change("replaceApiKey", "apiKey", input).into(n.t, "replaceApiKey", &made)
			for _, r := range n.replicas { // until the old key stops, both are accepted
				got, err := ask(n.t.Context(), n.http, r.Chat, made.APIKey, "", "hello")
				if outcome := outcomeOf(got, err); outcome != "200" {
					n.t.Errorf("the new key: %s", outcome)
				}
			}
			n.whenDue(`EXISTS (SELECT FROM api_keys k
				WHERE k.export_id = e.id AND k.stops_at <= clock_timestamp())`)
		},
	},
	{
		name:   "an account is suspended",
		before: "200",
		after:  "account_suspended",
		asks:   asksByKey,
		apply: func(n *tenant) {
			execute(n.t, n.url, `UPDATE accounts SET state = 'SUSPENDED'
				WHERE id = (SELECT account_id FROM api_exports WHERE id = '`+n.export+`')`)
		},
	},
}

func exportID(n *tenant) map[string]any { return map[string]any{"id": n.export} }

// asksAsEditor returns a caller that changes the agent's draft with an access token.
func asksAsEditor(n *tenant, token string) asker {
	var made atomic.Int64
	return func(r *replica) string {
		b := newBrowser(n.t)
		b.Token = token
		got, err := b.do(r, updateAgent, map[string]any{
			"id":          n.agent,
			"description": fmt.Sprint(made.Add(1)),
		})
		if err != nil {
			return err.Error()
		}
		return got.code()
	}
}

// invite returns the user ID and the access token of a new editor of the account. The editor joins
// over one replica and signs in over another.
func (n *tenant) invite() (id, token string) {
	n.t.Helper()
	email := uuid.NewString() + "@example.com"
	var invited struct{ Link string }
	n.change("inviteMember", "link", map[string]any{"email": email, "role": "EDITOR"}).
		into(n.t, "inviteMember", &invited)
	_, link, _ := strings.Cut(invited.Link, "#token=")
	b := newBrowser(n.t, from(100+n.address)...)
	b.must(n.replicas[1], mutation("acceptInvitation", "account { accountId }"), map[string]any{
		"token":    link,
		"name":     "Grace",
		"password": ownersPassword,
	})
	got, err := b.signIn(n.replicas[0], signInQuery, email, ownersPassword)
	if err != nil || b.Token == "" {
		n.t.Fatalf("sign in: %v %s", err, got.Raw)
	}
	var me struct{ ID string }
	b.must(n.replicas[1], `{ me { id } }`, nil).into(n.t, "me", &me)
	return me.ID, b.Token
}

// memberChange returns a row in which an editor loses access.
func memberChange(field, selection string, more map[string]any) change {
	return change{
		name:   field,
		before: "ok",
		after:  "FORBIDDEN",
		asks: func(n *tenant) asker {
			id, token := n.invite()
			n.member = id
			return asksAsEditor(n, token)
		},
		apply: func(n *tenant) {
			input := map[string]any{"userId": n.member}
			for name, value := range more {
				input[name] = value
			}
			n.change(field, selection, input)
		},
	}
}

// accessChanges are the changes that end access to the panel's API.
var accessChanges = []change{
	memberChange("removeMember", "userId", nil),
	memberChange("setMemberRole", "member { role }", map[string]any{"role": "VIEWER"}),
	{
		name:   "removeAccountToken",
		before: "ok",
		after:  "UNAUTHENTICATED",
		asks: func(n *tenant) asker {
			_, token := newToken(n.t, n.replicas[0], n.owner)
			return asksAsEditor(n, token)
		},
		apply: func(n *tenant) {
			var viewer struct{ AccountTokens []struct{ ID string } }
			n.owner.must(n.replicas[0], `{ viewer { accountTokens { id } } }`, nil).
				into(n.t, "viewer", &viewer)
			n.change("removeAccountToken", "removedAccountTokenId",
				map[string]any{"id": viewer.AccountTokens[0].ID})
		},
	},
}

// endUser is the end user of the rows below.
const endUser = "ada-the-end-user"

// contentChanges are the changes after which the same request gets another response.
var contentChanges = []change{
	{
		name:   "an end user is blocked",
		before: "200",
		after:  "user_blocked",
		asks: func(n *tenant) asker {
			return func(r *replica) string {
				return n.outcome(r, map[string]any{"message": "hello", "user_id": endUser})
			}
		},
		apply: func(n *tenant) {
			n.change("blockEndUser", "endUser { userId }", map[string]any{"userId": endUser})
		},
	},
	{
		name:   "an end user is erased",
		before: "200",
		after:  "conversation_deleted",
		asks: func(n *tenant) asker {
			key := uuid.NewString()
			body := map[string]any{"message": "hello", "user_id": endUser, "session_id": "s"}
			if got := n.outcome(n.replicas[0], body, "Idempotency-Key", key); got != "200" {
				n.t.Fatal(got)
			}
			return func(r *replica) string { return n.outcome(r, body, "Idempotency-Key", key) }
		},
		apply: func(n *tenant) {
			n.change("deleteEndUser", "deletedCount", map[string]any{"userId": endUser})
		},
	},
	{
		name:   "a version is published",
		before: "version 1",
		after:  "version 2",
		asks: func(n *tenant) asker {
			return func(r *replica) string {
				got, err := ask(n.t.Context(), n.http, r.Chat, n.key, "", "hello")
				flies := strings.Contains(got.Reply, "“Fly.”")
				if err != nil || flies != (got.Version == 2) {
					return fmt.Sprintf("%s %v", got.Body, err)
				}
				return fmt.Sprint("version ", got.Version)
			}
		},
		apply: func(n *tenant) {
			input := map[string]any{"id": n.agent, "instructions": "Fly."}
			n.change("updateAgent", "agent { id }", input)
			n.change("publishAgent", "version { number }", map[string]any{"id": n.agent})
		},
	},
}

// TestChangesHoldOnEveryReplica makes changes over one of two replicas while callers use both. A
// request that starts after the change was answered never gets what it got before.
func TestChangesHoldOnEveryReplica(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 2, "STARTING_CREDITS=100000", behindProxy)
	auditing(t, c.store)
	t.Run("changes", func(t *testing.T) {
		address := 0
		for _, changes := range [][]change{keyChanges, accessChanges, contentChanges} {
			for _, x := range changes {
				address++
				n := &tenant{cluster: c, http: client(t), address: address}
				t.Run(x.name, func(t *testing.T) {
					t.Parallel()
					n.t = t
					n.owner, n.ownedExport = newOwnedExport(t, c.replicas[0], n.address)
					x.check(n)
				})
			}
		}
	})
	for i, r := range c.replicas {
		if strings.Contains(r.log.String(), endUser) {
			t.Errorf("the log of replica %d names an end user", i)
		}
	}
	storetest.Audit(t, c.store)
}

// check applies the change while callers use every replica.
func (x change) check(n *tenant) {
	n.t.Helper()
	const callers = 2 // of each replica
	var changed atomic.Bool
	var served atomic.Int64
	var work sync.WaitGroup
	defer func() {
		changed.Store(true)
		work.Wait()
	}()
	ask := x.asks(n)
	for i := range callers * len(n.replicas) {
		r := n.replicas[i%len(n.replicas)]
		work.Go(func() {
			for first := true; ; {
				after := changed.Load()
				switch got := ask(r); {
				case after && got != x.after:
					n.t.Errorf("after the change a caller got %s, want %s", got, x.after)
					return
				case after:
					return
				case got == "conversation_deleted": // a deletion ends what is in flight
				case got != x.before && got != x.after:
					n.t.Errorf("before the change a caller got %s, want %s", got, x.before)
					return
				case first && got == x.before:
					first = false
					served.Add(1)
				}
			}
		})
	}
	eventually(n.t, "every caller is served", func() bool {
		return served.Load() == int64(callers*len(n.replicas)) || n.t.Failed()
	})
	x.apply(n)
}
