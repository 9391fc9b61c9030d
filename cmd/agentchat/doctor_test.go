package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/internal/knowledge/reading"
	"agentchat/internal/llm/llmtest"
	"agentchat/internal/store/storetest"
)

func TestDoctor(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	env := onDatabase(t, url, "GEMINI_API_KEY=none", "DATABASE_MAX_CONNS=9")
	if r := invoke(t, env, "", "doctor"); r.code != exitOK || !strings.HasPrefix(r.stdout, "All is well: ") {
		t.Errorf("a good service: %+v", r)
	}
	if got := invoke(t, env, "", "doctor", "--json").object(t); got["ok"] != true ||
		len(got["findings"].([]any)) != 0 {
		t.Errorf("a good service: %v", got)
	}
	for say, more := range map[string][]string{
		"only the sandbox answers":    {"GEMINI_API_KEY="},
		"PUBLIC_URL is not https":     {"LISTEN_ADDR=0.0.0.0:8080"},
		"Anybody may open an account": {"SIGN_UP=open"},
		"connections, and PostgreSQL": {"DATABASE_MAX_CONNS=1000"},
		"The database cannot be used": {"DATABASE_URL=postgres://someone:secret-word@127.0.0.1:1/none"},
	} {
		r := invoke(t, changed(env, more...), "", "doctor")
		if r.code != exitFailed || !strings.Contains(r.stdout, say) || strings.Count(r.stdout, "\n") != 1 {
			t.Errorf("%v: %+v, want %q", more, r, say)
		}
		if strings.Contains(r.stdout+r.stderr, "secret-word") {
			t.Errorf("%v: the password is printed: %+v", more, r)
		}
	}
	dir := t.TempDir()
	if err := os.MkdirAll(readingDir(dir), 0o700); err != nil {
		t.Fatal(err)
	}
	// A file instead of the directory for the compiled reader.
	if err := os.WriteFile(filepath.Join(readingDir(dir), "compiled"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_ = reading.New(readingDir(dir)).Prepare(t.Context())
	if r := invoke(t, changed(env, "AGENTCHAT_DATA_DIR="+dir), "", "doctor"); r.code != exitFailed ||
		!strings.Contains(r.stdout, "reader of PDF files could not be compiled: mkdir ") {
		t.Errorf("without a reader of PDF files: %+v", r)
	}
	broken := storetest.Open(t, url)
	if _, err := broken.SQL().ExecContext(t.Context(), `CREATE FUNCTION failing() RETURNS trigger LANGUAGE plpgsql AS
		'BEGIN RAISE EXCEPTION ''out of order''; END'; CREATE TRIGGER failing BEFORE INSERT ON turns EXECUTE FUNCTION failing()`); err != nil {
		t.Fatal(err)
	}
	r := invoke(t, env, "", "doctor")
	if r.code != exitFailed ||
		!strings.Contains(r.stdout, "The database takes no chats: turn_failed: ") ||
		!strings.Contains(r.stdout, "out of order") {
		t.Errorf("with a trigger that fails: %+v", r)
	}
	invoke(t, changed(env, "LISTEN_ADDR=here"), "", "doctor").expectLine(t, exitUsage, "LISTEN_ADDR")
}

// TestDoctorWithoutRights tests that the doctor names missing rights and does not recommend a
// command that would fail.
func TestDoctorWithoutRights(t *testing.T) {
	t.Parallel()
	role, few := storetest.NewRole(t, ""), storetest.NewRole(t, "CONNECTION LIMIT 3")
	url := storetest.EmptyURL(t)
	storetest.Superuser(t, url, `REVOKE ALL ON SCHEMA public FROM PUBLIC`)
	doctor := func(url, says string) string {
		t.Helper()
		r := invoke(t, onDatabase(t, url, "GEMINI_API_KEY=none", "DATABASE_MAX_CONNS=9"), "", "doctor")
		if r.code != exitFailed || !strings.Contains(r.stdout, says) || strings.Count(r.stdout, "\n") != 1 {
			t.Errorf("%+v, want %q", r, says)
		}
		return r.stdout
	}
	grant := "GRANT %s ON SCHEMA public TO " + role
	doctor(storetest.As(t, url, role), fmt.Sprintf(grant, "USAGE"))
	storetest.Superuser(t, url, fmt.Sprintf(grant, "USAGE"))
	doctor(storetest.As(t, url, role), fmt.Sprintf(grant, "CREATE")+"; Then run agentchat migrate.")
	invoke(t, onDatabase(t, storetest.As(t, url, role)), "", "serve").
		expectLine(t, exitFailed, fmt.Sprintf(grant, "CREATE"))

	migrated := storetest.URL(t)
	storetest.Superuser(t, migrated,
		`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO `+few)
	doctor(storetest.As(t, migrated, few),
		"may have only 3 connections, and a replica needs at least 4")
}

// changed returns an environment with other values.
func changed(env []string, values ...string) []string {
	var out []string
	for _, setting := range env {
		name, _, _ := strings.Cut(setting, "=")
		replaced := false
		for _, value := range values {
			replaced = replaced || strings.HasPrefix(value, name+"=")
		}
		if !replaced {
			out = append(out, setting)
		}
	}
	return append(out, values...)
}

func TestModelsCheck(t *testing.T) {
	t.Parallel()
	s := llmtest.NewOpenAI(t, "sk-right")
	path := filepath.Join(t.TempDir(), "models.yaml")
	file := fmt.Sprintf("providers:\n  - name: acme\n    kind: openai\n    base_url: %s/v1\n    api_key_env: ACME_KEY\n"+
		"models:\n  - {name: one, provider: acme, credits: 1, context_window: 8000}\n", s.URL)
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Always(llmtest.Text("Hello"))
	right := []string{"MODELS_FILE=" + path, "ACME_KEY=sk-right"}
	if got := invoke(t, right, "", "models", "check", "--json").object(t); got["ok"] != true ||
		len(got["models"].([]any)) != 1 {
		t.Errorf("with a good key: %v", got)
	}
	r := invoke(t, []string{"MODELS_FILE=" + path, "ACME_KEY=sk-wrong-word"}, "", "models", "check")
	if r.code != exitFailed || !strings.Contains(r.stdout, "acme/one: key refused") ||
		!strings.Contains(r.stdout, "Set a valid API key.") ||
		strings.Contains(r.stdout+r.stderr, "sk-wrong-word") {
		t.Errorf("with a wrong key: %+v", r)
	}
	if none := invoke(t, nil, "", "models", "check"); none.code != exitFailed ||
		!strings.Contains(none.stdout, "No model provider") {
		t.Errorf("without a provider: %+v", none)
	}
}
