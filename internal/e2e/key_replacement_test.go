package e2e_test

import (
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"agentchat/internal/testlong"
)

// TestKeyReplacedUnderLoad: while a key is being replaced both are accepted by both replicas, and the old one until exactly the time that
// its owner chose. The export's counters go on.
func TestKeyReplacedUnderLoad(t *testing.T) {
	testlong.Only(t)
	p, c := newPair(t, "STARTING_CREDITS=100000", "TRUSTED_PROXIES=127.0.0.1/32"), client(t)
	b, o := newOwnedExport(t, p.replicas[0], "10.0.1.1")
	b.must(p.replicas[0], `mutation($input: UpdateApiExportInput!) { updateApiExport(input: $input) { export { id } } }`,
		map[string]any{"id": o.export, "dailyCreditLimit": 50_000})
	var work sync.WaitGroup
	var answered, late atomic.Int64
	never := time.Now().Add(time.Hour)
	var stops atomic.Pointer[time.Time]
	stops.Store(&never)
	use := func(replica int, key string, stopsAt func() time.Time, done func() bool) {
		for !done() {
			began := time.Now()
			got, err := ask(t.Context(), c, p.chat(replica), key, "", "hello")
			switch stop := stopsAt(); {
			case err != nil:
				t.Error(err)
				return
			case got.Status == http.StatusOK && began.Before(stop):
				answered.Add(1)
			case got.Status == http.StatusUnauthorized && !time.Now().Before(stop):
				late.Add(1)
			default:
				t.Errorf("%s for a request of %v before the stop", got.outcome(), stop.Sub(began))
				return
			}
		}
	}
	for i := range 4 {
		work.Go(func() {
			use(i, o.key, func() time.Time { return *stops.Load() }, func() bool { return late.Load() > 50 || t.Failed() })
		})
	}
	eventually(t, "the key is in use", func() bool { return answered.Load() > 20 || t.Failed() })
	stop := time.Now().Add(2 * time.Second)
	var made struct{ APIKey string }
	b.must(p.replicas[0], `mutation($input: ReplaceApiKeyInput!) { replaceApiKey(input: $input) { apiKey export { id } } }`,
		map[string]any{"exportId": o.export, "oldKeyStopsAt": stop.UTC().Format(time.RFC3339Nano)}).into(t, "replaceApiKey", &made)
	stops.Store(&stop)
	for i := range 2 {
		work.Go(func() {
			use(i, made.APIKey, func() time.Time { return never }, func() bool { return late.Load() > 50 || t.Failed() })
		})
	}
	work.Wait()
	var counted, charged int64
	if err := p.store.SQL().QueryRow(`SELECT (SELECT used FROM limit_counters WHERE counted_for = $1),
		(SELECT sum(price) FROM turns WHERE export_id = $1)`, o.export).Scan(&counted, &charged); err != nil {
		t.Fatal(err)
	}
	if n := answered.Load(); counted != n || charged != n {
		t.Errorf("%d answered, %d counted, %d charged", n, counted, charged)
	}
	t.Logf("%d answered with the old key or the new one, %d refused after the stop", answered.Load(), late.Load())
}
