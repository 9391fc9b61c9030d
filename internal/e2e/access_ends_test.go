package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/testlong"
)

// The operations by which access to an account is given and taken.
const (
	inviteMember = `mutation($input: InviteMemberInput!) { inviteMember(input: $input) { link } }`
	acceptInvite = `mutation($input: AcceptInvitationInput!) { acceptInvitation(input: $input) { account { accountId } } }`
	createToken  = `mutation($input: CreateAccountTokenInput!) { createAccountToken(input: $input) { secret accountToken { id } } }`
	removeMember = `mutation($input: RemoveMemberInput!) { removeMember(input: $input) { userId } }`
	setRole      = `mutation($input: SetMemberRoleInput!) { setMemberRole(input: $input) { member { role } } }`
	removeToken  = `mutation($input: RemoveAccountTokenInput!) { removeAccountToken(input: $input) { removedAccountTokenId } }`
)

// streamEndsWithin is how long a stream may outlive what allowed it.
const streamEndsWithin = 15 * time.Second

// TestAccessEndsOnEveryReplica: an owner removes a member, makes one a viewer, or removes an account token, over one of three replicas,
// while requests and streams run on all of them. No request that starts after the answer gets through, and the streams end.
func TestAccessEndsOnEveryReplica(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	d := newDeployment(t, 3, behindProxy)
	auditing(t, d.store)
	for i, row := range []struct {
		name, end string
		// code is what requests get, and streamCode what streams end with; an account token cannot follow any.
		code, streamCode string
	}{
		{"a member removed", removeMember, "FORBIDDEN", "UNAUTHENTICATED"},
		{"a role lowered", setRole, "FORBIDDEN", "FORBIDDEN"},
		{"a token removed", removeToken, "UNAUTHENTICATED", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			owner, export := newOwnedExport(t, d.replicas[0], fmt.Sprintf("198.51.100.%d", 1+2*i))
			var token string
			input := map[string]any{}
			if row.end == removeToken {
				input["id"], token = newToken(t, d.replicas[0], owner)
			} else {
				input["userId"], token = newMember(t, d, owner, fmt.Sprintf("198.51.100.%d", 2+2*i))
			}
			if row.end == setRole {
				input["role"] = "VIEWER"
			}
			u := &uses{t: t, agent: export.agent, code: row.code, streamCode: row.streamCode, running: map[string]bool{}}
			t.Cleanup(u.work.Wait) // if the test ends sooner
			for _, r := range d.replicas {
				u.request(r, token)
				if row.streamCode != "" {
					u.stream(r, token)
				}
			}
			eventually(t, "requests and streams run everywhere", func() bool { return u.allRun() || t.Failed() })
			owner.must(d.replicas[0], row.end, input)
			u.ended.Store(time.Now().UnixNano())
			u.work.Wait()
		})
	}
}

// newMember invites somebody, who joins as an editor and signs in; it returns the user's id and access token.
func newMember(t *testing.T, d *deployment, owner *browser, address string) (id, token string) {
	t.Helper()
	email := uuid.NewString() + "@example.com"
	var invited struct{ Link string }
	owner.must(d.replicas[0], inviteMember, map[string]any{"email": email, "role": "EDITOR"}).into(t, "inviteMember", &invited)
	_, link, found := strings.Cut(invited.Link, "#token=")
	if !found {
		t.Fatalf("no token in the link %s", invited.Link)
	}
	b := newBrowser(t, "X-Forwarded-For", address)
	b.must(d.replicas[1], acceptInvite, map[string]any{"token": link, "name": "Grace", "password": ownersPassword})
	if got, err := b.signIn(d.replicas[2], signInQuery, email, ownersPassword); err != nil || b.Token == "" {
		t.Fatalf("sign in: %v %s", err, got.Raw)
	}
	var me struct{ ID string }
	b.must(d.replicas[1], `{ me { id } }`, nil).into(t, "me", &me)
	return me.ID, b.Token
}

// newToken makes a token of an editor.
func newToken(t *testing.T, r *replica, owner *browser) (id, token string) {
	t.Helper()
	var made struct {
		Secret       string
		AccountToken struct{ ID string }
	}
	owner.must(r, createToken, map[string]any{"name": "CRM", "role": "EDITOR"}).into(t, "createAccountToken", &made)
	return made.AccountToken.ID, made.Secret
}

// uses are requests and streams that run until they are refused.
type uses struct {
	t                       *testing.T
	agent, code, streamCode string
	work                    sync.WaitGroup
	// ended is when the owner had the answer, in nanoseconds; 0 before.
	ended atomic.Int64
	mu    sync.Mutex
	// running says of each use whether it has been let in.
	running map[string]bool
}

func (u *uses) set(use string, running bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.running[use] = running
}

func (u *uses) allRun() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, running := range u.running {
		if !running {
			return false
		}
	}
	return true
}

// request changes the agent again and again.
func (u *uses) request(r *replica, token string) {
	use, b := "request to "+r.Chat, newBrowser(u.t)
	b.Token = token
	u.set(use, false)
	u.work.Go(func() {
		for i := 0; ; i++ {
			after := u.ended.Load() > 0
			got, err := b.do(r, updateDraft, map[string]any{"id": u.agent, "description": fmt.Sprint(i)})
			switch code := got.code(); {
			case err != nil:
				u.t.Error(err)
				return
			case code == u.code && i > 0:
				return
			case after || code != "ok":
				u.t.Errorf("after: %v: %s", after, got.Raw)
				return
			}
			u.set(use, true)
		}
	})
}

// stream follows a reply that would take five minutes.
func (u *uses) stream(r *replica, token string) {
	use := "stream of " + r.Chat
	u.set(use, false)
	u.work.Go(func() {
		events, err := u.follow(r, token, func() { u.set(use, true) })
		took := time.Duration(time.Now().UnixNano() - u.ended.Load())
		if err != nil || !strings.Contains(events, `"`+u.streamCode+`"`) || took > streamEndsWithin {
			u.t.Errorf("the stream ended after %v: %v %s", took, err, events)
		}
		u.t.Logf("a stream ended after %v", took)
	})
}

func (u *uses) follow(r *replica, token string, begun func()) (string, error) {
	body, err := json.Marshal(map[string]any{
		"query":     `subscription($input: SendTestMessageInput!) { testMessage(input: $input) { __typename } }`,
		"variables": map[string]any{"input": map[string]any{"agentId": u.agent, "message": "[[sandbox delay=5m]]"}},
	})
	if err != nil {
		return "", err
	}
	req, err := http.NewRequestWithContext(u.t.Context(), http.MethodPost, r.base()+"/graphql", bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	req.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"text/event-stream"}, "Authorization": {"Bearer " + token}}
	resp, err := client(u.t).Do(req)
	if err != nil {
		return "", err
	}
	defer func() { _ = resp.Body.Close() }()
	begun()
	events, err := io.ReadAll(resp.Body)
	return string(events), err
}
