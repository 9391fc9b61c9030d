package e2e_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// TestAccountExportOfManyTurns: `account export` writes 300,000 turns in memory that does not
// depend on their number, and logs its progress.
func TestAccountExportOfManyTurns(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	const turns, most = 300_000, 128 << 20
	database := storetest.URL(t)
	f := storetest.Seed(t, storetest.Open(t, database), storetest.Options{Credits: -1})
	execute(t, database, fmt.Sprintf(`
		INSERT INTO conversations
			(id, account_id, agent_id, source, session_id, turn_count, last_turn_at)
		SELECT md5('c' || n)::uuid, '%[1]s', '%[2]s', 'API', 'session ' || n, 10, now()
		FROM generate_series(0, %[3]d / 10 - 1) n;
		INSERT INTO turns (id, account_id, agent_id, conversation_id, source, number, state, message,
			reply, model, price, request_id, deadline)
		SELECT gen_random_uuid(), '%[1]s', '%[2]s', md5('c' || n / 10)::uuid, 'API', 1 + n %% 10,
			'ANSWERED', repeat('message ', 30), repeat('reply ', 60), 'm', 1, 'r', now()
		FROM generate_series(0, %[3]d - 1) n;
		ANALYZE conversations, turns`, f.Account.ID, f.Agent.ID, turns))
	id := f.Account.ID.String()
	command := exec.CommandContext(t.Context(), binary, "account", "export", "--id", id)
	command.Env = []string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + t.TempDir(),
		"DATABASE_URL=" + database,
	}
	command.Dir = t.TempDir()
	var log lockedBuffer
	command.Stderr = &log
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	types, peak := map[string]int{}, 0
	for lines, n := bufio.NewScanner(stdout), 1; lines.Scan(); n++ {
		if n < turns && n%5_000 == 0 { // it is running, because it has more to write
			peak = peakMemory(t, command.Process)
		}
		var line struct{ Type string }
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatalf("%v: %s", err, lines.Bytes())
		}
		types[line.Type]++
	}
	if err := command.Wait(); err != nil {
		t.Fatalf("%v: %s", err, log.String())
	}
	if types["turn"] != turns || types["conversation"] != turns/10 || types["account"] != 1 {
		t.Errorf("the lines: %v", types)
	}
	if time.Since(began) > 10*time.Second && !strings.Contains(log.String(), "lines so far") {
		t.Error("the progress was not logged")
	}
	if peak > most {
		t.Errorf("%d MiB of memory, want at most %d MiB", peak>>20, most>>20)
	}
}
