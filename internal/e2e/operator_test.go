package e2e_test

import (
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// TestSecretIsReplacedUnderLoad follows docs/operating.md: two restarts of each replica, one after the other, behind what a balancer does.
// Owners who work meanwhile are neither signed out nor refused.
func TestSecretIsReplacedUnderLoad(t *testing.T) {
	testlong.Only(t)
	url := storetest.URL(t)
	const before, after = "the-secret-from-before-0123456789abcdef", "the-secret-from-then-on-0123456789abcdef"
	serve := func(secret, other string) *replica {
		return start(t, url, "JWT_SECRET="+secret, "JWT_SECRET_PREVIOUS="+other, "TRUSTED_PROXIES=127.0.0.1/32", "SHUTDOWN_DELAY=300ms")
	}
	var slots [2]atomic.Pointer[replica]
	for i := range slots {
		slots[i].Store(serve(before, ""))
	}
	var over atomic.Bool
	var owners sync.WaitGroup
	var answered, renewed atomic.Int64
	for w := range 3 {
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
