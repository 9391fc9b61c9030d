package e2e_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"agentchat/internal/faults"
	"agentchat/internal/identity"
	"agentchat/internal/store/storetest"
)

// operate runs a command of the operator beside the service, and returns its error with what it said.
func operate(t testing.TB, databaseURL string, args ...string) error {
	t.Helper()
	command := exec.CommandContext(t.Context(), binary, args...)
	command.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "DATABASE_URL=" + databaseURL, "JWT_SECRET=" + testJWTSecret}
	command.Dir = t.TempDir()
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %w: %s", args, err, out)
	}
	return nil
}

// TestOperatorOverReplicas: what the operator changes by a command holds with the next request on every replica.
func TestOperatorOverReplicas(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	replicas := make([]*replica, 3)
	for i := range replicas {
		replicas[i] = start(t, url, "TRUSTED_PROXIES=127.0.0.1/32", "STARTING_CREDITS=1000")
	}
	owner := newBrowser(t, "X-Forwarded-For", "10.5.0.1")
	const email = "operated@example.com"
	owner.signedUp(replicas[0], email, ownersPassword)
	export := makeExport(t, owner, replicas[0])
	c := client(t)
	statuses := func() (out [3]int) {
		for i, r := range replicas {
			got, err := ask(t.Context(), c, r.Chat, export.key, fmt.Sprint("s", i), "hello")
			if err != nil {
				t.Fatal(err)
			}
			out[i] = got.Status
		}
		return out
	}
	for range faults.Times(3, 30) {
		for _, step := range []struct {
			args   []string
			status int
		}{
			{[]string{"account", "suspend", "--email", email}, http.StatusUnauthorized},
			{[]string{"account", "resume", "--email", email}, http.StatusOK},
			{[]string{"export", "pause", "--id", export.export}, http.StatusForbidden},
			{[]string{"export", "resume", "--id", export.export}, http.StatusOK},
		} {
			if err := operate(t, url, step.args...); err != nil {
				t.Fatal(err)
			}
			if got := statuses(); got != [3]int{step.status, step.status, step.status} {
				t.Errorf("after %v: %v, want %d", step.args, got, step.status)
			}
		}
	}

	stranger := newBrowser(t, "X-Forwarded-For", "10.5.0.2")
	for range identity.MaxGuesses {
		_, _ = stranger.signIn(replicas[0], signInQuery, email, "not the password")
	}
	for _, r := range replicas {
		if got, _ := stranger.signIn(r, signInQuery, email, ownersPassword); got.code() != "RATE_LIMITED" {
			t.Errorf("before the unlocking: %s", got.Raw)
		}
	}
	if err := operate(t, url, "account", "unlock", "--email", email); err != nil {
		t.Fatal(err)
	}
	for i, r := range replicas {
		visitor := newBrowser(t, "X-Forwarded-For", fmt.Sprint("10.5.0.", 3+i))
		if got, err := visitor.signIn(r, signInQuery, email, ownersPassword); err != nil || got.code() != "ok" {
			t.Errorf("after the unlocking: %v %s", err, got.Raw)
		}
	}
}

// TestGrantOnce: one grant, given 50 times at once by the command and 50 times over HTTP, is applied once.
func TestGrantOnce(t *testing.T) {
	t.Parallel()
	const token = "0123456789abcdef0123456789abcdef"
	url := storetest.URL(t)
	s := storetest.Open(t, url)
	f := storetest.Seed(t, s, storetest.Options{Credits: 10})
	r := start(t, url, "ADMIN_ADDR=127.0.0.1:0", "ADMIN_TOKEN="+token)
	post := func() error {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.Admin+"/admin/v1/accounts/email:"+f.Account.Email+"/credits",
			strings.NewReader(`{"amount": 7, "note": "Top-up", "reference": "invoice-1"}`))
		if err != nil {
			return err
		}
		req.Header.Set("Authorization", "Bearer "+token)
		req.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return err
		}
		_ = resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			return errors.New(resp.Status)
		}
		return nil
	}
	outcomes := parallel(16, 100, func(i int) string {
		grant := post
		if i%2 == 0 {
			grant = func() error {
				return operate(t, url, "credits", "grant", "--email", f.Account.Email, "--amount", "7", "--note", "Top-up", "--reference", "invoice-1")
			}
		}
		if err := grant(); err != nil {
			return err.Error()
		}
		return "ok"
	})
	account, err := s.Account(t.Context(), f.Account.ID)
	if err != nil || account.CreditBalance != 17 || outcomes["ok"] != 100 {
		t.Errorf("%v: balance %d, %v", outcomes, account.CreditBalance, err)
	}
}

// TestSecretIsReplacedUnderLoad follows docs/operating.md: two restarts of each replica, one after the other, behind what a balancer does.
// Owners who work meanwhile are neither signed out nor refused.
func TestSecretIsReplacedUnderLoad(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	const before, after = "the-secret-from-before-0123456789abcdef", "the-secret-from-then-on-0123456789abcdef"
	serve := func(secret, other string) *replica {
		return start(t, url, "JWT_SECRET="+secret, "JWT_SECRET_PREVIOUS="+other, "TRUSTED_PROXIES=127.0.0.1/32", "SHUTDOWN_DELAY=1s")
	}
	var slots [2]atomic.Pointer[replica]
	for i := range slots {
		slots[i].Store(serve(before, ""))
	}
	var over atomic.Bool
	var owners sync.WaitGroup
	var answered, renewed atomic.Int64
	for w := range 6 {
		owner := newBrowser(t, "X-Forwarded-For", fmt.Sprint("10.6.0.", 1+w))
		owner.signedUp(slots[0].Load(), fmt.Sprintf("owner-%d@example.com", w), ownersPassword)
		owners.Go(func() {
			for n := w; !over.Load(); n++ {
				if got, err := owner.do(slots[n%2].Load(), viewerQuery, nil); err != nil || got.code() != "ok" {
					t.Errorf("an owner was refused: %v %s", err, got.Raw)
					return
				}
				answered.Add(1)
				if n%7 != 0 {
					continue
				}
				got, err := owner.do(slots[(n+1)%2].Load(), renewQuery, nil)
				var data struct{ RenewAccess struct{ AccessToken string } }
				if err != nil || got.code() != "ok" || json.Unmarshal(got.Data, &data) != nil {
					t.Errorf("an owner was signed out: %v %s", err, got.Raw)
					return
				}
				owner.Token = data.RenewAccess.AccessToken
				renewed.Add(1)
			}
		})
	}
	work := func() {
		want := answered.Load() + 60
		eventually(t, "the owners go on", func() bool { return answered.Load() >= want || t.Failed() })
	}
	work()
	for _, secrets := range [][2]string{{before, after}, {after, before}} {
		for i := range slots {
			old := slots[i].Swap(serve(secrets[0], secrets[1]))
			old.terminate()
			select {
			case <-old.exited:
			case <-time.After(time.Minute):
				t.Error("a replica does not stop")
			}
			work()
		}
	}
	over.Store(true)
	owners.Wait()
	t.Logf("%d requests and %d renewals over four restarts", answered.Load(), renewed.Load())
}
