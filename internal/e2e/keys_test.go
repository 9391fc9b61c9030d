package e2e_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/internal/store/storetest"
)

// TestKeysAreNeitherStoredNorLogged: keys are created over the panel's API and used in right and
// wrong ways, while the service logs at level debug and PostgreSQL logs every statement. No key
// appears in either log or in the database. A key is not accepted by the panel's API, and an access
// token is not accepted by the chat API.
func TestKeysAreNeitherStoredNorLogged(t *testing.T) {
	t.Parallel()
	database := newCrashableDB(t, map[string]string{
		"log_statement":                     "all",
		"log_min_duration_statement":        "0",
		"log_parameter_max_length":          "-1",
		"log_parameter_max_length_on_error": "-1",
		"log_min_error_statement":           "error",
	})
	s, c := database.open(), client(t)
	auditing(t, s)
	r := start(t, database.url, "LOG_LEVEL=debug", "STARTING_CREDITS=1000")
	b := newBrowser(t)
	b.signedUp(r, "ada@example.com", "a good password")
	first := b.makeExport(r)
	keys := []string{first.key}
	for i := range 20 {
		var export struct{ APIKey string }
		b.must(r, createExport, map[string]any{
			"agentId": first.agent,
			"name":    fmt.Sprint("Export ", i),
		}).into(t, "createApiExport", &export)
		keys = append(keys, export.APIKey)
	}
	for _, key := range keys {
		useInEveryWay(t, c, r, key)
	}
	token := b.Token
	b.Token = first.key
	if got, err := b.do(r, viewerQuery, nil); err != nil || got.code() != "UNAUTHENTICATED" {
		t.Errorf("a key at the panel's API: %v %s", err, got.Raw)
	}
	got, err := ask(t.Context(), c, r.Chat, token, "", "hello")
	if outcome := outcomeOf(got, err); outcome != "unauthorized" {
		t.Errorf("an access token at the chat API: %s", outcome)
	}
	for _, place := range []struct{ name, text, contains string }{
		{"the service's log", r.log.String(), `"msg":"request"`},
		{"the database", dump(t, database), "Pilot"},
		{"PostgreSQL's log", serverLog(t, database), "INSERT INTO api_keys"},
	} {
		if !strings.Contains(place.text, place.contains) { // check that this is the right text
			t.Errorf("%s, %d bytes, lacks %q", place.name, len(place.text), place.contains)
		}
		for _, key := range keys {
			if strings.Contains(place.text, key[4:36]) {
				t.Errorf("%s contains a key", place.name)
			}
		}
	}
	storetest.Audit(t, s)
}

// useInEveryWay uses a key correctly and incorrectly.
func useInEveryWay(t testing.TB, c *http.Client, r *replica, key string) {
	t.Helper()
	if outcome := outcomeOf(ask(t.Context(), c, r.Chat, key, "s", "hello")); outcome != "200" {
		t.Errorf("a new key: %s", outcome)
	}
	for name, value := range map[string]string{
		"X-Api-Key":     key,
		"Cookie":        "key=" + key,
		"Authorization": "Basic " + key,
		"Referer":       "http://x/?k=" + key,
	} {
		_, _ = ask(t.Context(), c, r.Chat, key, "", "hello", name, value)
	}
	_, _ = ask(t.Context(), c, r.Chat+"?api_key="+key, key, "", "hello")
	_, _ = ask(t.Context(), c, r.Chat+"/"+key, key, "", "hello")
	_, _ = ask(t.Context(), c, r.Chat, key[:len(key)-1], "", "hello")
	_, _ = ask(t.Context(), c, r.Chat, key, "", "")
}

// dump returns every row of every table as text.
func dump(t testing.TB, database *crashableDB) string {
	t.Helper()
	s := database.open()
	var tables string
	readRow(t, s, `SELECT string_agg(table_name, ' ') FROM information_schema.tables
		WHERE table_schema = 'public'`, nil, &tables)
	var text strings.Builder
	for table := range strings.FieldsSeq(tables) {
		var all string
		readRow(t, s, `SELECT coalesce(string_agg(x::text, E'\n'), '') FROM "`+table+`" x`, nil, &all)
		text.WriteString(all + "\n")
	}
	return text.String()
}

func serverLog(t testing.TB, database *crashableDB) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(database.config.DataDir, "postgres.log"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
