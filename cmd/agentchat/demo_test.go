package main

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"agentchat/internal/apikey"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/operator"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/users"

	"github.com/google/uuid"
)

// TestDemo tests that every start repairs the demo, whichever part is missing.
func TestDemo(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	db := storetest.Open(t, url)
	env := onDatabase(t, url, "STARTING_CREDITS=7")
	path := ""
	for _, line := range env {
		if dir, ok := strings.CutPrefix(line, "AGENTCHAT_DATA_DIR="); ok {
			path = filepath.Join(dir, demoFile)
		}
	}
	start := func(what string) demo {
		t.Helper()
		s := startService(t, env, "--demo")
		defer s.stop(t)
		if code, answer := say(t, s.Chat, s.Demo.APIKey, "demo", "Hello"); code != http.StatusOK {
			t.Errorf("%s: the printed key answers %d %s", what, code, answer.Error.Code)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: the file: %v, %v", what, info, err)
		}
		return *s.Demo
	}
	first := start("first start")
	owner, err := operator.On(db).AccountByEmail(t.Context(), demoEmail)
	if err != nil || owner.CreditBalance != 6 || owner.ID != first.AccountID {
		t.Fatalf("the demo account: %+v, %v", owner, err)
	}

	byAgent, err := exports.On(db).ExportsByAgents(t.Context(), owner.ID, []uuid.UUID{first.AgentID}, true)
	exportList := byAgent[first.AgentID]
	if err != nil || len(exportList) != 1 || exportList[0].Name != demoExportName {
		t.Fatalf("exports: %+v, %v", exportList, err)
	}
	if _, err := exports.On(db).RemoveExport(t.Context(), owner.ID, exportList[0].ID); err != nil {
		t.Fatal(err)
	}
	removed := start("export removed")
	if removed.APIKey == first.APIKey || removed.Password != first.Password || removed.AgentID != first.AgentID {
		t.Errorf("after the removal of its export: %+v", removed)
	}

	if _, err := agents.On(db).UnpublishAgent(t.Context(), owner.ID, first.AgentID); err != nil {
		t.Fatal(err)
	}
	if offline := start("agent offline"); offline != removed {
		t.Errorf("after its agent was offline: %+v", offline)
	}

	if err := os.WriteFile(path, []byte("{broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	lost := start("file broken")
	if lost.Password == first.Password || lost.AccountID != owner.ID || lost.AgentID != first.AgentID {
		t.Errorf("after its file was broken: %+v", lost)
	}
	expectPassword(t, url, demoEmail, lost.Password, true)
	expectPassword(t, url, demoEmail, first.Password, false)

	if agents, err := agents.On(db).Agents(t.Context(), owner.ID); err != nil || len(agents) != 1 {
		t.Errorf("there are %d demo agents (%v)", len(agents), err)
	}

	credentials, err := users.On(db).Credentials(t.Context(), owner.OwnerID)
	if err != nil {
		t.Fatal(err)
	}
	if err := erasure.On(db).DeleteAccount(t.Context(), owner.ID, owner.OwnerID,
		credentials.PasswordHash, audit.Entry{Actor: audit.ByUser}); err != nil {
		t.Fatal(err)
	}
	if again := start("account deleted"); again.AccountID == owner.ID {
		t.Errorf("after its account was deleted: %+v", again)
	}
}

// TestDemoText tests that a shell can run the printed command.
func TestDemoText(t *testing.T) {
	t.Parallel()
	key := apikey.Mint()
	where := addresses{Panel: "http://localhost:8080", Chat: "http://127.0.0.1:8080/v1/agent/chat",
		Demo: &demo{Email: demoEmail, Password: "secret", APIKey: key.Reveal()}}
	text := where.text()
	for _, part := range []string{where.Panel, demoEmail, "secret"} {
		if !strings.Contains(text, part) {
			t.Errorf("the text lacks %q", part)
		}
	}
	line := regexp.MustCompile(`(?m)^ *curl (.*)$`).FindStringSubmatch(text)
	if line == nil {
		t.Fatalf("no curl line in %s", text)
	}
	out, err := exec.CommandContext(t.Context(), "sh", "-c", `printf '%s\n' `+line[1]).Output()
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Split(strings.TrimSpace(string(out)), "\n")
	body := map[string]string{}
	if len(words) != 8 || words[1] != where.Chat || words[3] != "Authorization: Bearer "+key.Reveal() ||
		json.Unmarshal([]byte(words[7]), &body) != nil || body["message"] == "" || body["session_id"] == "" {
		t.Errorf("the shell reads %q", words)
	}
}
