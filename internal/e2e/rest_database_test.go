package e2e_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// TestRESTDatabaseUnavailable: cases 20 and 23. Without a database, a malformed key is still rejected, because that needs no query, and
// a well-formed key gets unavailable.
func TestRESTDatabaseUnavailable(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	d := newDeployment(t, 1)
	defer d.finish(t)
	caller := d.newCaller(t, storetest.Options{})
	before := d.figures(t, caller)
	d.store.SQL().SetMaxIdleConns(0) // the test's own connections are closed as well
	closeDatabase, openDatabase := databaseSwitch(t, d.url)
	closeDatabase()
	eventually(t, "not ready", func() bool { return d.replicas[0].ready() == http.StatusServiceUnavailable })
	refused := scenario{status: http.StatusUnauthorized, code: "unauthorized", closed: true}
	for _, key := range []string{"{changed}", "{cut}", "k", ""} {
		refused.name, refused.raw = key, post(hello, "Authorization: Bearer "+key, asJSON, "Connection: close")
		d.checkAnswer(t, caller, refused, d.send(t, caller, refused))
	}
	unavailable := scenario{status: http.StatusServiceUnavailable, code: "unavailable", closed: true}
	for _, request := range []string{
		post(hello, authorized, asJSON, "Connection: close"), post(hello, "Authorization: Bearer {unknown}", asJSON, "Connection: close"),
		post("{", authorized, asJSON, "Connection: close"), post(hello, authorized, "Connection: close"),
		post(hello, authorized, asJSON, "Idempotency-Key: k", "Connection: close"),
	} {
		unavailable.raw = request
		d.checkAnswer(t, caller, unavailable, d.send(t, caller, unavailable))
	}
	openDatabase()
	eventually(t, "ready again", func() bool { return d.replicas[0].ready() == http.StatusOK })
	if after := d.figures(t, caller); after != before {
		t.Errorf("the figures are %+v, want %+v", after, before)
	}
	if got := d.post(t, d.chat(), caller, caller.expand.Replace(hello)); got.Status != http.StatusOK {
		t.Errorf("once the database is back: %d %s", got.Status, got.Body)
	}
}

// databaseSwitch returns functions that make a database unavailable to all clients, and available again.
func databaseSwitch(t *testing.T, databaseURL string) (off, on func()) {
	t.Helper()
	u, err := url.Parse(databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	name := strings.TrimPrefix(u.Path, "/")
	admin, err := store.Open(t.Context(), store.Config{URL: storetest.EmptyURL(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = admin.Close() })
	do := func(text string, args ...any) {
		t.Helper()
		if _, err := admin.SQL().ExecContext(t.Context(), text, args...); err != nil {
			t.Fatal(err)
		}
	}
	off = func() {
		do(`ALTER DATABASE ` + name + ` WITH ALLOW_CONNECTIONS false`)
		eventually(t, "all connections are closed", func() (closed bool) {
			if err := admin.SQL().QueryRowContext(t.Context(), `SELECT count(pg_terminate_backend(pid)) = 0 FROM pg_stat_activity
				WHERE datname = $1 AND backend_type = 'client backend'`, name).Scan(&closed); err != nil {
				t.Fatal(err)
			}
			return closed
		})
	}
	return off, func() {
		do(`ALTER DATABASE ` + name + ` WITH ALLOW_CONNECTIONS true`)
	}
}
