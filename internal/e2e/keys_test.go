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

// TestKeysAreNeitherStoredNorLogged: keys are created over the panel's API and used in right and wrong ways, while the service logs at
// level debug and PostgreSQL logs every statement. No key appears in either log or in the database.
func TestKeysAreNeitherStoredNorLogged(t *testing.T) {
	t.Parallel()
	database := newCrashableDB(t, map[string]string{"log_statement": "all", "log_min_duration_statement": "0",
		"log_parameter_max_length": "-1", "log_parameter_max_length_on_error": "-1", "log_min_error_statement": "error"})
	s, c := database.open(), client(t)
	auditing(t, s)
	r := start(t, database.url, "LOG_LEVEL=debug", "STARTING_CREDITS=1000")
	b := newBrowser(t)
	b.signedUp(r, "ada@example.com", "a good password")
	var made struct{ Agent struct{ ID string } }
	b.must(r, `mutation($input: CreateAgentInput!) { createAgent(input: $input) { agent { id } } }`, map[string]any{
		"name": "Pilot", "instructions": "Pilot.", "model": storetest.SandboxModel}).into(t, "createAgent", &made)
	b.must(r, `mutation($input: PublishAgentInput!) { publishAgent(input: $input) { agent { state } } }`, map[string]any{"id": made.Agent.ID})
	keys := make([]string, 20)
	for i := range keys {
		var export struct{ APIKey string }
		b.must(r, `mutation($input: CreateApiExportInput!) { createApiExport(input: $input) { apiKey } }`, map[string]any{"agentId": made.Agent.ID, "name": fmt.Sprint("Export ", i)}).into(t, "createApiExport", &export)
		keys[i] = export.APIKey
		useInEveryWay(t, c, r, keys[i])
	}
	hits := 0
	known := map[string]string{"the service's log": `"msg":"request"`, "the database": "Pilot", "PostgreSQL's log": "INSERT INTO api_keys"}
	for where, text := range map[string]string{"the service's log": r.log.String(), "the database": dump(t, database),
		"PostgreSQL's log": serverLog(t, database)} {
		if !strings.Contains(text, known[where]) { // check that this is the right text
			t.Errorf("%s, %d bytes, does not contain %q", where, len(text), known[where])
		}
		for _, key := range keys {
			if strings.Contains(text, key[4:36]) {
				hits++
				t.Errorf("%s contains a key", where)
			}
		}
	}
	storetest.Audit(t, s)
}

// useInEveryWay uses a key correctly and incorrectly.
func useInEveryWay(t testing.TB, c *http.Client, r *replica, key string) {
	t.Helper()
	if got, err := ask(t.Context(), c, r.Chat, key, "s", "hello"); err != nil || got.Status != http.StatusOK {
		t.Errorf("a new key: %s %v", got.outcome(), err)
	}
	for name, value := range map[string]string{"X-Api-Key": key, "Cookie": "key=" + key, "Authorization": "Basic " + key, "Referer": "http://x/?k=" + key} {
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
	rows, err := s.SQL().QueryContext(t.Context(), `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	var tables []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		tables = append(tables, name)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, table := range tables {
		var all string
		if err := s.SQL().QueryRowContext(t.Context(), `SELECT coalesce(string_agg(x::text, E'\n'), '') FROM "`+table+`" x`).Scan(&all); err != nil {
			t.Fatal(err)
		}
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
