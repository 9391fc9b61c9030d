package e2e_test

import (
	"bufio"
	"fmt"
	"testing"

	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// TestAccountExportOfManyTurns: `account export` writes 300,000 turns in memory that does not
// depend on their number.
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
	export := command(t, binary, database, "account", "export", "--id", f.Account.ID.String())
	stdout, err := export.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := export.Start(); err != nil {
		t.Fatal(err)
	}
	read, peak := 0, 0
	for lines := bufio.NewScanner(stdout); lines.Scan(); read++ {
		if read < turns && read%5_000 == 0 { // it is running, because it has more to write
			peak = peakMemory(t, export.Process)
		}
	}
	if err := export.Wait(); err != nil || read < turns+turns/10 {
		t.Errorf("%d lines, %v", read, err)
	}
	if peak > most {
		t.Errorf("%d MiB of memory, want at most %d MiB", peak>>20, most>>20)
	}
}
